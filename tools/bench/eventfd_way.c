// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Events without a driver: this thread asks another one, on the CPU of our worker, and
 * sleeps until it answers by an eventfd. The other thread sleeps for questions as well,
 * or polls for them as a worker does.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "event.h"
#include "loop.h"
#include "msg.h"

static int signal_fd(int fd)
{
	uint64_t one = 1;

	return write(fd, &one, sizeof(one)) == sizeof(one) ? 0 : -1;
}

static int take_fd(int fd)
{
	uint64_t count;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? 0 : -1;
}

static void wait_for_question(struct eventfd_way *ew, uint32_t seen)
{
	if (!ew->polls) {
		take_fd(ew->question);
		return;
	}
	while (__atomic_load_n(&ew->asked, __ATOMIC_ACQUIRE) == seen)
		;
}

static void *answer(void *arg)
{
	struct eventfd_way *ew = arg;
	uint32_t seen = 0;

	if (cpu_pin(ew->cpus->work))
		return NULL; /* the asking thread gives up after a while */
	for (;; seen++) {
		wait_for_question(ew, seen);
		if (__atomic_load_n(&ew->stop, __ATOMIC_RELAXED))
			return NULL;
		signal_fd(ew->answer);
	}
}

static int submit(void *self, unsigned int n)
{
	struct eventfd_way *ew = self;

	(void)n;
	__atomic_store_n(&ew->asked, ew->asked + 1, __ATOMIC_RELEASE);
	if (!ew->polls && signal_fd(ew->question))
		return fail_errno(errno, "cannot write an eventfd");
	return 0;
}

static int reap(void *self)
{
	struct eventfd_way *ew = self;
	struct pollfd fd = { .fd = ew->answer, .events = POLLIN };

	if (poll(&fd, 1, PATIENCE_SECONDS * 1000) != 1)
		return fail("CPU %d does not answer", ew->cpus->work);
	return take_fd(ew->answer) ? fail("cannot read an eventfd") : 1;
}

static int eventfd_run(struct way *way, struct meter *meter)
{
	struct eventfd_way *ew = container_of(way, struct eventfd_way, way);
	pthread_t thread;
	int err, ret;

	ew->stop = false;
	ew->asked = 0;
	err = pthread_create(&thread, NULL, answer, ew);
	if (err)
		return fail_errno(err, "cannot create a thread");
	ret = loop_times(ew, meter, submit, reap);
	__atomic_store_n(&ew->stop, true, __ATOMIC_RELAXED);
	submit(ew, 1);
	pthread_join(thread, NULL);
	return ret;
}

static void eventfd_close(struct way *way)
{
	struct eventfd_way *ew = container_of(way, struct eventfd_way, way);

	close(ew->question);
	close(ew->answer);
}

static int eventfd_open(struct way *way, const struct load *load)
{
	struct eventfd_way *ew = container_of(way, struct eventfd_way, way);

	(void)load;
	ew->question = eventfd(0, EFD_CLOEXEC);
	ew->answer = eventfd(0, EFD_CLOEXEC);
	if (ew->question >= 0 && ew->answer >= 0)
		return 0;
	fail_errno(errno, "cannot create an eventfd");
	eventfd_close(way);
	return -1;
}

void eventfd_way_init(struct eventfd_way *ew, const struct cpus *cpus,
		      bool polls)
{
	*ew = (struct eventfd_way){
		.way = {
			.name = polls ? "eventfd, polled" : "eventfd",
			.open = eventfd_open,
			.run = eventfd_run,
			.close = eventfd_close,
		},
		.cpus = cpus,
		.polls = polls,
	};
}
