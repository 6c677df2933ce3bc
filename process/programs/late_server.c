// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Preloaded into doca_bench by tools.sh: a thread that has made progress is held up until the
 * first thread has submitted once more, as if it had lost its CPU meanwhile; or until the first
 * thread does nothing but wait. At the end it says how often that was.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include <doca_pe.h>

#define VAIN 1000 /* looks of a thread that waits */

static atomic_uint submitted, vain, held_up;
static atomic_bool sleeps; /* the first thread, until there is an event or the other has ended */

static bool is_first(void)
{
	return gettid() == getpid();
}

static void hold_up(unsigned int before)
{
	unsigned int looks = vain;

	held_up++;
	while (!sleeps && submitted == before && vain - looks < VAIN)
		sched_yield();
}

doca_error_t doca_task_submit(struct doca_task *task)
{
	doca_error_t (*submit)(struct doca_task *task) = dlsym(RTLD_NEXT, "doca_task_submit");
	doca_error_t err = submit(task);

	submitted += is_first();
	return err;
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	uint8_t (*progress)(struct doca_pe *pe) = dlsym(RTLD_NEXT, "doca_pe_progress");
	unsigned int before = submitted;
	uint8_t nr = progress(pe);

	if (is_first())
		vain += !nr;
	else if (nr)
		hold_up(before);
	return nr;
}

doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
	doca_error_t (*request)(struct doca_pe *pe) =
		dlsym(RTLD_NEXT, "doca_pe_request_notification");

	if (is_first())
		sleeps = true;
	return request(pe);
}

doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle)
{
	doca_error_t (*clear)(struct doca_pe *pe, doca_notification_handle_t handle) =
		dlsym(RTLD_NEXT, "doca_pe_clear_notification");

	if (is_first())
		sleeps = false;
	return clear(pe, handle);
}

int pthread_join(pthread_t thread, void **result)
{
	int (*join)(pthread_t thread, void **result) = dlsym(RTLD_NEXT, "pthread_join");
	int err;

	sleeps = true;
	err = join(thread, result);
	sleeps = false;
	return err;
}

__attribute__((destructor)) static void tell(void)
{
	fprintf(stderr, "held up %u times\n", held_up);
}
