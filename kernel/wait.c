// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Waits: their slots, and their watches. The operation decides how to poll. */
#include <linux/mm.h>
#include <linux/slab.h>

#include "memory.h"
#include "wait.h"

int doca_waits_init(struct doca_waits *waits, u32 nr,
		    void (*wake)(struct doca_watcher *watcher))
{
	u32 i;

	INIT_LIST_HEAD(&waits->pending);
	INIT_LIST_HEAD(&waits->free);
	INIT_LIST_HEAD(&waits->free_watches);
	doca_watcher_init(&waits->watcher, wake);
	if (!nr)
		return 0;
	waits->slots = kvcalloc(nr, sizeof(*waits->slots), GFP_KERNEL_ACCOUNT);
	if (!waits->slots)
		return -ENOMEM;
	waits->nr_slots = nr;
	for (i = 0; i < nr; i++) {
		struct doca_wait_slot *slot = &waits->slots[i];

		list_add_tail(&slot->wait.node, &waits->free);
		list_add_tail(&slot->watch.free_node, &waits->free_watches);
	}
	return 0;
}

void doca_waits_free(struct doca_waits *waits)
{
	kvfree(waits->slots);
}

/* A watch is always free: there are as many as waits. */
static struct doca_watch *doca_waits_watch(struct doca_waits *waits,
					   struct doca_memory *memory,
					   u64 offset)
{
	struct doca_watch *spare = list_first_entry(&waits->free_watches,
						    struct doca_watch,
						    free_node);
	struct doca_watch *watch;

	list_del(&spare->free_node);
	watch = doca_watch_add(&memory->watched, offset, &waits->watcher,
			       spare);
	if (watch == spare)
		kref_get(&memory->obj.ref);
	else
		list_add(&spare->free_node, &waits->free_watches);
	return watch;
}

static void doca_waits_unwatch(struct doca_waits *waits,
			       struct doca_watch *watch)
{
	struct doca_memory *memory =
		container_of(watch->watched, struct doca_memory, watched);

	if (!doca_watch_del(watch))
		return;
	list_add(&watch->free_node, &waits->free_watches);
	doca_object_put(&memory->obj);
}

u32 doca_wait_begin(struct doca_waits *waits, const struct doca_op_type *type,
		    const struct doca_sqe *sqe, const struct doca_look *look)
{
	struct doca_wait *wait;

	wait = list_first_entry_or_null(&waits->free, struct doca_wait, node);
	if (!wait)
		return DOCA_STATUS_BAD_WAIT;
	wait->type = type;
	wait->sqe = *sqe;
	wait->watch = doca_waits_watch(waits, look->memory, look->offset);
	/* The next poll has a full barrier of its own. */
	WRITE_ONCE(waits->watcher.due, true);
	list_move_tail(&wait->node, &waits->pending);
	WRITE_ONCE(waits->nr, waits->nr + 1);
	return DOCA_STATUS_PENDING;
}

void doca_wait_end(struct doca_waits *waits, struct doca_wait *wait)
{
	doca_waits_unwatch(waits, wait->watch);
	list_move(&wait->node, &waits->free);
	WRITE_ONCE(waits->nr, waits->nr - 1);
}

void doca_waits_drop(struct doca_waits *waits)
{
	struct doca_wait *wait, *next;

	list_for_each_entry_safe(wait, next, &waits->pending, node)
		doca_wait_end(waits, wait);
}
