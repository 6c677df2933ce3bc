/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The command lines of all tools are alike: -h, --help, -v and --version mean the same
 * everywhere, and what is wrong is said in one form, with status 2.
 */
#ifndef COMMON_USAGE_H
#define COMMON_USAGE_H

#include <stddef.h>
#include <stdint.h>

#define EXIT_USAGE 2

/* What the program is called: of each tool, in a file of its own. */
extern const char tool_name[];

/* Say what is wrong with the command line, and end the program. */
__attribute__((format(printf, 1, 2))) _Noreturn void usage(const char *fmt,
							   ...);
/* The same where getopt_long() has already said it. */
_Noreturn void usage_said(void);

/*
 * A number from min to max, which are below 2^50. One of suffixes may follow, upper or
 * lower case: the first multiplies by 1024, the second by its square, and so on. Ends the
 * program if text is no such number; what says what it was given for.
 */
uint64_t usage_number(const char *what, const char *text, const char *suffixes,
		      uint64_t min, uint64_t max);

/*
 * The index of the name that word is, or that it is the only one to begin with. Ends the
 * program if there is none, or more than one, and names those that it could be; what
 * says of what kind they are.
 */
size_t usage_choice(const char *what, const char *word,
		    const char *const names[], size_t nr_names);

/* For --help and --version */
_Noreturn void print_and_exit(const char *text);
_Noreturn void print_version(void);

#endif /* COMMON_USAGE_H */
