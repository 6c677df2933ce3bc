/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The parser of arguments. state.c has its state and log, text.c names and labels,
 * param.c and cmd.c describe flags and commands, doca_flags.c has the flags of
 * every program, line.c reads the command line, file.c the JSON file, dpdk.c the
 * arguments of DPDK, value.c turns text into values and passes them to the
 * program, usage.c prints the help, and argp.c has the sequence of steps.
 *
 * The program gets nothing before everything is parsed, so values are collected
 * first. Only the DOCA flags act at once, because they decide how to go on.
 */
#ifndef DOCA_ARGP_ARGP_H
#define DOCA_ARGP_ARGP_H

#include <stdbool.h>
#include <stdio.h>
#include <json-c/json.h>

#include <doca_argp.h>

#include "core/base/list.h"

/* Owned by the parser; the program describes it until it is registered, or that has failed. */
struct doca_argp_param {
	struct list link; /* argp.params */
	struct list sibling; /* owner->params, in the order of registration */
	struct doca_argp_cmd *owner;
	bool taken; /* its registration was tried */
	bool broken; /* there was no memory for one of its texts */

	char *short_name;
	char *long_name;
	char *arguments;
	char *description;
	doca_argp_param_cb_t callback;
	enum doca_argp_type type;
	bool mandatory;
	bool cli_only;
	bool multiple;
	bool singular;
	bool inherited;
	bool hidden;

	unsigned int given; /* number of values */
	bool on_line; /* from the command line */
};

/* The DOCA flags and those of the program belong to commands without a name. */
struct doca_argp_cmd {
	struct list link; /* argp.cmds */
	struct list sibling; /* parent->cmds, in the order of registration */
	struct doca_argp_cmd *parent;
	bool taken;
	bool broken;

	char *name;
	char *description;
	doca_argp_cmd_cb_t callback;
	bool hidden;

	struct list params;
	struct list cmds;
	bool given;
};

struct argp_value {
	struct list link;
	struct doca_argp_param *param;
	union {
		char *text;
		int number;
		bool on;
		struct json_object *json;
	};
};

enum argp_state {
	ARGP_DESCRIBED, /* until argp_start */
	ARGP_STARTED,
	ARGP_ENDED,
};

struct argp {
	enum argp_state state;
	char *name;
	const char *argv0;
	void *config;

	/* all that were created */
	struct list params;
	struct list cmds;
	struct doca_argp_cmd doca;
	struct doca_argp_cmd program;
	struct doca_argp_cmd *cmd; /* the innermost given one, or program */

	doca_argp_param_cb_t version;
	doca_argp_validation_cb_t validate;
	doca_argp_logger_cb_t logger;

	const char *json_path;
	struct json_object *json; /* values point into it */
	struct list file_values;
	struct list line_values;

	struct {
		doca_argp_dpdk_cb_t init;
		int argc;
		char **args; /* terminated by NULL */
		bool owned; /* the file's, not main()'s, behind the first */
		char **argv; /* the copy that the program gets, and may change */
	} dpdk;
};

/* The parser, from doca_argp_init() to doca_argp_destroy(). */
extern struct argp *argp;

__attribute__((format(printf, 5, 6))) void argp_log(uint32_t level,
						    const char *file, int line,
						    const char *func,
						    const char *format, ...);
#define ARGP_LOG(level, ...) \
	argp_log(level, __FILE__, __LINE__, __func__, __VA_ARGS__)
#define ARGP_ERR(...) ARGP_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define ARGP_DBG(...) ARGP_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)

/* Log why a call fails and evaluate to its error. */
#define ARGP_FAIL(code, ...) (ARGP_ERR(__VA_ARGS__), DOCA_ERROR_##code)
#define ARGP_NO_MEMORY(what) ARGP_FAIL(NO_MEMORY, "out of memory for " what)
#define argp_refused(condition) \
	((condition) &&         \
	 (ARGP_ERR("%s(): invalid argument: %s", __func__, #condition), true))
#define argp_given(arg) (!argp_refused(!(arg)))

/* Return true if flags and commands can be described now. */
bool argp_described(void);
/* Return BAD_STATE, because there is no parser. */
doca_error_t argp_not_there(void);
bool argp_name_valid(const char *name);
/* Replace a text by a copy; *broken is set if out of memory. */
void argp_set_text(char **field, bool *broken, const char *text);

void argp_cmd_init(struct doca_argp_cmd *cmd);
void argp_free_params(void);
void argp_free_cmds(void);
/* Register a flag that was just created. */
doca_error_t argp_own_param(struct doca_argp_cmd *owner,
			    struct doca_argp_param *param);
bool argp_is_cmd(const struct doca_argp_cmd *cmd);
/* Find the command of that name below the one that was given last. */
struct doca_argp_cmd *argp_find_cmd(const char *name);

doca_error_t argp_register_doca_flags(void);
bool argp_is_doca_flag(const struct doca_argp_param *param);

/* Returns NULL if there is none, or if the name is NULL. */
struct doca_argp_param *argp_find(const struct doca_argp_cmd *cmd,
				  const char *name, bool is_long);

/* The name of a flag in messages: --long, or -short. */
struct argp_label {
	char text[80];
};

struct argp_label argp_label(const struct doca_argp_param *param);

/*
 * Take a value: act on it if it belongs to a DOCA flag, otherwise keep it in
 * the list. Refuses repetitions that are not allowed.
 */
doca_error_t argp_take(struct list *list, const struct argp_value *value);
doca_error_t argp_pass_values(struct list *list);
void argp_free_values(struct list *list);
doca_error_t argp_check_singular(void);
doca_error_t argp_check_mandatory(void);

doca_error_t argp_read_line(int argc, char **argv);
doca_error_t argp_read_file(const char *path);
/* Read a file's text as JSON, with comments. */
doca_error_t argp_load_json(const char *path, struct json_object **json);
/* Returns NULL if it is not a string, or contains NUL, where it would end for the program. */
const char *argp_json_text(struct json_object *json);

/* Take DPDK's part off the arguments. */
doca_error_t argp_dpdk_split(int *argc, char ***argv);
doca_error_t argp_dpdk_read(struct json_object *flags);
doca_error_t argp_dpdk_init(void);
void argp_dpdk_free(void);

void argp_print_usage(FILE *out);

#endif /* DOCA_ARGP_ARGP_H */
