/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Waiting for what another thread is to bring about. */
#ifndef PROCESS_TESTS_UNTIL_H
#define PROCESS_TESTS_UNTIL_H

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "selftests/lib/patience.h"

#define PATIENCE_MS (patiently(10) * 1000)

/* Whether @cond holds, now or by and by. The patience decides about hangs alone. */
#define until(cond)                               \
	({                                        \
		unsigned int left_ = PATIENCE_MS; \
                                                  \
		while (!(cond) && --left_)        \
			usleep(1000);             \
		left_ > 0;                        \
	})

/* Whether a thread waits: for a lock, or for whatever else. */
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
