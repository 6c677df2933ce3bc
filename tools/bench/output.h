/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What the program prints on stdout, as it comes: a table or JSON. */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

#include <stdbool.h>

#include "way.h"

struct row {
	const char *way;
	struct load load;
	double rate; /* operations a second; the median */
	double latency; /* seconds; mean */
	double spread; /* of the runs, as a part of the median */
	double to_yardstick; /* 0: there is none; for NOP see below */
	double to_rings; /* part of the rate of the bare rings; 0: it is that */
};

/* First of all; then the environment, the rows and the end, in this order. */
void output_begin(bool json);
void output_env(const char *name, const char *value);
/*
 * A row's to_yardstick is a part of the yardstick's bytes a second; for a NOP it
 * is its time in round trips of the cache line.
 */
void output_row(const struct row *row);
/* line_best: seconds of the fastest round trip, 0 if it was not measured */
int output_end(double line_best);

#endif /* BENCH_OUTPUT_H */
