/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Common code for tests of the argument parser: a program whose callbacks record their
 * values, as "name=value ".
 */
#ifndef DOCA_TESTS_ARGP_BED_H
#define DOCA_TESTS_ARGP_BED_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <json-c/json.h>

#include <doca_argp.h>

#include "ktap.h"
#include "logged.h"

static int bed_config; /* only its address matters */
static char bed_took[1024];
static doca_error_t bed_answer; /* result of the callbacks for a */

__attribute__((unused)) static const char *took(void)
{
	static char text[sizeof(bed_took)];

	strcpy(text, bed_took);
	bed_took[0] = '\0';
	return text;
}

__attribute__((format(printf, 2, 3), unused)) static void write_down(void *config,
								     const char *format, ...)
{
	size_t n = strlen(bed_took);
	va_list args;

	EXPECT(config == &bed_config);
	va_start(args, format);
	vsnprintf(bed_took + n, sizeof(bed_took) - n, format, args);
	va_end(args);
}

#define TAKES(name, format, expr)                                                          \
	__attribute__((unused)) static doca_error_t take_##name(void *value, void *config) \
	{                                                                                  \
		write_down(config, #name "=" format " ", expr);                            \
		return DOCA_SUCCESS;                                                       \
	}

TAKES(b, "%s", (char *)value)
TAKES(n, "%d", *(int *)value)
TAKES(on, "%d", *(bool *)value)
TAKES(json, "%s", json_object_to_json_string(value))

__attribute__((unused)) static doca_error_t take_a(void *value, void *config)
{
	write_down(config, "a=%s ", (char *)value);
	return bed_answer;
}

enum {
	MANDATORY = 1,
	CLI_ONLY = 2,
	MULTIPLE = 4,
	SINGULAR = 8,
	INHERITED = 16,
	HIDDEN = 32,
};

struct flag {
	const char *short_name;
	const char *long_name;
	doca_argp_param_cb_t callback;
	enum doca_argp_type type;
	unsigned int how;
};

static struct doca_argp_param *new_flag(const struct flag *flag)
{
	struct doca_argp_param *param = NULL;

	OK(doca_argp_param_create(&param));
	doca_argp_param_set_short_name(param, flag->short_name);
	doca_argp_param_set_long_name(param, flag->long_name);
	doca_argp_param_set_description(param, "What it does");
	doca_argp_param_set_callback(param, flag->callback);
	doca_argp_param_set_type(param, flag->type);
	if (flag->how & MANDATORY)
		doca_argp_param_set_mandatory(param);
	if (flag->how & CLI_ONLY)
		doca_argp_param_set_cli_only(param);
	if (flag->how & MULTIPLE)
		doca_argp_param_set_multiplicity(param);
	if (flag->how & SINGULAR)
		doca_argp_param_set_singular(param);
	if (flag->how & INHERITED)
		doca_argp_param_set_inherited(param);
	if (flag->how & HIDDEN)
		doca_argp_param_set_hidden(param);
	return param;
}

/* NEW(short name, long name, callback, type, properties) */
#define NEW(short_, long_, callback_, type_, ...) \
	new_flag(&(struct flag){                  \
		.short_name = short_,             \
		.long_name = long_,               \
		.callback = callback_,            \
		.type = type_,                    \
		.how = __VA_ARGS__ + 0,           \
	})

/* Like NEW(), and register the flag with the program. */
#define FLAG(...) doca_argp_register_param(NEW(__VA_ARGS__))
#define TEXT DOCA_ARGP_TYPE_STRING
#define INT DOCA_ARGP_TYPE_INT
#define BOOL DOCA_ARGP_TYPE_BOOLEAN
#define JSON DOCA_ARGP_TYPE_JSON_OBJ

static void begin(void)
{
	bed_answer = DOCA_SUCCESS;
	bed_took[0] = '\0';
	logged();
	OK(doca_argp_init("prog", &bed_config));
}

/* The text on stderr: the help that follows an error. */
static char bed_stderr[4096];

static doca_error_t start_argv(char **argv)
{
	FILE *file = tmpfile();
	doca_error_t ret;
	int saved, argc;
	size_t n;

	for (argc = 0; argv[argc]; argc++)
		;
	fflush(stderr);
	saved = dup(STDERR_FILENO);
	dup2(fileno(file), STDERR_FILENO);
	ret = doca_argp_start(argc, argv);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	n = fread(bed_stderr, 1, sizeof(bed_stderr) - 1, file);
	bed_stderr[n] = '\0';
	fclose(file);
	return ret;
}

#define START(...) start_argv((char *[]){ "argv0", ##__VA_ARGS__, NULL })

static void end(void)
{
	OK(doca_argp_destroy());
	doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_INFO);
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING);
}

/* The arguments are refused with this code, line of the log, and the help. */
#define EXPECT_REFUSED(start, code, words)                        \
	do {                                                      \
		EXPECT_EQ(start, code);                           \
		EXPECT_LOGGED(words);                             \
		EXPECT(!strncmp(bed_stderr, "Usage: prog ", 12)); \
		EXPECT(strstr(bed_stderr, "\nDOCA Flags:\n"));    \
	} while (0)

/* End a program whose arguments are refused, or taken as @text. */
#define REFUSED(code, words, ...)                                             \
	do {                                                                  \
		EXPECT_REFUSED(START(__VA_ARGS__), DOCA_ERROR_##code, words); \
		end();                                                        \
	} while (0)

#define TAKEN(text, ...)                  \
	do {                              \
		OK(START(__VA_ARGS__));   \
		EXPECT_STR(took(), text); \
		end();                    \
	} while (0)

#define EXPECT_FAILED(start, code, words)   \
	do {                                \
		EXPECT_EQ(start, code);     \
		EXPECT_LOGGED(words);       \
		EXPECT_STR(bed_stderr, ""); \
	} while (0)

/* The output of a child that exits with success. */
__attribute__((unused)) static char bed_said[4096];

#define CHILD_SAYS(...)                                                        \
	do {                                                                   \
		FILE *file_ = tmpfile();                                       \
		int status_ = -1;                                              \
		pid_t pid_;                                                    \
                                                                               \
		fflush(stdout);                                                \
		pid_ = fork();                                                 \
		if (!pid_) {                                                   \
			dup2(fileno(file_), STDOUT_FILENO);                    \
			__VA_ARGS__;                                           \
			fflush(stdout);                                        \
			_exit(111);                                            \
		}                                                              \
		EXPECT(pid_ > 0 && waitpid(pid_, &status_, 0) == pid_);        \
		EXPECT_EQ(status_, 0);                                         \
		rewind(file_);                                                 \
		bed_said[fread(bed_said, 1, sizeof(bed_said) - 1, file_)] = 0; \
		fclose(file_);                                                 \
	} while (0)

#endif /* DOCA_TESTS_ARGP_BED_H */
