// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* DEFLATE: compress the source, and sum it up. It ends with one final block. */
#include <linux/limits.h>
#include <linux/string.h>

#include "algo.h"
#include "algo/adler32.h"
#include "flight.h"
#include "ops.h"
#include "stage.h"

#define DOCA_DEFLATE_LEVEL 9
/* Levels from which on each byte may be searched for long, and for longest. */
#define DOCA_DEFLATE_LONG 4
#define DOCA_DEFLATE_LONGEST 7

struct doca_deflate_work {
	u64 run[DOCA_DEFLATE_RUN / sizeof(u64)];
	u32 crc32;
	u32 adler32;
	struct doca_stage stage;
	u8 out[DOCA_STAGE_SIZE];
};

static u32 doca_deflate_status(enum doca_algo_result result)
{
	switch (result) {
	case DOCA_ALGO_END:
		return DOCA_STATUS_SUCCESS;
	case DOCA_ALGO_BAD:
		return DOCA_STATUS_FAILED;
	default:
		return DOCA_STATUS_AGAIN;
	}
}

static u32 doca_deflate_piece(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_deflate_work *work = doca_queue_workspace(queue);
	struct doca_stage *stage = &work->stage;
	const u8 *in = doca_stage_at(stage);
	struct doca_algo_io io = {
		.in = in,
		.in_left = stage->left,
		.out = work->out,
		.out_left = sizeof(work->out),
	};
	bool last = !doca_stage_unread(op, stage);
	enum doca_algo_result result = doca_algo_deflate(work->run, &io, last);
	u32 length = stage->left - io.in_left;

	work->crc32 = doca_algo_crc32(work->crc32, in, length);
	work->adler32 = doca_algo_adler32(work->adler32, in, length);
	doca_stage_consume(op, stage, io.in_left);
	return doca_stage_put(queue, op, work->out,
			      sizeof(work->out) - io.out_left) ?:
	       doca_deflate_status(result);
}

/* Bytes that a step reads. */
static u32 doca_deflate_max(u32 level)
{
	if (level >= DOCA_DEFLATE_LONGEST)
		return SZ_1K;
	return level >= DOCA_DEFLATE_LONG ? SZ_4K : SZ_32K;
}

static u32 doca_deflate_step(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_deflate_work *work = doca_queue_workspace(queue);
	u32 max = doca_deflate_max(op->sqe.deflate.level);
	u32 status;

	status = doca_stage_fill(queue, op, &work->stage, max) ?:
		 doca_deflate_piece(queue, op);
	if (!status)
		op->result[0] = work->crc32 | (u64)work->adler32 << 32;
	return status;
}

static u32 doca_deflate_prepare(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe_deflate *deflate = &op->sqe.deflate;
	struct doca_deflate_work *work = doca_queue_workspace(queue);
	u32 status;

	if (memchr_inv(deflate->zero, 0, sizeof(deflate->zero)))
		return DOCA_STATUS_BAD_ENTRY;
	if (deflate->level > DOCA_DEFLATE_LEVEL)
		return DOCA_STATUS_NOT_SUPPORTED;
	status = doca_stage_begin(queue, op, &work->stage);
	if (status)
		return status;
	if (doca_algo_deflate_begin(work->run, deflate->level))
		return DOCA_STATUS_FAILED;
	work->crc32 = DOCA_CRC32_INIT;
	work->adler32 = DOCA_ADLER32_INIT;
	return DOCA_STATUS_AGAIN;
}

/* Levels. */
static u64 doca_deflate_variants(void)
{
	if (!doca_algo_has_deflate() || !doca_algo_has_sums())
		return 0;
	return (1ULL << (DOCA_DEFLATE_LEVEL + 1)) - 1;
}

const struct doca_op_type doca_op_deflate = {
	.name = "deflate",
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST,
	.nr_op = 1,
	.max_src = DOCA_OP_ANY,
	.max_dst = U32_MAX,
	.variants = doca_deflate_variants,
	.prepare = doca_deflate_prepare,
	.step = doca_deflate_step,
	.workspace = sizeof(struct doca_deflate_work),
};
