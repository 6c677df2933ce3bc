// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Passes values to the program, and checks which must and may be there. */
#include <stdlib.h>

#include "argp.h"

/* Return the value in the callback's form. */
static void *as_pointer(struct argp_value *value)
{
	switch (value->param->type) {
	case DOCA_ARGP_TYPE_STRING:
		return value->text;
	case DOCA_ARGP_TYPE_INT:
		return &value->number;
	case DOCA_ARGP_TYPE_BOOLEAN:
		return &value->on;
	case DOCA_ARGP_TYPE_JSON_OBJ:
		return value->json;
	case DOCA_ARGP_TYPE_UNKNOWN:
		break;
	}
	return NULL; /* no flag has such a type */
}

doca_error_t argp_take(struct list *list, const struct argp_value *value)
{
	struct doca_argp_param *param = value->param;
	struct argp_value *copy;
	struct argp_value now;

	if (param->given && !param->multiple) {
		ARGP_ERR("%s is given more than once", argp_label(param).text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	param->given++;
	if (param->owner == &argp->doca) {
		now = *value;
		return param->callback(as_pointer(&now), argp->config);
	}
	copy = malloc(sizeof(*copy));
	if (!copy)
		return ARGP_NO_MEMORY("the arguments");
	*copy = *value;
	list_add_tail(list, &copy->link);
	return DOCA_SUCCESS;
}

doca_error_t argp_pass_values(struct list *list)
{
	struct list *pos;
	doca_error_t ret;

	list_for_each(pos, list) {
		struct argp_value *value =
			list_entry(pos, struct argp_value, link);

		ret = value->param->callback(as_pointer(value), argp->config);
		if (ret != DOCA_SUCCESS) {
			ARGP_ERR(
				"the program does not take the value of %s: %s",
				argp_label(value->param).text,
				doca_error_get_descr(ret));
			return ret;
		}
	}
	return DOCA_SUCCESS;
}

void argp_free_values(struct list *list)
{
	struct list *link, *next;

	list_for_each_safe(link, next, list) {
		list_del(link);
		free(list_entry(link, struct argp_value, link));
	}
}

/* Return a flag that was given alone, as it must be; NULL if there is none. */
static const struct doca_argp_param *given_singular(void)
{
	const struct list *pos;

	list_for_each(pos, &argp->params) {
		const struct doca_argp_param *param =
			list_entry(pos, struct doca_argp_param, link);

		if (param->given && param->singular)
			return param;
	}
	return NULL;
}

doca_error_t argp_check_singular(void)
{
	const struct doca_argp_param *singular = given_singular();
	const struct list *pos;

	if (!singular)
		return DOCA_SUCCESS;
	list_for_each(pos, &argp->params) {
		const struct doca_argp_param *param =
			list_entry(pos, struct doca_argp_param, link);

		if (!param->given || param == singular ||
		    param->owner == &argp->doca)
			continue;
		ARGP_ERR("%s must be alone, but %s is given, too",
			 argp_label(singular).text, argp_label(param).text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

static bool is_complete(const struct doca_argp_cmd *cmd)
{
	const struct list *pos;
	bool complete = true;

	list_for_each(pos, &cmd->params) {
		const struct doca_argp_param *param =
			list_entry(pos, struct doca_argp_param, sibling);

		if (param->given || !param->mandatory)
			continue;
		ARGP_ERR("%s is mandatory, but not given",
			 argp_label(param).text);
		complete = false;
	}
	return complete;
}

doca_error_t argp_check_mandatory(void)
{
	const struct doca_argp_cmd *cmd;
	bool complete = true;

	if (given_singular())
		return DOCA_SUCCESS;
	for (cmd = argp->cmd; cmd; cmd = cmd->parent)
		complete &= is_complete(cmd);
	return complete ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}
