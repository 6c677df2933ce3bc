/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Messages on stderr. A function that fails prints the reason itself and
 * returns -1; callers just return the -1.
 */
#ifndef DATA_MSG_H
#define DATA_MSG_H

#include <stdbool.h>

#include <doca_error.h>

#define PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* Print "PROGRAM: MESSAGE". Returns -1. */
int fail(const char *fmt, ...) PRINTF(1, 2);

/* Print "PROGRAM: MESSAGE: ERRNO'S TEXT". Returns -1. */
int fail_errno(const char *fmt, ...) PRINTF(1, 2);

/* Print "PROGRAM: MESSAGE: DOCA ERROR'S TEXT". Returns -1. */
int fail_doca(doca_error_t err, const char *fmt, ...) PRINTF(2, 3);

/* Print a second line below a failure: the remedy. */
void hint(const char *fmt, ...) PRINTF(1, 2);

/* Print a line with --verbose only. */
void detail(const char *fmt, ...) PRINTF(1, 2);

/* Replace bytes of a foreign text that would break a line or control a terminal. */
void printable(char *text);

/* Let the libraries log to stderr: warnings and errors or, if verbose, everything but traces. */
int msg_init(bool verbose);

/* Tasks may fail for their data, which the program tells itself: the libraries log errors only. */
void msg_expect_failures(void);

#endif /* DATA_MSG_H */
