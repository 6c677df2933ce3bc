/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The objects that the driver holds for a process, as docactl reports them. Without
 * docactl, as with the driver in this process, each number is -1.
 */
#ifndef SELFTESTS_API_FILES_H
#define SELFTESTS_API_FILES_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../lib/await.h"

struct held {
	long memories, pinned, mappings, exports, queues;
};

/* Sum up a number over all open files of a process; each is on a line of its own. */
static inline long held_sum(pid_t pid, const char *name)
{
	char command[128], line[256], format[64];
	long sum = 0, one;
	FILE *f;

	snprintf(command, sizeof(command),
		 "docactl --json file show pid %d 2>/dev/null", (int)pid);
	snprintf(format, sizeof(format), " \"%s\": %%ld", name);
	f = popen(command, "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, format, &one) == 1)
			sum += one;
	return pclose(f) ? -1 : sum;
}

static inline struct held held_by(pid_t pid)
{
	return (struct held){ .memories = held_sum(pid, "memories"),
			      .pinned = held_sum(pid, "pinned_bytes"),
			      .mappings = held_sum(pid, "mappings"),
			      .exports = held_sum(pid, "exports"),
			      .queues = held_sum(pid, "queues") };
}

/* Unpinning is deferred. */
static inline bool held_settle(pid_t pid, struct held want)
{
	struct held now;

	return AWAIT((now = held_by(pid), !memcmp(&now, &want, sizeof(now))));
}

#endif
