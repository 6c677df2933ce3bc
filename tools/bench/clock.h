/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

static inline double clock_now(void)
{
	return clock_ns() / 1e9;
}

/*
 * Return the number of operations between two readings of the clock: enough to
 * make these cheap, but not so many that a run becomes much too long.
 */
static inline unsigned int clock_interval(size_t size)
{
	const size_t bytes = 64 * 1024;

	if (size >= bytes)
		return 1;
	return size > bytes / 256 ? bytes / size : 256;
}

#define PATIENCE_LOOKS 65536
#define PATIENCE_SECONDS 10

/* A wait for completions; all zeroes when one has come. */
struct patience {
	uint64_t looks;
	double since;
};

/* Count a look that found nothing. Return true if nothing will come any more. */
static inline bool patience_lost(struct patience *patience)
{
	if (++patience->looks % PATIENCE_LOOKS)
		return false;
	if (!patience->since)
		patience->since = clock_now();
	return clock_now() - patience->since > PATIENCE_SECONDS;
}

#endif /* BENCH_CLOCK_H */
