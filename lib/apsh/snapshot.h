/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The result of a call: an array with all of its objects and their strings in one
 * arena, which is zeroed and freed at once. It keeps a reference to the system, but
 * does not keep it started.
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
	bool changed; /* it changed while it was read */
};

struct snapshot {
	struct doca_apsh_system *system; /* reference */
	struct chunk *chunks;
	struct object **list;
	u32 nr, max;
	bool no_memory; /* never cleared */
	u64 left; /* bytes by which it may still grow */
	bool full; /* it would need more; then also no_memory */
	void **array; /* NULL until it is made */
	void *keep; /* data that a group needs later; drop() frees it */
	void (*drop)(void *keep);
	const struct object_type *type; /* type of its objects */
};

struct snapshot *snapshot_new(struct doca_apsh_system *system,
			      const struct object_type *type);
void snapshot_free(struct snapshot *s); /* NULL: nothing to free */

/* Allocate zeroed memory; NULL if there is none. */
void *snapshot_alloc(struct snapshot *s, size_t size);
/* Append a new object to the array. */
void *snapshot_add(struct snapshot *s, size_t size);

/* Copy a string; "" if there is no memory, so that it is never NULL. */
const char *snapshot_string(struct snapshot *s, const char *text);
__attribute__((format(printf, 2, 3))) const char *
snapshot_format(struct snapshot *s, const char *format, ...);

/* Make the array of all objects that have not changed; NULL if there are none, or no memory. */
void *snapshot_array(struct snapshot *s, int *nr);
/* Return the snapshot of an array. */
struct snapshot *snapshot_of(void *array);

#endif /* DOCA_APSH_SNAPSHOT_H */
