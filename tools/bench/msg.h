/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What the program says on stderr. Every function that can fail says why itself
 * and returns -1, so callers only pass the -1 on.
 */
#ifndef BENCH_MSG_H
#define BENCH_MSG_H

#include <doca_error.h>

#define PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* "doca_bench: MESSAGE"; returns -1 */
int fail(const char *fmt, ...) PRINTF(1, 2);

/* "doca_bench: MESSAGE: what the errno means"; returns -1 */
int fail_errno(int err, const char *fmt, ...) PRINTF(2, 3);

/* "doca_bench: MESSAGE: what the DOCA error means"; returns -1 */
int fail_doca(doca_error_t err, const char *fmt, ...) PRINTF(2, 3);

/* "doca_bench: MESSAGE": no failure */
void note(const char *text);

/* A second line under a failure: what to do about it */
void hint(const char *text);

/* What is being measured, in place of what was shown before; on terminals only. */
void progress(const char *fmt, ...) PRINTF(1, 2);
void progress_end(void);

#endif /* BENCH_MSG_H */
