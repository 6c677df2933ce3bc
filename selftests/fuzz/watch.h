/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What a program must not have done: have the kernel complain, or leave anything. */
#ifndef FUZZ_WATCH_H
#define FUZZ_WATCH_H

#include <stdbool.h>

/* @patterns: a file of extended regular expressions, those of what is a complaint. */
int watch_init(const char *patterns);

/* A line that the kernel has printed since, or NULL. */
const char *watch_complaint(void);

/* What the module has, and should not have when no program runs; NULL if nothing. */
const char *watch_remains(void);

#endif /* FUZZ_WATCH_H */
