/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's side of the rings: consumer of submissions, producer of
 * completions.
 *
 * Everything in the user's area can change at any time. So each word of it is
 * read once, into a private copy, which is checked and then used; and what the
 * kernel has written itself it never reads back. The layout is in uapi/linux/doca.h.
 *
 * Barriers; the user's side has the same letters:
 *
 *  A  user: write entry, store-release sq_tail
 *     kernel: load-acquire sq_tail, read entry
 *  B  user: store sq_tail, full barrier, load need_wakeup
 *     kernel: store need_wakeup, full barrier, load sq_tail; then sleep
 *  C  kernel: write entry, store-release cq_tail
 *     user: load-acquire cq_tail, read entry
 *  D  user: read entry, store-release cq_head
 *     kernel: load-acquire cq_head, write entry
 *  E  user: store notify_at, full barrier, load cq_tail; then poll
 *     kernel: store cq_tail, full barrier, load notify_at; then wake
 *  F  kernel: read entry, store-release sq_head
 *     user: load-acquire sq_head, write entry
 */
#ifndef DOCA_RING_H
#define DOCA_RING_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/barrier.h>

#include <linux/doca.h>

struct page;
struct vm_area_struct;

/* One of the two areas: pages, mapped into the kernel and into user space. */
struct doca_area {
	struct page **pages;
	unsigned int nr_pages;
	void *addr;
};

/**
 * struct doca_ring - both rings of a queue
 * @user: the area that user space writes
 * @kernel: the area that user space only reads
 * @u: head of @user
 * @k: head of @kernel
 * @sq: submission entries, in @user
 * @segs: segment table, in @user
 * @cq: completion entries, in @kernel
 * @sq_entries: size of @sq
 * @cq_entries: size of @cq
 * @nr_segments: size of @segs
 * @sq_head: entries consumed
 * @cq_tail: completions written
 * @cq_published: completions that user space has been told of
 * @cq_head: completions reaped, as last read and found possible
 */
struct doca_ring {
	struct doca_ring_user *u;
	struct doca_ring_kernel *k;
	struct doca_sqe *sq;
	struct doca_seg *segs;
	struct doca_cqe *cq;
	u32 sq_entries;
	u32 cq_entries;
	u32 nr_segments;

	u32 sq_head;
	u32 cq_tail;
	u32 cq_published;
	u32 cq_head;

	struct doca_area user;
	struct doca_area kernel;
};

#define DOCA_RING_MAX_ENTRIES 32768U
#define DOCA_RING_MAX_SEGMENTS 1048576U

/* Fills in offsets and sizes; -EINVAL if the numbers of entries are impossible. */
int doca_ring_size(struct doca_queue_create *arg);
int doca_ring_alloc(struct doca_ring *ring, const struct doca_queue_create *arg);
void doca_ring_free(struct doca_ring *ring);
size_t doca_ring_bytes(const struct doca_ring *ring);
int doca_area_mmap(const struct doca_area *area, struct vm_area_struct *vma);

/* Submissions that wait; more than sq_entries if the index is impossible. */
static inline u32 doca_ring_sq_avail(const struct doca_ring *ring)
{
	return smp_load_acquire(&ring->u->sq_tail) - ring->sq_head; /* A */
}

/* Copy the next entry and free its slot. */
static inline void doca_ring_sq_get(struct doca_ring *ring,
				    struct doca_sqe *sqe)
{
	const u64 *from = (u64 *)&ring->sq[ring->sq_head &
					   (ring->sq_entries - 1)];
	u64 *to = (u64 *)sqe;
	unsigned int i;

	for (i = 0; i < sizeof(*sqe) / sizeof(u64); i++)
		to[i] = READ_ONCE(from[i]);
	ring->sq_head++;
}

static inline struct doca_seg doca_ring_get_seg(const struct doca_ring *ring,
						u32 index)
{
	const struct doca_seg *seg = &ring->segs[index];

	return (struct doca_seg){
		.key = READ_ONCE(seg->key),
		.length = READ_ONCE(seg->length),
		.address = READ_ONCE(seg->address),
	};
}

/* Completions that user space has not reaped; again possibly impossible. */
static inline u32 doca_ring_cq_used(const struct doca_ring *ring)
{
	return ring->cq_tail - smp_load_acquire(&ring->u->cq_head); /* D */
}

/* There must be a free slot. */
static inline void doca_ring_cq_put(struct doca_ring *ring, u64 user_data,
				    u32 status, u32 length)
{
	struct doca_cqe *cqe = &ring->cq[ring->cq_tail &
					 (ring->cq_entries - 1)];

	cqe->user_data = user_data;
	cqe->status = status;
	cqe->length = length;
	ring->cq_tail++;
}

/*
 * Tell user space what was consumed and completed since the last time. Returns
 * whether it wants to be woken.
 */
static inline bool doca_ring_publish(struct doca_ring *ring)
{
	u32 old = ring->cq_published;
	u32 tail = ring->cq_tail;
	u32 notify_at;

	smp_store_release(&ring->k->sq_head, ring->sq_head); /* F */
	if (tail == old)
		return false;
	smp_store_release(&ring->k->cq_tail, tail); /* C */
	ring->cq_published = tail;
	smp_mb(); /* E */
	notify_at = READ_ONCE(ring->u->notify_at);
	return tail - notify_at < tail - old;
}

#endif
