/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Races run for a number of rounds, not for a time: a program takes some seconds.
 * DOCA_TEST_ROUNDS=50 runs each of them 50 times as often.
 */
#ifndef DOCA_SELFTESTS_ROUNDS_H
#define DOCA_SELFTESTS_ROUNDS_H

#include <stdbool.h>
#include <stdlib.h>

static inline unsigned int rounds(unsigned int nr)
{
	const char *factor = getenv("DOCA_TEST_ROUNDS");

	return factor ? nr * atoi(factor) : nr;
}

/* By day each rule is shown once. */
static inline bool by_day(void)
{
	return rounds(1) == 1;
}

/* Ways to cut memory into lists that an operation is tried with: a night's are 10,000. */
static inline unsigned int cuts(void)
{
	return rounds(200);
}

/* By day fewer, where an emulated machine takes its time for each. */
static inline unsigned int cuts_at_night(unsigned int of_day)
{
	return by_day() ? of_day : cuts();
}

#endif
