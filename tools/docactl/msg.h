/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Messages on stderr. Each function that can fail says why itself and returns
 * -1, so callers only pass the -1 on.
 */
#ifndef DOCACTL_MSG_H
#define DOCACTL_MSG_H

#define PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* Print "docactl: MESSAGE" and return -1. */
int fail(const char *fmt, ...) PRINTF(1, 2);

/* Print a second line under a failure: what to do about it. */
void hint(const char *fmt, ...) PRINTF(1, 2);

#endif /* DOCACTL_MSG_H */
