// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * LZ4: decompress blocks as they are in a frame, or a bare one, and sum up what comes out.
 * Two pieces of output take turns: matches refer to the one before, and nothing is moved.
 */
#include <linux/bits.h>
#include <linux/limits.h>

#include "algo.h"
#include "algo/lz4.h"
#include "flight.h"
#include "ops.h"
#include "stage.h"

/* LZ4 takes about as long as a copy of so many times its bytes. */
#define DOCA_LZ4_COST 2

/**
 * struct doca_lz4_work - an operation
 * @lz4: the decoder
 * @xxh32: sum of the output
 * @crc32: likewise
 * @turn: number of the piece of output that is being written
 * @used: bytes of it that are
 * @stage: piece of input
 * @out: pieces of output
 */
struct doca_lz4_work {
	struct doca_lz4 lz4;
	struct doca_xxh32 xxh32;
	u32 crc32;
	u32 turn;
	u32 used;
	struct doca_stage stage;
	u8 out[2][DOCA_LZ4_HISTORY];
};

/* The source may end between blocks. */
static u32 doca_lz4_status(const struct doca_op *op,
			   const struct doca_lz4_work *work,
			   enum doca_lz4_result result)
{
	switch (result) {
	case DOCA_LZ4_END:
		return DOCA_STATUS_SUCCESS;
	case DOCA_LZ4_FULL:
		return DOCA_STATUS_AGAIN;
	case DOCA_LZ4_MORE:
		if (doca_stage_unread(op, &work->stage))
			return DOCA_STATUS_AGAIN;
		return doca_lz4_may_end(&work->lz4) ? DOCA_STATUS_SUCCESS :
						      DOCA_STATUS_DATA;
	case DOCA_LZ4_BAD_SUM:
		return DOCA_STATUS_CHECKSUM;
	default:
		return DOCA_STATUS_DATA;
	}
}

/* Sum up and write what the decoder has put behind @used. */
static u32 doca_lz4_put(struct doca_queue *queue, struct doca_op *op,
			const u8 *bytes, u32 length)
{
	struct doca_lz4_work *work = doca_queue_workspace(queue);

	work->crc32 = doca_algo_crc32(work->crc32, bytes, length);
	doca_xxh32_update(&work->xxh32, bytes, length);
	work->used += length;
	if (work->used == DOCA_LZ4_HISTORY) {
		work->used = 0;
		work->turn++;
	}
	return doca_stage_put(queue, op, bytes, length);
}

static u32 doca_lz4_piece(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_lz4_work *work = doca_queue_workspace(queue);
	struct doca_stage *stage = &work->stage;
	u8 *start = work->out[work->turn % 2];
	u8 *out = start + work->used;
	struct doca_lz4_io io = {
		.in = doca_stage_at(stage),
		.in_end = doca_stage_at(stage) + stage->left,
		.out = out,
		.out_end = start + DOCA_LZ4_HISTORY,
		.start = start,
		.past = work->out[(work->turn + 1) % 2],
		.past_size = work->turn ? DOCA_LZ4_HISTORY : 0,
	};
	enum doca_lz4_result result = doca_lz4_run(&work->lz4, &io);

	doca_stage_consume(op, stage, io.in_end - io.in);
	return doca_lz4_put(queue, op, out, io.out - out) ?:
	       doca_lz4_status(op, work, result);
}

static u32 doca_lz4_step(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_lz4_work *work = doca_queue_workspace(queue);
	u32 status;

	status = doca_stage_fill(queue, op, &work->stage, DOCA_STAGE_SIZE) ?:
		 doca_lz4_piece(queue, op);
	if (!status)
		op->result[0] = work->crc32 |
				(u64)doca_xxh32_value(&work->xxh32) << 32;
	return status;
}

static u32 doca_lz4_begin_op(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_lz4_work *work = doca_queue_workspace(queue);
	const u32 framed = DOCA_SQE_LZ4_CHECKSUM | DOCA_SQE_LZ4_INDEPENDENT;
	u32 flags = op->sqe.flags;
	u32 status;

	if (flags & DOCA_SQE_LZ4_BLOCK && flags & framed)
		return DOCA_STATUS_BAD_ENTRY;
	status = doca_stage_begin(queue, op, &work->stage);
	if (status)
		return status;
	if (flags & DOCA_SQE_LZ4_BLOCK)
		doca_lz4_begin_bare(&work->lz4, op->length);
	else
		doca_lz4_begin(&work->lz4,
			       (flags & DOCA_SQE_LZ4_CHECKSUM ?
					DOCA_LZ4_CHECKSUM : 0) |
			       (flags & DOCA_SQE_LZ4_INDEPENDENT ?
					DOCA_LZ4_INDEPENDENT : 0));
	doca_xxh32_init(&work->xxh32);
	work->crc32 = DOCA_CRC32_INIT;
	work->turn = 0;
	work->used = 0;
	return DOCA_STATUS_SUCCESS;
}

/* A small one takes three steps at most: the last bytes of both sides may come apart. */
static u32 doca_lz4_prepare(struct doca_queue *queue, struct doca_op *op)
{
	u32 status = doca_lz4_begin_op(queue, op);

	if (status)
		return status;
	if (op->length > DOCA_OP_SMALL_LENGTH ||
	    op->dst.length > DOCA_OP_SMALL_LENGTH)
		return DOCA_STATUS_AGAIN;
	do
		status = doca_lz4_step(queue, op);
	while (status == DOCA_STATUS_AGAIN);
	op->cost = (op->result[1] + op->done) * DOCA_LZ4_COST;
	return status;
}

/* Whether blocks are framed, or one is bare. */
static u64 doca_lz4_variants(void)
{
	return doca_algo_has_sums() ? BIT_ULL(0) | BIT_ULL(1) : 0;
}

const struct doca_op_type doca_op_lz4 = {
	.name = "lz4",
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST | DOCA_SQE_LZ4_BLOCK |
		 DOCA_SQE_LZ4_CHECKSUM | DOCA_SQE_LZ4_INDEPENDENT,
	.max_src = DOCA_OP_ANY,
	.max_dst = U32_MAX,
	.variants = doca_lz4_variants,
	.prepare = doca_lz4_prepare,
	.step = doca_lz4_step,
	.workspace = sizeof(struct doca_lz4_work),
};
