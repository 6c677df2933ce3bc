/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Counts of threads' activity, which are right whatever the host does meanwhile */
#ifndef SELFTESTS_UAPI_COUNTS_H
#define SELFTESTS_UAPI_COUNTS_H

#include <sys/resource.h>

#include "doca_ring.h"
#include "doca_uapi.h"

/* Count how often the caller has given up its CPU to wait */
static inline long own_sleeps(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? -1 : usage.ru_nvcsw;
}

/* Count how often another thread has; -1 if it is gone */
static inline long sleeps_of(pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	return proc_value(path, "voluntary_ctxt_switches:");
}

/* Return the state as ps shows it: R, S, T and so on; 0 if it is gone */
static inline char state_of(pid_t tid)
{
	char path[64], line[512] = "", *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	end = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return end && end[1] ? end[2] : 0;
}

/* Until its thread executes, ENTER does. */
static inline bool worker_has_begun(const struct queue *q)
{
	return !ring_load(&q->kernel->need_wakeup) || state_of(worker_pid(q)) == 'S';
}

#endif
