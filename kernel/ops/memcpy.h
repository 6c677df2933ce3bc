/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Small copies, in line where most entries go by. */
#ifndef DOCA_OPS_MEMCPY_H
#define DOCA_OPS_MEMCPY_H

#include "access.h"
#include "poison.h"

/* From one segment to another, with nothing else said, in a queue that has this opcode for it. */
static inline bool doca_copy_is_plain(const struct doca_sqe *sqe, u32 opcode)
{
	return sqe->opcode == opcode &&
	       !(sqe->flags | sqe->aux | sqe->op[0] | sqe->op[1]);
}

/*
 * Most copies are small, of one segment to another, and each of these is
 * contiguous: nothing is set up for steps. DOCA_STATUS_AGAIN if it is not such
 * a copy: of memory that the CPU does not reach nothing is contiguous.
 */
static __always_inline u32 doca_copy_small(struct doca_queue *queue,
					   struct doca_op *op)
{
	const struct doca_seg *src = &op->sqe.src;
	const struct doca_seg *dst = &op->sqe.dst;
	const struct doca_mapping *from, *to;
	u32 length, rest;
	u32 status;

	if (src->length > dst->length || src->length > DOCA_OP_SMALL_LENGTH)
		return DOCA_STATUS_AGAIN;
	status = __doca_op_resolve(queue, src, DOCA_ACCESS_LOCAL_READ, &from);
	if (status)
		return status;
	status = __doca_op_resolve(queue, dst, DOCA_ACCESS_LOCAL_WRITE, &to);
	if (status)
		return status;
	length = src->length;
	if (!doca_chunks_are_one(from->chunks, src->address, length) ||
	    !doca_chunks_are_one(to->chunks, dst->address, length))
		return DOCA_STATUS_AGAIN;
	rest = doca_poison_copy(doca_mapping_at(to, dst->address),
				doca_mapping_at(from, src->address), length);
	op->done = length - rest;
	return unlikely(rest) ? DOCA_STATUS_BAD_MEMORY : DOCA_STATUS_SUCCESS;
}

#endif
