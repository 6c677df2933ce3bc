/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Messages on stderr. A function that fails prints the reason itself and
 * returns -1; callers just return the -1.
 */
#ifndef BENCH_MSG_H
#define BENCH_MSG_H

#include <doca_error.h>

#define PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* Print "PROGRAM: MESSAGE". Returns -1. */
int fail(const char *fmt, ...) PRINTF(1, 2);

/* Print "PROGRAM: MESSAGE: ERRNO'S TEXT". Returns -1. */
int fail_errno(int err, const char *fmt, ...) PRINTF(2, 3);

/* Print "PROGRAM: MESSAGE: DOCA ERROR'S TEXT". Returns -1. */
int fail_doca(doca_error_t err, const char *fmt, ...) PRINTF(2, 3);

/* Print "PROGRAM: MESSAGE", which is no failure. */
void note(const char *text);

/* Print a second line below a failure: the remedy. */
void hint(const char *text);

/* Show what is being measured, in place of the last such line; on terminals only. */
void progress(const char *fmt, ...) PRINTF(1, 2);
void progress_end(void);

#endif /* BENCH_MSG_H */
