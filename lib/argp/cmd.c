// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The description of commands. */
#include <stdlib.h>
#include <string.h>

#include "argp.h"

void argp_cmd_init(struct doca_argp_cmd *cmd)
{
	list_init(&cmd->link);
	list_init(&cmd->sibling);
	list_init(&cmd->params);
	list_init(&cmd->cmds);
}

bool argp_is_cmd(const struct doca_argp_cmd *cmd)
{
	const struct list *pos;

	list_for_each(pos, &argp->cmds)
		if (list_entry(pos, struct doca_argp_cmd, link) == cmd)
			return true;
	return false;
}

doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd)
{
	struct doca_argp_cmd *new;

	if (!argp_given(cmd))
		return DOCA_ERROR_INVALID_VALUE;
	if (!argp_described()) {
		ARGP_ERR(
			"cannot create a command: call it between doca_argp_init() and doca_argp_start()");
		return DOCA_ERROR_BAD_STATE;
	}
	new = calloc(1, sizeof(*new));
	if (!new)
		return ARGP_NO_MEMORY("a command");
	argp_cmd_init(new);
	list_add_tail(&argp->cmds, &new->link);
	*cmd = new;
	return DOCA_SUCCESS;
}

/* Flags and commands registered with it still belong to the parser, but cannot be reached. */
static void cmd_free(struct doca_argp_cmd *cmd)
{
	while (!list_empty(&cmd->params))
		list_del(cmd->params.next);
	while (!list_empty(&cmd->cmds)) {
		list_entry(cmd->cmds.next, struct doca_argp_cmd, sibling)
			->parent = NULL;
		list_del(cmd->cmds.next);
	}
	list_del(&cmd->sibling);
	list_del(&cmd->link);
	free(cmd->name);
	free(cmd->description);
	free(cmd);
}

void argp_free_cmds(void)
{
	struct list *link, *next;

	list_for_each_safe(link, next, &argp->cmds)
		cmd_free(list_entry(link, struct doca_argp_cmd, link));
}

static const char *cmd_label(const struct doca_argp_cmd *cmd)
{
	return cmd->name ? cmd->name : "without a name";
}

doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd)
{
	if (!argp)
		return argp_not_there();
	if (!argp_is_cmd(cmd))
		return ARGP_FAIL(INVALID_VALUE,
				 "%p is no command of the parser", (void *)cmd);
	if (cmd->taken) {
		ARGP_ERR(
			"cannot destroy command %s: it was registered; doca_argp_destroy() frees it",
			cmd_label(cmd));
		return DOCA_ERROR_BAD_STATE;
	}
	cmd_free(cmd);
	return DOCA_SUCCESS;
}

static bool open_to(const struct doca_argp_cmd *cmd, const char *func)
{
	const char *why = "it is none of the parser";

	if (!cmd)
		why = "it is NULL";
	else if (argp && argp_is_cmd(cmd))
		why = cmd->taken ? "it was registered" : NULL;
	if (why)
		ARGP_ERR("%s() has no effect on command %p: %s", func,
			 (const void *)cmd, why);
	return !why;
}

void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name)
{
	if (open_to(cmd, __func__))
		argp_set_text(&cmd->name, &cmd->broken, name);
}

void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd,
				   const char *description)
{
	if (open_to(cmd, __func__))
		argp_set_text(&cmd->description, &cmd->broken, description);
}

void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd,
				doca_argp_cmd_cb_t callback)
{
	if (open_to(cmd, __func__))
		cmd->callback = callback;
}

void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd)
{
	if (open_to(cmd, __func__))
		cmd->hidden = true;
}

static struct doca_argp_cmd *find_cmd(const struct doca_argp_cmd *parent,
				      const char *name)
{
	const struct list *pos;

	list_for_each(pos, &parent->cmds) {
		struct doca_argp_cmd *cmd =
			list_entry(pos, struct doca_argp_cmd, sibling);

		if (!strcmp(cmd->name, name))
			return cmd;
	}
	return NULL;
}

struct doca_argp_cmd *argp_find_cmd(const char *name)
{
	return find_cmd(argp->cmd, name);
}

/* Return true if the command is @outer, or below it. */
static bool is_within(const struct doca_argp_cmd *cmd,
		      const struct doca_argp_cmd *outer)
{
	for (; cmd; cmd = cmd->parent)
		if (cmd == outer)
			return true;
	return false;
}

static const char *cmd_fault(const struct doca_argp_cmd *parent,
			     const struct doca_argp_cmd *cmd)
{
	if (!cmd->name)
		return "it has no name";
	if (!argp_name_valid(cmd->name))
		return "the name is empty, begins with a dash, or has a blank or '=' in it";
	if (!cmd->description && !cmd->hidden)
		return "it has no description";
	if (is_within(parent, cmd))
		return "it would be a command of itself";
	return NULL;
}

static doca_error_t register_cmd(struct doca_argp_cmd *parent,
				 struct doca_argp_cmd *cmd)
{
	const char *fault;

	if (!argp_is_cmd(cmd))
		return ARGP_FAIL(INVALID_VALUE,
				 "%p is no command of the parser", (void *)cmd);
	if (cmd->taken || argp->state != ARGP_DESCRIBED) {
		ARGP_ERR("cannot register command %s: %s", cmd_label(cmd),
			 cmd->taken ? "it was tried before" :
				      "the parser was started");
		return DOCA_ERROR_BAD_STATE;
	}
	cmd->taken = true;
	if (cmd->broken)
		return ARGP_NO_MEMORY("the text of a command");
	fault = cmd_fault(parent, cmd);
	if (fault) {
		ARGP_ERR("cannot register command %s: %s", cmd_label(cmd),
			 fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (find_cmd(parent, cmd->name)) {
		ARGP_ERR(
			"cannot register command %s: there is one of that name",
			cmd->name);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	cmd->parent = parent;
	list_add_tail(&parent->cmds, &cmd->sibling);
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd)
{
	if (!argp)
		return argp_not_there();
	return register_cmd(&argp->program, input_cmd);
}

doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd,
					struct doca_argp_cmd *input_cmd)
{
	if (!argp)
		return argp_not_there();
	if (!argp_is_cmd(cmd)) {
		if (argp_is_cmd(input_cmd))
			input_cmd->taken = true;
		return ARGP_FAIL(INVALID_VALUE,
				 "%p is no command of the parser", (void *)cmd);
	}
	return register_cmd(cmd, input_cmd);
}
