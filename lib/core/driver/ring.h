/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The library's end of a queue's two rings: it produces submissions and
 * consumes completions. One thread at a time.
 *
 * The library owns cq_head and notify_at and keeps copies of what it has
 * written there; what is in the shared page is published, never read back.
 *
 * An entry is announced by its phase. Several are announced at once by writing
 * the first one last, because the other side does not read the others before it.
 *
 * Six barriers order the two ends. The executor in the kernel has the partner
 * of each, under the same letter:
 *
 *	library (here)				executor
 *
 *	write entries				load phase
 *	STORE.rel phase		(A)  pairs	LOAD.acq (A)
 *						read entries
 *
 *	store phase				store need_wakeup
 *	FULL			(B)  pairs	FULL (B)
 *	load need_wakeup			load phase, sleep if there is none
 *
 *	load phase				write completions
 *	LOAD.acq		(C)  pairs	STORE.rel phase (C)
 *	read completions
 *
 *	read completions			load cq_head
 *	STORE.rel cq_head	(D)  pairs	LOAD.acq (D)
 *						write completions over them
 *
 *	store notify_at				store phase
 *	FULL			(E)  pairs	FULL (E)
 *	load phase, wait if there is none		load notify_at, wake if passed
 *
 *	LOAD.acq state		(G)  pairs	publish completions
 *	load phase				STORE.rel state (G)
 *
 * The executor also releases sq_head (F) when it has read an entry. Nothing
 * here needs it: with fewer entries outstanding than the ring has, one behind
 * the entry that was in a slot before is completed, and C says that it was read.
 *
 * A and C make the data visible no later than the phase that announces it. D
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

#include <doca_common_defines.h>

#include <linux/doca.h>

/*
 * Both ends move along their rings by pointers; extra work is needed only at the
 * end of a ring. A ring that refuses submissions uses that: its end is the next
 * entry.
 */
struct ring {
	struct doca_sqe *sqe; /* the next one to write */
	struct doca_sqe *sqe_end; /* reached: ring_admit() must come first */
	struct doca_sqe *unannounced; /* the first one held back, or NULL */
	const struct doca_cqe *cqe; /* the next one to read */
	const struct doca_cqe *cqe_end;
	struct doca_ring_user *user; /* written by the library only */
	const struct doca_ring_kernel *kernel; /* written by the kernel only */
	uint32_t cq_head; /* completions consumed */
	uint16_t sq_phase; /* phase of the next entries */
	uint16_t cq_phase;

	struct doca_sqe *sqes;
	const struct doca_cqe *cqes;
	struct doca_seg *segs;
	uint32_t sq_base; /* entries written in earlier phases */
	uint32_t sq_mask;
	uint32_t cq_mask;
	uint32_t sq_order; /* binary logarithms of the sizes */
	uint32_t cq_order;
};

/* Initialize a ring that refuses entries. Its addresses are set; sizes are powers of two. */
static inline void ring_init(struct ring *ring, uint32_t sq_entries,
			     uint32_t cq_entries)
{
	ring->sq_mask = sq_entries - 1;
	ring->cq_mask = cq_entries - 1;
	ring->sq_order = __builtin_ctz(sq_entries);
	ring->cq_order = __builtin_ctz(cq_entries);
	ring->sqe = ring->sqes;
	ring->sqe_end = ring->sqes;
	ring->cqe = ring->cqes;
	ring->cqe_end = ring->cqes + cq_entries;
	ring->sq_phase = DOCA_RING_PHASE(0, ring->sq_order);
	ring->cq_phase = DOCA_RING_PHASE(0, ring->cq_order);
}

static inline bool ring_refuses(const struct ring *ring)
{
	return ring->sqe == ring->sqe_end;
}

static inline void ring_refuse(struct ring *ring)
{
	ring->sqe_end = ring->sqe;
}

/* Let a ring that refuses entries take them, up to the end of the phase. */
static inline void ring_admit(struct ring *ring)
{
	ring->sqe_end = ring->sqes + ring->sq_mask + 1;
	if (ring->sqe != ring->sqe_end)
		return;
	ring->sqe = ring->sqes;
	ring->sq_base += ring->sq_mask + 1;
	ring->sq_phase = DOCA_RING_PHASE(ring->sq_base, ring->sq_order);
}

/* Stop the use of a ring whose memory is gone. */
static inline void ring_detach(struct ring *ring)
{
	static const struct doca_cqe none;

	ring_refuse(ring);
	ring->unannounced = NULL;
	ring->cqe = &none;
}

/* Make a ring without memory, which refuses entries and has none. */
static inline void ring_none(struct ring *ring)
{
	memset(ring, 0, sizeof(*ring));
	ring->cq_phase = DOCA_RING_PHASE(0, 0);
	ring_detach(ring);
}

/*
 * Return the next entry of a ring that does not refuse it. The caller fills it in, apart
 * from the phase, which the executor may be reading; the entry has old contents. The rings
 * are as large as all task pools of the context together, so there is always room.
 */
static inline struct doca_sqe *ring_take_sqe(struct ring *ring)
{
	return ring->sqe++;
}

/*
 * Keep a filled-in entry, to be announced with a later one. The executor reads only the
 * first entry that is held back, so the others may have their phase now.
 */
static inline void ring_hold_back(struct ring *ring, struct doca_sqe *sqe)
{
	if (doca_likely(ring->unannounced))
		sqe->phase = ring->sq_phase;
	else
		ring->unannounced = sqe;
}

/* Get an entry of a ring that may refuse it. It is held back, and all 0. */
static inline struct doca_sqe *ring_get_sqe(struct ring *ring)
{
	struct doca_sqe *sqe;

	if (doca_unlikely(ring_refuses(ring)))
		ring_admit(ring);
	sqe = ring_take_sqe(ring);
	sqe->opcode = 0;
	sqe->flags = 0;
	sqe->aux = 0;
	memset(&sqe->user_data, 0,
	       sizeof(*sqe) - offsetof(struct doca_sqe, user_data));
	ring_hold_back(ring, sqe);
	return sqe;
}

static inline bool ring_need_wakeup(const struct ring *ring)
{
	return __atomic_load_n(&ring->kernel->need_wakeup, __ATOMIC_RELAXED);
}

/* Return true if the kernel must be called. */
static inline bool ring_announce_first(const struct ring *ring,
				       struct doca_sqe *sqe, uint16_t phase)
{
	__atomic_store_n(&sqe->phase, phase, __ATOMIC_RELEASE); /* A */
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* B */
	return ring_need_wakeup(ring);
}

/*
 * Announce the entries that were held back; there is at least one. Return true
 * if the kernel must be called.
 */
static inline bool ring_submit(struct ring *ring)
{
	struct doca_sqe *first = ring->unannounced;
	uint16_t phase = ring->sq_phase;

	/* If it is not before the next entry, the ring has wrapped: use the previous phase. */
	if (doca_unlikely(first >= ring->sqe))
		phase = DOCA_RING_PHASE(ring->sq_base - 1, ring->sq_order);
	ring->unannounced = NULL;
	return ring_announce_first(ring, first, phase);
}

/*
 * Announce a filled-in entry, with those that were held back. Return true if the
 * kernel must be called.
 */
static inline bool ring_announce(struct ring *ring, struct doca_sqe *sqe)
{
	if (doca_likely(!ring->unannounced))
		return ring_announce_first(ring, sqe, ring->sq_phase);
	sqe->phase = ring->sq_phase;
	return ring_submit(ring);
}

/* Return how many entries the executor has taken. */
static inline uint32_t ring_consumed(const struct ring *ring)
{
	return __atomic_load_n(&ring->kernel->sq_head, __ATOMIC_RELAXED);
}

/* Return how many bytes an entry moves. */
static inline uint64_t ring_bytes_of(const struct ring *ring, uint32_t index)
{
	const struct doca_sqe *sqe = &ring->sqes[index & ring->sq_mask];
	uint64_t bytes = 0;
	uint32_t i;

	if (!(sqe->flags & DOCA_SQE_SRC_LIST))
		return sqe->src.length;
	for (i = 0; i < sqe->src.length; i++)
		bytes += ring->segs[sqe->src.address + i].length;
	return bytes;
}

/*
 * Return how many bytes the executor moves before it takes another entry: those of its last
 * entry, which may be in progress, and of the next one. A newer entry may already be in the
 * slot of the last one and be counted instead.
 */
static inline uint64_t ring_bytes(const struct ring *ring, uint32_t taken)
{
	return ring_bytes_of(ring, taken - 1) + ring_bytes_of(ring, taken);
}

/* Return true if the executor has not taken all entries. All must be announced. */
static inline bool ring_unconsumed(const struct ring *ring)
{
	uint32_t written = ring->sq_base + (ring->sqe - ring->sqes);

	return ring_consumed(ring) != written;
}

/* Return true if the next completion is there. It stays until ring_release(). */
static inline bool ring_has(const struct ring *ring,
			    const struct doca_cqe *next)
{
	return __atomic_load_n(&next->phase, __ATOMIC_ACQUIRE) == /* C */
	       ring->cq_phase;
}

/* Return the oldest completion, or NULL. */
static inline const struct doca_cqe *ring_peek(const struct ring *ring)
{
	const struct doca_cqe *next = ring->cqe;

	return ring_has(ring, next) ? next : NULL;
}

/* Give back the completion that ring_peek() returned. */
static inline void ring_release(struct ring *ring)
{
	const struct doca_cqe *next = ring->cqe + 1;
	uint32_t head = ++ring->cq_head;

	if (doca_unlikely(next == ring->cqe_end)) {
		next = ring->cqes;
		ring->cq_phase = DOCA_RING_PHASE(head, ring->cq_order);
	}
	ring->cqe = next;
	__atomic_store_n(&ring->user->cq_head, head, __ATOMIC_RELEASE); /* D */
}

/*
 * Ask for a wake-up at the next completion. Return true if there is a
 * completion already; then the wake-up may or may not come.
 */
static inline bool ring_arm(struct ring *ring)
{
	__atomic_store_n(&ring->user->notify_at, ring->cq_head + 1,
			 __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* E */
	return ring_peek(ring);
}

/* A poll after a change of state sees all completions from before it. */
static inline enum doca_queue_state ring_state(const struct ring *ring)
{
	return __atomic_load_n(&ring->kernel->state, __ATOMIC_ACQUIRE); /* G */
}

/* Tells nothing of completions: the executor may not know yet that the queue is dead. */
static inline bool ring_dead(const struct ring *ring)
{
	return __atomic_load_n(&ring->kernel->dead, __ATOMIC_RELAXED);
}

#endif /* DOCA_CORE_RING_H */
