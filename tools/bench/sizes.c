// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "common/usage.h"
#include "msg.h"
#include "sizes.h"

#define MAX_SIZE ((size_t)128 << 20)

void sizes_check(const struct options *opts)
{
	unsigned int i;

	for (i = 0; i < opts->nr_sizes; i++)
		if (opts->sizes[i].bytes > MAX_SIZE)
			usage("--sizes: copies are up to 128M");
}

/* These ways need two CPUs. */
static void add_pairs(struct bench *bench, struct group *group)
{
	const struct plan *plan = bench->opts->plan;

	if (bench->cpus.submit == bench->cpus.work)
		return;
	/* It measures one operation, not several at once. */
	if (group->load.depth == 1 && !group->load.size)
		group_add(group, &bench->line.way);
	group_add(group, &bench->limit.way);
	if (plan->add)
		plan->add(bench, group);
}

static void set_refs(struct bench *bench, struct group *group)
{
	group->line = &bench->line.way;
	group->refs[REF_LOOP] = &bench->copy.way;
	group->refs[REF_MEMCPY] = &bench->memcpy.way;
	group->refs[REF_LIMIT] = &bench->limit.way;
	group->refs[REF_RINGS] = &bench_rings(bench)->way;
}

static void group_init(struct bench *bench, struct group *group,
		       const struct load *load, unsigned int with)
{
	plan_group(bench, group, load->size ? "copy" : "NOP", load);
	set_refs(bench, group);
	if (load->size) {
		group_add(group, &bench->copy.way);
		group_add(group, &bench->memcpy.way);
	}
	add_pairs(bench, group);
	group_add(group, &bench_rings(bench)->way);
	if (load->size && with & WITH_DMA)
		group_add(group, &bench->dma.way);
	if (load->size && load->depth > 1 && with & WITH_DMA)
		group_add(group, &bench->dma_batches.way);
	if (bench->one.worker_id && with & WITH_ENTER)
		group_add(group, &bench->enter.way);
}

int sizes_run(struct bench *bench)
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

static const char *const refs[] = { SIZES_REFS, NULL };

const struct plan plan_throughput = {
	.name = "throughput",
	.help = "operations that do nothing (NOP) and copies in a second",
	.run = sizes_run,
	.check = sizes_check,
	.with_sizes = true,
	.columns = { .refs = refs, .notes = SIZES_NOTES },
};

const struct plan plan_latency = {
	.name = "latency",
	.help = "what a single one takes",
	.run = sizes_run,
	.check = sizes_check,
	.with_sizes = true,
	.columns = { .single = true, .refs = refs, .notes = SIZES_NOTES },
};
