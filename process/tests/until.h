/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Waits for the work of another thread. */
#ifndef PROCESS_TESTS_UNTIL_H
#define PROCESS_TESTS_UNTIL_H

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "selftests/lib/patience.h"

#define PATIENCE_MS (patiently(10) * 1000)

/* Return true if @cond holds, now or later. The time limit only detects hangs. */
#define until(cond)                               \
	({                                        \
		unsigned int left_ = PATIENCE_MS; \
                                                  \
		while (!(cond) && --left_)        \
			usleep(1000);             \
		left_ > 0;                        \
	})

/* Return true if a thread sleeps, on a lock or anything else. */
static inline bool is_asleep(pid_t tid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	f = fopen(path, "r");
	if (!f)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);
	return state == 'S';
}

#endif
