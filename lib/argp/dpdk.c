// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* DPDK's arguments: in front of "--" in the command line, or in the JSON file. */
#include <stdlib.h>
#include <string.h>

#include "argp.h"

/* A first argument of these is the program's, even without "--". */
static bool is_for_program(const char *arg)
{
	static const char *const flags[] = { "-h",	  "--help", "-v",
					     "--version", "-j",	    "--json" };

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (!strcmp(arg, flags[i]))
			return true;
	return !strncmp(arg, "--json=", strlen("--json="));
}

static int find_end(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		;
	return i;
}

static char **copy_args(int argc, char **args)
{
	char **copy = calloc(argc + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, args, argc * sizeof(*copy));
	return copy;
}

doca_error_t argp_dpdk_split(int *argc, char ***argv)
{
	int end = 1, next = 1;

	if (argp->dpdk.init) {
		end = find_end(*argc, *argv);
		next = end < *argc ? end + 1 : end;
		if (end == *argc && end > 1 && is_for_program((*argv)[1]))
			end = next = 1;
		argp->dpdk.args = copy_args(end, *argv);
		if (!argp->dpdk.args)
			return ARGP_NO_MEMORY("the arguments");
		argp->dpdk.argc = end;
	}
	*argc -= next;
	*argv += next;
	return DOCA_SUCCESS;
}

/* Append a word. It belongs to the parser if the result is success. */
static doca_error_t add_word(char *word)
{
	int argc = argp->dpdk.argc;
	char **args;

	if (!word)
		return ARGP_NO_MEMORY("the arguments");
	args = reallocarray(argp->dpdk.args, argc + 2, sizeof(*args));
	if (!args) {
		free(word);
		return ARGP_NO_MEMORY("the arguments");
	}
	args[argc] = word;
	args[argc + 1] = NULL;
	argp->dpdk.args = args;
	argp->dpdk.argc = argc + 1;
	return DOCA_SUCCESS;
}

static doca_error_t add_flag(const char *flag, char *value)
{
	doca_error_t ret = add_word(strdup(flag));

	if (ret == DOCA_SUCCESS)
		return add_word(value);
	free(value);
	return ret;
}

static doca_error_t wrong(const char *what)
{
	ARGP_ERR("%s: doca_dpdk_flags: %s", argp->json_path, what);
	return DOCA_ERROR_INVALID_VALUE;
}

static const char *get_text(struct json_object *json, const char *name)
{
	return argp_json_text(json_object_object_get(json, name));
}

static bool get_switch(struct json_object *json, const char *name)
{
	return json_object_get_boolean(json_object_object_get(json, name));
}

/* Add a device by DPDK's name, with the options of mlx5 for its switches. */
static doca_error_t add_device(struct json_object *json)
{
	const char *kind = get_text(json, "device");
	const char *id = get_text(json, "id");
	const char *bus = "";
	char *word;

	if (!kind || !id)
		return wrong(
			"a device needs 'device' and 'id', which are strings without NUL");
	if (!strcmp(kind, "sf"))
		bus = "auxiliary:mlx5_core.sf.";
	else if (strcmp(kind, "pf") != 0 && strcmp(kind, "vf") != 0 &&
		 strcmp(kind, "gpu") != 0)
		return wrong("a device is of kind pf, vf, sf or gpu");
	if (asprintf(&word, "%s%s%s%s", bus, id,
		     get_switch(json, "sft") ? ",sft_en=1" : "",
		     get_switch(json, "hws") ? ",dv_flow_en=2" : "") < 0)
		word = NULL;
	return add_flag("-a", word);
}

static doca_error_t add_devices(struct json_object *json)
{
	doca_error_t ret = DOCA_SUCCESS;
	size_t n;

	if (!json_object_is_type(json, json_type_array))
		return wrong("devices must be an array");
	n = json_object_array_length(json);
	for (size_t i = 0; i < n && ret == DOCA_SUCCESS; i++)
		ret = add_device(json_object_array_get_idx(json, i));
	return ret;
}

/* A mask as text is hexadecimal, as for DPDK. */
static doca_error_t add_core_mask(struct json_object *json)
{
	const char *text = argp_json_text(json);
	char *word;

	if (text)
		return add_flag("-c", strdup(text));
	if (!json_object_is_type(json, json_type_int))
		return wrong(
			"core-mask must be a string without NUL, or a number");
	if (asprintf(&word, "%#llx",
		     (unsigned long long)json_object_get_uint64(json)) < 0)
		word = NULL;
	return add_flag("-c", word);
}

static doca_error_t add_core_list(struct json_object *json)
{
	const char *text = argp_json_text(json);

	if (!text)
		return wrong("core-list must be a string without NUL");
	return add_flag("-l", strdup(text));
}

static doca_error_t add_others(struct json_object *json)
{
	const char *p = argp_json_text(json);
	doca_error_t ret = DOCA_SUCCESS;
	size_t len;

	if (!p)
		return wrong("flags must be a string without NUL");
	while (ret == DOCA_SUCCESS) {
		p += strspn(p, " \t\n");
		len = strcspn(p, " \t\n");
		if (!len)
			break;
		ret = add_word(strndup(p, len));
		p += len;
	}
	return ret;
}

static doca_error_t add_member(const char *name, struct json_object *json)
{
	static const struct {
		const char *name;
		doca_error_t (*add)(struct json_object *json);
	} members[] = {
		{ "devices", add_devices },
		{ "core-mask", add_core_mask },
		{ "core-list", add_core_list },
		{ "flags", add_others },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (!strcmp(members[i].name, name))
			return members[i].add(json);
	ARGP_ERR("%s: doca_dpdk_flags: there is no '%s'", argp->json_path,
		 name);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t argp_dpdk_read(struct json_object *flags)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (argp->dpdk.argc > 1)
		return wrong(
			"there are flags for DPDK on the command line, too");
	argp->dpdk.owned = true;
	json_object_object_foreach(flags, name, json)
	{
		ret = add_member(name, json);
		if (ret != DOCA_SUCCESS)
			break;
	}
	return ret;
}

void argp_dpdk_free(void)
{
	for (int i = 1; argp->dpdk.owned && i < argp->dpdk.argc; i++)
		free(argp->dpdk.args[i]);
	free(argp->dpdk.args);
	free(argp->dpdk.argv);
}

doca_error_t argp_dpdk_init(void)
{
	doca_error_t ret;

	if (!argp->dpdk.init)
		return DOCA_SUCCESS;
	argp->dpdk.argv = copy_args(argp->dpdk.argc, argp->dpdk.args);
	if (!argp->dpdk.argv)
		return ARGP_NO_MEMORY("the arguments");
	ret = argp->dpdk.init(argp->dpdk.argc, argp->dpdk.argv);
	if (ret != DOCA_SUCCESS)
		ARGP_ERR("the program could not start DPDK: %s",
			 doca_error_get_descr(ret));
	return ret;
}
