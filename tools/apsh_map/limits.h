/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Limits for the processing of hostile contents. */
#ifndef APSH_MAP_LIMITS_H
#define APSH_MAP_LIMITS_H

/* A hundred times the time that a kernel takes. */
#define LIMITS_SECONDS 60

/*
 * From here on the program has 2 GiB of memory, and ends with a message after that many
 * seconds of CPU time, or at the caller's limit.
 */
void limits_begin(const char *path, unsigned int seconds);

/* Lift the limit of time, so that the results can be written. */
void limits_end(void);

#endif /* APSH_MAP_LIMITS_H */
