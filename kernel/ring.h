/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The kernel's side of the rings: consumer of submissions, producer of completions.
 *
 * Everything in the user's area can change at any time. So each word of it is read once,
 * into a private copy, which is checked and then used. The kernel never reads back what
 * it has written itself. The layout is in uapi/linux/doca_ring.h.
 *
 * Barriers; the user's side has the same letters:
 *
 *  A  user: write entry, store-release its phase
 *     kernel: load-acquire phase, read entry
 *  B  user: store phase, full barrier, load need_wakeup
 *     kernel: store need_wakeup, full barrier, load phase; then sleep. Likewise with
 *     the thread's state in place of need_wakeup, and with "due" in place of the phase
 *  C  kernel: write entry, store-release its phase
 *     user: load-acquire phase, read entry
 *  D  user: read entry, store-release cq_head
 *     kernel: load-acquire cq_head, write entry
 *  E  user: store notify_at, full barrier, load phase; then poll()
 *     kernel: store phase, full barrier, load notify_at; then wake
 *  F  kernel: read entry, store-release sq_head
 *     user: load-acquire sq_head, write entry
 *  G  kernel: publish, store-release state
 *     user: load-acquire state, reap what was published before
 *
 * If A or C announces several entries at once, the phase of the first is stored last: the
 * others are not read before it is seen.
 */
#ifndef DOCA_RING_H
#define DOCA_RING_H

#include <linux/compiler.h>
#include <linux/prefetch.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/barrier.h>

#include <linux/doca.h>

#include "area.h"

/**
 * struct doca_ring - both rings of a queue
 * @user: the area that user space writes
 * @kernel: the area that user space only reads
 * @u: head of @user
 * @k: head of @kernel
 * @sq: submission entries, in @user
 * @seg_off: offset of the segment table in @user
 * @cq: completion entries, in @kernel
 * @sq_entries: size of @sq
 * @cq_entries: size of @cq
 * @nr_segments: size of @segs
 * @sqe: the next submission; it is there when its phase is @sq_phase
 * @sqe_end: end of the ring, where @sqe starts over
 * @cqe: the next completion; its phase will be @cq_phase
 * @cqe_end: end of the ring, where @cqe starts over
 * @first: the first unpublished completion, if there is one; its phase is written when it
 *	is published
 * @first_phase: the phase for @first
 * @sq_head: entries consumed
 * @cq_tail: completions written
 * @cq_published: completions that user space can see
 * @cq_notified: completions for which was checked whether user space wants to be woken
 * @cq_head: completions reaped, as last read and found plausible
 * @cq_room: completion slots that are certainly free; an entry that is consumed has one
 *	reserved
 *
 * Only the executor uses it, but listings and poll() read the counters at any time.
 */
struct doca_ring {
	struct doca_ring_user *u;
	struct doca_ring_kernel *k;
	struct doca_sqe *sq;
	struct doca_cqe *cq;
	u32 seg_off;
	u32 sq_entries;
	u32 cq_entries;
	u32 nr_segments;

	const struct doca_sqe *sqe;
	const struct doca_sqe *sqe_end;
	struct doca_cqe *cqe;
	const struct doca_cqe *cqe_end;
	struct doca_cqe *first;
	u16 first_phase;
	u16 sq_phase;
	u16 cq_phase;
	u32 sq_head;
	u32 cq_tail;
	u32 cq_published;
	u32 cq_notified;
	u32 cq_head;
	u32 cq_room;

	struct doca_area user;
	struct doca_area kernel;
};

#define DOCA_RING_MAX_ENTRIES 32768U
#define DOCA_RING_MAX_SEGMENTS 1048576U
/* Distance that keeps data of two CPUs apart. */
#define DOCA_RING_LINE 128

/*
 * Fill in offsets and sizes, also those of an inbox, which was checked; -EINVAL if the numbers
 * of entries are impossible.
 */
int doca_ring_size(struct doca_queue_create *arg);
int doca_ring_alloc(struct doca_ring *ring, const struct doca_queue_create *arg);
void doca_ring_free(struct doca_ring *ring);
/*
 * Count the submissions from @head on, for listings. A binary search: a user may have
 * millions in rings, and others wait. If several are being announced at once and the
 * first is not there yet, the others may count.
 */
u32 doca_ring_sq_waiting(const struct doca_ring *ring, u32 head);
size_t doca_ring_bytes(const struct doca_ring *ring);

/* Return true if there is a submission. */
static inline bool doca_ring_sq_ready(const struct doca_ring *ring)
{
	const struct doca_sqe *sqe = READ_ONCE(ring->sqe);

	/* A */
	return smp_load_acquire(&sqe->phase) == READ_ONCE(ring->sq_phase);
}

/* Return the number of completions that were written but not published. */
static inline u32 doca_ring_unpublished(const struct doca_ring *ring)
{
	return ring->cq_tail - ring->cq_published;
}

static inline u16 doca_ring_next_phase(u16 phase)
{
	return (phase + 1) | DOCA_RING_PHASE(0, 0);
}

/*
 * Entries come from another CPU's cache. If several come at a time, the next ones are
 * there already and worth a prefetch. If they come one by one, the next is still being
 * written.
 */
#define DOCA_RING_PREFETCH 4

/* Copy the next entry, reading every word of it once, and release its slot. */
static inline void doca_ring_sq_get(struct doca_ring *ring,
				    struct doca_sqe *sqe)
{
	const struct doca_sqe *next = ring->sqe;

	if (doca_ring_unpublished(ring))
		prefetch(next + DOCA_RING_PREFETCH);
	memcpy(sqe, next++, sizeof(*sqe));
	barrier(); /* use only the copy from here on */
	WRITE_ONCE(ring->sq_head, ring->sq_head + 1);
	if (next == ring->sqe_end) {
		next = ring->sq;
		ring->sq_phase = doca_ring_next_phase(ring->sq_phase);
	}
	WRITE_ONCE(ring->sqe, next);
}

/* A segment does not cross pages. Nobody has written to a page that is not there. */
static inline struct doca_seg doca_ring_get_seg(const struct doca_ring *ring,
						u32 index)
{
	const struct doca_seg *seg =
		doca_area_at(&ring->user,
			     ring->seg_off + (size_t)index * sizeof(*seg));

	if (!seg)
		return (struct doca_seg){ 0 };
	return (struct doca_seg){
		.key = READ_ONCE(seg->key),
		.length = READ_ONCE(seg->length),
		.address = READ_ONCE(seg->address),
	};
}

/* Return the number of completions that user space has not reaped, which may be impossible. */
static inline u32 doca_ring_cq_used(const struct doca_ring *ring)
{
	return ring->cq_tail - smp_load_acquire(&ring->u->cq_head); /* D */
}

/*
 * Write a completion; there must be a free slot. The first unpublished one gets its phase
 * when it is published: until then user space reads none of them.
 */
static __always_inline void doca_ring_cq_put(struct doca_ring *ring,
					     u64 user_data, u32 status,
					     u32 length, const u64 *result)
{
	struct doca_cqe *cqe = ring->cqe;

	WRITE_ONCE(cqe->user_data, user_data);
	WRITE_ONCE(cqe->status, status);
	WRITE_ONCE(cqe->length, length);
	memcpy(cqe->result, result, sizeof(cqe->result));
	if (doca_ring_unpublished(ring)) {
		WRITE_ONCE(cqe->phase, ring->cq_phase);
	} else {
		ring->first = cqe;
		ring->first_phase = ring->cq_phase;
	}
	WRITE_ONCE(ring->cq_tail, ring->cq_tail + 1);
	if (++ring->cqe == ring->cqe_end) {
		ring->cqe = ring->cq;
		ring->cq_phase = doca_ring_next_phase(ring->cq_phase);
	}
}

/* Let user space see what was consumed and completed. */
static inline void doca_ring_publish(struct doca_ring *ring)
{
	if (doca_ring_unpublished(ring)) {
		/* C */
		smp_store_release(&ring->first->phase, ring->first_phase);
		WRITE_ONCE(ring->cq_published, ring->cq_tail);
		smp_store_release(&ring->k->cq_tail, ring->cq_tail); /* C */
	}
	smp_store_release(&ring->k->sq_head, ring->sq_head); /* F */
}

/*
 * Return true if user space wants to be woken for completions since the last
 * notification. A hint: a request made just now may be missed.
 */
static inline bool doca_ring_notify_hint(const struct doca_ring *ring)
{
	u32 tail = ring->cq_published;

	return tail - READ_ONCE(ring->u->notify_at) < tail - ring->cq_notified;
}

/* Like doca_ring_notify_hint(), but certain. A completion is checked only once. */
static inline bool doca_ring_notify(struct doca_ring *ring)
{
	bool wanted;

	if (ring->cq_published == ring->cq_notified)
		return false;
	smp_mb(); /* E */
	wanted = doca_ring_notify_hint(ring);
	ring->cq_notified = ring->cq_published;
	return wanted;
}

/*
 * Return true if user space has asked to be woken by a completion that is not published
 * yet. Any context. It may be true although user space did not sleep after asking.
 */
static inline bool doca_ring_is_armed(const struct doca_ring *ring)
{
	return (s32)(READ_ONCE(ring->u->notify_at) -
		     READ_ONCE(ring->cq_published)) > 0;
}

/*
 * For poll(): return true if the completion at which user space wants to be woken was
 * published, and is not reaped yet. Any context.
 */
static inline bool doca_ring_reached(const struct doca_ring *ring)
{
	u32 tail = READ_ONCE(ring->cq_published);

	return tail - READ_ONCE(ring->u->notify_at) <
	       tail - READ_ONCE(ring->u->cq_head);
}

#endif
