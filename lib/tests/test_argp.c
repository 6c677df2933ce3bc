// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Arguments: states, and the description of flags and commands. */
#include "argp_bed.h"
#include "fault.h"

TEST(the_parser_is_made_once)
{
	OK(doca_argp_init("prog", NULL));
	FAILS(doca_argp_init("prog", NULL), BAD_STATE, "doca_argp_destroy() comes first");
	OK(doca_argp_destroy());
	ERR(doca_argp_destroy(), BAD_STATE);
	OK(doca_argp_init(NULL, NULL));
	OK(doca_argp_destroy());
}

static doca_error_t no_cmd(void *config)
{
	(void)config;
	return DOCA_SUCCESS;
}

static doca_error_t no_log(enum doca_log_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return DOCA_SUCCESS;
}

TEST(before_the_parser_is_made_nothing_works)
{
	struct doca_argp_param *param;
	struct doca_argp_cmd *cmd;
	char *argv[] = { "prog", NULL };
	int level;

	ERR(doca_argp_start(1, argv), BAD_STATE);
	ERR(doca_argp_param_create(&param), BAD_STATE);
	ERR(doca_argp_param_destroy(NULL), BAD_STATE);
	ERR(doca_argp_register_param(NULL), BAD_STATE);
	ERR(doca_argp_cmd_create(&cmd), BAD_STATE);
	ERR(doca_argp_cmd_destroy(NULL), BAD_STATE);
	ERR(doca_argp_register_cmd(NULL), BAD_STATE);
	ERR(doca_argp_cmd_register_cmd(NULL, NULL), BAD_STATE);
	ERR(doca_argp_cmd_register_param(NULL, NULL), BAD_STATE);
	ERR(doca_argp_get_log_level(&level), BAD_STATE);
	ERR(doca_argp_get_sdk_log_level(&level), BAD_STATE);
	ERR(doca_argp_register_version_callback(take_on), BAD_STATE);
	ERR(doca_argp_register_validation_callback(no_cmd), BAD_STATE);
	ERR(doca_argp_register_logger_callback(no_log), BAD_STATE);
	ERR(doca_argp_disable_logger_callback(), BAD_STATE);
	logged();
	doca_argp_set_dpdk_program(NULL);
	EXPECT_LOGGED("has no effect");
	doca_argp_usage();
}

TEST(the_parser_is_started_once_and_described_before)
{
	struct doca_argp_param *param = NULL, *late;
	struct doca_argp_cmd *cmd = NULL, *late_cmd;
	char *argv[] = { "prog", NULL };
	int level;

	begin();
	OK(doca_argp_param_create(&param));
	OK(doca_argp_cmd_create(&cmd));
	ERR(doca_argp_start(0, argv), INVALID_VALUE);
	ERR(doca_argp_get_log_level(&level), BAD_STATE);
	ERR(doca_argp_get_sdk_log_level(&level), BAD_STATE);
	logged();
	OK(START());
	EXPECT_FAILED(START(), DOCA_ERROR_BAD_STATE, "it was done before");
	FAILS(doca_argp_param_create(&late), BAD_STATE, "cannot create a flag");
	FAILS(doca_argp_cmd_create(&late_cmd), BAD_STATE, "cannot create a command");
	FAILS(doca_argp_register_param(param), BAD_STATE, "the parser was started");
	FAILS(doca_argp_register_cmd(cmd), BAD_STATE, "the parser was started");
	ERR(doca_argp_register_version_callback(take_on), BAD_STATE);
	ERR(doca_argp_register_validation_callback(no_cmd), BAD_STATE);
	logged();
	doca_argp_set_dpdk_program(NULL);
	EXPECT_LOGGED("has no effect");
	OK(doca_argp_param_destroy(param));
	OK(doca_argp_cmd_destroy(cmd));
	end();
}

TEST(levels_are_those_of_the_log)
{
	int level = 0;

	begin();
	OK(START("-l", "60", "--sdk-log-level", "20"));
	OK(doca_argp_get_log_level(&level));
	EXPECT_EQ(level, 60);
	OK(doca_argp_get_sdk_log_level(&level));
	EXPECT_EQ(level, 20);
	EXPECT_EQ(doca_log_level_get_global_lower_limit(), 60);
	EXPECT_EQ(doca_log_level_get_global_sdk_limit(), 20);
	end();

	begin();
	OK(START());
	OK(doca_argp_get_log_level(&level));
	EXPECT_EQ(level, DOCA_LOG_LEVEL_INFO);
	OK(doca_argp_get_sdk_log_level(&level));
	EXPECT_EQ(level, DOCA_LOG_LEVEL_WARNING);
	end();
}

TEST(a_flag_must_be_complete)
{
	struct doca_argp_param *param = NULL;

	begin();
	FAILS(FLAG(NULL, NULL, take_a, TEXT), INVALID_VALUE, "flag without a name: it has no name");
	FAILS(FLAG("a", "alpha", NULL, TEXT), INVALID_VALUE, "--alpha: it has no callback");
	FAILS(FLAG("a", NULL, take_a, DOCA_ARGP_TYPE_UNKNOWN), INVALID_VALUE, "-a: it has no type");
	FAILS(FLAG("a", NULL, take_a, JSON + 1), INVALID_VALUE, "it has no type");
	ERR(FLAG("", NULL, take_a, TEXT), INVALID_VALUE);
	ERR(FLAG("-a", NULL, take_a, TEXT), INVALID_VALUE);
	ERR(FLAG("a", "--a", take_a, TEXT), INVALID_VALUE);
	ERR(FLAG("a", "a b", take_a, TEXT), INVALID_VALUE);
	ERR(FLAG("a", "a=b", take_a, TEXT), INVALID_VALUE);
	logged();

	OK(doca_argp_param_create(&param));
	doca_argp_param_set_long_name(param, "alpha");
	doca_argp_param_set_callback(param, take_a);
	doca_argp_param_set_type(param, TEXT);
	FAILS(doca_argp_register_param(param), INVALID_VALUE, "--alpha: it has no description");
	/* it belongs to the parser nevertheless */
	FAILS(doca_argp_register_param(param), BAD_STATE, "it was tried before");
	FAILS(doca_argp_param_destroy(param), BAD_STATE, "doca_argp_destroy() frees it");
	end();
}

TEST(names_are_not_taken_twice)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	FAILS(FLAG("a", NULL, take_b, TEXT), ALREADY_EXIST, "-a: there is one of that name");
	ERR(FLAG("b", "alpha", take_b, TEXT), ALREADY_EXIST);
	ERR(FLAG("j", NULL, take_b, TEXT), ALREADY_EXIST);
	ERR(FLAG(NULL, "json", take_b, TEXT), ALREADY_EXIST);
	ERR(FLAG("l", NULL, take_b, TEXT), ALREADY_EXIST);
	ERR(FLAG("h", NULL, take_b, TEXT), ALREADY_EXIST);
	ERR(FLAG("v", NULL, take_b, TEXT), ALREADY_EXIST);
	/* short and long names are different */
	OK(FLAG("alpha", "a", take_b, TEXT));
	OK(START("-a", "1", "--a", "2"));
	EXPECT_STR(took(), "a=1 b=2 ");
	end();
}

TEST(what_is_no_flag_is_refused)
{
	struct doca_argp_param *param = NULL;
	int other;

	begin();
	ERR(doca_argp_register_param((void *)&other), INVALID_VALUE);
	OK(doca_argp_param_create(&param));
	OK(doca_argp_param_destroy(param));
	ERR(doca_argp_param_destroy(param), INVALID_VALUE);
	ERR(doca_argp_register_param(param), INVALID_VALUE);
	logged();
	doca_argp_param_set_mandatory(NULL);
	EXPECT_LOGGED("it is NULL");
	end();
}

TEST(a_registered_flag_stays_as_it_is)
{
	struct doca_argp_param *param;

	begin();
	param = NEW("a", "alpha", take_a, TEXT);
	OK(doca_argp_register_param(param));
	ERR(doca_argp_register_param(param), BAD_STATE);
	logged();
	doca_argp_param_set_short_name(param, "x");
	EXPECT_LOGGED("doca_argp_param_set_short_name() has no effect");
	doca_argp_param_set_long_name(param, "x");
	doca_argp_param_set_arguments(param, "x");
	doca_argp_param_set_description(param, "x");
	doca_argp_param_set_callback(param, take_b);
	doca_argp_param_set_type(param, INT);
	doca_argp_param_set_mandatory(param);
	doca_argp_param_set_cli_only(param);
	doca_argp_param_set_multiplicity(param);
	doca_argp_param_set_singular(param);
	doca_argp_param_set_inherited(param);
	doca_argp_param_set_hidden(param);
	logged();
	OK(START("-a", "1"));
	EXPECT_STR(took(), "a=1 ");
	end();
}

TEST(texts_are_copied)
{
	char name[] = "alpha", description[] = "What it does";
	struct doca_argp_param *param = NULL;

	begin();
	OK(doca_argp_param_create(&param));
	doca_argp_param_set_long_name(param, name);
	doca_argp_param_set_description(param, description);
	doca_argp_param_set_callback(param, take_a);
	doca_argp_param_set_type(param, TEXT);
	memset(name, 'x', sizeof(name) - 1);
	memset(description, 'x', sizeof(description) - 1);
	OK(doca_argp_register_param(param));
	OK(START("--alpha", "1"));
	EXPECT_STR(took(), "a=1 ");
	end();
}

static doca_error_t destroy_all(void *value, void *config)
{
	(void)value;
	(void)config;
	return doca_argp_destroy();
}

TEST(a_callback_cannot_end_the_parser)
{
	begin();
	OK(FLAG("x", NULL, destroy_all, BOOL));
	ERR(START("-x"), BAD_STATE);
	EXPECT(strstr(logged(), "was called from a callback"));
	end();
}

static char heard[256];
static doca_error_t hear(enum doca_log_level level, const char *format, va_list args)
{
	EXPECT_EQ(level, DOCA_LOG_LEVEL_ERROR);
	vsnprintf(heard, sizeof(heard), format, args);
	return DOCA_ERROR_UNKNOWN;
}

TEST(a_program_can_take_the_messages)
{
	begin();
	ERR(doca_argp_disable_logger_callback(), BAD_STATE);
	OK(doca_argp_register_logger_callback(hear));
	logged();
	ERR(FLAG("h", NULL, take_a, TEXT), ALREADY_EXIST);
	EXPECT_STR(heard, "cannot register flag -h: there is one of that name");
	EXPECT_SILENT();
	OK(doca_argp_disable_logger_callback());
	ERR(doca_argp_disable_logger_callback(), BAD_STATE);
	FAILS(START("-x"), NOT_SUPPORTED, "[ERR][DOCA::ARGP][line.c:");
	end();
}

static struct doca_argp_cmd *new_cmd(const char *name, doca_argp_cmd_cb_t callback)
{
	struct doca_argp_cmd *cmd = NULL;

	OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, "What it does");
	doca_argp_cmd_set_callback(cmd, callback);
	return cmd;
}

TEST(a_command_must_be_complete)
{
	struct doca_argp_cmd *cmd = NULL, *inner;
	int other;

	begin();
	OK(doca_argp_cmd_create(&cmd));
	FAILS(doca_argp_register_cmd(cmd), INVALID_VALUE, "it has no name");
	FAILS(doca_argp_register_cmd(cmd), BAD_STATE, "it was tried before");
	FAILS(doca_argp_cmd_destroy(cmd), BAD_STATE, "doca_argp_destroy() frees it");
	OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, "get");
	FAILS(doca_argp_register_cmd(cmd), INVALID_VALUE, "get: it has no description");
	ERR(doca_argp_register_cmd(new_cmd("-x", no_cmd)), INVALID_VALUE);
	logged();

	OK(doca_argp_register_cmd(new_cmd("get", no_cmd)));
	FAILS(doca_argp_register_cmd(new_cmd("get", no_cmd)), ALREADY_EXIST,
	      "get: there is one of that name");

	cmd = new_cmd("outer", no_cmd);
	inner = new_cmd("inner", no_cmd);
	FAILS(doca_argp_cmd_register_cmd(cmd, cmd), INVALID_VALUE,
	      "it would be a command of itself");
	cmd = new_cmd("outer", no_cmd);
	OK(doca_argp_cmd_register_cmd(cmd, inner));
	FAILS(doca_argp_cmd_register_cmd(cmd, new_cmd("inner", no_cmd)), ALREADY_EXIST,
	      "inner: there is one of that name");
	FAILS(doca_argp_cmd_register_cmd(inner, cmd), INVALID_VALUE,
	      "it would be a command of itself");

	ERR(doca_argp_cmd_destroy((void *)&other), INVALID_VALUE);
	logged();
	doca_argp_cmd_set_hidden(NULL);
	EXPECT_LOGGED("it is NULL");
	doca_argp_cmd_set_name(cmd, "x");
	doca_argp_cmd_set_description(inner, "x");
	end();
}

TEST(a_command_that_is_not_registered_may_go_before_its_own)
{
	struct doca_argp_cmd *outer, *inner;

	begin();
	outer = new_cmd("outer", no_cmd);
	inner = new_cmd("inner", no_cmd);
	OK(doca_argp_cmd_register_cmd(outer, inner));
	OK(doca_argp_cmd_register_param(outer, NEW("a", NULL, take_a, TEXT)));
	ERR(doca_argp_cmd_register_param(outer, NEW("a", NULL, take_a, TEXT)), ALREADY_EXIST);
	OK(doca_argp_cmd_destroy(outer));
	ERR(doca_argp_cmd_destroy(outer), INVALID_VALUE);
	logged();
	EXPECT_REFUSED(START("outer"), DOCA_ERROR_NOT_SUPPORTED,
		       "'outer' is neither a flag nor a value");
	end();
}

TEST(destroy_after_a_failure_frees_all)
{
	struct doca_argp_param *param = NULL;
	struct doca_argp_cmd *cmd = NULL;

	begin();
	OK(doca_argp_param_create(&param));
	doca_argp_param_set_long_name(param, "never-registered");
	OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, "never-registered");
	OK(FLAG("a", NULL, take_a, TEXT));
	bed_answer = DOCA_ERROR_NOT_FOUND;
	EXPECT_FAILED(START("-a", "1"), DOCA_ERROR_NOT_FOUND,
		      "the program does not take the value of -a: not found");
	end();
}

static doca_error_t try_flag(void)
{
	struct doca_argp_param *param;
	doca_error_t ret = doca_argp_param_create(&param);

	if (ret != DOCA_SUCCESS)
		return ret;
	doca_argp_param_set_short_name(param, "a");
	doca_argp_param_set_long_name(param, "alpha");
	doca_argp_param_set_arguments(param, "<a>");
	doca_argp_param_set_description(param, "What it does");
	doca_argp_param_set_callback(param, take_a);
	doca_argp_param_set_type(param, TEXT);
	return doca_argp_register_param(param);
}

static doca_error_t try_cmd(void)
{
	struct doca_argp_cmd *cmd;
	doca_error_t ret = doca_argp_cmd_create(&cmd);

	if (ret != DOCA_SUCCESS)
		return ret;
	doca_argp_cmd_set_name(cmd, "get");
	doca_argp_cmd_set_description(cmd, "What it does");
	return doca_argp_register_cmd(cmd);
}

static doca_error_t no_dpdk(int argc, char **argv)
{
	return argc == 3 && !argv[3] ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

static doca_error_t try_all(char **argv)
{
	doca_error_t ret;

	ret = doca_argp_init("prog", &bed_config);
	if (ret != DOCA_SUCCESS)
		return ret;
	doca_argp_set_dpdk_program(no_dpdk);
	ret = try_flag();
	if (ret == DOCA_SUCCESS)
		ret = try_cmd();
	if (ret == DOCA_SUCCESS)
		ret = doca_argp_start(6, argv);
	OK(doca_argp_destroy());
	return ret;
}

TEST(without_memory_all_is_undone)
{
	char path[] = "/tmp/doca-argp-XXXXXX";
	char *argv[] = { "prog", "--", "-j", path, "--alpha=1", "get", NULL };
	static const char text[] = "{\"doca_dpdk_flags\":{\"core-mask\":3}}";
	int fd = mkstemp(path);
	doca_error_t ret;

	EXPECT_EQ(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	bed_answer = DOCA_SUCCESS;
	fault_at(FAULT_ALLOC, 1);
	do {
		ret = try_all(argv);
		if (fault_happened(FAULT_ALLOC))
			EXPECT_EQ(ret, DOCA_ERROR_NO_MEMORY);
	} while (fault_next(FAULT_ALLOC));
	EXPECT_EQ(ret, DOCA_SUCCESS);
	unlink(path);
	logged();
	took();
}

/* Make the next description fail for lack of memory. */
static void short_of_memory(void)
{
	fault_at(FAULT_ALLOC, 1);
}

TEST(without_memory_flags_are_not_registered)
{
	struct doca_argp_param *param;
	struct doca_argp_cmd *cmd;

	begin();
	EXPECT_FAULTS(FAULT_ALLOC, doca_argp_param_create(&param), NO_MEMORY,
		      OK(doca_argp_param_destroy(param)));
	OK(doca_argp_param_create(&param));
	short_of_memory();
	doca_argp_param_set_long_name(param, "alpha");
	ERR(doca_argp_register_param(param), NO_MEMORY);
	OK(doca_argp_cmd_create(&cmd));
	OK(doca_argp_param_create(&param));
	short_of_memory();
	doca_argp_param_set_description(param, "What it does");
	ERR(doca_argp_cmd_register_param(cmd, param), NO_MEMORY);
	end();
}

TEST(without_memory_commands_are_not_registered)
{
	struct doca_argp_cmd *cmd, *inner;

	begin();
	EXPECT_FAULTS(FAULT_ALLOC, doca_argp_cmd_create(&cmd), NO_MEMORY,
		      OK(doca_argp_cmd_destroy(cmd)));
	OK(doca_argp_cmd_create(&cmd));
	OK(doca_argp_cmd_create(&inner));
	short_of_memory();
	doca_argp_cmd_set_name(inner, "get");
	ERR(doca_argp_cmd_register_cmd(cmd, inner), NO_MEMORY);
	short_of_memory();
	doca_argp_cmd_set_description(cmd, "What it does");
	ERR(doca_argp_register_cmd(cmd), NO_MEMORY);
	end();
}

TEST(without_memory_nothing_is_parsed)
{
	char *argv[] = { "prog", "--alpha=1", NULL };

	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	short_of_memory();
	ERR(doca_argp_start(2, argv), NO_MEMORY);
	EXPECT_STR(took(), "");
	end();
}

TEST(lines_of_the_log_name_the_file_that_they_are_in)
{
	struct doca_argp_cmd *cmd;

	begin();
	FAILS(doca_argp_init("prog", NULL), BAD_STATE, "[argp.c:");
	OK(doca_argp_cmd_create(&cmd));
	FAILS(doca_argp_register_cmd(cmd), INVALID_VALUE, "[cmd.c:");
	FAILS(START("--none"), NOT_SUPPORTED, "[line.c:");
	end();
}
