// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "bench.h"
#include "env.h"
#include "msg.h"
#include "plan.h"

/* Beyond it, operations in flight share memory. */
#define HALF ((size_t)2 << 20) /* for plans without sizes */
#define MAX_HALF ((size_t)32 << 20)

static size_t area_size(const struct options *opts)
{
	size_t largest = 0, deepest = 1;
	unsigned int i;

	if (!opts->plan->with_sizes)
		return HALF;
	for (i = 0; i < opts->nr_sizes; i++)
		if (opts->sizes[i].bytes > largest)
			largest = opts->sizes[i].bytes;
	for (i = 0; i < opts->nr_depths; i++)
		if (opts->depths[i] > deepest)
			deepest = opts->depths[i];
	if (!largest)
		largest = 1;
	if (largest > MAX_HALF)
		return largest;
	return largest * deepest < MAX_HALF ? largest * deepest : MAX_HALF;
}

static void init_ring(struct bench *bench, struct ring_way *rw,
		      const char *name)
{
	*rw = (struct ring_way){
		.way = ring_way_ops,
		.domain = &bench->one,
		.worker_id = bench->one.worker_id,
		.nr_keys = 1,
	};
	rw->way.name = name;
	rw->way.area = &bench->area;
}

static void init_ways(struct bench *bench)
{
	struct dma_conf dma = {
		.name = "doca_dma",
		.area = &bench->area,
		.cpus = &bench->cpus,
		.device = bench->device,
		.idle_us = bench->opts->idle_us,
	};

	line_way_init(&bench->line, &bench->cpus);
	copy_way_init(&bench->copy, &bench->area);
	memcpy_way_init(&bench->memcpy, &bench->area);
	limit_way_init(&bench->limit, &bench->area, &bench->cpus);
	init_ring(bench, &bench->worker, "worker");
	init_ring(bench, &bench->enter, "ENTER");
	bench->enter.worker_id = 0;
	dma_way_init(&bench->dma, &dma);
	dma.name = "doca_dma, batches";
	dma.style = DMA_BATCHES;
	dma_way_init(&bench->dma_batches, &dma);
}

int bench_open(struct bench *bench, struct options *opts, const char *device,
	       uint32_t device_id)
{
	struct domain_conf conf = {
		.area = &bench->area,
		.cpus = &bench->cpus,
		.device_id = device_id,
		.idle_us = opts->idle_us,
		.mappings = 1,
	};

	*bench = (struct bench){
		.opts = opts,
		.device = device,
		.conf = conf,
		.area.half = area_size(opts),
		.results.refs = opts->plan->columns.refs,
	};
	if (cpus_find(&bench->cpus) || cpu_pin(bench->cpus.submit))
		return -1;
	env_facts(&bench->results);
	if (opts->plan->prepare)
		opts->plan->prepare(bench);
	progress("preparing the memory");
	if (area_open(&bench->area, bench->area.half))
		return -1;
	if (!opts->plan->without_rings && domain_open(&bench->one, &conf)) {
		area_close(&bench->area);
		return -1;
	}
	init_ways(bench);
	return 0;
}

void bench_close(struct bench *bench)
{
	progress("letting the memory go");
	if (!bench->opts->plan->without_rings)
		domain_close(&bench->one);
	area_close(&bench->area);
	results_free(&bench->results);
	progress_end();
}
