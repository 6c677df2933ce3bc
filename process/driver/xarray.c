// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "shim/kernel.h"

void xa_destroy(struct xarray *xa)
{
	free(xa->slots);
	pthread_mutex_destroy(&xa->lock);
}

/* Where @index is, or would have to be put. */
static unsigned long xa_place(const struct xarray *xa, unsigned long index)
{
	unsigned long low = 0, high = xa->nr;

	while (low < high) {
		unsigned long mid = (low + high) / 2;

		if (xa->slots[mid].index < index)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct xa_slot *xa_slot(const struct xarray *xa, unsigned long index)
{
	unsigned long place = xa_place(xa, index);

	if (place == xa->nr || xa->slots[place].index != index)
		return NULL;
	return &xa->slots[place];
}

/* @index must not be there. */
static int xa_add(struct xarray *xa, unsigned long index, void *entry)
{
	unsigned long place = xa_place(xa, index);

	if (xa->nr == xa->room) {
		unsigned long room = xa->room ? 2 * xa->room : 8;
		struct xa_slot *slots =
			reallocarray(xa->slots, room, sizeof(*slots));

		if (!slots)
			return -ENOMEM;
		xa->slots = slots;
		xa->room = room;
	}
	memmove(&xa->slots[place + 1], &xa->slots[place],
		(xa->nr++ - place) * sizeof(*xa->slots));
	xa->slots[place] = (struct xa_slot){ index, entry };
	return 0;
}

static void xa_remove(struct xarray *xa, struct xa_slot *slot)
{
	unsigned long place = slot - xa->slots;

	xa->nr--;
	memmove(slot, slot + 1, (xa->nr - place) * sizeof(*slot));
}

void *__xa_load(struct xarray *xa, unsigned long index)
{
	struct xa_slot *slot = xa_slot(xa, index);

	return slot ? slot->entry : NULL;
}

void *xa_load(struct xarray *xa, unsigned long index)
{
	void *entry;

	xa_lock(xa);
	entry = __xa_load(xa, index);
	xa_unlock(xa);
	return entry;
}

/* The driver stores only to what it has reserved. */
void *xa_store(struct xarray *xa, unsigned long index, void *entry, int gfp)
{
	struct xa_slot *slot;
	void *old;

	xa_lock(xa);
	slot = xa_slot(xa, index);
	BUG_ON(!slot);
	old = slot->entry;
	slot->entry = entry;
	xa_unlock(xa);
	return old;
}

int xa_insert(struct xarray *xa, unsigned long index, void *entry, int gfp)
{
	int rc = -EBUSY;

	xa_lock(xa);
	if (!xa_slot(xa, index))
		rc = xa_add(xa, index, entry);
	xa_unlock(xa);
	return rc;
}

void *xa_erase(struct xarray *xa, unsigned long index)
{
	struct xa_slot *slot;
	void *old = NULL;

	xa_lock(xa);
	slot = xa_slot(xa, index);
	if (slot) {
		old = slot->entry;
		xa_remove(xa, slot);
	}
	xa_unlock(xa);
	return old;
}

/* To NULL, which gives the index back. */
void *xa_cmpxchg(struct xarray *xa, unsigned long index, void *old, void *entry,
		 int gfp)
{
	void *found;

	BUG_ON(!old || entry);
	xa_lock(xa);
	found = xa_load(xa, index);
	if (found == old)
		xa_erase(xa, index);
	xa_unlock(xa);
	return found;
}

/* The lowest free index from @from on. */
static int xa_alloc_from(struct xarray *xa, u32 *index, void *entry,
			 struct xa_limit limit, unsigned long from)
{
	unsigned long place = xa_place(xa, from);

	for (; place < xa->nr && xa->slots[place].index == from; place++)
		from++;
	if (from > limit.max)
		return -EBUSY;
	*index = from;
	return xa_add(xa, from, entry);
}

int xa_alloc(struct xarray *xa, u32 *index, void *entry, struct xa_limit limit,
	     int gfp)
{
	int rc;

	xa_lock(xa);
	rc = xa_alloc_from(xa, index, entry, limit, xa->first);
	xa_unlock(xa);
	return rc;
}

int xa_alloc_cyclic(struct xarray *xa, u32 *index, void *entry,
		    struct xa_limit limit, u32 *next, int gfp)
{
	int rc;

	xa_lock(xa);
	rc = xa_alloc_from(xa, index, entry, limit,
			   max_t(u32, *next, xa->first));
	if (rc == -EBUSY)
		rc = xa_alloc_from(xa, index, entry, limit, xa->first);
	if (!rc)
		*next = *index + 1;
	xa_unlock(xa);
	return rc;
}

void *xa_find(struct xarray *xa, unsigned long *index, unsigned long max,
	      int filter)
{
	unsigned long place;
	void *entry = NULL;

	xa_lock(xa);
	for (place = xa_place(xa, *index); place < xa->nr; place++) {
		if (xa->slots[place].index > max)
			break;
		entry = xa->slots[place].entry;
		if (!entry)
			continue;
		*index = xa->slots[place].index;
		break;
	}
	xa_unlock(xa);
	return entry;
}
