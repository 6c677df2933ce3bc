// SPDX-License-Identifier: GPL-2.0
/* The table of operations. */
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/string.h>

#include "op.h"

static u32 doca_nop_prepare(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;

	if (sqe->flags || memchr_inv(&sqe->src, 0, sizeof(sqe->src)) ||
	    memchr_inv(&sqe->dst, 0, sizeof(sqe->dst)) || sqe->op[0] ||
	    sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_nop_step(struct doca_queue *queue, struct doca_op *op)
{
	return DOCA_STATUS_SUCCESS;
}

static const struct doca_op_type doca_op_nop = {
	.prepare = doca_nop_prepare,
	.step = doca_nop_step,
};

static const struct doca_op_type *const doca_op_table[DOCA_OP_LAST] = {
	[DOCA_OP_NOP] = &doca_op_nop,
	[DOCA_OP_MEMCPY] = &doca_op_memcpy,
};

/* NULL if the opcode is not known. */
const struct doca_op_type *doca_op_type(u16 opcode)
{
	if (opcode >= DOCA_OP_LAST)
		return NULL;
	return doca_op_table[array_index_nospec(opcode, DOCA_OP_LAST)];
}
