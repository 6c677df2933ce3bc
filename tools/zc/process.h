/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Reports of processes: see lib/onload/onload/base/stats.h. */
#ifndef ZC_PROCESS_H
#define ZC_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "onload/onload/base/stats.h"

/*
 * Copy the statistics of a process; texts in them are terminated. Returns 0 or an errno:
 * ESRCH, no such process; EACCES, another user's; ENOENT, nothing published.
 */
int process_read(pid_t pid, struct stats *stats);

/* Return true if the socket's descriptor is still a socket. */
bool process_has_socket(pid_t pid, const struct stats_socket *socket);

/* Call a function for each process, in any order, until it returns false. */
bool process_each(bool (*call)(pid_t pid, void *arg), void *arg);

#endif /* ZC_PROCESS_H */
