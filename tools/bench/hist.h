/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Histograms of times, exact to one part in HIST_STEPS. There is room for every value,
 * so that adding costs the same each time.
 */
#ifndef BENCH_HIST_H
#define BENCH_HIST_H

#include <stdint.h>

#define HIST_ORDER 5
#define HIST_STEPS (1 << HIST_ORDER) /* between powers of two */
#define HIST_BINS ((65 - HIST_ORDER) * HIST_STEPS)

/* All zeroes: empty. */
struct hist {
	uint64_t nr;
	uint64_t sum;
	uint64_t max;
	uint64_t bins[HIST_BINS];
};

/* Below HIST_STEPS each value has its own bin. */
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

/* Return the value that a part of all values, from 0 to 1, does not exceed; 0 if there are none. */
uint64_t hist_quantile(const struct hist *hist, double part);

double hist_mean(const struct hist *hist);

#endif /* BENCH_HIST_H */
