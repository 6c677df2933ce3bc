/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * fork() while no other thread runs. Otherwise the child could have locks of a sanitizer's
 * allocator as other threads held them, and no thread to release them.
 */
#ifndef SELFTESTS_API_QUIET_FORK_H
#define SELFTESTS_API_QUIET_FORK_H

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool thread_of_sleeps(pid_t pid, const char *tid)
{
	char path[64], text[256] = "", *state;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%.20s/stat", pid, tid);
	f = fopen(path, "re");
	if (!f)
		return true;
	if (!fgets(text, sizeof(text), f))
		text[0] = '\0';
	fclose(f);
	state = strrchr(text, ')');
	return state && state[1] && state[2] == 'S';
}

/* Return true if all threads but this one sleep. */
static inline bool threads_of_sleep(pid_t pid)
{
	struct dirent *entry;
	char path[32];
	bool all = true;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && all && (entry = readdir(dir)))
		all = !isdigit(entry->d_name[0]) ||
		      atoi(entry->d_name) == gettid() ||
		      thread_of_sleeps(pid, entry->d_name);
	if (dir)
		closedir(dir);
	return all;
}

/* Give up in the end: some threads never rest. */
static inline pid_t quiet_fork(void)
{
	int looks;

	for (looks = 0; looks < 5000 && !threads_of_sleep(getpid()); looks++)
		sched_yield();
	return fork();
}

#endif
