// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The help. Scripts read it, so its layout is DOCA's. */
#include <errno.h>

#include "argp.h"

#define COLUMN 33 /* column of descriptions, without the margin and a blank */

static bool is_shown(const struct doca_argp_param *param, bool inherited_only)
{
	return !param->hidden && (!inherited_only || param->inherited);
}

static bool shows_params(const struct doca_argp_cmd *cmd, bool inherited_only)
{
	const struct list *pos;

	list_for_each(pos, &cmd->params)
		if (is_shown(list_entry(pos, struct doca_argp_param, sibling),
			     inherited_only))
			return true;
	return false;
}

static bool shows_cmds(const struct doca_argp_cmd *cmd)
{
	const struct list *pos;

	list_for_each(pos, &cmd->cmds)
		if (!list_entry(pos, struct doca_argp_cmd, sibling)->hidden)
			return true;
	return false;
}

static void print_entry(FILE *out, const char *name, const char *description)
{
	fprintf(out, "  %-*s %s\n", COLUMN, name, description);
}

static void print_param(FILE *out, const struct doca_argp_param *param)
{
	char name[256];

	snprintf(name, sizeof(name), "%s%s%s%s%s%s%s",
		 param->short_name ? "-" : "",
		 param->short_name ? param->short_name : "",
		 param->short_name && param->long_name ? ", " : "",
		 param->long_name ? "--" : "",
		 param->long_name ? param->long_name : "",
		 param->arguments ? " " : "",
		 param->arguments ? param->arguments : "");
	print_entry(out, name, param->description);
}

static void print_params(FILE *out, const char *heading,
			 const struct doca_argp_cmd *cmd, bool inherited_only)
{
	const struct list *pos;

	if (!shows_params(cmd, inherited_only))
		return;
	fprintf(out, "\n%s:\n", heading);
	list_for_each(pos, &cmd->params) {
		const struct doca_argp_param *param =
			list_entry(pos, struct doca_argp_param, sibling);

		if (is_shown(param, inherited_only))
			print_param(out, param);
	}
}

static void print_cmds(FILE *out, const struct doca_argp_cmd *parent)
{
	const struct list *pos;

	if (!shows_cmds(parent))
		return;
	fputs("\nCommands:\n", out);
	list_for_each(pos, &parent->cmds) {
		const struct doca_argp_cmd *cmd =
			list_entry(pos, struct doca_argp_cmd, sibling);

		if (!cmd->hidden)
			print_entry(out, cmd->name, cmd->description);
	}
}

/* Print the commands up to this one, each with the flags that may precede the next. */
static void print_synopsis(FILE *out, const struct doca_argp_cmd *cmd)
{
	if (cmd->parent) {
		print_synopsis(out, cmd->parent);
		fprintf(out, " %s", cmd->name);
		if (cmd == argp->cmd && shows_params(cmd, false))
			fputs(" [Command Flags]", out);
		return;
	}
	fprintf(out, "Usage: %s%s [DOCA Flags]",
		argp->name  ? argp->name :
		argp->argv0 ? argp->argv0 :
			      program_invocation_name,
		argp->dpdk.init ? " [DPDK Flags] --" : "");
	if (shows_params(cmd, false))
		fputs(" [Program Flags]", out);
}

/* Print flags of outer commands that may be given with this one. */
static void print_inherited(FILE *out, const struct doca_argp_cmd *cmd)
{
	for (cmd = cmd->parent; cmd && cmd->parent; cmd = cmd->parent)
		print_params(out, "Inherited Flags", cmd, true);
}

void argp_print_usage(FILE *out)
{
	const struct doca_argp_cmd *cmd = argp->cmd;

	print_synopsis(out, cmd);
	if (shows_cmds(cmd))
		fputs(" <Command>", out);
	fputc('\n', out);
	print_params(out, "DOCA Flags", &argp->doca, false);
	print_params(out, "Program Flags", &argp->program,
		     cmd != &argp->program);
	if (cmd != &argp->program) {
		print_inherited(out, cmd);
		print_params(out, "Command Flags", cmd, false);
	}
	print_cmds(out, cmd);
}

void doca_argp_usage(void)
{
	if (argp)
		argp_print_usage(stdout);
}
