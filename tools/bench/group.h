/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Ways to do the same work. They run in turns, so that a disturbance affects all of them. */
#ifndef BENCH_GROUP_H
#define BENCH_GROUP_H

#include <stdbool.h>

#include "hist.h"
#include "options.h"
#include "result.h"
#include "way.h"

#define MAX_WAYS 12

struct member {
	struct way *way;
	struct load load;
	double rates[MAX_RUNS]; /* sorted at the end */
	struct hist times; /* times of all runs */
	double kernel; /* bytes, of the last run */
	double cpu[MAX_RUNS]; /* seconds, sorted at the end */
};

struct group {
	const char *operation;
	struct load load;
	unsigned int runs;
	double seconds; /* seconds of one run */
	bool single; /* time each operation */
	bool cpu; /* compare CPU time, not rates */
	unsigned int nr;
	struct member members[MAX_WAYS];
	struct way *line; /* the unit of row.trips: its round trips */
	struct way *refs[MAX_REFS]; /* may be no members, or NULL */
};

/* Add a way, unless it is NULL, with the load of the group or its own. */
void group_add(struct group *group, struct way *way);
void group_add_load(struct group *group, struct way *way,
		    const struct load *load);

int group_run(struct group *group);

/* Make a row of member @i after group_run(). */
void group_row(const struct group *group, unsigned int i, struct row *row);

#endif /* BENCH_GROUP_H */
