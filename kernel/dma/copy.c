// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * MEMCPY of a queue that has a DMA engine. The engine does what it can. The CPU does the
 * rest: parts that are short, not aligned, overlapping or not mapped; and everything that
 * the engine was given and did not do. So a copy ends as it does without an engine.
 */
#include "access.h"
#include "channel.h"
#include "copy.h"
#include "engine.h"
#include "flight.h"
#include "map.h"
#include "ops/memcpy.h"
#include "piece.h"

/* Limits of what the CPU may copy of a transfer: bytes, and the part of all. */
#define DOCA_COPY_UNALIGNED DOCA_OP_SMALL_LENGTH
#define DOCA_COPY_UNALIGNED_PART 8

/* This many in flight hide the overhead of each. */
#define DOCA_COPY_OPS 32

static struct doca_transfer *doca_transfer_of(struct doca_flight *flight)
{
	return (struct doca_transfer *)flight->private;
}

static struct doca_lane *doca_queue_lane(const struct doca_queue *queue)
{
	return doca_queue_space(queue, DOCA_OP_MEMCPY);
}

/* Return true if two checked segments have bytes in common, or may have. */
static bool doca_copy_segs_overlap(const struct doca_seg *src,
				   const struct doca_mapping *from,
				   const struct doca_seg *dst,
				   const struct doca_mapping *to)
{
	return from->memory == to->memory &&
	       src->address < dst->address + dst->length &&
	       dst->address < src->address + src->length;
}

/* Resolve each segment's key for each segment of the other side. */
static bool doca_copy_overlaps(struct doca_queue *queue,
			       const struct doca_op *op)
{
	const struct doca_mapping *from, *to;
	u32 i, k;

	for (i = 0; i < op->src.nr; i++) {
		if (doca_op_resolve(queue, &op->src.segs[i],
				    DOCA_ACCESS_LOCAL_READ, &from))
			return true;
		for (k = 0; k < op->dst.nr; k++)
			if (doca_op_resolve(queue, &op->dst.segs[k],
					    DOCA_ACCESS_LOCAL_WRITE, &to) ||
			    doca_copy_segs_overlap(&op->src.segs[i], from,
						   &op->dst.segs[k], to))
				return true;
	}
	return false;
}

/* Return true if all of a side is mapped for the queue's engine. */
static bool doca_copy_is_mapped(struct doca_queue *queue,
				const struct doca_op_side *side)
{
	const struct doca_engine *engine = doca_queue_lane(queue)->engine;
	const struct doca_mapping *mapping;
	u32 i;

	for (i = 0; i < side->nr; i++)
		if (doca_op_resolve(queue, &side->segs[i], 0, &mapping) ||
		    !doca_dmamap_is_for(mapping->dma, engine))
			return false;
	return true;
}

/* Return true if the engine shall do it. The copy was checked, and all of its keys are valid. */
static bool doca_copy_suits(struct doca_queue *queue, const struct doca_op *op)
{
	const struct doca_engine *engine = doca_queue_lane(queue)->engine;
	u64 unaligned;

	if (!op->length || op->length < READ_ONCE(engine->min_length) ||
	    !doca_engine_is_ready(engine))
		return false;
	unaligned = doca_engine_unaligned(engine, op);
	if (unaligned > DOCA_COPY_UNALIGNED ||
	    unaligned > op->length / DOCA_COPY_UNALIGNED_PART)
		return false;
	return doca_copy_is_mapped(queue, &op->src) &&
	       doca_copy_is_mapped(queue, &op->dst) &&
	       !doca_copy_overlaps(queue, op);
}

static u32 doca_copy_prepare_dma(struct doca_queue *queue, struct doca_op *op)
{
	u32 status;

	status = doca_copy_load(queue, op) ?: doca_copy_check(queue, op);
	if (status)
		return status;
	return doca_copy_suits(queue, op) ? DOCA_STATUS_START :
					    doca_copy_begin(queue, op);
}

static u32 doca_copy_start(struct doca_queue *queue, struct doca_flight *flight)
{
	struct doca_transfer *transfer = doca_transfer_of(flight);
	u32 status;

	status = doca_copy_use(queue, flight);
	if (status)
		return status;
	*transfer = (struct doca_transfer){
		.flight = flight,
		.lane = doca_flight_space(flight),
	};
	INIT_LIST_HEAD(&transfer->node);
	doca_channel_start(transfer);
	return DOCA_STATUS_PENDING;
}

static bool doca_copy_recall(struct doca_flight *flight)
{
	return doca_channel_recall(doca_transfer_of(flight));
}

static u32 doca_copy_finish(struct doca_queue *queue, struct doca_flight *flight)
{
	struct doca_transfer *transfer = doca_transfer_of(flight);
	struct doca_op *op = &flight->op;

	if (!transfer->redo)
		return DOCA_STATUS_SUCCESS;
	if (!transfer->begun) {
		transfer->begun = true;
		op->src.index = 0;
		op->src.offset = 0;
		op->dst.index = 0;
		op->dst.offset = 0;
		op->done = 0;
		atomic64_inc(&transfer->lane->engine->stats.redone);
	}
	return doca_copy_step(queue, op);
}

bool doca_copy_has_engine(const struct doca_queue *queue)
{
	return queue->types[DOCA_OP_MEMCPY] == &doca_op_memcpy_dma &&
	       queue->pool && doca_queue_lane(queue);
}

u64 doca_copy_engine_bytes(const struct doca_queue *queue)
{
	return atomic64_read(&doca_queue_lane(queue)->bytes);
}

static void doca_copy_issue(void *space)
{
	struct doca_lane *lane = space;

	doca_channel_begin(&lane->engine->channel);
}

static int doca_copy_open(void *space, const struct doca_op_args *args)
{
	struct doca_lane *lane = space;

	doca_engine_get(args->engine);
	lane->engine = args->engine;
	INIT_LIST_HEAD(&lane->node);
	INIT_LIST_HEAD(&lane->behind);
	RB_CLEAR_NODE(&lane->by_user);
	INIT_LIST_HEAD(&lane->transfers);
	return 0;
}

static void doca_copy_close(void *space)
{
	struct doca_lane *lane = space;

	doca_engine_put(lane->engine);
}

/* The cost is that of reading lists of segments, and of a few descriptors. */
const struct doca_op_type doca_op_memcpy_dma = {
	.name = "memcpy",
	.remote = DOCA_REMOTE_MOVED,
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST,
	.max_src = DOCA_OP_ANY,
	.max_dst = DOCA_OP_ANY,
	.max_ops = DOCA_COPY_OPS,
	.cost = SZ_4K,
	.prepare = doca_copy_prepare_dma,
	.step = doca_copy_step,
	.start = doca_copy_start,
	.recall = doca_copy_recall,
	.finish = doca_copy_finish,
	.issue = doca_copy_issue,
	.private = sizeof(struct doca_transfer),
	.space = sizeof(struct doca_lane),
	.open = doca_copy_open,
	.close = doca_copy_close,
};
