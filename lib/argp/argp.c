// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The sequence of steps, from doca_argp_init() to doca_argp_destroy(). */
#include <stdlib.h>
#include <string.h>

#include "argp.h"

static void argp_free(void)
{
	argp_free_values(&argp->line_values);
	argp_free_values(&argp->file_values);
	argp_dpdk_free();
	json_object_put(argp->json);
	argp_free_params();
	argp_free_cmds();
	free(argp->name);
	free(argp);
	argp = NULL;
}

doca_error_t doca_argp_init(const char *program_name, void *program_config)
{
	doca_error_t ret;

	if (argp) {
		ARGP_ERR(
			"doca_argp_init() was called before; doca_argp_destroy() comes first");
		return DOCA_ERROR_BAD_STATE;
	}
	argp = calloc(1, sizeof(*argp));
	if (!argp)
		return ARGP_NO_MEMORY("the parser");
	argp->config = program_config;
	list_init(&argp->params);
	list_init(&argp->cmds);
	list_init(&argp->file_values);
	list_init(&argp->line_values);
	argp_cmd_init(&argp->doca);
	argp_cmd_init(&argp->program);
	argp->cmd = &argp->program;
	if (program_name) {
		argp->name = strdup(program_name);
		if (!argp->name) {
			ret = ARGP_NO_MEMORY("the name of the program");
			goto free;
		}
	}
	ret = argp_register_doca_flags();
	if (ret != DOCA_SUCCESS)
		goto free;
	return DOCA_SUCCESS;

free:
	argp_free();
	return ret;
}

doca_error_t doca_argp_destroy(void)
{
	if (!argp)
		return argp_not_there();
	if (argp->state == ARGP_STARTED) {
		ARGP_ERR(
			"doca_argp_destroy() was called from a callback; the parser still needs what it would free");
		return DOCA_ERROR_BAD_STATE;
	}
	argp_free();
	return DOCA_SUCCESS;
}

/* Call the outer command first. */
static doca_error_t call_cmd(const struct doca_argp_cmd *cmd)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (cmd->parent)
		ret = call_cmd(cmd->parent);
	if (ret != DOCA_SUCCESS || !cmd->callback)
		return ret;
	ret = cmd->callback(argp->config);
	if (ret != DOCA_SUCCESS)
		ARGP_ERR("command %s failed: %s", cmd->name,
			 doca_error_get_descr(ret));
	return ret;
}

/* Parse everything; nothing of the program is called. */
static doca_error_t understand(int argc, char **argv)
{
	doca_error_t ret;

	ret = argp_dpdk_split(&argc, &argv);
	if (ret == DOCA_SUCCESS)
		ret = argp_read_line(argc, argv);
	if (ret == DOCA_SUCCESS && argp->json_path)
		ret = argp_read_file(argp->json_path);
	if (ret == DOCA_SUCCESS)
		ret = argp_check_singular();
	return ret;
}

static doca_error_t pass(void)
{
	doca_error_t ret;

	ret = argp_dpdk_init();
	if (ret == DOCA_SUCCESS)
		ret = call_cmd(argp->cmd);
	if (ret == DOCA_SUCCESS)
		ret = argp_pass_values(&argp->file_values);
	if (ret == DOCA_SUCCESS)
		ret = argp_pass_values(&argp->line_values);
	return ret;
}

static doca_error_t validate(void)
{
	doca_error_t ret;

	if (!argp->validate)
		return DOCA_SUCCESS;
	ret = argp->validate(argp->config);
	if (ret != DOCA_SUCCESS)
		ARGP_ERR("the arguments do not fit together: %s",
			 doca_error_get_descr(ret));
	return ret;
}

static doca_error_t parse(int argc, char **argv)
{
	doca_error_t ret;

	argp->argv0 = argv[0];
	ret = understand(argc, argv);
	if (ret == DOCA_ERROR_INVALID_VALUE || ret == DOCA_ERROR_NOT_SUPPORTED)
		argp_print_usage(stderr);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = pass();
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = argp_check_mandatory();
	if (ret != DOCA_SUCCESS) {
		argp_print_usage(stderr);
		return ret;
	}
	return validate();
}

doca_error_t doca_argp_start(int argc, char **argv)
{
	doca_error_t ret;

	if (argp_refused(argc < 1) || !argp_given(argv))
		return DOCA_ERROR_INVALID_VALUE;
	if (!argp_described()) {
		ARGP_ERR("cannot parse arguments: %s",
			 argp ? "it was done before" :
				"call doca_argp_init() first");
		return DOCA_ERROR_BAD_STATE;
	}
	argp->state = ARGP_STARTED;
	ret = parse(argc, argv);
	argp->state = ARGP_ENDED;
	return ret;
}

void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback)
{
	if (argp_described())
		argp->dpdk.init = callback;
	else
		ARGP_ERR(
			"doca_argp_set_dpdk_program() has no effect: call it between doca_argp_init() and doca_argp_start()");
}

doca_error_t doca_argp_get_log_level(int *log_level)
{
	if (!argp_given(log_level))
		return DOCA_ERROR_INVALID_VALUE;
	if (!argp || argp->state == ARGP_DESCRIBED)
		return ARGP_FAIL(
			BAD_STATE,
			"the level is known when doca_argp_start() is done");
	*log_level = doca_log_level_get_global_lower_limit();
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_get_sdk_log_level(int *log_level)
{
	if (!argp_given(log_level))
		return DOCA_ERROR_INVALID_VALUE;
	if (!argp || argp->state == ARGP_DESCRIBED)
		return ARGP_FAIL(
			BAD_STATE,
			"the level is known when doca_argp_start() is done");
	*log_level = doca_log_level_get_global_sdk_limit();
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback)
{
	if (!argp_given(callback))
		return DOCA_ERROR_INVALID_VALUE;
	if (!argp_described())
		return ARGP_FAIL(
			BAD_STATE,
			"cannot register a callback: call it between doca_argp_init() and doca_argp_start()");
	argp->version = callback;
	return DOCA_SUCCESS;
}

doca_error_t
doca_argp_register_validation_callback(doca_argp_validation_cb_t callback)
{
	if (!argp_given(callback))
		return DOCA_ERROR_INVALID_VALUE;
	if (!argp_described())
		return ARGP_FAIL(
			BAD_STATE,
			"cannot register a callback: call it between doca_argp_init() and doca_argp_start()");
	argp->validate = callback;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback)
{
	if (!argp_given(callback))
		return DOCA_ERROR_INVALID_VALUE;
	if (!argp)
		return argp_not_there();
	argp->logger = callback;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_disable_logger_callback(void)
{
	if (!argp || !argp->logger)
		return ARGP_FAIL(BAD_STATE, "there is no logger callback");
	argp->logger = NULL;
	return DOCA_SUCCESS;
}
