/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Our calls of the dynamic loader, which has a lock of its own while it calls constructors of what
 * it loads. Those may open files or wait: a thread that is cancelled there would leave that lock
 * locked for ever, so cancellation is disabled meanwhile.
 *
 * A child that was forked while another thread was in such a call has what that had made by then:
 * glibc renews the loader's lock there, but not what it guards. The loader must not be called any
 * more in such a child, whatever it is asked for, and no later call can know better. Calls of the
 * program's own are not seen, and libonload's neither.
 *
 * libibverbs loads drivers whenever it finds a device that has none, which nobody can foresee, and has a
 * lock while it makes a list of devices, which stays locked in such a child. So each list counts as a
 * load, and a thread is not cancelled meanwhile.
 *
 * Make these calls without a lock of ours: constructors may call us, or fork, and must not wait for
 * another thread, which may wait for the loader.
 */
#ifndef DOCA_CORE_LOADER_H
#define DOCA_CORE_LOADER_H

#include "symver.h"

/* Returns 0, or -EOWNERDEAD in such a child. */
DOCA_STABLE int loader_check(void) DOCA_PRIVATE(loader_check);

/*
 * Around calls of others that load something, or make a list of RDMA devices. The first returns 0, or
 * -EOWNERDEAD, and then nothing may be loaded; otherwise the second takes what the first has set. They
 * may be nested, since a constructor may load as well.
 */
DOCA_STABLE int loader_enter(int *cancel_state) DOCA_PRIVATE(loader_enter);
DOCA_STABLE void loader_leave(int cancel_state) DOCA_PRIVATE(loader_leave);

/* Like dlopen(). Returns 0, or -EOWNERDEAD, or -ELIBACC. */
DOCA_STABLE int loader_open(const char *file, int flags, void **handle)
	DOCA_PRIVATE(loader_open);

/* Like dlclose(); in such a child what is loaded stays. */
DOCA_STABLE void loader_close(void *handle) DOCA_PRIVATE(loader_close);

/*
 * Return the words for such an error, "" for others. Those for -ELIBACC are the loader's, which stay
 * until this thread calls it again.
 */
DOCA_STABLE const char *loader_reason(int err) DOCA_PRIVATE(loader_reason);

#endif /* DOCA_CORE_LOADER_H */
