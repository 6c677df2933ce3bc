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
	OK(START("-wf", "-sat", "3", "-w", "f"));
	EXPECT_STR(took(), "on=1 n=3 a=f ");
	end();

	begin();
	OK(FLAG("w", NULL, take_a, TEXT));
	EXPECT_REFUSED(START("-wf"), DOCA_ERROR_NOT_SUPPORTED,
		       "there is no flag -wf here");
	end();
}

TEST(one_name_is_enough)
{
	begin();
	OK(FLAG(NULL, "only-long", take_a, TEXT));
	OK(FLAG("s", NULL, take_b, TEXT));
	OK(START("--only-long", "1", "-s", "2"));
	EXPECT_STR(took(), "a=1 b=2 ");
	end();

	begin();
	OK(FLAG(NULL, "only-long", take_a, TEXT));
	EXPECT_REFUSED(START("-only-long", "1"), DOCA_ERROR_NOT_SUPPORTED,
		       "there is no flag -only-long here");
	end();
}

TEST(a_value_may_be_in_the_argument_of_a_long_name)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT, MULTIPLE));
	OK(FLAG("n", "number", take_n, INT));
	OK(START("--alpha=x=y", "--alpha=", "--number=0x10"));
	EXPECT_STR(took(), "a=x=y a= n=16 ");
	end();

	begin();
	OK(FLAG("s", "switch", take_on, BOOL));
	EXPECT_REFUSED(START("--switch=1"), DOCA_ERROR_INVALID_VALUE,
		       "--switch has no value");
	end();
}

/* Each with a program of its own, for a parser is started once. */
#define NUMBER(text, code, words)                               \
	do {                                                    \
		begin();                                        \
		OK(FLAG("n", NULL, take_n, INT));               \
		EXPECT_REFUSED(START("-n", text), code, words); \
		EXPECT_STR(took(), "");                         \
		end();                                          \
	} while (0)

TEST(numbers_are_checked)
{
	NUMBER("x", DOCA_ERROR_INVALID_VALUE, "-n: 'x' is not a number");
	NUMBER("1x", DOCA_ERROR_INVALID_VALUE, "'1x' is not a number");
	NUMBER("", DOCA_ERROR_INVALID_VALUE, "'' is not a number");
	NUMBER("1.5", DOCA_ERROR_INVALID_VALUE, "'1.5' is not a number");
	NUMBER("2147483648", DOCA_ERROR_INVALID_VALUE,
	       "'2147483648' is not between");
	NUMBER("-2147483649", DOCA_ERROR_INVALID_VALUE, "is not between");
	NUMBER("99999999999999999999", DOCA_ERROR_INVALID_VALUE,
	       "is not between");

	begin();
	OK(FLAG("n", NULL, take_n, INT, MULTIPLE));
	OK(START("-n", "2147483647", "-n", "-2147483648", "-n", "010"));
	EXPECT_STR(took(), "n=2147483647 n=-2147483648 n=10 ");
	end();
}

TEST(a_value_is_missing)
{
	begin();
	OK(FLAG("a", NULL, take_a, TEXT));
	EXPECT_REFUSED(START("-a"), DOCA_ERROR_INVALID_VALUE,
		       "the value of -a is missing");
	end();

	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	OK(FLAG("b", NULL, take_b, TEXT));
	EXPECT_REFUSED(START("--alpha", "-b", "x"), DOCA_ERROR_INVALID_VALUE,
		       "the value of --alpha is missing");
	end();

	/* what looks like a flag but is none is a value */
	begin();
	OK(FLAG("a", NULL, take_a, TEXT));
	OK(START("-a", "-other"));
	EXPECT_STR(took(), "a=-other ");
	end();
}

TEST(what_nobody_knows_is_not_supported)
{
	begin();
	OK(FLAG("a", NULL, take_a, TEXT));
	EXPECT_REFUSED(START("-a", "1", "--unknown"), DOCA_ERROR_NOT_SUPPORTED,
		       "there is no flag --unknown here");
	/* not even what was right is taken */
	EXPECT_STR(took(), "");
	end();

	begin();
	EXPECT_REFUSED(START("word"), DOCA_ERROR_NOT_SUPPORTED,
		       "'word' is neither a flag nor a value");
	end();
	begin();
	EXPECT_REFUSED(START("-"), DOCA_ERROR_NOT_SUPPORTED, "no flag - here");
	end();
	begin();
	EXPECT_REFUSED(START("--"), DOCA_ERROR_NOT_SUPPORTED,
		       "no flag -- here");
	end();
	begin();
	EXPECT_REFUSED(START(""), DOCA_ERROR_NOT_SUPPORTED,
		       "'' is neither a flag nor a value");
	end();
}

TEST(a_flag_is_given_once_unless_it_may_be_repeated)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	EXPECT_REFUSED(START("-a", "1", "--alpha", "2"),
		       DOCA_ERROR_INVALID_VALUE,
		       "--alpha is given more than once");
	EXPECT_STR(took(), "");
	end();

	begin();
	OK(FLAG("s", NULL, take_on, BOOL, MULTIPLE));
	OK(START("-s", "-s"));
	EXPECT_STR(took(), "on=1 on=1 ");
	end();

	begin();
	EXPECT_REFUSED(START("-l", "60", "-l", "70"), DOCA_ERROR_INVALID_VALUE,
		       "--log-level is given more than once");
	end();
}

TEST(mandatory_flags_must_be_there)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT, MANDATORY));
	OK(FLAG("b", NULL, take_b, TEXT));
	EXPECT_REFUSED(START("-b", "1"), DOCA_ERROR_INVALID_VALUE,
		       "--alpha is mandatory, but not given");
	end();

	begin();
	OK(FLAG("a", "alpha", take_a, TEXT, MANDATORY));
	OK(START("-a", "1"));
	EXPECT_STR(took(), "a=1 ");
	end();
}

TEST(a_singular_flag_is_alone)
{
	begin();
	OK(FLAG("a", NULL, take_a, TEXT, MANDATORY));
	OK(FLAG(NULL, "list", take_on, BOOL, SINGULAR));
	OK(START("--list", "-l", "60"));
	EXPECT_STR(took(), "on=1 ");
	end();

	begin();
	OK(FLAG("a", NULL, take_a, TEXT, MANDATORY));
	OK(FLAG(NULL, "list", take_on, BOOL, SINGULAR));
	EXPECT_REFUSED(START("-a", "1", "--list"), DOCA_ERROR_INVALID_VALUE,
		       "--list must be alone, but -a is given, too");
	EXPECT_STR(took(), "");
	end();
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
		EXPECT_REFUSED(START("-l", bad[i]), DOCA_ERROR_INVALID_VALUE,
			       "--log-level: ");
		end();
		begin();
		EXPECT_REFUSED(START("--sdk-log-level", bad[i]),
			       DOCA_ERROR_INVALID_VALUE, "--sdk-log-level: ");
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
	OK(START("-a", "1"));
	EXPECT_STR(took(), "a=1 checked ");
	end();

	begin();
	OK(doca_argp_register_validation_callback(check));
	OK(FLAG("a", NULL, take_a, TEXT, MANDATORY));
	EXPECT_REFUSED(START(), DOCA_ERROR_INVALID_VALUE, "-a is mandatory");
	EXPECT_STR(took(), "");
	end();

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
	EXPECT_REFUSED(START("--object", "{}"), DOCA_ERROR_NOT_SUPPORTED,
		       "--object can be given in a JSON file only");
	end();
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

static struct doca_argp_cmd *add_cmd(struct doca_argp_cmd *outer,
				     const char *name,
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

#define CMD_FLAG(cmd, ...) \
	OK(doca_argp_cmd_register_param(cmd, NEW(__VA_ARGS__)))

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
	OK(START("-a", "1", "get", "-n", "2"));
	EXPECT_STR(took(), "get a=1 n=2 ");
	end();

	begin_with_cmds();
	OK(START("set", "-n", "2", "-i"));
	EXPECT_STR(took(), "set b=2 on=1 ");
	end();

	begin_with_cmds();
	OK(START("get", "one", "-s", "--bravo", "x"));
	EXPECT_STR(took(), "get one on=1 b=x ");
	end();

	begin_with_cmds();
	OK(START());
	EXPECT_STR(took(), "");
	end();

	begin_with_cmds();
	OK(START("get", "silent"));
	EXPECT_STR(took(), "get ");
	end();
}

TEST(flags_are_where_they_belong)
{
	begin_with_cmds();
	EXPECT_REFUSED(START("-n", "1", "get"), DOCA_ERROR_NOT_SUPPORTED,
		       "there is no flag -n here");
	end();
	begin_with_cmds();
	EXPECT_REFUSED(START("get", "-a", "1"), DOCA_ERROR_NOT_SUPPORTED,
		       "there is no flag -a here");
	end();
	begin_with_cmds();
	EXPECT_REFUSED(START("get", "one", "-n", "1"), DOCA_ERROR_NOT_SUPPORTED,
		       "there is no flag -n here");
	end();
	begin_with_cmds();
	EXPECT_REFUSED(START("get", "other"), DOCA_ERROR_NOT_SUPPORTED,
		       "'other' is neither a flag nor a value nor a command");
	end();
	begin_with_cmds();
	EXPECT_REFUSED(START("one"), DOCA_ERROR_NOT_SUPPORTED,
		       "'one' is neither a flag");
	end();
	begin_with_cmds();
	EXPECT_REFUSED(START("get", "one"), DOCA_ERROR_INVALID_VALUE,
		       "-s is mandatory");
	end();
}

TEST(what_the_program_needs_it_needs_with_a_command_too)
{
	begin_with_cmds();
	OK(FLAG("m", "must", take_b, TEXT, MANDATORY));
	EXPECT_REFUSED(START("get"), DOCA_ERROR_INVALID_VALUE,
		       "--must is mandatory, but not given");
	end();

	begin_with_cmds();
	OK(FLAG("m", "must", take_b, TEXT, MANDATORY));
	OK(START("--must", "1", "get"));
	EXPECT_STR(took(), "get b=1 ");
	end();
}

TEST(a_command_that_fails_ends_the_parsing)
{
	begin_with_cmds();
	EXPECT_FAILED(START("-a", "1", "get", "fails"), DOCA_ERROR_IO_FAILED,
		      "command fails failed: input or output failed");
	EXPECT_STR(took(), "get fails ");
	end();
}
