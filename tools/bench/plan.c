// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "plan.h"

void plan_group(const struct bench *bench, struct group *group,
		const char *operation, const struct load *load)
{
	*group = (struct group){
		.operation = operation,
		.load = *load,
		.runs = bench->opts->runs,
		.seconds = bench->opts->seconds,
		.single = bench->opts->plan->columns.single,
	};
}

int plan_measure(struct bench *bench, struct group *group)
{
	struct row row;
	unsigned int i;

	if (group_run(group))
		return -1;
	if (!options_quiet(bench->opts))
		table_gap();
	for (i = 0; i < group->nr; i++) {
		group_row(group, i, &row);
		if (results_row(&bench->results, &row))
			return -1;
		if (!options_quiet(bench->opts))
			table_row(&row);
	}
	return 0;
}
