/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The measurements that a user can choose. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stdbool.h>

#include "bench.h"
#include "group.h"
#include "table.h"

struct plan {
	const char *name;
	const char *help; /* its lines in --help */
	/* Prepare while there are neither threads nor memory; NULL: nothing to do. */
	void (*prepare)(struct bench *bench);
	int (*run)(struct bench *bench);
	/* Add ways to those of sizes_run(), and references; NULL: none. */
	void (*add)(struct bench *bench, struct group *group);
	/* End the program if it cannot serve the options; NULL: it serves all. */
	void (*check)(const struct options *opts);
	bool with_sizes; /* it copies the sizes of the options */
	bool without_rings; /* it uses the library only, on any driver */
	struct columns columns;
};

#define MAX_PLANS 16

/*
 * The plans of this program, and NULL. The first is the default. Each program has a
 * plans.c and a name.c of its own; all else is shared.
 */
extern const struct plan *const plans[];

extern const struct plan plan_throughput;
extern const struct plan plan_latency;
extern const struct plan plan_events;
extern const struct plan plan_process;
extern const struct plan plan_comch;
extern const struct plan plan_rdma;
extern const struct plan plan_compute;
extern const struct plan plan_engines;

/* Initialize a group without ways. */
void plan_group(const struct bench *bench, struct group *group,
		const char *operation, const struct load *load);

/* Run a group, keep the results, and print them unless stdout is a file. */
int plan_measure(struct bench *bench, struct group *group);

#endif /* BENCH_PLAN_H */
