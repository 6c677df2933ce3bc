/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What the program can be asked to measure. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stdbool.h>

#include "bench.h"
#include "group.h"
#include "table.h"

struct plan {
	const char *name;
	int (*run)(struct bench *bench);
	/* Ends the program at what it cannot be asked for; NULL: it can all. */
	void (*check)(const struct options *opts);
	bool with_peers; /* it compares with them */
	bool with_sizes; /* it copies as many bytes as is asked for */
	bool without_rings; /* all goes through the library, and whatever driver it has */
	struct columns columns;
};

extern const struct plan plan_throughput;
extern const struct plan plan_latency;
extern const struct plan plan_events;
extern const struct plan plan_pinning;
extern const struct plan plan_scaling;
extern const struct plan plan_process;
extern const struct plan plan_datagrams;
extern const struct plan plan_engines;

#define NR_PLANS 8

extern const struct plan *const plans[NR_PLANS];

/* Of no ways yet. */
void plan_group(const struct bench *bench, struct group *group,
		const char *operation, const struct load *load);

/* Run it, keep what was found, and print it if it is to be printed. */
int plan_measure(struct bench *bench, struct group *group);

#endif /* BENCH_PLAN_H */
