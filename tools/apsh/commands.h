/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef APSH_COMMANDS_H
#define APSH_COMMANDS_H

#include <stdbool.h>

#include <doca_apsh.h>

enum command_argument {
	ARG_NONE,
	ARG_PID,
	ARG_MAY_PID,
	ARG_OR_FIRST, /* a PID, or that of the first process */
	ARG_WORD,
	ARG_FILE,
};

/*
 * Each command prints the objects, and returns the library's result. With a PID it is about
 * that process.
 */
struct command {
	const char *name;
	enum command_argument argument;
	doca_error_t (*of_system)(struct doca_apsh_system *system,
				  const char *word);
	doca_error_t (*of_process)(struct doca_apsh_process *process);
	bool says_itself; /* it tells itself that something is missing */
};

/* Path of the hashes for attest. */
extern const char *command_hashes;
/* The rule for yara; NULL: none. */
extern const enum doca_apsh_yara_rule *command_rule;
/* verdict.c: the command has found a difference. */
extern bool command_differs;
/* Memory is missing, so objects may be missing, or be different. */
extern bool command_incomplete;
/* Return the exit status of a command that returned @ret, and say why. */
int command_verdict(doca_error_t ret, const char *command);

/* Commands in files of their own. */
doca_error_t record(struct doca_apsh_system *system, const char *path);
doca_error_t check_system(struct doca_apsh_system *system, const char *kind);
enum { CHECK_KINDS = 6 };
extern const char *const check_kinds[CHECK_KINDS];
/* Without an image the kernel's code is compared only if that is asked for. */
extern bool check_has_image;
doca_error_t process_tree(struct doca_apsh_system *system, const char *word);

doca_error_t kmsg(struct doca_apsh_system *system, const char *word);
doca_error_t mounts(struct doca_apsh_process *process);

/* Both end the program if there is none of that name. */
const enum doca_apsh_yara_rule *rule_find(const char *name);
const struct command *command_find(const char *name);

#endif /* APSH_COMMANDS_H */
