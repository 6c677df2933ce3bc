/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What code of the module a program runs, as KCOV tells: in its own tasks, and in the
 * threads of its workers.
 */
#ifndef FUZZ_COVER_H
#define FUZZ_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FEATURES_MAX 4096 /* of one run, that are new */

/* Pairs of places in the code, one after the other, by number. */
struct features {
	unsigned int n;
	uint32_t v[FEATURES_MAX];
};

/* False if this kernel does not tell. */
bool cover_init(void);

/* Forget what was run. */
void cover_begin(void);

/* What has not been known before; it becomes no more known by that. */
void cover_new(struct features *features);

/* Leave of @features what has been run this time, too. */
void cover_intersect(struct features *features);

/* Know these from now on. */
void cover_learn(const struct features *features);

/* How many places have been seen, ever; and write where they are, a line each. */
unsigned int cover_places(void);
int cover_write(const char *path);

#endif /* FUZZ_COVER_H */
