/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Included in every program first: kselftest's harness ends a case after 30 seconds, or
 * the case's own limit. Kernels with checks are many times slower, as the runner says;
 * and more rounds take longer.
 */
#ifndef DOCA_SELFTESTS_PATIENCE_H
#define DOCA_SELFTESTS_PATIENCE_H

#include <stdlib.h>
#include <unistd.h>

#include "rounds.h"

static inline unsigned int patiently(unsigned int seconds)
{
	const char *factor = getenv("DOCA_TEST_PATIENCE");

	return factor ? seconds * atoi(factor) : seconds;
}

static inline unsigned int alarm_patiently(unsigned int seconds)
{
	return alarm(rounds(patiently(seconds)));
}

#define alarm alarm_patiently

#endif
