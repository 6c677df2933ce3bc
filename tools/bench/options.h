/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "file.h"

#define MAX_SIZES 32
#define MAX_DEPTHS 8
#define MAX_RUNS 99

/* Bits of the ways to measure beside the rings with a worker and their references. */
enum {
	WITH_DMA = 1 << 0, /* the public API */
	WITH_ENTER = 1 << 1, /* no worker */
	WITH_ALL = (1 << 2) - 1,
};

struct plan;

struct options {
	double seconds; /* seconds of one run */
	unsigned int runs;
	unsigned int nr_sizes;
	struct {
		size_t bytes; /* 0: NOP */
		unsigned int with;
	} sizes[MAX_SIZES];
	unsigned int nr_depths;
	unsigned int depths[MAX_DEPTHS];
	uint32_t idle_us;
	const struct plan *plan;
	bool own_sizes; /* given by an option */
	struct file json;
	struct file csv;
};

/* Return true if stdout is used for a file. */
static inline bool options_quiet(const struct options *opts)
{
	return opts->csv.f == stdout || opts->json.f == stdout;
}

/* Ends the program after wrong usage and --help. */
void options_parse(struct options *opts, int argc, char **argv);

#endif /* BENCH_OPTIONS_H */
