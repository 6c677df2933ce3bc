/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * How often an operation took how long: exact to one part in HIST_STEPS, with room for
 * all that there can be, so that adding costs the same each time.
 */
#ifndef BENCH_HIST_H
#define BENCH_HIST_H

#include <stdint.h>

#define HIST_ORDER 5
#define HIST_STEPS (1 << HIST_ORDER) /* from one power of two to the next */
#define HIST_BINS ((65 - HIST_ORDER) * HIST_STEPS)

/* Empty if it is all zeroes. */
struct hist {
	uint64_t nr;
	uint64_t sum;
	uint64_t max;
	uint64_t bins[HIST_BINS];
};

/* Below HIST_STEPS a bin has one value. */
static inline unsigned int hist_bin(uint64_t value)
{
	unsigned int shift;

	if (value < HIST_STEPS)
		return value;
	shift = 63 - __builtin_clzll(value) - HIST_ORDER;
	return shift * HIST_STEPS + (value >> shift);
}

static inline void hist_add(struct hist *hist, uint64_t value)
{
	hist->bins[hist_bin(value)]++;
	hist->nr++;
	hist->sum += value;
	if (value > hist->max)
		hist->max = value;
}

/* What a part of the values, from 0 to 1, does not exceed; 0 if there are none. */
uint64_t hist_quantile(const struct hist *hist, double part);

double hist_mean(const struct hist *hist);

#endif /* BENCH_HIST_H */
