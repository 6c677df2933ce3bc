// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include "loop.h"
#include "msg.h"
#include "ring_way.h"

struct ring_run {
	struct ring_way *rw;
	struct ring ring;
};

static inline void fill_copy(struct ring_way *rw, struct doca_sqe *sqe)
{
	size_t offset = rw->slot * rw->load.size;
	uint32_t key = rw->domain->keys[rw->key];

	sqe->opcode = DOCA_OP_MEMCPY;
	sqe->src = (struct doca_seg){
		.key = key,
		.length = rw->load.size,
		.address = (uintptr_t)rw->way.area->src + offset,
	};
	sqe->dst = (struct doca_seg){
		.key = key,
		.length = rw->load.size,
		.address = (uintptr_t)rw->way.area->dst + offset,
	};
	if (++rw->slot == rw->slots)
		rw->slot = 0;
	if (++rw->key == rw->nr_keys)
		rw->key = 0;
}

static INLINED int submit(void *self, unsigned int n)
{
	struct ring_run *run = self;
	struct ring_way *rw = run->rw;

	while (n--) {
		struct doca_sqe *sqe = ring_get_sqe(&run->ring);

		/* Without a size it stays a NOP. */
		if (rw->load.size)
			fill_copy(rw, sqe);
	}
	if (ring_submit(&run->ring) && queue_enter(&rw->queue))
		return fail_errno(errno, "cannot enter a queue");
	return 0;
}

static INLINED int reap(void *self)
{
	struct ring_run *run = self;
	struct patience patience = { 0 };
	const struct doca_cqe *cqe;
	int n = 0;

	while (!(cqe = ring_peek(&run->ring)))
		if (patience_lost(&patience))
			return fail("no completion in %d seconds",
				    PATIENCE_SECONDS);
	do {
		if (cqe->status != DOCA_STATUS_SUCCESS)
			return fail("an operation failed with status %u",
				    cqe->status);
		ring_release(&run->ring);
		n++;
	} while ((cqe = ring_peek(&run->ring)));
	return n;
}

static int run_on_queue(struct ring_way *rw, struct meter *meter)
{
	struct ring_run run = { .rw = rw, .ring = rw->queue.ring };

	/* Do not measure the first operation, which wakes the worker. */
	if (submit(&run, 1) || reap(&run) < 0)
		return -1;
	return loop_run(&run, &rw->load, meter, submit, reap);
}

/* Open the queue for the run only: the worker would poll the queues of other ways, too. */
static int ring_run(struct way *way, struct meter *meter)
{
	struct ring_way *rw = container_of(way, struct ring_way, way);
	int ret;

	if (queue_open(&rw->queue, rw->domain, rw->worker_id, rw->load.depth))
		return -1;
	ret = run_on_queue(rw, meter);
	queue_close(&rw->queue);
	return ret;
}

static int ring_open(struct way *way, const struct load *load)
{
	struct ring_way *rw = container_of(way, struct ring_way, way);

	rw->load = *load;
	rw->slots = area_slots(way->area, load);
	rw->slot = 0;
	rw->key = 0;
	return 0;
}

const struct way ring_way_ops = {
	.open = ring_open,
	.run = ring_run,
};
