/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Everything that is measured, opened once. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "area.h"
#include "cpu.h"
#include "dma_way.h"
#include "domain.h"
#include "options.h"
#include "result.h"
#include "ring_way.h"
#include "yardstick.h"

struct bench {
	struct options *opts;
	const char *device;
	struct cpus cpus;
	struct area area;
	struct domain_conf conf; /* base of all configurations */
	struct domain one; /* it has one mapping */

	struct line_way line;
	struct copy_way copy;
	struct copy_way memcpy;
	struct limit_way limit;
	struct ring_way worker;
	struct ring_way enter;
	struct dma_way dma;
	struct dma_way dma_batches;

	struct results results;
};

int bench_open(struct bench *bench, struct options *opts, const char *device,
	       uint32_t device_id);
void bench_close(struct bench *bench);

/* Without workers, everything goes by ENTER. */
static inline struct ring_way *bench_rings(struct bench *bench)
{
	return bench->one.worker_id ? &bench->worker : &bench->enter;
}

#endif /* BENCH_BENCH_H */
