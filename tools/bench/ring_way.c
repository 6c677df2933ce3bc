// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include "clock.h"
#include "msg.h"
#include "ring_way.h"

/* All in one function, so that it keeps the ring's indices in registers. */
#define INLINED inline __attribute__((always_inline))

static inline void fill_copy(struct ring_way *rw, struct doca_sqe *sqe)
{
	size_t offset = rw->slot * rw->load.size;
	uint32_t key = rw->domain->keys[rw->key];

	sqe->opcode = DOCA_OP_MEMCPY;
	sqe->src = (struct doca_seg){
		.key = key,
		.length = rw->load.size,
		.address = (uintptr_t)rw->area->src + offset,
	};
	sqe->dst = (struct doca_seg){
		.key = key,
		.length = rw->load.size,
		.address = (uintptr_t)rw->area->dst + offset,
	};
	if (++rw->slot == rw->slots)
		rw->slot = 0;
	if (++rw->key == rw->nr_keys)
		rw->key = 0;
}

static INLINED int submit(struct ring_way *rw, struct ring *ring,
			  unsigned int n)
{
	while (n--) {
		struct doca_sqe *sqe = ring_get_sqe(ring);

		/* Without a size it stays a NOP. */
		if (rw->load.size)
			fill_copy(rw, sqe);
	}
	if (ring_submit(ring) && queue_enter(&rw->queue))
		return fail_errno(errno, "cannot enter a queue");
	return 0;
}

/* At least one completion; how many there were, or -1. */
static INLINED int reap(struct ring *ring)
{
	struct patience patience = { 0 };
	const struct doca_cqe *cqe;
	int n = 0;

	while (!(cqe = ring_peek(ring)))
		if (patience_lost(&patience))
			return fail("no completion in %d seconds",
				    PATIENCE_SECONDS);
	do {
		if (cqe->status != DOCA_STATUS_SUCCESS)
			return fail("an operation failed with status %u",
				    cqe->status);
		ring_release(ring);
		n++;
	} while ((cqe = ring_peek(ring)));
	return n;
}

static INLINED int drain(struct ring *ring, int inflight)
{
	int n;

	for (; inflight; inflight -= n) {
		n = reap(ring);
		if (n < 0)
			return -1;
	}
	return 0;
}

/* As many are in flight again as completions are reaped. */
static INLINED int run_for(struct ring_way *rw, struct ring *ring,
			   double seconds, double *rate)
{
	unsigned int interval = clock_interval(rw->load.size);
	uint64_t done = 0, next = interval;
	double start, now;
	int n;

	start = clock_now();
	if (submit(rw, ring, rw->load.depth))
		return -1;
	for (;;) {
		n = reap(ring);
		if (n < 0)
			return -1;
		done += n;
		if (done >= next) {
			next = done + interval;
			now = clock_now();
			if (now - start >= seconds)
				break;
		}
		if (submit(rw, ring, n))
			return -1;
	}
	*rate = done / (now - start);
	return drain(ring, rw->load.depth - n);
}

static int ring_run(struct way *way, double seconds, double *rate)
{
	struct ring_way *rw = container_of(way, struct ring_way, way);
	struct ring ring = rw->queue.ring;
	int ret;

	/* The first wakes the worker, which is no part of the figure. */
	ret = submit(rw, &ring, 1) || drain(&ring, 1) ||
			      run_for(rw, &ring, seconds, rate) ?
		      -1 :
		      0;
	rw->queue.ring = ring;
	return ret;
}

static int ring_open(struct way *way, const struct load *load)
{
	struct ring_way *rw = container_of(way, struct ring_way, way);

	rw->load = *load;
	rw->slots = area_slots(rw->area, load);
	rw->slot = 0;
	rw->key = 0;
	return queue_open(&rw->queue, rw->domain, rw->worker_id, load->depth);
}

static void ring_close(struct way *way)
{
	struct ring_way *rw = container_of(way, struct ring_way, way);

	queue_close(&rw->queue);
}

const struct way ring_way_ops = {
	.open = ring_open,
	.run = ring_run,
	.close = ring_close,
};
