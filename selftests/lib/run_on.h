/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef DOCA_SELFTESTS_RUN_ON_H
#define DOCA_SELFTESTS_RUN_ON_H

#include <sched.h>

/* Bind the calling thread to that CPU; not 0 if it may not. */
static inline int run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

#endif /* DOCA_SELFTESTS_RUN_ON_H */
