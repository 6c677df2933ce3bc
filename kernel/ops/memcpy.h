/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Small copies, inlined in the path that most entries take. */
#ifndef DOCA_OPS_MEMCPY_H
#define DOCA_OPS_MEMCPY_H

#include "access.h"
#include "poison.h"

struct doca_flight;

/*
 * Return true for a copy of one segment to another without flags; @opcode is the queue's
 * "plain" one.
 */
static inline bool doca_copy_is_plain(const struct doca_sqe *sqe, u32 opcode)
{
	return sqe->opcode == opcode &&
	       !(sqe->flags | sqe->aux | sqe->op[0] | sqe->op[1]);
}

/*
 * Most copies are small, of one segment to another, and both are contiguous: nothing is
 * set up for steps. Return DOCA_STATUS_AGAIN for all other copies: memory that the CPU
 * cannot reach is never contiguous, and file-backed memory is not plain.
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

/*
 * All other copies; exported for code that first tries to have them done elsewhere.
 * doca_copy_load() checks the entry, except for what the first step checks, and sets up
 * both sides; doca_copy_begin() begins; doca_copy_step() takes a further step.
 */
u32 doca_copy_load(struct doca_queue *queue, struct doca_op *op);
u32 doca_copy_begin(struct doca_queue *queue, struct doca_op *op);
u32 doca_copy_step(struct doca_queue *queue, struct doca_op *op);
/* Copy a piece between mappings; return the number of bytes that were not copied. */
u32 doca_copy_bytes(const struct doca_mapping *to, u64 dst,
		    const struct doca_mapping *from, u64 src, u32 length);
/* Return the segment at which a side is; there is more. */
const struct doca_seg *doca_copy_seg(struct doca_op_side *side);
/* Check keys, ranges and permissions of one side, or of both, as the first step does. */
u32 doca_copy_check_side(struct doca_queue *queue,
			 const struct doca_op_side *side, u32 access);
u32 doca_copy_check(struct doca_queue *queue, const struct doca_op *op);
/*
 * Like doca_copy_check(), and have the flight use the memory from then on: one mapping
 * for each segment.
 */
u32 doca_copy_use(struct doca_queue *queue, struct doca_flight *flight);

#endif
