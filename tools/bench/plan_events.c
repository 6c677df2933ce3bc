// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The time until a program is woken. In the first group nothing polls, so there are two
 * wake-ups: of the executing thread and of the waiting one. In the second group only the
 * waiting thread sleeps.
 */
#include "event.h"
#include "msg.h"
#include "plan.h"

#define SIZE 64
#define POLLING_US 2000 /* longer than the time until the next task */

enum { REF_EVENTFD, REF_POLLED };

static const char *const refs[] = { "eventfd", "polled", NULL };

static const struct load load = { .size = SIZE, .depth = 1 };

static int measure(struct bench *bench, bool polls)
{
	static struct group group;
	static struct eventfd_way eventfd;
	static struct dma_way dma;
	struct dma_conf conf = {
		.name = polls ? "doca_pe, polled" : "doca_pe",
		.area = &bench->area,
		.cpus = &bench->cpus,
		.device = bench->device,
		.idle_us = polls ? POLLING_US : 0,
		.style = DMA_EVENTS,
	};

	progress("events%s", polls ? " of a worker that polls" : "");
	plan_group(bench, &group, "copy", &load);
	dma_way_init(&dma, &conf);
	eventfd_way_init(&eventfd, &bench->cpus, polls);
	group.line = &bench->line.way;
	group.refs[polls ? REF_POLLED : REF_EVENTFD] = &eventfd.way;
	group_add(&group, &bench->line.way);
	group_add(&group, &eventfd.way);
	group_add(&group, &dma.way);
	return plan_measure(bench, &group);
}

static int run(struct bench *bench)
{
	if (bench->cpus.submit == bench->cpus.work)
		return fail(
			"events are from one CPU to another, and there is one");
	if (measure(bench, false))
		return -1;
	return measure(bench, true);
}

const struct plan plan_events = {
	.name = "events",
	.help = "what one takes that the program sleeps for",
	.run = run,
	.columns = {
		.single = true,
		.refs = refs,
		.notes =
			"trips         the time in round trips of a cache line between the two CPUs\n"
			"eventfd       the speed as a part of that of two threads that sleep until the\n"
			"              other one writes an eventfd\n"
			"polled        the same with a thread that polls for what to do, and only then\n"
			"              writes an eventfd\n"
			"doca_pe       a copy of 64 bytes through doca_dma, waited for in poll()\n",
	},
};
