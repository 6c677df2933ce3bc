/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The oracle for leaks of pinned memory: the number of pages that the machine has pinned
 * for long; nothing else in a test machine pins pages. With the driver in the process
 * nothing is pinned, and the machine's pins are not ours.
 */
#ifndef SELFTESTS_API_PINS_H
#define SELFTESTS_API_PINS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/await.h"

/* Return true if the driver is in the process, without other processes to talk to. */
static inline bool bed_in_process(void)
{
	const char *driver = getenv("DOCA_DRIVER");

	return driver && !strcmp(driver, "process");
}

static inline bool pins_are_ours(void)
{
#ifdef PINS_ARE_OTHERS
	return false;
#else
	return !bed_in_process();
#endif
}

static inline long pins_held(void)
{
	long acquired = 0, released = 0;
	char line[128];
	FILE *f;

	if (!pins_are_ours())
		return 0;
	/* The counters are kept per CPU; writing to this file folds them. */
	f = fopen("/proc/sys/vm/stat_refresh", "w");
	if (f) {
		fputs("1", f);
		fclose(f);
	}
	f = fopen("/proc/vmstat", "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		sscanf(line, "nr_foll_pin_acquired %ld", &acquired);
		sscanf(line, "nr_foll_pin_released %ld", &released);
	}
	fclose(f);
	return acquired - released;
}

/* Unpinning is deferred. */
static inline long pins_settle(long want)
{
	return AWAIT(pins_held() == want) ? want : pins_held();
}

#endif
