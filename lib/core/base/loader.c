// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "loader.h"

static struct {
	unsigned int calls; /* those at work, of all threads */
	bool half_made; /* in this child, as long as it lives */
} loader;
/* It is read in the child of a fork, where nothing may be allocated for it. */
static __thread unsigned int own_calls
	__attribute__((tls_model("initial-exec")));

/*
 * Calls of the thread that forked, from a constructor of what it loads, go on in the child. Whether
 * those of another thread wait for the lock, or are behind it, nobody can tell.
 */
static void fork_child(void)
{
	if (loader.calls != own_calls)
		loader.half_made = true;
	loader.calls = own_calls;
}

static void __attribute__((constructor)) watch_forks(void)
{
	pthread_atfork(NULL, NULL, fork_child);
}

int loader_check(void)
{
	return loader.half_made ? -EOWNERDEAD : 0;
}

/*
 * A handler of a signal may fork anywhere here. Between the two counts they differ, so that its child
 * loads nothing, even where no other thread does: it cannot tell.
 */
int loader_enter(int *cancel_state)
{
	int err;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel_state);
	__atomic_add_fetch(&loader.calls, 1, __ATOMIC_SEQ_CST);
	own_calls++;
	err = loader_check();
	if (err)
		loader_leave(*cancel_state);
	return err;
}

void loader_leave(int cancel_state)
{
	own_calls--;
	__atomic_sub_fetch(&loader.calls, 1, __ATOMIC_SEQ_CST);
	pthread_setcancelstate(cancel_state, NULL);
}

int loader_open(const char *file, int flags, void **handle)
{
	int state, err = loader_enter(&state);

	*handle = NULL;
	if (err)
		return err;
	*handle = dlopen(file, flags);
	loader_leave(state);
	return *handle ? 0 : -ELIBACC;
}

void loader_close(void *handle)
{
	int state;

	if (loader_enter(&state))
		return;
	dlclose(handle);
	loader_leave(state);
}

const char *loader_reason(int err)
{
	const char *why = "";

	if (err == -EOWNERDEAD)
		return "this process was forked while its parent loaded a "
		       "library or looked for RDMA devices; fork at another "
		       "time, or let the parent make this call before";
	if (err == -ELIBACC)
		why = dlerror();
	/* a call of the loader from another's malloc() or free() clears it */
	return why ? why : "for a reason that was lost";
}
