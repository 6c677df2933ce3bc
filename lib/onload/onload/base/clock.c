// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <time.h>

#include "../zc.h"

uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}
