/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A clock for the libraries, and pauses that take no time: the linker redirects their
 * calls to this file (see tests.mk). It is the real clock until a test stops it.
 */
#ifndef DOCA_TESTS_CLOCK_H
#define DOCA_TESTS_CLOCK_H

#include <stdint.h>

/* Stop the monotonic clock: each reading is @step nanoseconds later than the last. */
void clock_stop(uint64_t step);

void clock_advance(uint64_t ns);

void clock_go_on(void);

/* Let it be later than it is, by the clock on the wall. */
void clock_wall_ahead(unsigned int seconds);

/* Number of pauses of threads since the clock was stopped; pauses advance it. */
unsigned int clock_pauses(void);

#endif /* DOCA_TESTS_CLOCK_H */
