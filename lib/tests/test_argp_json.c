// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Arguments: the JSON file. */
#include "argp_bed.h"

static char path[] = "/tmp/doca-argp-XXXXXX";

static void remove_file(void)
{
	unlink(path);
}

static char *file(const char *text)
{
	FILE *f;

	if (strstr(path, "XXXXXX")) {
		close(mkstemp(path));
		atexit(remove_file);
	}
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	return path;
}

static void begin_with_flags(void)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	OK(FLAG("b", "bravo", take_b, TEXT, MULTIPLE));
	OK(FLAG("n", "number", take_n, INT));
	OK(FLAG("s", "switch", take_on, BOOL));
	OK(FLAG("c", "line-only", take_a, TEXT, CLI_ONLY));
	OK(FLAG(NULL, "object", take_json, JSON));
}

/* These "doca_program_flags" are refused. */
#define WRONG(flags, code, words)                                                         \
	do {                                                                              \
		begin_with_flags();                                                       \
		REFUSED(code, words, "-j", file("{\"doca_program_flags\":{" flags "}}")); \
		EXPECT_STR(took(), "");                                                   \
	} while (0)

TEST(flags_are_named_by_their_long_name)
{
	begin_with_flags();
	OK(START("--json", file("{ \"doca_program_flags\": {\n"
				"  \"number\": -5,\n"
				"  \"alpha\": \"x\",\n"
				"  \"switch\": true,\n"
				"  \"object\": {\"k\": 1} },\n"
				"  \"doca_general_flags\": {\n"
				"  \"log-level\": 70,\n"
				"  \"sdk-log-level\": 30 } }\n")));
	EXPECT_STR(took(), "n=-5 a=x on=1 json={ \"k\": 1 } ");
	EXPECT_EQ(doca_log_level_get_global_lower_limit(), 70);
	EXPECT_EQ(doca_log_level_get_global_sdk_limit(), 30);
	EXPECT_SILENT();
	end();
	WRONG("\"a\": \"x\"", NOT_SUPPORTED, "there is no flag 'a'");
}

TEST(a_switch_can_be_off)
{
	begin_with_flags();
	TAKEN("on=0 ", "-j", file("{\"doca_program_flags\":{\"switch\":false}}"));
}

TEST(comments_are_allowed)
{
	begin_with_flags();
	OK(START("-j", file("// before\n"
			    "/* it */ {\n"
			    "  // -a - what it does\n"
			    "  \"doca_program_flags\": { /* in it */\n"
			    "    \"alpha\": \"// no comment\"\n"
			    "  }\n"
			    "} // behind\n"
			    "/* it */\n"
			    "// without a newline")));
	EXPECT_STR(took(), "a=// no comment ");
	end();
}

TEST(an_array_stands_for_repetition)
{
	begin_with_flags();
	TAKEN("b=1 b=2 b=3 ", "-j",
	      file("{\"doca_program_flags\":"
		   "{\"bravo\":[\"1\",\"2\",\"3\"]}}"));
	begin_with_flags();
	TAKEN("b=1 ", "-j", file("{\"doca_program_flags\":{\"bravo\":\"1\"}}"));
	WRONG("\"alpha\":[\"1\"]", INVALID_VALUE, "--alpha may be given once, not as an array");
	WRONG("\"bravo\":[\"1\",2]", INVALID_VALUE, "--bravo must be a string");
	WRONG("\"bravo\":[[\"1\"]]", INVALID_VALUE, "--bravo must be a string");
}

TEST(types_are_checked)
{
	WRONG("\"alpha\":1", INVALID_VALUE, "--alpha must be a string");
	WRONG("\"alpha\":null", INVALID_VALUE, "--alpha must be a string");
	WRONG("\"alpha\":\"x\\u0000y\"", INVALID_VALUE, "--alpha must be a string without NUL");
	WRONG("\"number\":\"1\"", INVALID_VALUE, "--number must be a whole number");
	WRONG("\"number\":1.5", INVALID_VALUE, "--number must be a whole number");
	WRONG("\"number\":2147483648", INVALID_VALUE, "--number must be a number of 32 bits");
	WRONG("\"number\":99999999999999999999", INVALID_VALUE,
	      "--number must be a number of 32 bits");
	WRONG("\"switch\":1", INVALID_VALUE, "--switch must be true or false");
	WRONG("\"object\":[]", INVALID_VALUE, "may be given once");
	WRONG("\"object\":\"\"", INVALID_VALUE, "--object must be an object");
}

TEST(unknown_keys_are_not_supported)
{
	WRONG("\"other\":1", NOT_SUPPORTED, "there is no flag 'other'");
	WRONG("\"line-only\":\"x\"", NOT_SUPPORTED,
	      "'line-only' can be given on the command line only");
	/* DOCA flags have their own section */
	WRONG("\"log-level\":60", NOT_SUPPORTED, "there is no flag 'log-level'");
	begin_with_flags();
	REFUSED(NOT_SUPPORTED, "the program has no flags 'other_flags'", "-j",
		file("{\"other_flags\":{}}"));
	begin_with_flags();
	REFUSED(NOT_SUPPORTED, "the program has no flags 'doca_dpdk_flags'", "-j",
		file("{\"doca_dpdk_flags\":{}}"));
	begin_with_flags();
	REFUSED(NOT_SUPPORTED, "'help' can be given on the command line only", "-j",
		file("{\"doca_general_flags\":{\"help\":true}}"));
	begin_with_flags();
	REFUSED(NOT_SUPPORTED, "'json' can be given on the command line only", "-j",
		file("{\"doca_general_flags\":{\"json\":\"x\"}}"));
}

TEST(sections_are_objects)
{
	begin_with_flags();
	REFUSED(INVALID_VALUE, "doca_program_flags must be an object", "-j",
		file("{\"doca_program_flags\":[]}"));
	begin_with_flags();
	REFUSED(INVALID_VALUE, "what is in it must be an object", "-j", file("[]"));
	begin_with_flags();
	REFUSED(INVALID_VALUE, "what is in it must be an object", "-j", file("null"));
	begin_with_flags();
	TAKEN("", "-j", file("{}"));
}

TEST(levels_of_the_file_are_checked)
{
	begin();
	REFUSED(INVALID_VALUE, "--log-level: 55 is no level", "-j",
		file("{\"doca_general_flags\":{\"log-level\":55}}"));
}

TEST(the_command_line_comes_first)
{
	const char *text = "{\"doca_general_flags\":{\"log-level\":70},"
			   "\"doca_program_flags\":{\"number\":1,"
			   "\"bravo\":[\"f\",\"g\"],\"alpha\":\"f\"}}";

	begin_with_flags();
	OK(START("-b", "x", "-j", file(text), "-l", "20", "--number", "2"));
	EXPECT_STR(took(), "a=f b=x n=2 ");
	EXPECT_EQ(doca_log_level_get_global_lower_limit(), 20);
	end();
}

TEST(the_file_counts_for_what_must_and_may_be_there)
{
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT, MANDATORY));
	TAKEN("a=x ", "-j", file("{\"doca_program_flags\":{\"alpha\":\"x\"}}"));
	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	OK(FLAG(NULL, "list", take_on, BOOL, SINGULAR));
	REFUSED(INVALID_VALUE, "--list must be alone", "--list", "-j",
		file("{\"doca_program_flags\":{\"alpha\":\"x\"}}"));
}

TEST(the_file_has_flags_of_the_given_command_too)
{
	struct doca_argp_cmd *cmd = NULL;
	struct doca_argp_param *param;

	begin();
	OK(FLAG("a", "alpha", take_a, TEXT));
	OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, "get");
	doca_argp_cmd_set_description(cmd, "What it does");
	OK(doca_argp_register_cmd(cmd));
	param = NEW("b", "bravo", take_b, TEXT);
	OK(doca_argp_cmd_register_param(cmd, param));
	OK(START("-j",
		 file("{\"doca_program_flags\":"
		      "{\"alpha\":\"1\",\"bravo\":\"2\"}}"),
		 "get"));
	EXPECT_STR(took(), "a=1 b=2 ");
	end();
}

/* This file is refused. */
#define BAD_FILE(text, words)                                                             \
	do {                                                                              \
		begin_with_flags();                                                       \
		EXPECT_REFUSED(START("-j", file(text)), DOCA_ERROR_INVALID_VALUE, words); \
		EXPECT(!strcmp(text, "") || strstr(words, "line"));                       \
		end();                                                                    \
	} while (0)

TEST(errors_of_syntax_have_a_line)
{
	BAD_FILE("", "is empty");
	BAD_FILE(" \n", ": line 1: it ends too early");
	BAD_FILE("{\n\"doca_program_flags\": {\n", ": line 2: it ends too ");
	BAD_FILE("{\n\"a\" 1}", ": line 2: object property name separator");
	BAD_FILE("{}\n{}", ": line 2: there is more behind the object");
	BAD_FILE("{}\n/* no end", ": line 2: it ends too early");
	BAD_FILE("hello", ": line 1: ");
}

TEST(bytes_that_are_no_text_are_refused)
{
	FILE *f;

	begin();
	f = fopen(file(""), "w");
	fwrite("{\0}", 1, 3, f);
	fclose(f);
	EXPECT_REFUSED(START("-j", path), DOCA_ERROR_INVALID_VALUE, "has a NUL in it");
	end();
}

TEST(files_that_cannot_be_read)
{
	begin();
	EXPECT_FAILED(START("-j", "/nowhere/file"), DOCA_ERROR_IO_FAILED,
		      "cannot open /nowhere/file: No such file");
	end();
	begin();
	EXPECT_FAILED(START("-j", "/tmp"), DOCA_ERROR_IO_FAILED,
		      "cannot read /tmp: Is a directory");
	end();
	begin();
	REFUSED(INVALID_VALUE, "the value of --json is missing", "-j");
}
