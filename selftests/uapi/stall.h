/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A page that cannot be written: a call whose answer goes there waits. */
#ifndef SELFTESTS_UAPI_STALL_H
#define SELFTESTS_UAPI_STALL_H

#include <linux/userfaultfd.h>

#include "doca_uapi.h"

/* Return a descriptor that makes writes to the page wait until it is closed; or -errno */
static inline int write_protect(void *page)
{
	struct uffdio_api api = {
		.api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP,
	};
	struct uffdio_range range = { .start = (uintptr_t)page, .len = PAGE };
	struct uffdio_register reg = {
		.range = range, .mode = UFFDIO_REGISTER_MODE_WP,
	};
	struct uffdio_writeprotect wp = {
		.range = range, .mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (uffd < 0)
		return -errno;
	if (!ioctl(uffd, UFFDIO_API, &api) &&
	    !ioctl(uffd, UFFDIO_REGISTER, &reg) &&
	    !ioctl(uffd, UFFDIO_WRITEPROTECT, &wp))
		return uffd;
	close(uffd);
	return -EOPNOTSUPP;
}

/* Return true when a thread waits there. */
static inline bool is_written(int uffd)
{
	struct uffd_msg msg;

	return read(uffd, &msg, sizeof(msg)) == sizeof(msg) &&
	       msg.event == UFFD_EVENT_PAGEFAULT;
}

#endif
