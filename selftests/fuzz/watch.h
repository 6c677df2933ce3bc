/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Faults of a program: a complaint of the kernel, or objects left behind. */
#ifndef FUZZ_WATCH_H
#define FUZZ_WATCH_H

#include <stdbool.h>

/*
 * @patterns: a file of extended regular expressions for complaints.
 */
int watch_init(const char *patterns);

/* Return a line that the kernel has printed since, or NULL. */
const char *watch_complaint(void);

/* Name an object that the module has although no program runs; NULL if none. */
const char *watch_remains(void);

#endif /* FUZZ_WATCH_H */
