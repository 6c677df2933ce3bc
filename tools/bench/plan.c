// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What is compared with what, and in which order it is run. */
#include "bench.h"
#include "group.h"
#include "msg.h"
#include "table.h"

/* Two CPUs are what these are about. */
static void add_pairs(struct bench *bench, struct group *group,
		      unsigned int with)
{
	if (bench->cpus.submit == bench->cpus.work)
		return;
	/* The measure of one operation, not of many at once. */
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

/* With workers switched off, everything goes by ENTER. */
static void group_init(struct bench *bench, struct group *group,
		       const struct load *load, unsigned int with)
{
	bool workers = bench->one.worker_id;
	struct way *enter = &bench->enter.way;
	struct way *rings = workers ? &bench->worker.way : enter;

	*group = (struct group){ .load = *load,
				 .seconds = bench->opts->seconds,
				 .single = bench->opts->latency };
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
	if (workers && with & WITH_ENTER)
		group_add(group, enter);
	if (with & WITH_MAPPINGS)
		group_add(group, &bench->many_same.way);
	if (load->size && with & WITH_MAPPINGS)
		group_add(group, &bench->many_turn.way);
}

static int report(struct bench *bench, const struct group *group)
{
	struct row row;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		group_row(group, i, &row);
		if (results_row(&bench->results, &row))
			return -1;
		if (!options_quiet(bench->opts))
			table_row(&row);
	}
	return 0;
}

int bench_run(struct bench *bench)
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
		if (group_run(&group) || report(bench, &group))
			return -1;
	}
	return 0;
}
