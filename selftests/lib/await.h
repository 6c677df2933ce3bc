/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A test waits for a state or an event, never for a time: it checks again and again. The
 * limit only decides that something hangs, shortly before the harness would.
 */
#ifndef DOCA_SELFTESTS_AWAIT_H
#define DOCA_SELFTESTS_AWAIT_H

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "patience.h"

static inline time_t await_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Return true once the condition holds; take a step between two checks. */
#define AWAIT_BY(step, condition)                                       \
	({                                                              \
		const time_t await_end_ = await_now() + patiently(25);  \
		bool await_holds_;                                      \
                                                                        \
		while (!(await_holds_ = !!(condition)) &&               \
		       await_now() <= await_end_)                       \
			step;                                           \
		await_holds_;                                           \
	})

#define AWAIT(condition) AWAIT_BY(usleep(1000), condition)

#endif /* DOCA_SELFTESTS_AWAIT_H */
