// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What is compared with what, and in which order it is run. */
#include "bench.h"
#include "msg.h"
#include "output.h"

#define RUNS 15
#define MAX_WAYS 8

/* Ways to do the same, run in turns, so that what disturbs one disturbs all. */
struct group {
	struct load load;
	unsigned int nr;
	struct {
		struct way *way;
		double rates[RUNS]; /* sorted in the end */
	} ways[MAX_WAYS];
	bool has_yardstick; /* is the first of the ways */
	struct way *rings; /* what the other ways are compared with, too */
};

static void group_add(struct group *group, struct way *way)
{
	group->ways[group->nr++].way = way;
}

/* The cache line's round trip is the measure of a NOP's, not of many at once. */
static void add_yardstick(struct bench *bench, struct group *group)
{
	if (group->load.size)
		group_add(group, &bench->copy.way);
	else if (group->load.depth == 1 &&
		 bench->cpus.submit != bench->cpus.work)
		group_add(group, &bench->line.way);
	group->has_yardstick = group->nr;
}

/* With workers switched off, everything goes by ENTER. */
static void group_init(struct bench *bench, struct group *group,
		       const struct load *load, unsigned int with)
{
	bool workers = bench->one.worker_id;
	struct way *enter = &bench->enter.way;

	*group = (struct group){ .load = *load };
	add_yardstick(bench, group);
	group->rings = workers ? &bench->worker.way : enter;
	group_add(group, group->rings);
	if (with & WITH_LIMIT && bench->cpus.submit != bench->cpus.work)
		group_add(group, &bench->limit.way);
	if (workers && with & WITH_ENTER)
		group_add(group, enter);
	if (load->size && with & WITH_DMA)
		group_add(group, &bench->dma.way);
	if (with & WITH_MAPPINGS)
		group_add(group, &bench->many_same.way);
	if (load->size && with & WITH_MAPPINGS)
		group_add(group, &bench->many_turn.way);
}

static void insert(double *sorted, unsigned int n, double value)
{
	for (; n && sorted[n - 1] > value; n--)
		sorted[n] = sorted[n - 1];
	sorted[n] = value;
}

static int run_one(struct bench *bench, struct group *group, unsigned int i,
		   unsigned int run)
{
	struct way *way = group->ways[i].way;
	double rate;

	area_spoil(&bench->area, &group->load);
	if (way->run(way, bench->opts->seconds, &rate))
		return fail("%s cannot be measured at %zu bytes, depth %u",
			    way->name, group->load.size, group->load.depth);
	insert(group->ways[i].rates, run, rate);
	return area_check(&bench->area, &group->load);
}

static int group_run(struct bench *bench, struct group *group)
{
	unsigned int opened, run, i;
	int ret = -1;

	for (opened = 0; opened < group->nr; opened++) {
		struct way *way = group->ways[opened].way;

		if (way->open(way, &group->load))
			goto out;
	}
	for (run = 0; run < RUNS; run++)
		for (i = 0; i < group->nr; i++)
			if (run_one(bench, group, i, run))
				goto out;
	ret = 0;
out:
	while (opened--)
		group->ways[opened].way->close(group->ways[opened].way);
	return ret;
}

static double median(const struct group *group, unsigned int i)
{
	return group->ways[i].rates[RUNS / 2];
}

static void group_print(const struct group *group)
{
	double rings = median(group, group->has_yardstick);
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const double *rates = group->ways[i].rates;
		bool is_yardstick = !i && group->has_yardstick;
		double rate = median(group, i);
		struct row row = {
			.way = group->ways[i].way->name,
			.load = group->load,
			.rate = rate,
			.spread =
				(rates[RUNS * 3 / 4] - rates[RUNS / 4]) / rate,
		};

		/* As many are always in flight; a yardstick does one by one. */
		row.latency = (is_yardstick ? 1 : row.load.depth) / rate;
		if (group->has_yardstick && !is_yardstick)
			row.to_yardstick = group->load.size ?
						   rate / median(group, 0) :
						   median(group, 0) / rate;
		if (!is_yardstick && group->ways[i].way != group->rings)
			row.to_rings = rate / rings;
		output_row(&row);
	}
}

int bench_run(struct bench *bench)
{
	const struct options *opts = bench->opts;
	unsigned int total = opts->nr_sizes * opts->nr_depths;
	struct group group;
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
		if (group_run(bench, &group))
			return -1;
		group_print(&group);
	}
	return output_end(bench->line.best);
}
