/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Requests to end, by SIGINT, SIGTERM or SIGHUP. Files must be cleaned up, so a
 * signal only sets a flag. Another one, more than a second later, ends the
 * program at once.
 */
#ifndef DATA_STOP_H
#define DATA_STOP_H

#include <stdbool.h>

void stop_init(void);
bool stop_requested(void);

/* Sleep until fd (-1: none) can be read or the program shall end. */
void stop_or_readable(int fd);

#endif /* DATA_STOP_H */
