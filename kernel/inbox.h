/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The inbox of a queue: a ring of events that others write, slots for messages, and
 * promises of room. So the owner's executor has no part in receiving.
 *
 * Barriers, besides D and E of ring.h, which also hold for ev_head and ev_notify_at:
 *
 *  H  kernel: write message and event, store-release the event's phase
 *     user: load-acquire phase, read both
 *  I  user: store ev_head, full barrier, load ev_starved; then ENTER
 *     kernel: store ev_starved, full barrier, load ev_head; then let the sender wait
 */
#ifndef DOCA_INBOX_H
#define DOCA_INBOX_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include <linux/doca.h>

struct doca_queue;
struct seq_file;

#define DOCA_MAX_SLOTS 8192U
#define DOCA_MAX_SLOT_SIZE 4096U
/* A slot is longer: libraries put their own words in front. */
#define DOCA_MAX_MESSAGE 4080U

/**
 * struct doca_inbox - an inbox
 * @lock: protects all of it, and its endpoint as described there; a leaf but for locks of
 *	wake-ups; held while a page is copied
 * @queue: its queue
 * @events: the ring, in the kernel's area
 * @nr_events: its size
 * @tail: number of events written; published; read anywhere
 * @notified: number of events for which user space's request for a wake-up was checked
 * @head: number of events reaped, as last read and found possible
 * @promised: entries that only the holders of promises may use: each free slot has one
 * @slots: messages, in the kernel's area
 * @nr_slots: number of @slots
 * @slot_size: bytes of a slot
 * @next_slot: slot of the next message
 * @first_slot: slot of the oldest message that is not known to be reaped
 * @nr_used: number of slots from there on that are in use
 * @slot_events: for each slot in use, the index of its event
 * @starved: a sender waits for room, and user space is told
 * @broken: user space has written an impossible index: nothing is received any more
 *
 * Used and promised entries together never exceed the ring, so no event is lost.
 */
struct doca_inbox {
	spinlock_t lock; /* see above */
	struct doca_queue *queue;
	struct doca_event *events;
	u32 nr_events;
	u32 tail;
	u32 notified;
	u32 head;
	u32 promised;
	char *slots;
	u32 nr_slots;
	u32 slot_size;
	u32 next_slot;
	u32 first_slot;
	u32 nr_used;
	u32 *slot_events;
	bool starved;
	bool broken;
};

/* Return -EINVAL if the numbers of its entries and slots are impossible. */
int doca_inbox_check(const struct doca_queue_create *arg);
/* Return the bytes that it needs besides the areas of the rings. */
size_t doca_inbox_bytes(const struct doca_queue_create *arg);
int doca_inbox_init(struct doca_inbox *inbox, struct doca_queue *queue,
		    const struct doca_queue_create *arg);
void doca_inbox_free(struct doca_inbox *inbox);

/* For poll(): like doca_ring_reached(). */
bool doca_inbox_reached(const struct doca_inbox *inbox);

void doca_inbox_show_fdinfo(struct seq_file *m, struct doca_inbox *inbox);

/* Call these with the lock held: */

/* Promise @nr entries; or return false, and promise nothing, if there is no room. */
bool doca_inbox_promise(struct doca_inbox *inbox, u32 nr);
void doca_inbox_forgo(struct doca_inbox *inbox, u32 nr);
/* Keep a promise: write an event, whose phase need not be set. */
void doca_inbox_put(struct doca_inbox *inbox, const struct doca_event *event);
/* Return true if there is room for a message. If not, set ev_starved. */
bool doca_inbox_has_slot(struct doca_inbox *inbox);
/*
 * Put a message of at most @slot_size bytes and its event, which holds its length. There
 * must be room.
 */
void doca_inbox_put_message(struct doca_inbox *inbox, const void *message,
			    struct doca_event *event);
/* Return true if @nr entries could be promised now. If not, set ev_starved. */
bool doca_inbox_has_room(struct doca_inbox *inbox, u32 nr);
/* No sender waits any more. */
void doca_inbox_satisfied(struct doca_inbox *inbox);

#endif
