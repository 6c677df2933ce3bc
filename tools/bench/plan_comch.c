// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The communication channel, between two threads of this process: messages there and back,
 * and data from a producer into the buffers of a consumer.
 */
#include "comch_way.h"
#include "event.h"
#include "msg.h"
#include "plan.h"
#include "stream_way.h"

enum { REF_SOCKETPAIR, REF_EVENTFD, REF_DMA };

static const char *const refs[] = { "socketpair", "eventfd", "doca_dma", NULL };

static struct group group;

static int measure_trips(struct bench *bench, size_t size, bool asleep)
{
	const struct load load = { .size = size, .depth = 1 };
	uint32_t idle_us = bench->opts->idle_us;
	static struct eventfd_way eventfd;
	static struct packet_way packet;
	static struct comch_way comch;

	progress("messages of %zu bytes%s", size, asleep ? ", asleep" : "");
	plan_group(bench, &group, "trip", &load);
	/* The ratios are of medians of single trips. */
	group.single = true;
	packet_way_init(&packet, &bench->cpus, asleep);
	eventfd_way_init(&eventfd, &bench->cpus, false);
	comch_way_init(&comch, &bench->cpus, idle_us, asleep);
	group.line = &bench->line.way;
	group.refs[REF_SOCKETPAIR] = &packet.way;
	group.refs[REF_EVENTFD] = asleep ? &eventfd.way : NULL;
	group_add(&group, &bench->line.way);
	group_add(&group, &packet.way);
	group_add(&group, group.refs[REF_EVENTFD]);
	group_add(&group, &comch.way);
	return plan_measure(bench, &group);
}

static int measure_stream(struct bench *bench, size_t size, unsigned int depth)
{
	const struct load load = { .size = size, .depth = depth };
	static struct stream_way stream;

	progress("data of %zu bytes, %u in flight", size, depth);
	plan_group(bench, &group, "send", &load);
	stream_way_init(&stream, &bench->area, &bench->cpus,
			bench->opts->idle_us);
	group.refs[REF_DMA] = &bench->dma.way;
	group_add(&group, &bench->dma.way);
	group_add(&group, &stream.way);
	return plan_measure(bench, &group);
}

static int run(struct bench *bench)
{
	if (bench->cpus.submit == bench->cpus.work)
		return fail(
			"a channel is from one CPU to another, and there is one");
	if (measure_trips(bench, 64, false) ||
	    measure_trips(bench, 4080, false) ||
	    measure_trips(bench, 64, true) || measure_trips(bench, 4080, true))
		return -1;
	if (measure_stream(bench, 64, 1) || measure_stream(bench, 64, 32) ||
	    measure_stream(bench, 65536, 1) || measure_stream(bench, 65536, 32))
		return -1;
	return 0;
}

const struct plan plan_comch = {
	.name = "comch",
	.help = "messages and data between two threads, over the communication channel",
	.run = run,
	.without_rings = true,
	.columns = {
		.refs = refs,
		.notes =
			"trip          a message there and back; its ratios are of the medians\n"
			"send          from a producer into a buffer of a consumer\n"
			"trips         the time in round trips of a cache line between the two CPUs\n"
			"other columns the speed as a part of that of\n"
			"  socketpair  packets over a pair of sockets, polled or slept for as well\n"
			"  eventfd     two threads that sleep until the other one writes an eventfd\n"
			"  doca_dma    copies of that size through doca_dma\n",
	},
};
