/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The library's end of a queue's two rings: it produces submissions and
 * consumes completions. One thread at a time.
 *
 * The library owns cq_head and notify_at and keeps copies of what it has
 * written there; what is in the shared page is published, never read back.
 *
 * An entry is announced by its lap. Several are announced at once by writing
 * the first one last, for nobody looks at the others before.
 *
 * Six barriers order the two ends. The executor in the kernel has the partner
 * of each, under the same letter:
 *
 *	library (here)				executor
 *
 *	write entries				load lap
 *	STORE.rel lap		(A)  pairs	LOAD.acq (A)
 *						read entries
 *
 *	store lap				store need_wakeup
 *	FULL			(B)  pairs	FULL (B)
 *	load need_wakeup			load lap, sleep if there is none
 *
 *	load lap				write completions
 *	LOAD.acq		(C)  pairs	STORE.rel lap (C)
 *	read completions
 *
 *	read completions			load cq_head
 *	STORE.rel cq_head	(D)  pairs	LOAD.acq (D)
 *						write completions over them
 *
 *	store notify_at				store lap
 *	FULL			(E)  pairs	FULL (E)
 *	load lap, wait if there is none		load notify_at, wake if passed
 *
 *	LOAD.acq state		(G)  pairs	publish completions
 *	load lap				STORE.rel state (G)
 *
 * The executor also releases sq_head (F) when it has read an entry. Nothing
 * here needs it: with fewer entries outstanding than the ring has, one behind
 * the entry that was in a slot before is completed, and C says that it was read.
 *
 * A and C make the data visible no later than the lap that announces it. D
 * keeps a completion from being overwritten while it is read. B and E are the
 * store buffering pattern: without a full barrier on both ends each could miss
 * the other's store, and both would sleep.
 */
#ifndef DOCA_CORE_RING_H
#define DOCA_CORE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/doca.h>

#define RING_ABI(type, field, off)                            \
	_Static_assert(offsetof(struct type, field) == (off), \
		       #type "." #field " has moved")
#define RING_ABI_SIZE(type, size) \
	_Static_assert(sizeof(struct type) == (size), #type " has another size")

RING_ABI(doca_ring_user, cq_head, 0);
RING_ABI(doca_ring_user, notify_at, 128);
RING_ABI_SIZE(doca_ring_user, 256);
RING_ABI(doca_ring_kernel, cq_tail, 0);
RING_ABI(doca_ring_kernel, sq_head, 4);
RING_ABI(doca_ring_kernel, need_wakeup, 128);
RING_ABI(doca_ring_kernel, state, 256);
RING_ABI(doca_ring_kernel, dead, 260);
RING_ABI_SIZE(doca_ring_kernel, 384);
RING_ABI(doca_seg, key, 0);
RING_ABI(doca_seg, length, 4);
RING_ABI(doca_seg, address, 8);
RING_ABI_SIZE(doca_seg, 16);
RING_ABI(doca_sqe, opcode, 0);
RING_ABI(doca_sqe, flags, 2);
RING_ABI(doca_sqe, lap, 4);
RING_ABI(doca_sqe, user_data, 8);
RING_ABI(doca_sqe, src, 16);
RING_ABI(doca_sqe, dst, 32);
RING_ABI(doca_sqe, op, 48);
RING_ABI_SIZE(doca_sqe, 64);
RING_ABI(doca_cqe, user_data, 0);
RING_ABI(doca_cqe, status, 8);
RING_ABI(doca_cqe, lap, 10);
RING_ABI(doca_cqe, length, 12);
RING_ABI(doca_cqe, result, 16);
RING_ABI_SIZE(doca_cqe, 32);

struct ring {
	struct doca_ring_user *user; /* written here only */
	const struct doca_ring_kernel *kernel; /* written by the kernel only */
	struct doca_sqe *sqes;
	const struct doca_cqe *cqes;
	struct doca_seg *segs;
	uint32_t sq_mask;
	uint32_t cq_mask;
	uint32_t sq_order; /* of the sizes, the binary logarithms */
	uint32_t cq_order;
	uint32_t sq_tail; /* entries written */
	uint32_t sq_published; /* of these, entries announced */
	uint32_t cq_head; /* completions consumed */
};

/*
 * The next entry, to be filled in: all of it is 0. It is not seen before
 * ring_submit(). The rings are as large as all of the context's task pools
 * together, so there always is room.
 */
static inline struct doca_sqe *ring_get_sqe(struct ring *ring)
{
	uint32_t index = ring->sq_tail++;
	struct doca_sqe *sqe = &ring->sqes[index & ring->sq_mask];

	sqe->opcode = 0;
	sqe->flags = 0;
	sqe->__reserved = 0;
	memset(&sqe->user_data, 0,
	       sizeof(*sqe) - offsetof(struct doca_sqe, user_data));
	/* The executor is looking at the first, and at no other yet. */
	if (index != ring->sq_published)
		sqe->lap = DOCA_RING_LAP(index, ring->sq_order);
	return sqe;
}

static inline bool ring_unpublished(const struct ring *ring)
{
	return ring->sq_published != ring->sq_tail;
}

static inline bool ring_need_wakeup(const struct ring *ring)
{
	return __atomic_load_n(&ring->kernel->need_wakeup, __ATOMIC_RELAXED);
}

/*
 * Announce the entries that were filled in, of which there is one. True if the
 * kernel must be called for it.
 */
static inline bool ring_submit(struct ring *ring)
{
	uint32_t first = ring->sq_published;

	__atomic_store_n(&ring->sqes[first & ring->sq_mask].lap,
			 DOCA_RING_LAP(first, ring->sq_order),
			 __ATOMIC_RELEASE); /* A */
	ring->sq_published = ring->sq_tail;
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* B */
	return ring_need_wakeup(ring);
}

/* Are there announced entries that the executor has not taken? */
static inline bool ring_unconsumed(const struct ring *ring)
{
	return __atomic_load_n(&ring->kernel->sq_head, __ATOMIC_RELAXED) !=
	       ring->sq_published;
}

/* The oldest completion, or NULL. It stays valid until ring_release(). */
static inline const struct doca_cqe *ring_peek(struct ring *ring)
{
	const struct doca_cqe *cqe = &ring->cqes[ring->cq_head & ring->cq_mask];

	if (__atomic_load_n(&cqe->lap, __ATOMIC_ACQUIRE) != /* C */
	    DOCA_RING_LAP(ring->cq_head, ring->cq_order))
		return NULL;
	return cqe;
}

/* Give back the completion that ring_peek() returned. */
static inline void ring_release(struct ring *ring)
{
	__atomic_store_n(&ring->user->cq_head, ++ring->cq_head,
			 __ATOMIC_RELEASE); /* D */
}

/*
 * Ask for a wake-up at the next completion. True if there is one already, in
 * which case the wake-up may or may not come.
 */
static inline bool ring_arm(struct ring *ring)
{
	__atomic_store_n(&ring->user->notify_at, ring->cq_head + 1,
			 __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* E */
	return ring_peek(ring);
}

/* A look at the completions after it misses none published before the change. */
static inline enum doca_queue_state ring_state(const struct ring *ring)
{
	return __atomic_load_n(&ring->kernel->state, __ATOMIC_ACQUIRE); /* G */
}

/* Says nothing of completions: the executor need not know of it yet. */
static inline bool ring_dead(const struct ring *ring)
{
	return __atomic_load_n(&ring->kernel->dead, __ATOMIC_RELAXED);
}

#endif /* DOCA_CORE_RING_H */
