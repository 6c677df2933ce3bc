// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "apsh/private.h"

#include "commands.h"
#include "out.h"

static const struct column columns[] = {
	{ "id", NULL, 0 },
	{ "parent", NULL, 0 },
	{ "major", NULL, 0 },
	{ "minor", NULL, 0 },
	{ "root", NULL, 0 },
	{ "device", "DEVICE", -16 },
	{ "path", "PATH", -32 },
	{ "type", "TYPE", -10 },
	{ "super_options", NULL, 0 },
	{ "reachable", "SEEN", -4 },
	{ "options", "OPTIONS", 0 },
};

enum { NR_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

doca_error_t mounts(struct doca_apsh_process *process)
{
	struct apsh_mount **list;
	doca_error_t ret;
	int nr;

	ret = doca_priv_apsh_mounts_get(process, &list, &nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	out_head(columns, NR_COLUMNS);
	for (int i = 0; i < nr; i++) {
		const struct apsh_mount *o = list[i];
		const struct value values[NR_COLUMNS] = {
			number(o->id),		number(o->parent),
			number(o->major),	number(o->minor),
			text(o->root),		text(o->device),
			text(o->path),		text(o->type),
			text(o->super_options), truth(o->reachable),
			text(o->options),
		};

		out_row(columns, values, NR_COLUMNS);
	}
	doca_priv_apsh_mounts_free(list);
	return DOCA_SUCCESS;
}
