/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What may be spent on contents that are hostile. */
#ifndef APSH_MAP_LIMITS_H
#define APSH_MAP_LIMITS_H

/*
 * From here on the program has 2 GiB of memory, and ends with a message when it has taken
 * that many seconds of CPU time, or as many as the caller's limit is.
 */
void limits_begin(const char *path, unsigned int seconds);

/* Time is what it was before, so that what was made can be written. */
void limits_end(void);

#endif /* APSH_MAP_LIMITS_H */
