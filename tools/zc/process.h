/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What processes show: see lib/onload/onload/base/stats.h. */
#ifndef ZC_PROCESS_H
#define ZC_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "onload/onload/base/stats.h"

/*
 * A copy of what the process shows, of which texts end. Returns 0, or an errno: ESRCH, there
 * is no such process; EACCES, it is another user's; ENOENT, it shows nothing.
 */
int process_read(pid_t pid, struct stats *stats);

/* Is this socket still open under the number that it had? */
bool process_has_socket(pid_t pid, const struct stats_socket *socket);

/* Each process that there is, in any order; calls end with the first that returns false. */
bool process_each(bool (*call)(pid_t pid, void *arg), void *arg);

#endif /* ZC_PROCESS_H */
