/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The clock of all deadlines and waits. */
#ifndef DOCA_CORE_CLOCK_H
#define DOCA_CORE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Return the nanoseconds of CLOCK_MONOTONIC. */
static inline uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#endif
