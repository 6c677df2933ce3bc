// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Parts of modules, which overlap where a guest has forged them, cut into pieces that do not. */
#include <stdlib.h>

#include "../code/halve.h"
#include "finding.h"

struct sought {
	const struct owners *o;
	u64 va;
};

/* Memory ends where addresses do. */
static u64 end_of(const struct owned *part)
{
	u64 end = part->start + part->size;

	return end < part->start ? UINT64_MAX : end;
}

static int by_value(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void find_bounds(struct owners *o)
{
	u32 nr = 0;

	for (u32 i = 0; i < o->nr; i++) {
		o->bounds[2 * i] = o->list[i].start;
		o->bounds[2 * i + 1] = end_of(&o->list[i]);
	}
	qsort(o->bounds, 2 * (size_t)o->nr, sizeof(*o->bounds), by_value);
	for (u32 i = 0; i < 2 * o->nr; i++)
		if (!nr || o->bounds[nr - 1] != o->bounds[i])
			o->bounds[nr++] = o->bounds[i];
	o->nr_bounds = nr;
}

static bool is_not_behind(const void *key, u32 i)
{
	const struct sought *s = key;

	return s->o->bounds[i] <= s->va;
}

/* Return the first bound behind an address. */
static u32 bound_behind(const struct owners *o, u64 va)
{
	struct sought s = { o, va };

	return first_not(o->nr_bounds, is_not_behind, &s);
}

/* Return the first piece, from there on, that no part has yet. Those that are passed are passed at once later. */
static u32 next_free(u32 *next, u32 i)
{
	while (next[i] != i) {
		next[i] = next[next[i]];
		i = next[i];
	}
	return i;
}

/* Each piece, which is between two bounds, is taken once, however parts overlap. */
static void take_pieces(struct owners *o, u32 *next)
{
	for (u32 i = 0; i < o->nr_bounds; i++)
		next[i] = i;
	for (u32 n = 0; n < o->nr; n++) {
		u32 i = bound_behind(o, o->list[n].start) - 1;
		u64 end = end_of(&o->list[n]);

		for (i = next_free(next, i); o->bounds[i] < end;
		     i = next_free(next, i)) {
			o->parts[i] = n + 1;
			next[i] = i + 1;
		}
	}
}

bool owned_sort(struct owners *o)
{
	size_t most = 2 * (size_t)o->nr;
	u32 *next;

	if (!o->nr)
		return true;
	o->bounds = calloc(most, sizeof(*o->bounds));
	o->parts = calloc(most, sizeof(*o->parts));
	next = calloc(most, sizeof(*next));
	if (o->bounds && o->parts && next) {
		find_bounds(o);
		take_pieces(o, next);
	}
	free(next);
	return o->nr_bounds;
}

const struct owned *owned_at(const struct owners *o, u64 va)
{
	u32 i = bound_behind(o, va);

	return i && o->parts[i - 1] ? &o->list[o->parts[i - 1] - 1] : NULL;
}

void owned_free(struct owners *o)
{
	free(o->list);
	free(o->bounds);
	free(o->parts);
	o->list = NULL;
	o->bounds = NULL;
	o->parts = NULL;
	o->nr_bounds = 0;
}
