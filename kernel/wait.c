// SPDX-License-Identifier: GPL-2.0
/* Waits: their slots, and the wake-ups. What to look at is the operation's. */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "wait.h"

/*
 * Who waits for what, of all users. Not the kernel's own table of this kind: an
 * unprivileged user could make it slow for everybody.
 */
#define DOCA_WAIT_TABLE_BITS 8
static struct wait_queue_head doca_wait_table[1 << DOCA_WAIT_TABLE_BITS];

void doca_wait_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(doca_wait_table); i++)
		init_waitqueue_head(&doca_wait_table[i]);
}

static struct wait_queue_head *doca_wait_head(void *where)
{
	return &doca_wait_table[hash_ptr(where, DOCA_WAIT_TABLE_BITS)];
}

int doca_waits_init(struct doca_waits *waits, u32 nr,
		    void (*wake)(struct doca_waits *waits))
{
	u32 i;

	INIT_LIST_HEAD(&waits->pending);
	INIT_LIST_HEAD(&waits->free);
	waits->wake = wake;
	if (!nr)
		return 0;
	waits->slots = kvcalloc(nr, sizeof(*waits->slots), GFP_KERNEL_ACCOUNT);
	if (!waits->slots)
		return -ENOMEM;
	waits->nr_slots = nr;
	for (i = 0; i < nr; i++) {
		waits->slots[i].waits = waits;
		list_add_tail(&waits->slots[i].node, &waits->free);
	}
	return 0;
}

void doca_waits_free(struct doca_waits *waits)
{
	kvfree(waits->slots);
}

static int doca_wait_woken(struct wait_queue_entry *entry, unsigned int mode,
			   int flags, void *where)
{
	struct doca_wait *wait = container_of(entry, struct doca_wait, entry);

	if (wait->where != where)
		return 0;
	WRITE_ONCE(wait->waits->due, true);
	wait->waits->wake(wait->waits);
	return 1;
}

u32 doca_wait_begin(struct doca_waits *waits, const struct doca_op_type *type,
		    const struct doca_sqe *sqe, void *where)
{
	struct doca_wait *wait;

	wait = list_first_entry_or_null(&waits->free, struct doca_wait, node);
	if (!wait)
		return DOCA_STATUS_BAD_WAIT;
	wait->type = type;
	wait->sqe = *sqe;
	wait->where = where;
	init_waitqueue_func_entry(&wait->entry, doca_wait_woken);
	/* Before the next look, which has a full barrier of its own. */
	add_wait_queue(doca_wait_head(where), &wait->entry);
	list_move_tail(&wait->node, &waits->pending);
	WRITE_ONCE(waits->nr, waits->nr + 1);
	return DOCA_STATUS_PENDING;
}

void doca_wait_end(struct doca_wait *wait)
{
	struct doca_waits *waits = wait->waits;

	remove_wait_queue(doca_wait_head(wait->where), &wait->entry);
	list_move(&wait->node, &waits->free);
	WRITE_ONCE(waits->nr, waits->nr - 1);
}

void doca_waits_drop(struct doca_waits *waits)
{
	struct doca_wait *wait, *next;

	list_for_each_entry_safe(wait, next, &waits->pending, node)
		doca_wait_end(wait);
}

void doca_wait_wake(void *where)
{
	struct wait_queue_head *head = doca_wait_head(where);

	/* W: has a full barrier between the change and the look into the table. */
	if (wq_has_sleeper(head))
		__wake_up(head, TASK_NORMAL, 0, where);
}
