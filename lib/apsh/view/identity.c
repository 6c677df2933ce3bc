// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory that must not change while a call runs. */
#include <stdlib.h>
#include <string.h>

#include "../snapshot.h"
#include "view.h"

/* Most calls have a few, and those that list processes one each. */
enum { FIRST_IDS = 16 };

/* Leave nothing in the memory that it was in. */
static bool grow(struct view *v)
{
	u32 max = v->max_ids ? 2 * v->max_ids : FIRST_IDS;
	struct identity *ids = malloc(max * sizeof(*ids));

	if (!ids) {
		v->error = VIEW_NO_MEMORY;
		return false;
	}
	if (v->ids) {
		memcpy(ids, v->ids, v->nr_ids * sizeof(*ids));
		explicit_bzero(v->ids, v->nr_ids * sizeof(*ids));
	}
	free(v->ids);
	v->ids = ids;
	v->max_ids = max;
	return true;
}

void view_identity_was(struct view *v, u64 va, const void *was, size_t len,
		       struct object *object)
{
	struct identity id = { .len = (u32)len, .object = object };
	u64 left;

	/* missing memory cannot change */
	if (v->error || len > sizeof(id.was) ||
	    !view_translate(v, NULL, va, &id.pa, &left) || left < len ||
	    !view_physical(v, id.pa, id.was, len))
		return;
	memcpy(id.was, was, len);
	if (v->nr_ids == v->max_ids && !grow(v))
		return;
	v->ids[v->nr_ids++] = id;
}

void view_identity(struct view *v, u64 va, size_t len, struct object *object)
{
	u8 was[sizeof(v->ids->was)];

	if (len <= sizeof(was) && view_read(v, NULL, va, was, len))
		view_identity_was(v, va, was, len, object);
}

static int by_place(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;

	return x->pa < y->pa ? -1 : x->pa > y->pa;
}

static u32 compare(struct view *v, const struct source_range *r)
{
	u32 changed = 0;

	for (u32 i = 0; i < v->nr_ids; i++) {
		const struct identity *id = &v->ids[i];

		if (!r[i].absent && !memcmp(r[i].to, id->was, id->len))
			continue;
		changed++;
		if (id->object)
			id->object->changed = true;
		else
			v->changed = true;
	}
	return changed;
}

u32 view_verify(struct view *v)
{
	struct source_range *r = calloc(v->nr_ids + 1, sizeof(*r));
	u8(*now)[sizeof(v->ids->was)] = calloc(v->nr_ids + 1, sizeof(*now));
	u32 changed = 0;

	if (!r || !now)
		v->error = VIEW_NO_MEMORY;
	if (v->nr_ids)
		qsort(v->ids, v->nr_ids, sizeof(*v->ids), by_place);
	for (u32 i = 0; i < v->nr_ids && !v->error; i++) {
		r[i] = (struct source_range){ .pa = v->ids[i].pa,
					      .len = v->ids[i].len,
					      .to = now[i] };
		v->stats.bytes += r[i].len;
	}
	if (v->nr_ids && !v->error && view_ranges(v, r, v->nr_ids))
		changed = compare(v, r);
	if (now)
		explicit_bzero(now, v->nr_ids * sizeof(*now));
	free(now);
	free(r);
	return changed;
}
