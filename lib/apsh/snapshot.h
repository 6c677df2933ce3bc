/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What a call returns: an array with all of its objects and their strings in one arena,
 * which is zeroed and freed at once. It keeps the system's core, not its start.
 */
#ifndef DOCA_APSH_SNAPSHOT_H
#define DOCA_APSH_SNAPSHOT_H

#include "types.h"

struct doca_apsh_system;
struct snapshot;
struct attr;
struct object_type;

/* First member of each object that programs see. */
struct object {
	struct snapshot *snap;
	bool changed; /* while it was read */
};

struct snapshot {
	struct doca_apsh_system *system; /* counted */
	struct chunk *chunks;
	struct object **list;
	u32 nr, max;
	bool no_memory; /* stays */
	u64 left; /* bytes that it may grow by */
	bool full; /* it would have more; no_memory, too */
	void **array; /* NULL until it is made */
	void *keep; /* what a group needs later, freed by drop() */
	void (*drop)(void *keep);
	const struct object_type *type; /* of its objects */
};

struct snapshot *snapshot_new(struct doca_apsh_system *system,
			      const struct object_type *type);
void snapshot_free(struct snapshot *s); /* NULL is none */

/* Zeroed; NULL if there is no memory. */
void *snapshot_alloc(struct snapshot *s, size_t size);
/* A new last object of the array. */
void *snapshot_add(struct snapshot *s, size_t size);

/* Copies; "" where there is no memory, so that a string is never NULL. */
const char *snapshot_string(struct snapshot *s, const char *text);
__attribute__((format(printf, 2, 3))) const char *
snapshot_format(struct snapshot *s, const char *format, ...);

/* The array of all that has not changed; NULL if there is none, or no memory. */
void *snapshot_array(struct snapshot *s, int *nr);
/* The snapshot of an array. */
struct snapshot *snapshot_of(void *array);

#endif /* DOCA_APSH_SNAPSHOT_H */
