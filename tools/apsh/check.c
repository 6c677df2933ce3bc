// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Entries that one list of the kernel has and another one lacks. */
#include <inttypes.h>
#include <stdio.h>

#include "apsh/private.h"

#include "commands.h"
#include "out.h"

static const struct column columns[] = {
	{ "kind", "KIND", -8 },
	{ "id", "ID", 18 },
	{ "name", "NAME", -16 },
	{ "finding", "FINDING", 0 },
};

static void say(const char *kind, struct value id, const char *name,
		const char *finding)
{
	const struct value values[] = { text(kind), id, text(name),
					text(finding) };

	out_row(columns, values, 4);
}

static void find(const char *kind, struct value id, const char *name,
		 const char *finding)
{
	say(kind, id, name, finding);
	command_differs = true;
}

/* Missing memory proves nothing. */
static void doubt(const char *kind, u64 nr, const char *why)
{
	say(kind, number(nr), "", why);
	command_incomplete = true;
}

/* A list that is not found because memory is missing is a doubt, not a failure. */
static doca_error_t say_missing(struct doca_apsh_system *system,
				const char *kind, doca_error_t ret, int nr)
{
	struct view_stats stats;

	doca_priv_apsh_stats(system, &stats);
	if (ret == DOCA_SUCCESS && stats.broken)
		find(kind, number(stats.broken), "",
		     "so many links or nodes are broken");
	if (ret == DOCA_SUCCESS && stats.cut)
		doubt(kind, (u64)nr,
		      "cannot tell: there are more than so many, which were "
		      "not checked");
	if (!stats.absent)
		return ret;
	doubt(kind, stats.absent,
	      "cannot tell: so many pages are not in the image");
	return DOCA_SUCCESS;
}

static doca_error_t check_processes(struct doca_apsh_system *system)
{
	struct doca_apsh_process **list = NULL;
	doca_error_t ret;
	int nr = 0;

	ret = doca_apsh_processes_get(system, &list, &nr);
	ret = say_missing(system, "process", ret, nr);
	for (int i = 0; i < nr; i++)
		if (doca_priv_apsh_hidden(list[i]))
			find("process",
			     number(doca_apsh_process_info_get(
				     list[i], DOCA_APSH_PROCESS_PID)),
			     doca_apsh_process_info_get(list[i],
							DOCA_APSH_PROCESS_COMM),
			     "not in both the tree of PIDs and the list of "
			     "tasks");
	doca_apsh_processes_free(list);
	return ret;
}

static doca_error_t check_modules(struct doca_apsh_system *system)
{
	struct doca_apsh_module **list = NULL;
	doca_error_t ret;
	int nr = 0;

	ret = doca_apsh_modules_get(system, &list, &nr);
	ret = say_missing(system, "module", ret, nr);
	for (int i = 0; i < nr; i++)
		if (doca_priv_apsh_module_hidden(list[i]))
			find("module",
			     address(doca_apsh_module_info_get(
				     list[i], DOCA_APSH_MODULES_OFFSET)),
			     doca_apsh_module_info_get(list[i],
						       DOCA_APSH_MODULES_NAME),
			     "not in both the list of modules and /sys/module");
	doca_apsh_module_free(list);
	return ret;
}

doca_error_t check_system(struct doca_apsh_system *system, const char *word)
{
	doca_error_t ret;

	(void)word;
	out_head(columns, sizeof(columns) / sizeof(columns[0]));
	ret = check_processes(system);
	return ret == DOCA_SUCCESS ? check_modules(system) : ret;
}
