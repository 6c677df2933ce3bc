/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Before every program: kselftest's harness ends a case after 30 seconds, or what the
 * case says. Kernels that check themselves are many times slower, and the runner says so;
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
