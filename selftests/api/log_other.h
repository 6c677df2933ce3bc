/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The second file of log.c's program. */
#ifndef SELFTESTS_API_LOG_OTHER_H
#define SELFTESTS_API_LOG_OTHER_H

void log_other(const char *text);
void log_other_trace(const char *text);

/* How often the arguments of its traces were worked out. */
int log_other_traced(void);

#endif
