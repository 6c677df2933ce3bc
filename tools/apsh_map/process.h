/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A process that may be hostile, and the files whose code it executes. */
#ifndef APSH_MAP_PROCESS_H
#define APSH_MAP_PROCESS_H

#include <sys/types.h>

#include "file.h"

struct process {
	pid_t pid;
	int dir; /* its folder in /proc, which no later process of this number has */
	struct bytes maps;
	const char *line; /* the next line of maps */
	char **paths; /* the paths returned before */
	int nr;
};

void process_open(struct process *p, pid_t pid);

/*
 * Return the path of the next file that the process has mapped for execution, as the
 * process sees it, and read the file. Returns NULL behind the last.
 */
const char *process_next_file(struct process *p, struct bytes *file);

void process_close(struct process *p);

#endif /* APSH_MAP_PROCESS_H */
