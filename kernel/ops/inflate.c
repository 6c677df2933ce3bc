// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * INFLATE: decompress one stream of DEFLATE, and sum up what comes out. A step ends with a
 * piece of input or of output, so that neither a long stream nor one that expands to much
 * holds others up.
 */
#include <linux/limits.h>

#include "algo.h"
#include "algo/adler32.h"
#include "flight.h"
#include "ops.h"
#include "stage.h"

/*
 * Maximum bytes of a step: of input, of which each few may be a block with tables of its own,
 * and of output.
 */
#define DOCA_INFLATE_IN SZ_4K
#define DOCA_INFLATE_OUT SZ_16K

struct doca_inflate_work {
	u64 run[DOCA_INFLATE_RUN / sizeof(u64)];
	u32 crc32;
	u32 adler32;
	struct doca_stage stage;
	u8 out[DOCA_INFLATE_OUT];
};

/* Data ends where the source does, at the latest. */
static u32 doca_inflate_status(const struct doca_op *op,
			       const struct doca_stage *stage,
			       enum doca_algo_result result)
{
	if (result == DOCA_ALGO_END)
		return DOCA_STATUS_SUCCESS;
	if (result == DOCA_ALGO_FULL ||
	    (result == DOCA_ALGO_MORE && doca_stage_unread(op, stage)))
		return DOCA_STATUS_AGAIN;
	return DOCA_STATUS_DATA;
}

static u32 doca_inflate_piece(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_inflate_work *work = doca_queue_workspace(queue);
	struct doca_stage *stage = &work->stage;
	struct doca_algo_io io = {
		.in = doca_stage_at(stage),
		.in_left = stage->left,
		.out = work->out,
		.out_left = sizeof(work->out),
	};
	enum doca_algo_result result = doca_algo_inflate(work->run, &io);
	u32 length = sizeof(work->out) - io.out_left;

	doca_stage_consume(op, stage, io.in_left);
	work->crc32 = doca_algo_crc32(work->crc32, work->out, length);
	work->adler32 = doca_algo_adler32(work->adler32, work->out, length);
	return doca_stage_put(queue, op, work->out, length) ?:
	       doca_inflate_status(op, stage, result);
}

static u32 doca_inflate_step(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_inflate_work *work = doca_queue_workspace(queue);
	u32 status;

	status = doca_stage_fill(queue, op, &work->stage, DOCA_INFLATE_IN) ?:
		 doca_inflate_piece(queue, op);
	if (!status)
		op->result[0] = work->crc32 | (u64)work->adler32 << 32;
	return status;
}

static u32 doca_inflate_prepare(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_inflate_work *work = doca_queue_workspace(queue);
	u32 status = doca_stage_begin(queue, op, &work->stage);

	if (status)
		return status;
	if (doca_algo_inflate_begin(work->run))
		return DOCA_STATUS_FAILED;
	work->crc32 = DOCA_CRC32_INIT;
	work->adler32 = DOCA_ADLER32_INIT;
	return DOCA_STATUS_AGAIN;
}

static u64 doca_inflate_variants(void)
{
	return doca_algo_has_inflate() && doca_algo_has_sums();
}

const struct doca_op_type doca_op_inflate = {
	.name = "inflate",
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST,
	.max_src = DOCA_OP_ANY,
	.max_dst = U32_MAX,
	.variants = doca_inflate_variants,
	.prepare = doca_inflate_prepare,
	.step = doca_inflate_step,
	.workspace = sizeof(struct doca_inflate_work),
};
