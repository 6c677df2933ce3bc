/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Limits for the processing of hostile contents. */
#ifndef APSH_MAP_LIMITS_H
#define APSH_MAP_LIMITS_H

/* A hundred times the time that a kernel takes. */
#define LIMITS_SECONDS 60

/* The DWARF of a kernel has hundreds of megabytes. */
#define LIMITS_CHILD_SECONDS 600
#define LIMITS_CHILD_BYTES (16ULL << 30)

/*
 * From here on the program has 2 GiB of memory, and ends with a message after that many
 * seconds of CPU time, or at the caller's limit.
 */
void limits_begin(const char *path, unsigned int seconds);

/* Limits of a program that is run for hostile contents: those above, or the caller's if lower. */
struct limits_child {
	unsigned long long seconds; /* CPU time */
	unsigned long long bytes; /* room for addresses */
};

struct limits_child limits_child(void);

/* Set them in a child, which is about to run the program. */
void limits_child_begin(const struct limits_child *limits);

/* Lift the limit of time, so that the results can be written. */
void limits_end(void);

#endif /* APSH_MAP_LIMITS_H */
