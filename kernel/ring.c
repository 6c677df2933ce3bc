// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The layout of rings, and their memory. */
#include <linux/align.h>
#include <linux/build_bug.h>
#include <linux/log2.h>
#include <linux/mm.h>

#include "ring.h"

static bool doca_ring_size_valid(u32 entries)
{
	return is_power_of_2(entries) && entries <= DOCA_RING_MAX_ENTRIES;
}

int doca_ring_size(struct doca_queue_create *arg)
{
	static_assert(sizeof(struct doca_sqe) == 64);
	static_assert(sizeof(struct doca_cqe) == 32);
	static_assert(sizeof(struct doca_seg) == 16);
	/* Entries follow the heads, on lines of their own. */
	static_assert(sizeof(struct doca_ring_user) % DOCA_RING_LINE == 0);
	static_assert(sizeof(struct doca_ring_kernel) % DOCA_RING_LINE == 0);
	/* Phases stay regular when a u32 index wraps. */
	static_assert(DOCA_RING_MAX_ENTRIES <= 1 << 17);

	if (!doca_ring_size_valid(arg->sq_entries) ||
	    !doca_ring_size_valid(arg->cq_entries) ||
	    arg->cq_entries < arg->sq_entries ||
	    arg->nr_segments > DOCA_RING_MAX_SEGMENTS)
		return -EINVAL;

	arg->out_sq_off = sizeof(struct doca_ring_user);
	arg->out_send_off = ALIGN(arg->out_sq_off +
					  arg->sq_entries * sizeof(struct doca_sqe),
				  DOCA_RING_LINE);
	/* The table is last: its pages come when they are touched. */
	arg->out_seg_off =
		ALIGN(arg->out_send_off + arg->send_slots * arg->slot_size,
		      DOCA_RING_LINE);
	arg->out_user_size =
		PAGE_ALIGN(arg->out_seg_off +
			   arg->nr_segments * sizeof(struct doca_seg));
	arg->out_cq_off = sizeof(struct doca_ring_kernel);
	arg->out_event_off =
		ALIGN(arg->out_cq_off +
			      arg->cq_entries * sizeof(struct doca_cqe),
		      DOCA_RING_LINE);
	arg->out_recv_off = arg->out_event_off +
			    arg->inbox_entries * sizeof(struct doca_event);
	arg->out_kernel_size = PAGE_ALIGN(arg->out_recv_off +
					  arg->recv_slots * arg->slot_size);
	return 0;
}

int doca_ring_alloc(struct doca_ring *ring, const struct doca_queue_create *arg)
{
	int rc;

	rc = doca_area_alloc(&ring->user, arg->out_user_size, arg->out_seg_off);
	if (rc)
		return rc;
	rc = doca_area_alloc(&ring->kernel, arg->out_kernel_size,
			     arg->out_kernel_size);
	if (rc) {
		doca_area_free(&ring->user);
		return rc;
	}

	ring->u = ring->user.addr;
	ring->sq = ring->user.addr + arg->out_sq_off;
	ring->seg_off = arg->out_seg_off;
	ring->k = ring->kernel.addr;
	ring->cq = ring->kernel.addr + arg->out_cq_off;
	ring->sq_entries = arg->sq_entries;
	ring->cq_entries = arg->cq_entries;
	ring->nr_segments = arg->nr_segments;
	ring->sqe = ring->sq;
	ring->sqe_end = ring->sq + ring->sq_entries;
	ring->sq_phase = DOCA_RING_PHASE(0, 0);
	ring->cqe = ring->cq;
	ring->cqe_end = ring->cq + ring->cq_entries;
	ring->cq_phase = DOCA_RING_PHASE(0, 0);
	return 0;
}

void doca_ring_free(struct doca_ring *ring)
{
	doca_area_free(&ring->kernel);
	doca_area_free(&ring->user);
}

static bool doca_ring_sq_has(const struct doca_ring *ring, u32 index)
{
	const struct doca_sqe *sqe = &ring->sq[index & (ring->sq_entries - 1)];

	return READ_ONCE(sqe->phase) ==
	       DOCA_RING_PHASE(index, ilog2(ring->sq_entries));
}

u32 doca_ring_sq_waiting(const struct doca_ring *ring, u32 head)
{
	u32 there, absent = ring->sq_entries;

	if (!doca_ring_sq_has(ring, head))
		return 0;
	for (there = 1; there < absent;) {
		u32 middle = there + (absent - there) / 2;

		if (doca_ring_sq_has(ring, head + middle))
			there = middle + 1;
		else
			absent = middle;
	}
	return there;
}

size_t doca_ring_bytes(const struct doca_ring *ring)
{
	return (size_t)(ring->user.nr_pages + ring->kernel.nr_pages)
	       << PAGE_SHIFT;
}
