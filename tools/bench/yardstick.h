/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The driver's yardsticks, which need no driver. */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H

#include "area.h"
#include "cpu.h"
#include "way.h"

/*
 * Copies by the thread itself, one after the other. A plain loop, because
 * memcpy()'s choice of instructions differs between CPUs and C libraries.
 */
struct copy_way {
	struct way way;
	struct load load; /* while it is open */
	unsigned int slots;
};

void copy_way_init(struct copy_way *copy, const struct area *area);

/* Copies by memcpy(), the alternative to the driver. */
void memcpy_way_init(struct copy_way *copy, const struct area *area);

/* Round trips of a cache line between two threads, each on its own CPU. */
struct line_way {
	struct way way;
	const struct cpus *cpus;
	double best; /* seconds, the best of a few in a row; 0: none */
};

void line_way_init(struct line_way *line, const struct cpus *cpus);

/* Rings between two threads, with a plain copy behind them. */
struct limit_way {
	struct way way;
	const struct cpus *cpus;
	struct load load; /* while it is open */
	unsigned int slots;
};

void limit_way_init(struct limit_way *limit, const struct area *area,
		    const struct cpus *cpus);

#endif /* BENCH_YARDSTICK_H */
