// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The description of flags. */
#include <stdlib.h>
#include <string.h>

#include "argp.h"

static bool is_param(const struct doca_argp_param *param)
{
	const struct list *pos;

	list_for_each(pos, &argp->params)
		if (list_entry(pos, struct doca_argp_param, link) == param)
			return true;
	return false;
}

struct doca_argp_param *argp_find(const struct doca_argp_cmd *cmd,
				  const char *name, bool is_long)
{
	const struct list *pos;

	if (!name)
		return NULL;
	list_for_each(pos, &cmd->params) {
		struct doca_argp_param *param =
			list_entry(pos, struct doca_argp_param, sibling);
		const char *own = is_long ? param->long_name :
					    param->short_name;

		if (own && !strcmp(own, name))
			return param;
	}
	return NULL;
}

doca_error_t doca_argp_param_create(struct doca_argp_param **param)
{
	struct doca_argp_param *new;

	if (!argp_given(param))
		return DOCA_ERROR_INVALID_VALUE;
	if (!argp_described()) {
		ARGP_ERR(
			"cannot create a flag: call it between doca_argp_init() and doca_argp_start()");
		return DOCA_ERROR_BAD_STATE;
	}
	new = calloc(1, sizeof(*new));
	if (!new)
		return ARGP_NO_MEMORY("a flag");
	list_init(&new->sibling);
	list_add_tail(&argp->params, &new->link);
	*param = new;
	return DOCA_SUCCESS;
}

static void param_free(struct doca_argp_param *param)
{
	list_del(&param->sibling);
	list_del(&param->link);
	free(param->short_name);
	free(param->long_name);
	free(param->arguments);
	free(param->description);
	free(param);
}

void argp_free_params(void)
{
	struct list *link, *next;

	list_for_each_safe(link, next, &argp->params)
		param_free(list_entry(link, struct doca_argp_param, link));
}

doca_error_t doca_argp_param_destroy(struct doca_argp_param *param)
{
	if (!argp)
		return argp_not_there();
	if (!is_param(param))
		return ARGP_FAIL(INVALID_VALUE, "%p is no flag of the parser",
				 (void *)param);
	if (param->taken) {
		ARGP_ERR(
			"cannot destroy flag %s: it was registered; doca_argp_destroy() frees it",
			argp_label(param).text);
		return DOCA_ERROR_BAD_STATE;
	}
	param_free(param);
	return DOCA_SUCCESS;
}

/* Return true if it can be described. */
static bool open_to(const struct doca_argp_param *param, const char *func)
{
	const char *why = "it is none of the parser";

	if (!param)
		why = "it is NULL";
	else if (argp && is_param(param))
		why = param->taken ? "it was registered" : NULL;
	if (why)
		ARGP_ERR("%s() has no effect on flag %p: %s", func,
			 (const void *)param, why);
	return !why;
}

void doca_argp_param_set_short_name(struct doca_argp_param *param,
				    const char *name)
{
	if (open_to(param, __func__))
		argp_set_text(&param->short_name, &param->broken, name);
}

void doca_argp_param_set_long_name(struct doca_argp_param *param,
				   const char *name)
{
	if (open_to(param, __func__))
		argp_set_text(&param->long_name, &param->broken, name);
}

void doca_argp_param_set_arguments(struct doca_argp_param *param,
				   const char *arguments)
{
	if (open_to(param, __func__))
		argp_set_text(&param->arguments, &param->broken, arguments);
}

void doca_argp_param_set_description(struct doca_argp_param *param,
				     const char *description)
{
	if (open_to(param, __func__))
		argp_set_text(&param->description, &param->broken, description);
}

void doca_argp_param_set_callback(struct doca_argp_param *param,
				  doca_argp_param_cb_t callback)
{
	if (open_to(param, __func__))
		param->callback = callback;
}

void doca_argp_param_set_type(struct doca_argp_param *param,
			      enum doca_argp_type type)
{
	if (open_to(param, __func__))
		param->type = type;
}

void doca_argp_param_set_mandatory(struct doca_argp_param *param)
{
	if (open_to(param, __func__))
		param->mandatory = true;
}

void doca_argp_param_set_cli_only(struct doca_argp_param *param)
{
	if (open_to(param, __func__))
		param->cli_only = true;
}

void doca_argp_param_set_multiplicity(struct doca_argp_param *param)
{
	if (open_to(param, __func__))
		param->multiple = true;
}

void doca_argp_param_set_singular(struct doca_argp_param *param)
{
	if (open_to(param, __func__))
		param->singular = true;
}

void doca_argp_param_set_inherited(struct doca_argp_param *param)
{
	if (open_to(param, __func__))
		param->inherited = true;
}

void doca_argp_param_set_hidden(struct doca_argp_param *param)
{
	if (open_to(param, __func__))
		param->hidden = true;
}

/* Return what is missing or wrong, or NULL. */
static const char *param_fault(const struct doca_argp_param *param)
{
	if (!param->short_name && !param->long_name)
		return "it has no name";
	if ((param->short_name && !argp_name_valid(param->short_name)) ||
	    (param->long_name && !argp_name_valid(param->long_name)))
		return "a name is empty, begins with a dash, or has a blank or '=' in it";
	if (!param->description && !param->hidden)
		return "it has no description";
	if (!param->callback)
		return "it has no callback";
	if (param->type <= DOCA_ARGP_TYPE_UNKNOWN ||
	    param->type > DOCA_ARGP_TYPE_JSON_OBJ)
		return "it has no type";
	return NULL;
}

static bool name_taken(const struct doca_argp_cmd *owner,
		       const struct doca_argp_param *param)
{
	return argp_find(&argp->doca, param->short_name, false) ||
	       argp_find(&argp->doca, param->long_name, true) ||
	       argp_find(owner, param->short_name, false) ||
	       argp_find(owner, param->long_name, true);
}

doca_error_t argp_own_param(struct doca_argp_cmd *owner,
			    struct doca_argp_param *param)
{
	const char *fault = param_fault(param);

	param->taken = true;
	if (param->broken)
		return ARGP_NO_MEMORY("the text of a flag");
	if (fault) {
		ARGP_ERR("cannot register flag %s: %s", argp_label(param).text,
			 fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (name_taken(owner, param)) {
		ARGP_ERR("cannot register flag %s: there is one of that name",
			 argp_label(param).text);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	param->owner = owner;
	list_add_tail(&owner->params, &param->sibling);
	return DOCA_SUCCESS;
}

static doca_error_t register_param(struct doca_argp_cmd *owner,
				   struct doca_argp_param *param)
{
	if (!is_param(param))
		return ARGP_FAIL(INVALID_VALUE, "%p is no flag of the parser",
				 (void *)param);
	if (param->taken || argp->state != ARGP_DESCRIBED) {
		ARGP_ERR("cannot register flag %s: %s", argp_label(param).text,
			 param->taken ? "it was tried before" :
					"the parser was started");
		return DOCA_ERROR_BAD_STATE;
	}
	return argp_own_param(owner, param);
}

doca_error_t doca_argp_register_param(struct doca_argp_param *input_param)
{
	if (!argp)
		return argp_not_there();
	return register_param(&argp->program, input_param);
}

doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
					  struct doca_argp_param *input_param)
{
	if (!argp)
		return argp_not_there();
	if (!argp_is_cmd(cmd)) {
		if (is_param(input_param))
			input_param->taken = true;
		return ARGP_FAIL(INVALID_VALUE,
				 "%p is no command of the parser", (void *)cmd);
	}
	return register_param(cmd, input_param);
}
