// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Arguments: the command line. */
#include "argp_bed.h"

TEST(values_come_in_the_order_of_the_line)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT, MULTIPLE));
	OK(FLAG("b", "bravo", take_b, TEXT));
	OK(FLAG("n", "number", take_n, INT));
	OK(FLAG("s", "switch", take_on, BOOL));
	OK(START("-b", "x", "--alpha", "1", "-s", "--number", "-7", "-a", "2"));
	EXPECT_STR(took(), "b=x a=1 on=1 n=-7 a=2 ");
	EXPECT_SILENT();
	end();
}

TEST(short_names_of_several_letters_are_matched_exactly)
{
	begin();
	OK(FLAG("w", NULL, take_a, TEXT));
	OK(FLAG("wf", "with-frame", take_on, BOOL));
	OK(FLAG("sat", NULL, take_n, INT));
	TAKEN("on=1 n=3 a=f ", "-wf", "-sat", "3", "-w", "f");
	begin();
	OK(FLAG("w", NULL, take_a, TEXT));
	REFUSED(NOT_SUPPORTED, "there is no flag -wf here", "-wf");
}

TEST(one_name_is_enough)
{
	begin();
	OK(FLAG(NULL, "only-long", take_a, TEXT));
	OK(FLAG("s", NULL, take_b, TEXT));
	TAKEN("a=1 b=2 ", "--only-long", "1", "-s", "2");
	begin();
	OK(FLAG(NULL, "only-long", take_a, TEXT));
	REFUSED(NOT_SUPPORTED, "there is no flag -only-long here", "-only-long", "1");
}

TEST(a_value_may_be_in_the_argument_of_a_long_name)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT, MULTIPLE));
	OK(FLAG("n", "number", take_n, INT));
	TAKEN("a=x=y a= n=16 ", "--alpha=x=y", "--alpha=", "--number=0x10");
	begin();
	OK(FLAG("s", "switch", take_on, BOOL));
	REFUSED(INVALID_VALUE, "--switch has no value", "--switch=1");
}

/* Use a new program each time: a parser is started once. */
#define NUMBER(text, code, words)                 \
	do {                                      \
		begin();                          \
		OK(FLAG("n", NULL, take_n, INT)); \
		REFUSED(code, words, "-n", text); \
		EXPECT_STR(took(), "");           \
	} while (0)

TEST(numbers_are_checked)
{
	NUMBER("x", INVALID_VALUE, "-n: 'x' is not a number");
	NUMBER("1x", INVALID_VALUE, "'1x' is not a number");
	NUMBER("", INVALID_VALUE, "'' is not a number");
	NUMBER("1.5", INVALID_VALUE, "'1.5' is not a number");
	NUMBER("2147483648", INVALID_VALUE, "'2147483648' is not between");
	NUMBER("-2147483649", INVALID_VALUE, "is not between");
	NUMBER("99999999999999999999", INVALID_VALUE, "is not between");
	begin();
	OK(FLAG("n", NULL, take_n, INT, MULTIPLE));
	TAKEN("n=2147483647 n=-2147483648 n=10 ", "-n", "2147483647", "-n", "-2147483648", "-n",
	      "010");
}

TEST(a_value_is_missing)
{
	begin();
	OK(FLAG("a", NULL, take_a, TEXT));
	REFUSED(INVALID_VALUE, "the value of -a is missing", "-a");
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	OK(FLAG("b", NULL, take_b, TEXT));
	REFUSED(INVALID_VALUE, "the value of --alpha is missing", "--alpha", "-b", "x");

	/* an unknown flag can be a value */
	begin();
	OK(FLAG("a", NULL, take_a, TEXT));
	TAKEN("a=-other ", "-a", "-other");
}

TEST(what_nobody_knows_is_not_supported)
{
	begin();
	OK(FLAG("a", NULL, take_a, TEXT));
	EXPECT_REFUSED(START("-a", "1", "--unknown"), DOCA_ERROR_NOT_SUPPORTED,
		       "there is no flag --unknown here");
	/* not even right values are passed */
	EXPECT_STR(took(), "");
	end();

	begin();
	REFUSED(NOT_SUPPORTED, "'word' is neither a flag nor a value", "word");
	begin();
	REFUSED(NOT_SUPPORTED, "no flag - here", "-");
	begin();
	REFUSED(NOT_SUPPORTED, "no flag -- here", "--");
	begin();
	REFUSED(NOT_SUPPORTED, "'' is neither a flag nor a value", "");
}

TEST(a_flag_is_given_once_unless_it_may_be_repeated)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	REFUSED(INVALID_VALUE, "--alpha is given more than once", "-a", "1", "--alpha", "2");
	EXPECT_STR(took(), "");
	begin();
	OK(FLAG("s", NULL, take_on, BOOL, MULTIPLE));
	TAKEN("on=1 on=1 ", "-s", "-s");
	begin();
	REFUSED(INVALID_VALUE, "--log-level is given more than once", "-l", "60", "-l", "70");
}

TEST(mandatory_flags_must_be_there)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT, MANDATORY));
	OK(FLAG("b", NULL, take_b, TEXT));
	REFUSED(INVALID_VALUE, "--alpha is mandatory, but not given", "-b", "1");
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT, MANDATORY));
	TAKEN("a=1 ", "-a", "1");
}

TEST(a_singular_flag_is_alone)
{
	begin();
	OK(FLAG("a", NULL, take_a, TEXT, MANDATORY));
	OK(FLAG(NULL, "list", take_on, BOOL, SINGULAR));
	TAKEN("on=1 ", "--list", "-l", "60");
	begin();
	OK(FLAG("a", NULL, take_a, TEXT, MANDATORY));
	OK(FLAG(NULL, "list", take_on, BOOL, SINGULAR));
	REFUSED(INVALID_VALUE, "--list must be alone, but -a is given, too", "-a", "1", "--list");
	EXPECT_STR(took(), "");
}

TEST(levels_are_ten_to_seventy)
{
	static char *const bad[] = { "0", "55", "80", "-10", "DEBUG" };
	char level[4];

	for (int i = 10; i <= 70; i += 10) {
		snprintf(level, sizeof(level), "%d", i);
		begin();
		OK(START("--log-level", level));
		EXPECT_EQ(doca_log_level_get_global_lower_limit(), i);
		end();
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		begin();
		EXPECT_REFUSED(START("-l", bad[i]), DOCA_ERROR_INVALID_VALUE, "--log-level: ");
		end();
		begin();
		EXPECT_REFUSED(START("--sdk-log-level", bad[i]), DOCA_ERROR_INVALID_VALUE,
			       "--sdk-log-level: ");
		end();
	}
}

TEST(the_first_error_of_a_callback_ends_the_parsing)
{
	begin();
	OK(FLAG("a", NULL, take_a, TEXT));
	OK(FLAG("b", NULL, take_b, TEXT, MANDATORY));
	bed_answer = DOCA_ERROR_NOT_FOUND;
	EXPECT_FAILED(START("-a", "1", "-b", "2"), DOCA_ERROR_NOT_FOUND,
		      "does not take the value of -a: not found");
	EXPECT_STR(took(), "a=1 ");
	end();
}

static doca_error_t validation_answer;
static doca_error_t check(void *config)
{
	write_down(config, "checked ");
	return validation_answer;
}

TEST(what_is_complete_is_validated)
{
	validation_answer = DOCA_SUCCESS;
	begin();
	OK(doca_argp_register_validation_callback(check));
	OK(FLAG("a", NULL, take_a, TEXT, MANDATORY));
	TAKEN("a=1 checked ", "-a", "1");
	begin();
	OK(doca_argp_register_validation_callback(check));
	OK(FLAG("a", NULL, take_a, TEXT, MANDATORY));
	REFUSED(INVALID_VALUE, "-a is mandatory");
	EXPECT_STR(took(), "");

	validation_answer = DOCA_ERROR_TOO_BIG;
	begin();
	OK(doca_argp_register_validation_callback(check));
	EXPECT_FAILED(START(), DOCA_ERROR_TOO_BIG,
		      "the arguments do not fit together: value too big");
	end();
}

TEST(objects_are_for_the_file_only)
{
	begin();
	OK(FLAG(NULL, "object", take_json, JSON));
	REFUSED(NOT_SUPPORTED, "--object can be given in a JSON file only", "--object", "{}");
}

#define CALLED(name)                                  \
	static doca_error_t call_##name(void *config) \
	{                                             \
		write_down(config, "%s ", #name);     \
		return DOCA_SUCCESS;                  \
	}

CALLED(get)
CALLED(set)
CALLED(one)

static doca_error_t call_fails(void *config)
{
	write_down(config, "fails ");
	return DOCA_ERROR_IO_FAILED;
}

static struct doca_argp_cmd *add_cmd(struct doca_argp_cmd *outer, const char *name,
				     doca_argp_cmd_cb_t callback)
{
	struct doca_argp_cmd *cmd = NULL;

	OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, "What it does");
	doca_argp_cmd_set_callback(cmd, callback);
	if (outer)
		OK(doca_argp_cmd_register_cmd(outer, cmd));
	else
		OK(doca_argp_register_cmd(cmd));
	return cmd;
}

#define CMD_FLAG(cmd, ...) OK(doca_argp_cmd_register_param(cmd, NEW(__VA_ARGS__)))

/* prog [-a] get [-b -n] one [-s]; prog set [-n] */
static void begin_with_cmds(void)
{
	struct doca_argp_cmd *get, *set, *one;

	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	OK(FLAG("i", "inherited", take_on, BOOL, INHERITED));
	get = add_cmd(NULL, "get", call_get);
	set = add_cmd(NULL, "set", call_set);
	one = add_cmd(get, "one", call_one);
	add_cmd(get, "fails", call_fails);
	add_cmd(get, "silent", NULL);
	CMD_FLAG(get, "b", "bravo", take_b, TEXT, INHERITED);
	CMD_FLAG(get, "n", NULL, take_n, INT);
	CMD_FLAG(one, "s", NULL, take_on, BOOL, MANDATORY);
	CMD_FLAG(set, "n", "number", take_b, TEXT, MANDATORY);
}

TEST(commands_have_their_own_flags)
{
	begin_with_cmds();
	TAKEN("get a=1 n=2 ", "-a", "1", "get", "-n", "2");
	begin_with_cmds();
	TAKEN("set b=2 on=1 ", "set", "-n", "2", "-i");
	begin_with_cmds();
	TAKEN("get one on=1 b=x ", "get", "one", "-s", "--bravo", "x");
	begin_with_cmds();
	TAKEN("");
	begin_with_cmds();
	TAKEN("get ", "get", "silent");
}

TEST(flags_are_where_they_belong)
{
	begin_with_cmds();
	REFUSED(NOT_SUPPORTED, "there is no flag -n here", "-n", "1", "get");
	begin_with_cmds();
	REFUSED(NOT_SUPPORTED, "there is no flag -a here", "get", "-a", "1");
	begin_with_cmds();
	REFUSED(NOT_SUPPORTED, "there is no flag -n here", "get", "one", "-n", "1");
	begin_with_cmds();
	REFUSED(NOT_SUPPORTED, "'other' is neither a flag nor a value nor a command", "get",
		"other");
	begin_with_cmds();
	REFUSED(NOT_SUPPORTED, "'one' is neither a flag", "one");
	begin_with_cmds();
	REFUSED(INVALID_VALUE, "-s is mandatory", "get", "one");
}

TEST(what_the_program_needs_it_needs_with_a_command_too)
{
	begin_with_cmds();
	OK(FLAG("m", "must", take_b, TEXT, MANDATORY));
	REFUSED(INVALID_VALUE, "--must is mandatory, but not given", "get");
	begin_with_cmds();
	OK(FLAG("m", "must", take_b, TEXT, MANDATORY));
	TAKEN("get b=1 ", "--must", "1", "get");
}

TEST(a_command_that_fails_ends_the_parsing)
{
	begin_with_cmds();
	EXPECT_FAILED(START("-a", "1", "get", "fails"), DOCA_ERROR_IO_FAILED,
		      "command fails failed: input or output failed");
	EXPECT_STR(took(), "get fails ");
	end();
}
