/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What the program says on stderr. Every function that can fail says why itself
 * and returns -1, so callers only pass the -1 on.
 */
#ifndef COPY_MSG_H
#define COPY_MSG_H

#include <stdbool.h>

#include <doca_error.h>

#define PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* "doca_copy: MESSAGE"; returns -1 */
int fail(const char *fmt, ...) PRINTF(1, 2);

/* "doca_copy: MESSAGE: what errno says"; returns -1 */
int fail_errno(const char *fmt, ...) PRINTF(1, 2);

/* "doca_copy: MESSAGE: what the DOCA error means"; returns -1 */
int fail_doca(doca_error_t err, const char *fmt, ...) PRINTF(2, 3);

/* A second line under a failure: what to do about it */
void hint(const char *fmt, ...) PRINTF(1, 2);

/* Printed with --verbose only */
void detail(const char *fmt, ...) PRINTF(1, 2);

/* Replace in a text of others what would spoil a line or steer a terminal. */
void printable(char *text);

/*
 * Let the libraries' own reports through to stderr: warnings and errors, with
 * verbose everything but tracing.
 */
int msg_init(bool verbose);

#endif /* COPY_MSG_H */
