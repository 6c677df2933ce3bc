/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Being asked to end, by SIGINT, SIGTERM or SIGHUP: files must be cleaned up, so
 * the signals only leave a note. Another one, more than a second later, ends the
 * program on the spot.
 */
#ifndef COPY_STOP_H
#define COPY_STOP_H

#include <stdbool.h>

void stop_init(void);
bool stop_requested(void);

/* Sleep until fd (-1 for none) can be read or the program is asked to end. */
void stop_or_readable(int fd);

#endif /* COPY_STOP_H */
