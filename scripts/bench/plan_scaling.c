// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The cost of an operation when there are many of something. */
#include <stdio.h>

#include "bench/msg.h"
#include "plans.h"
#include "scale.h"

#define DEPTH 32 /* entries of a queue, unless they vary */
#define NR 4 /* values of each variable */
#define MANY_MAPPINGS 10000

enum { REF_FIRST };

static const char *const refs[] = { "first", NULL };

static struct group group;
static char names[NR][32];

static void begin(struct bench *bench, const char *operation, size_t size)
{
	struct load load = { .size = size, .depth = DEPTH };

	plan_group(bench, &group, operation, &load);
}

static void add(struct way *way, unsigned int depth)
{
	struct load load = { .size = group.load.size, .depth = depth };

	if (!group.nr)
		group.refs[REF_FIRST] = way;
	group_add_load(&group, way, &load);
}

static int measure_depths(struct bench *bench)
{
	static const unsigned int depths[NR] = { 32, 256, 1024, 4096 };
	static struct ring_way rings[NR];
	unsigned int i;

	progress("depths");
	begin(bench, "NOP", 0);
	for (i = 0; i < NR; i++) {
		rings[i] = *bench_rings(bench);
		add(&rings[i].way, depths[i]);
	}
	return plan_measure(bench, &group);
}

static int measure_queues(struct bench *bench)
{
	static const unsigned int nr[NR] = { 1, 4, 16, 64 };
	static struct queues_way queues[NR];
	unsigned int i;

	progress("queues");
	begin(bench, "NOP", 0);
	for (i = 0; i < NR; i++) {
		snprintf(names[i], sizeof(names[i]), "%u queues", nr[i]);
		queues_way_init(&queues[i], names[i], &bench->one, nr[i]);
		add(&queues[i].way, DEPTH * nr[i]);
	}
	return plan_measure(bench, &group);
}

/* The depth gives each side enough work while the other one does not run. */
static int measure_pairs(struct bench *bench)
{
	static const char *const pair_names[] = { "1 pair", "2 pairs" };
	static struct pairs_way pairs[2];
	unsigned int i;

	progress("workers");
	begin(bench, "NOP", 0);
	for (i = 0; i < 2; i++) {
		pairs_way_init(&pairs[i], pair_names[i], &bench->conf, i + 1);
		add(&pairs[i].way, 1024 * (i + 1));
	}
	return plan_measure(bench, &group);
}

/* Compare a domain of one mapping with a domain of very many. */
static int compare_mappings(struct bench *bench, const struct domain *many)
{
	static const unsigned int nr[NR] = { 1, 100, 1000, MANY_MAPPINGS };
	static struct ring_way one, rings[NR];
	static char map_names[NR][32];
	unsigned int i;

	progress("mappings");
	begin(bench, "copy", 64);
	one = *bench_rings(bench);
	one.way.name = "1 map";
	add(&one.way, DEPTH);
	for (i = 0; i < NR; i++) {
		rings[i] = one;
		rings[i].domain = many;
		rings[i].worker_id = many->worker_id;
		rings[i].nr_keys = nr[i];
		rings[i].way.name = map_names[i];
		snprintf(map_names[i], sizeof(map_names[i]), "%u of %u maps",
			 nr[i], MANY_MAPPINGS);
		add(&rings[i].way, DEPTH);
	}
	return plan_measure(bench, &group);
}

static int measure_mappings(struct bench *bench)
{
	struct domain_conf conf = bench->conf;
	struct domain many;
	int ret;

	conf.mappings = MANY_MAPPINGS;
	if (domain_open(&many, &conf))
		return -1;
	ret = compare_mappings(bench, &many);
	domain_close(&many);
	return ret;
}

static int measure_contexts(struct bench *bench)
{
	static struct ctx_way ctx;

	progress("contexts");
	begin(bench, "ctx", 0);
	ctx_way_init(&ctx, bench->device);
	add(&ctx.way, 1);
	return plan_measure(bench, &group);
}

static int run(struct bench *bench)
{
	if (measure_depths(bench) || measure_queues(bench) ||
	    measure_pairs(bench) || measure_mappings(bench))
		return -1;
	return measure_contexts(bench);
}

const struct plan plan_scaling = {
	.name = "scaling",
	.help = "many operations in flight, queues, mappings, contexts",
	.run = run,
	.columns = {
		.refs = refs,
		.notes =
			"depth         of all queues together\n"
			"pair          a submitting thread and a worker, on two CPUs; two of them share the\n"
			"              two\n"
			"first         the speed as a part of that of the first of the same kind\n"
			"ctx           create a DMA context, start, stop and destroy it\n",
	},
};
