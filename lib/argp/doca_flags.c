// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The flags of every program. */
#include <stdlib.h>

#include <doca_version.h>

#include "argp.h"

#define LEVELS                                             \
	"<10=DISABLE, 20=CRITICAL, 30=ERROR, 40=WARNING, " \
	"50=INFO, 60=DEBUG, 70=TRACE>"

static _Noreturn void end(void)
{
	exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
}

static doca_error_t help(void *value, void *config)
{
	(void)value;
	(void)config;
	argp_print_usage(stdout);
	end();
}

static doca_error_t version(void *value, void *config)
{
	doca_error_t ret;

	if (argp->version) {
		ret = argp->version(value, config);
		if (ret != DOCA_SUCCESS) {
			ARGP_ERR("the program's version callback failed: %s",
				 doca_error_get_descr(ret));
			return ret;
		}
	} else {
		printf("%s, DOCA %s\n", argp->name ? argp->name : argp->argv0,
		       doca_version_runtime());
	}
	end();
}

static doca_error_t check_level(const char *flag, int level)
{
	if (level >= DOCA_LOG_LEVEL_DISABLE && level <= DOCA_LOG_LEVEL_TRACE &&
	    level % 10 == 0)
		return DOCA_SUCCESS;
	return ARGP_FAIL(
		INVALID_VALUE,
		"%s: %d is no level; it is one of 10, 20, 30, 40, 50, 60, 70",
		flag, level);
}

static doca_error_t log_level(void *value, void *config)
{
	int level = *(int *)value;
	doca_error_t ret = check_level("--log-level", level);

	(void)config;
	if (ret == DOCA_SUCCESS)
		doca_log_level_set_global_lower_limit(level);
	return ret;
}

static doca_error_t sdk_log_level(void *value, void *config)
{
	int level = *(int *)value;
	doca_error_t ret = check_level("--sdk-log-level", level);

	(void)config;
	if (ret == DOCA_SUCCESS)
		doca_log_level_set_global_sdk_limit(level);
	return ret;
}

static doca_error_t json(void *value, void *config)
{
	(void)config;
	argp->json_path = value;
	return DOCA_SUCCESS;
}

static const struct doca_flag {
	const char *short_name;
	const char *long_name;
	const char *arguments;
	const char *description;
	doca_argp_param_cb_t callback;
	enum doca_argp_type type;
	bool cli_only;
} doca_flags[] = {
	{ "h", "help", NULL, "Print a help synopsis", help,
	  DOCA_ARGP_TYPE_BOOLEAN, true },
	{ "v", "version", NULL, "Print program version information", version,
	  DOCA_ARGP_TYPE_BOOLEAN, true },
	{ "l", "log-level", NULL,
	  "Set the (numeric) log level for the program " LEVELS, log_level,
	  DOCA_ARGP_TYPE_INT, false },
	{ NULL, "sdk-log-level", NULL,
	  "Set the SDK (numeric) log level for the program " LEVELS,
	  sdk_log_level, DOCA_ARGP_TYPE_INT, false },
	{ "j", "json", "<path>",
	  "Parse command line flags from an input json file", json,
	  DOCA_ARGP_TYPE_STRING, true },
};

doca_error_t argp_register_doca_flags(void)
{
	struct doca_argp_param *param;
	doca_error_t ret;

	for (size_t i = 0; i < sizeof(doca_flags) / sizeof(doca_flags[0]);
	     i++) {
		const struct doca_flag *flag = &doca_flags[i];

		ret = doca_argp_param_create(&param);
		if (ret != DOCA_SUCCESS)
			return ret;
		doca_argp_param_set_short_name(param, flag->short_name);
		doca_argp_param_set_long_name(param, flag->long_name);
		doca_argp_param_set_arguments(param, flag->arguments);
		doca_argp_param_set_description(param, flag->description);
		doca_argp_param_set_callback(param, flag->callback);
		doca_argp_param_set_type(param, flag->type);
		if (flag->cli_only)
			doca_argp_param_set_cli_only(param);
		ret = argp_own_param(&argp->doca, param);
		if (ret != DOCA_SUCCESS)
			return ret;
	}
	return DOCA_SUCCESS;
}
