// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The command line. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "argp.h"

/* A parsed argument: -name, --name or --name=value. */
struct flag_arg {
	char *name; /* to be freed */
	char *value; /* within the argument; NULL if it has none */
	bool is_long;
};

static doca_error_t take_apart(char *arg, struct flag_arg *flag)
{
	size_t len;

	flag->is_long = arg[1] == '-';
	arg += flag->is_long ? 2 : 1;
	len = flag->is_long ? strcspn(arg, "=") : strlen(arg);
	flag->value = arg[len] ? arg + len + 1 : NULL;
	flag->name = strndup(arg, len);
	return flag->name ? DOCA_SUCCESS : ARGP_NO_MEMORY("the arguments");
}

/* Find a flag that may be given here. */
static struct doca_argp_param *find_here(const char *name, bool is_long)
{
	struct doca_argp_param *param = argp_find(&argp->doca, name, is_long);
	const struct doca_argp_cmd *cmd;

	for (cmd = argp->cmd; cmd && !param; cmd = cmd->parent) {
		param = argp_find(cmd, name, is_long);
		if (param && cmd != argp->cmd && !param->inherited)
			param = NULL;
	}
	return param;
}

static bool is_flag(char *arg)
{
	struct flag_arg flag;
	bool found;

	if (arg[0] != '-' || take_apart(arg, &flag) != DOCA_SUCCESS)
		return false;
	found = find_here(flag.name, flag.is_long);
	free(flag.name);
	return found;
}

static doca_error_t parse_number(const struct doca_argp_param *param,
				 const char *text, int *number)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, hex ? 16 : 10);
	if (end == text || *end) {
		ARGP_ERR("%s: '%s' is not a number", argp_label(param).text,
			 text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (errno || value < INT_MIN || value > INT_MAX) {
		ARGP_ERR("%s: '%s' is not between %d and %d",
			 argp_label(param).text, text, INT_MIN, INT_MAX);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*number = value;
	return DOCA_SUCCESS;
}

static doca_error_t parse_value(struct argp_value *value, char *text)
{
	switch (value->param->type) {
	case DOCA_ARGP_TYPE_STRING:
		value->text = text;
		return DOCA_SUCCESS;
	case DOCA_ARGP_TYPE_INT:
		return parse_number(value->param, text, &value->number);
	default:
		ARGP_ERR("%s can be given in a JSON file only",
			 argp_label(value->param).text);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
}

/* The value is in the flag's argument, or is the next one. */
static doca_error_t read_flag(const struct flag_arg *flag, char *next,
			      struct argp_value *value, int *used)
{
	struct doca_argp_param *param = find_here(flag->name, flag->is_long);

	*used = 1;
	if (!param) {
		ARGP_ERR("there is no flag %s%s here",
			 flag->is_long ? "--" : "-", flag->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	value->param = param;
	if (param->type == DOCA_ARGP_TYPE_BOOLEAN) {
		if (flag->value) {
			ARGP_ERR("--%s has no value", flag->name);
			return DOCA_ERROR_INVALID_VALUE;
		}
		value->on = true;
		return DOCA_SUCCESS;
	}
	if (flag->value)
		return parse_value(value, flag->value);
	if (!next || is_flag(next)) {
		ARGP_ERR("the value of %s is missing", argp_label(param).text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*used = 2;
	return parse_value(value, next);
}

static doca_error_t read_cmd(const char *name)
{
	struct doca_argp_cmd *cmd = argp_find_cmd(name);

	if (!cmd) {
		ARGP_ERR("'%s' is neither a flag nor a value%s", name,
			 list_empty(&argp->cmd->cmds) ? "" : " nor a command");
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	argp->cmd = cmd;
	return DOCA_SUCCESS;
}

static doca_error_t read_arg(char *arg, char *next, int *used)
{
	struct argp_value value = {};
	struct flag_arg flag;
	doca_error_t ret;

	*used = 1;
	if (arg[0] != '-')
		return read_cmd(arg);
	ret = take_apart(arg, &flag);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = read_flag(&flag, next, &value, used);
	free(flag.name);
	if (ret != DOCA_SUCCESS)
		return ret;
	value.param->on_line = true;
	return argp_take(&argp->line_values, &value);
}

doca_error_t argp_read_line(int argc, char **argv)
{
	doca_error_t ret = DOCA_SUCCESS;
	int used;

	for (int i = 0; i < argc && ret == DOCA_SUCCESS; i += used)
		ret = read_arg(argv[i], i + 1 < argc ? argv[i + 1] : NULL,
			       &used);
	return ret;
}
