// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Streams go through linear memory, piece by piece. */
#include <linux/limits.h>
#include <linux/minmax.h>

#include "stage.h"

/* Remote memory is not reached. */
static u32 doca_stage_status(u32 status)
{
	return status == DOCA_STATUS_START ? DOCA_STATUS_NOT_SUPPORTED : status;
}

/* Whatever is wrong with the sides is found before the first byte is read. */
u32 doca_stage_begin(struct doca_queue *queue, struct doca_op *op,
		     struct doca_stage *stage)
{
	u32 status = doca_stage_status(doca_bytes_load(queue, op));

	if (status)
		return status;
	if (op->src.length > DOCA_OP_MAX_LENGTH)
		return DOCA_STATUS_BAD_LENGTH;
	op->length = op->src.length;
	stage->at = 0;
	stage->left = 0;
	return DOCA_STATUS_SUCCESS;
}

u32 doca_stage_fill(struct doca_queue *queue, struct doca_op *op,
		    struct doca_stage *stage, u32 max)
{
	u32 length = min_t(u64, max, doca_stage_unread(op, stage));
	u32 status;

	if (stage->left)
		return DOCA_STATUS_SUCCESS;
	status = doca_bytes_read(queue, &op->src, stage->bytes, length);
	if (status)
		return doca_stage_status(status);
	stage->at = 0;
	stage->left = length;
	return DOCA_STATUS_SUCCESS;
}

void doca_stage_consume(struct doca_op *op, struct doca_stage *stage, u32 left)
{
	op->result[1] += (u64)stage->left - left;
	stage->at += stage->left - left;
	stage->left = left;
}

/* The completion has 32 bits for the length. */
u32 doca_stage_put(struct doca_queue *queue, struct doca_op *op,
		   const void *bytes, u32 length)
{
	u64 room = min_t(u64, op->dst.length, U32_MAX) - op->done;
	u32 fits = min_t(u64, length, room);
	u32 status = doca_bytes_write(queue, &op->dst, bytes, fits);

	/* Some of it may have been written. */
	op->done = doca_bytes_passed(&op->dst);
	if (status)
		return doca_stage_status(status);
	return fits < length ? DOCA_STATUS_NO_SPACE : DOCA_STATUS_SUCCESS;
}
