// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Copies and NOPs of all sizes, by the driver and its peers. */
#include "msg.h"
#include "plan.h"

/* These ways need two CPUs. */
static void add_pairs(struct bench *bench, struct group *group,
		      unsigned int with)
{
	if (bench->cpus.submit == bench->cpus.work)
		return;
	/* It measures one operation, not several at once. */
	if (group->load.depth == 1 && !group->load.size)
		group_add(group, &bench->line.way);
	if (with & WITH_LIMIT)
		group_add(group, &bench->limit.way);
	if (with & WITH_PEERS) {
		group_add(group, bench->peers.uring);
		group_add(group, bench->peers.dpdk);
	}
}

static void set_refs(struct bench *bench, struct group *group)
{
	group->line = &bench->line.way;
	group->refs[REF_LOOP] = &bench->copy.way;
	group->refs[REF_MEMCPY] = &bench->memcpy.way;
	group->refs[REF_LIMIT] = &bench->limit.way;
	group->refs[REF_URING] = bench->peers.uring;
	group->refs[REF_DPDK] = bench->peers.dpdk;
}

static void group_init(struct bench *bench, struct group *group,
		       const struct load *load, unsigned int with)
{
	bool workers = bench->one.worker_id;
	struct way *enter = &bench->enter.way;
	struct way *rings = &bench_rings(bench)->way;

	plan_group(bench, group, load->size ? "copy" : "NOP", load);
	set_refs(bench, group);
	group->refs[REF_RINGS] = rings;
	if (load->size) {
		group_add(group, &bench->copy.way);
		group_add(group, &bench->memcpy.way);
	}
	add_pairs(bench, group, with);
	group_add(group, rings);
	if (load->size && with & WITH_DMA)
		group_add(group, &bench->dma.way);
	if (load->size && load->depth > 1 && with & WITH_DMA)
		group_add(group, &bench->dma_batches.way);
	if (workers && with & WITH_ENTER)
		group_add(group, enter);
	if (with & WITH_MAPPINGS)
		group_add(group, &bench->many_same.way);
	if (load->size && with & WITH_MAPPINGS)
		group_add(group, &bench->many_turn.way);
}

static int run(struct bench *bench)
{
	const struct options *opts = bench->opts;
	unsigned int total = opts->nr_sizes * opts->nr_depths;
	static struct group group;
	unsigned int i;

	for (i = 0; i < total; i++) {
		unsigned int size = i / opts->nr_depths;
		struct load load = {
			.size = opts->sizes[size].bytes,
			.depth = opts->depths[i % opts->nr_depths],
		};

		progress("%3u %%  %zu bytes, %u in flight", 100 * i / total,
			 load.size, load.depth);
		group_init(bench, &group, &load, opts->sizes[size].with);
		if (plan_measure(bench, &group))
			return -1;
	}
	return 0;
}

#define REFS                                                   \
	(1U << REF_LOOP | 1U << REF_MEMCPY | 1U << REF_LIMIT | \
	 1U << REF_RINGS | 1U << REF_URING | 1U << REF_DPDK)

static const char notes[] =
	"trips         the time in round trips of a cache line between the two CPUs\n"
	"other columns the speed as a part of that of\n"
	"  yardstick   a plain loop of the submitting thread\n"
	"  memcpy      memcpy() of the submitting thread\n"
	"  limit       rings between two threads, with nothing behind them but a copy\n"
	"  rings       the driver's bare rings with one mapping, executed by a worker\n"
	"              if there are any; ENTER executes in the submitting thread\n"
	"  io_uring    SQPOLL: NOPs, and reads of a file in the page cache\n"
	"  dma_skelet. DPDK's dmadev with the skeleton driver\n";

const struct plan plan_throughput = {
	.name = "throughput",
	.run = run,
	.with_peers = true,
	.with_sizes = true,
	.columns = { .refs = REFS, .notes = notes },
};

const struct plan plan_latency = {
	.name = "latency",
	.run = run,
	.with_peers = true,
	.with_sizes = true,
	.columns = { .single = true, .refs = REFS, .notes = notes },
};
