/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The command lines of all tools are alike: -h, --help, -v and --version mean the same
 * everywhere, and errors have one form and status 2.
 */
#ifndef COMMON_USAGE_H
#define COMMON_USAGE_H

#include <stddef.h>
#include <stdint.h>

#define EXIT_USAGE 2

/* The program's name; each tool defines it in a file of its own. */
extern const char tool_name[];

/* The release that the program is of. */
extern const char tool_version[];

/* Print an error of the command line, and end the program. */
__attribute__((format(printf, 1, 2))) _Noreturn void usage(const char *fmt,
							   ...);
/* Like usage(), after getopt_long() has printed the error. */
_Noreturn void usage_said(void);

/*
 * Return a number from min to max, which are below 2^50. One of the suffixes may follow
 * it, in upper or lower case: the first multiplies by 1024, the second by its square, and
 * so on. Ends the program if the text is no such number; @what names the option.
 */
uint64_t usage_number(const char *what, const char *text, const char *suffixes,
		      uint64_t min, uint64_t max);

/*
 * Return the index of the only name that @word is or begins. Ends the program if there
 * is none or more than one, and prints the candidates; @what names the kind.
 */
size_t usage_choice(const char *what, const char *word,
		    const char *const names[], size_t nr_names);

/* For --help and --version. */
_Noreturn void print_and_exit(const char *text);
_Noreturn void print_version(void);

#endif /* COMMON_USAGE_H */
