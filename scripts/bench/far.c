// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <sched.h>

#include "bench/clock.h"
#include "bench/cpu.h"
#include "bench/msg.h"
#include "far.h"

static int receive(struct far *far)
{
	struct patience patience = { 0 };
	int n;

	while (!burst_whole(&far->burst)) {
		n = burst_receive(&far->burst, &far->messages, far->fd);
		if (n < 0)
			return -1;
		if (!n && patience_lost(&patience))
			return fail("datagrams do not arrive");
		if (!n)
			sched_yield();
	}
	return 0;
}

/* Return false to stop. */
static bool wait_for_question(const struct far *far)
{
	while (__atomic_load_n(&far->asked, __ATOMIC_ACQUIRE) == far->done) {
		if (__atomic_load_n(&far->stop, __ATOMIC_RELAXED))
			return false;
		sched_yield();
	}
	return true;
}

static void *serve(void *arg)
{
	struct far *far = arg;
	int err = cpu_pin(far->cpu);

	while (wait_for_question(far)) {
		if (!err)
			err = far->receives ?
				      receive(far) :
				      burst_send(&far->burst, &far->messages,
						 far->fd);
		burst_next(&far->burst);
		far->failed = err;
		__atomic_store_n(&far->done, far->done + 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

int far_start(struct far *far, const struct load *load)
{
	int err;

	burst_begin(&far->burst, load);
	burst_messages_init(&far->messages,
			    far->receives ? BURST_MAX_SIZE + 1 : load->size);
	far->asked = far->done = 0;
	far->stop = far->failed = false;
	err = pthread_create(&far->thread, NULL, serve, far);
	return err ? fail_errno(err, "cannot create a thread") : 0;
}

/* The thread gives up by itself if a burst does not arrive. */
int far_burst(struct far *far)
{
	uint32_t asked = far->asked + 1;

	__atomic_store_n(&far->asked, asked, __ATOMIC_RELEASE);
	while (__atomic_load_n(&far->done, __ATOMIC_ACQUIRE) != asked)
		sched_yield();
	return far->failed ? -1 : 0;
}

void far_stop(struct far *far)
{
	__atomic_store_n(&far->stop, true, __ATOMIC_RELAXED);
	pthread_join(far->thread, NULL);
}
