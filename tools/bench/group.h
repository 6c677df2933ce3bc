/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Ways to do the same, run in turns, so that what disturbs one disturbs all. */
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
	double rates[MAX_RUNS]; /* sorted in the end */
	struct hist times; /* of all runs */
	double kernel; /* bytes, in the last run */
	double cpu[MAX_RUNS]; /* likewise sorted */
};

struct group {
	const char *operation;
	struct load load;
	unsigned int runs;
	double seconds; /* of one run */
	bool single; /* take the time of each operation */
	bool cpu; /* compare CPU time, not rates */
	unsigned int nr;
	struct member members[MAX_WAYS];
	struct way *line; /* whose round trips are counted */
	struct way *refs[NR_REFS]; /* some are no members, or NULL */
};

/* NULL adds nothing. The load is that of the group, or one of its own. */
void group_add(struct group *group, struct way *way);
void group_add_load(struct group *group, struct way *way,
		    const struct load *load);

/* What does things one by one and not so many at once. */
bool group_is_serial(const struct group *group, const struct way *way);

int group_run(struct group *group);

/* When it was run; i is below nr. */
void group_row(const struct group *group, unsigned int i, struct row *row);

#endif /* BENCH_GROUP_H */
