// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The JSON file: its members, and their values. */
#include <limits.h>
#include <string.h>

#include "argp.h"

static doca_error_t wrong_type(const struct doca_argp_param *param,
			       const char *wanted)
{
	ARGP_ERR("%s: %s must be %s", argp->json_path, argp_label(param).text,
		 wanted);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t read_number(struct argp_value *value,
				struct json_object *json)
{
	int64_t number = json_object_get_int64(json);

	if (!json_object_is_type(json, json_type_int))
		return wrong_type(value->param, "a whole number");
	if (number < INT_MIN || number > INT_MAX)
		return wrong_type(value->param, "a number of 32 bits");
	value->number = number;
	return DOCA_SUCCESS;
}

static doca_error_t read_one(struct doca_argp_param *param,
			     struct json_object *json)
{
	struct argp_value value = { .param = param };
	doca_error_t ret;

	switch (param->type) {
	case DOCA_ARGP_TYPE_STRING:
		value.text = (char *)argp_json_text(json);
		if (!value.text)
			return wrong_type(param, "a string without NUL");
		break;
	case DOCA_ARGP_TYPE_INT:
		ret = read_number(&value, json);
		if (ret != DOCA_SUCCESS)
			return ret;
		break;
	case DOCA_ARGP_TYPE_BOOLEAN:
		if (!json_object_is_type(json, json_type_boolean))
			return wrong_type(param, "true or false");
		value.on = json_object_get_boolean(json);
		break;
	default:
		if (!json_object_is_type(json, json_type_object))
			return wrong_type(param, "an object");
		value.json = json;
		break;
	}
	return argp_take(&argp->file_values, &value);
}

static doca_error_t read_values(struct doca_argp_param *param,
				struct json_object *json)
{
	doca_error_t ret = DOCA_SUCCESS;
	size_t n;

	if (!json_object_is_type(json, json_type_array))
		return read_one(param, json);
	if (!param->multiple) {
		ARGP_ERR("%s: %s may be given once, not as an array",
			 argp->json_path, argp_label(param).text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	n = json_object_array_length(json);
	for (size_t i = 0; i < n && ret == DOCA_SUCCESS; i++)
		ret = read_one(param, json_object_array_get_idx(json, i));
	return ret;
}

static doca_error_t read_member(struct doca_argp_param *param, const char *name,
				struct json_object *json)
{
	if (!param) {
		ARGP_ERR("%s: there is no flag '%s'", argp->json_path, name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (param->cli_only) {
		ARGP_ERR("%s: '%s' can be given on the command line only",
			 argp->json_path, name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (param->on_line) {
		ARGP_DBG("%s: '%s' is taken from the command line instead",
			 argp->json_path, name);
		return DOCA_SUCCESS;
	}
	return read_values(param, json);
}

static bool is_object(const char *name, struct json_object *json)
{
	if (json_object_is_type(json, json_type_object))
		return true;
	ARGP_ERR("%s: %s must be an object", argp->json_path, name);
	return false;
}

static doca_error_t read_doca_flags(struct json_object *flags)
{
	doca_error_t ret = DOCA_SUCCESS;

	json_object_object_foreach(flags, name, json)
	{
		ret = read_member(argp_find(&argp->doca, name, true), name,
				  json);
		if (ret != DOCA_SUCCESS)
			break;
	}
	return ret;
}

/* Flags of the given command come first. */
static struct doca_argp_param *find_outwards(const char *name)
{
	struct doca_argp_param *param = NULL;
	const struct doca_argp_cmd *cmd;

	for (cmd = argp->cmd; cmd && !param; cmd = cmd->parent)
		param = argp_find(cmd, name, true);
	return param;
}

static doca_error_t read_program_flags(struct json_object *flags)
{
	doca_error_t ret = DOCA_SUCCESS;

	json_object_object_foreach(flags, name, json)
	{
		ret = read_member(find_outwards(name), name, json);
		if (ret != DOCA_SUCCESS)
			break;
	}
	return ret;
}

static doca_error_t read_section(const char *name, struct json_object *flags)
{
	doca_error_t (*read)(struct json_object * flags);

	if (!strcmp(name, "doca_general_flags")) {
		read = read_doca_flags;
	} else if (!strcmp(name, "doca_program_flags")) {
		read = read_program_flags;
	} else if (!strcmp(name, "doca_dpdk_flags") && argp->dpdk.init) {
		read = argp_dpdk_read;
	} else {
		ARGP_ERR("%s: the program has no flags '%s'", argp->json_path,
			 name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return is_object(name, flags) ? read(flags) : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t argp_read_file(const char *path)
{
	doca_error_t ret;

	ret = argp_load_json(path, &argp->json);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!is_object("what is in it", argp->json))
		return DOCA_ERROR_INVALID_VALUE;
	json_object_object_foreach(argp->json, name, flags)
	{
		ret = read_section(name, flags);
		if (ret != DOCA_SUCCESS)
			break;
	}
	return ret;
}
