/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Code of the module that a program runs, as KCOV tells: in its own tasks, and in the
 * threads of its workers.
 */
#ifndef FUZZ_COVER_H
#define FUZZ_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FEATURES_MAX 4096 /* new ones of one run */

/* Edges: pairs of places in the code, one after the other, by number. */
struct features {
	unsigned int n;
	uint32_t v[FEATURES_MAX];
};

/* Return false if this kernel does not tell. */
bool cover_init(void);

/* Forget the code that was run. */
void cover_begin(void);

/* Get the features that are not known yet; this does not make them known. */
void cover_new(struct features *features);

/* Keep of @features only those that were seen this time, too. */
void cover_intersect(struct features *features);

/* Know these from now on. */
void cover_learn(const struct features *features);

/* Count the places ever seen; and write them, a line each. */
unsigned int cover_places(void);
int cover_write(const char *path);

#endif /* FUZZ_COVER_H */
