// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Inboxes: events, slots and promises. */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "inbox.h"
#include "queue.h"
#include "user.h"

int doca_inbox_check(const struct doca_queue_create *arg)
{
	u32 nr_slots = arg->recv_slots | arg->send_slots;

	static_assert(sizeof(struct doca_event) == 64);
	if (arg->__reserved)
		return -EINVAL;
	if (!arg->inbox_entries)
		return nr_slots | arg->slot_size ? -EINVAL : 0;
	if (!is_power_of_2(arg->inbox_entries) ||
	    arg->inbox_entries > DOCA_RING_MAX_ENTRIES ||
	    arg->recv_slots >= arg->inbox_entries ||
	    arg->recv_slots > DOCA_MAX_SLOTS ||
	    arg->send_slots > DOCA_MAX_SLOTS)
		return -EINVAL;
	if (!nr_slots != !arg->slot_size || arg->slot_size % 64 ||
	    arg->slot_size > DOCA_MAX_SLOT_SIZE)
		return -EINVAL;
	return 0;
}

size_t doca_inbox_bytes(const struct doca_queue_create *arg)
{
	return doca_user_bytes(arg->recv_slots * sizeof(u32));
}

int doca_inbox_init(struct doca_inbox *inbox, struct doca_queue *queue,
		    const struct doca_queue_create *arg)
{
	void *area = queue->ring.kernel.addr;

	spin_lock_init(&inbox->lock);
	inbox->queue = queue;
	inbox->events = area + arg->out_event_off;
	inbox->nr_events = arg->inbox_entries;
	inbox->slots = area + arg->out_recv_off;
	inbox->nr_slots = arg->recv_slots;
	inbox->slot_size = arg->slot_size;
	inbox->promised = inbox->nr_slots;
	if (!inbox->nr_slots)
		return 0;
	inbox->slot_events =
		kvcalloc(inbox->nr_slots, sizeof(u32), GFP_KERNEL_ACCOUNT);
	return inbox->slot_events ? 0 : -ENOMEM;
}

void doca_inbox_free(struct doca_inbox *inbox)
{
	kvfree(inbox->slot_events);
}

bool doca_inbox_reached(const struct doca_inbox *inbox)
{
	const struct doca_ring_user *u = inbox->queue->ring.u;
	u32 tail = READ_ONCE(inbox->tail);

	return tail - READ_ONCE(u->ev_notify_at) < tail - READ_ONCE(u->ev_head);
}

void doca_inbox_show_fdinfo(struct seq_file *m, struct doca_inbox *inbox)
{
	u32 head, promised, nr_used;
	bool starved, broken;

	spin_lock(&inbox->lock);
	head = inbox->head;
	promised = inbox->promised;
	nr_used = inbox->nr_used;
	starved = inbox->starved;
	broken = inbox->broken;
	spin_unlock(&inbox->lock);
	seq_printf(m, "doca-inbox:\tentries %u tail %u head %u (user) %u (seen) promised %u%s%s\n",
		   inbox->nr_events, READ_ONCE(inbox->tail),
		   READ_ONCE(inbox->queue->ring.u->ev_head), head, promised,
		   starved ? " starved" : "", broken ? " broken" : "");
	seq_printf(m, "doca-inbox-slots:\t%u of %u\n", nr_used, inbox->nr_slots);
}

/* Each free slot gets a promise. */
static void doca_inbox_free_slots(struct doca_inbox *inbox)
{
	while (inbox->nr_used &&
	       (s32)(inbox->head - inbox->slot_events[inbox->first_slot]) > 0) {
		if (++inbox->first_slot == inbox->nr_slots)
			inbox->first_slot = 0;
		inbox->nr_used--;
		inbox->promised++;
	}
}

/* See what user space has reaped. */
static void doca_inbox_look(struct doca_inbox *inbox)
{
	struct doca_queue *queue = inbox->queue;
	u32 head = smp_load_acquire(&queue->ring.u->ev_head); /* D */

	if (head - inbox->head > inbox->tail - inbox->head) {
		WRITE_ONCE(inbox->broken, true);
		doca_queue_raise_state(queue, DOCA_QUEUE_BROKEN);
		return;
	}
	inbox->head = head;
	doca_inbox_free_slots(inbox);
}

static bool doca_inbox_fits(const struct doca_inbox *inbox, u32 nr)
{
	return inbox->tail - inbox->head + inbox->promised + nr <=
	       inbox->nr_events;
}

bool doca_inbox_promise(struct doca_inbox *inbox, u32 nr)
{
	lockdep_assert_held(&inbox->lock);
	if (!doca_inbox_fits(inbox, nr))
		doca_inbox_look(inbox);
	if (inbox->broken || !doca_inbox_fits(inbox, nr))
		return false;
	inbox->promised += nr;
	return true;
}

void doca_inbox_forgo(struct doca_inbox *inbox, u32 nr)
{
	lockdep_assert_held(&inbox->lock);
	inbox->promised -= nr;
}

/* Have user space call when it has made room. */
static void doca_inbox_starve(struct doca_inbox *inbox)
{
	inbox->starved = true;
	WRITE_ONCE(inbox->queue->ring.k->ev_starved, 1);
	smp_mb(); /* I */
	doca_inbox_look(inbox);
}

void doca_inbox_satisfied(struct doca_inbox *inbox)
{
	lockdep_assert_held(&inbox->lock);
	if (!inbox->starved)
		return;
	inbox->starved = false;
	WRITE_ONCE(inbox->queue->ring.k->ev_starved, 0);
}

bool doca_inbox_has_room(struct doca_inbox *inbox, u32 nr)
{
	lockdep_assert_held(&inbox->lock);
	if (!doca_inbox_fits(inbox, nr))
		doca_inbox_look(inbox);
	if (!doca_inbox_fits(inbox, nr))
		doca_inbox_starve(inbox);
	return !inbox->broken && doca_inbox_fits(inbox, nr);
}

static void doca_inbox_notify(struct doca_inbox *inbox)
{
	struct doca_queue *queue = inbox->queue;
	u32 tail = inbox->tail;
	u32 since = tail - inbox->notified;

	smp_mb(); /* E */
	inbox->notified = tail;
	if (tail - READ_ONCE(queue->ring.u->ev_notify_at) < since)
		wake_up_interruptible_poll(&queue->wait, EPOLLIN);
}

/* Write the phase last, for it announces the event. */
static void doca_inbox_write(struct doca_event *to,
			     const struct doca_event *event, u16 phase)
{
	const size_t rest = offsetof(struct doca_event, imm_length);

	WRITE_ONCE(to->type, event->type);
	WRITE_ONCE(to->status, event->status);
	memcpy((void *)to + rest, (const void *)event + rest,
	       sizeof(*to) - rest);
	smp_store_release(&to->phase, phase); /* H */
}

void doca_inbox_put(struct doca_inbox *inbox, const struct doca_event *event)
{
	u32 index = inbox->tail;

	lockdep_assert_held(&inbox->lock);
	WARN_ON_ONCE(!inbox->promised);
	inbox->promised--;
	if (inbox->broken)
		return;
	doca_inbox_write(&inbox->events[index & (inbox->nr_events - 1)], event,
			 DOCA_RING_PHASE(index, ilog2(inbox->nr_events)));
	WRITE_ONCE(inbox->tail, index + 1);
	smp_store_release(&inbox->queue->ring.k->ev_tail, index + 1); /* H */
	doca_inbox_notify(inbox);
}

bool doca_inbox_has_slot(struct doca_inbox *inbox)
{
	lockdep_assert_held(&inbox->lock);
	if (inbox->nr_used == inbox->nr_slots)
		doca_inbox_look(inbox);
	if (inbox->nr_used == inbox->nr_slots)
		doca_inbox_starve(inbox);
	return !inbox->broken && inbox->nr_used < inbox->nr_slots;
}

void doca_inbox_put_message(struct doca_inbox *inbox, const void *message,
			    struct doca_event *event)
{
	u32 slot = inbox->next_slot;

	lockdep_assert_held(&inbox->lock);
	/* The sender may write to it meanwhile: any copy is as good as another. */
	data_race(memcpy(inbox->slots + (size_t)slot * inbox->slot_size,
			 message, event->length));
	inbox->slot_events[slot] = inbox->tail;
	if (++inbox->next_slot == inbox->nr_slots)
		inbox->next_slot = 0;
	inbox->nr_used++;
	event->slot = slot;
	doca_inbox_put(inbox, event);
}
