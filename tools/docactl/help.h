/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The program's commands, and their help. */
#ifndef DOCACTL_HELP_H
#define DOCACTL_HELP_H

#include "options.h"

struct verb {
	const char *name;
	const char *arguments;
	const char *text;
	enum command command;
	const struct kind *kind; /* for CMD_SHOW */
};

/* Find a command by its name or the beginning of it; end the program if there is none. */
const struct verb *verb_find(const char *name);

_Noreturn void help_print(void);
_Noreturn void help_print_verb(const struct verb *verb);

#endif /* DOCACTL_HELP_H */
