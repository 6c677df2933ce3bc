// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * MEMCPY: copies between memory that the CPU reaches, chunk by chunk, and through a
 * stage if one side is of a kind that it does not reach.
 */
#include <linux/minmax.h>

#include "access.h"
#include "flight.h"
#include "memcpy.h"
#include "ops.h"

/* Resolve all segments of a side; @flight, if any, uses their memory from here on. */
static __always_inline u32 doca_copy_resolve(struct doca_queue *queue,
					     const struct doca_op_side *side,
					     u32 access,
					     struct doca_flight *flight)
{
	const struct doca_mapping *mapping;
	u32 status;
	u32 i;

	for (i = 0; i < side->nr; i++) {
		status = doca_op_resolve(queue, &side->segs[i], access,
					 &mapping);
		if (status)
			return status;
		if (flight)
			doca_flight_use(flight, mapping);
	}
	return DOCA_STATUS_SUCCESS;
}

u32 doca_copy_check_side(struct doca_queue *queue,
			 const struct doca_op_side *side, u32 access)
{
	return doca_copy_resolve(queue, side, access, NULL);
}

u32 doca_copy_check(struct doca_queue *queue, const struct doca_op *op)
{
	return doca_copy_check_side(queue, &op->src, DOCA_ACCESS_LOCAL_READ) ?:
	       doca_copy_check_side(queue, &op->dst, DOCA_ACCESS_LOCAL_WRITE);
}

u32 doca_copy_use(struct doca_queue *queue, struct doca_flight *flight)
{
	struct doca_op *op = &flight->op;

	return doca_copy_resolve(queue, &op->src, DOCA_ACCESS_LOCAL_READ,
				 flight) ?:
	       doca_copy_resolve(queue, &op->dst, DOCA_ACCESS_LOCAL_WRITE,
				 flight);
}

/* Skip segments that are used up. */
const struct doca_seg *doca_copy_seg(struct doca_op_side *side)
{
	while (side->offset == side->segs[side->index].length) {
		side->index++;
		side->offset = 0;
	}
	return &side->segs[side->index];
}

/* Copy chunk by chunk; return the number of bytes that were not copied. */
static u32 doca_copy_chunks(const struct doca_mapping *to, u64 dst,
			    const struct doca_mapping *from, u64 src, u32 left)
{
	while (left) {
		u32 len = min3((unsigned long)left,
			       doca_chunks_contig(from->chunks, src),
			       doca_chunks_contig(to->chunks, dst));
		u32 rest = doca_bytes_copy(doca_mapping_side(to, dst),
					   doca_mapping_side(from, src), len);

		left -= len - rest;
		if (rest)
			break;
		src += len;
		dst += len;
	}
	return left;
}

/* The stage is on the stack: with functions of a kind this is not a fast path anyway. */
#define DOCA_COPY_STAGE 256

/* Like doca_copy_chunks(), but with functions of a kind. All that could be read is written. */
static noinline u32 doca_copy_staged(const struct doca_mapping *to, u64 dst,
				     const struct doca_mapping *from, u64 src,
				     u32 left)
{
	u64 stage[DOCA_COPY_STAGE / sizeof(u64)];

	while (left) {
		u32 len = min_t(u32, left, sizeof(stage));
		u32 got = len - doca_mapping_read(from, src, stage, len);
		u32 put = got - doca_mapping_write(to, dst, stage, got);

		left -= put;
		if (put < len)
			break;
		src += len;
		dst += len;
	}
	return left;
}

u32 doca_copy_bytes(const struct doca_mapping *to, u64 dst,
		    const struct doca_mapping *from, u64 src, u32 length)
{
	if (likely(doca_mapping_is_direct(to) && doca_mapping_is_direct(from)))
		return doca_copy_chunks(to, dst, from, src, length);
	return doca_copy_staged(to, dst, from, src, length);
}

/* Copy up to @max bytes from one segment to another. */
static u32 doca_copy_segment(struct doca_queue *queue, struct doca_op *op,
			     u32 max, u32 *moved)
{
	const struct doca_seg *src = doca_copy_seg(&op->src);
	const struct doca_seg *dst = doca_copy_seg(&op->dst);
	const struct doca_mapping *from, *to;
	u32 left;
	u32 status;

	*moved = 0;
	status = doca_op_resolve(queue, src, DOCA_ACCESS_LOCAL_READ, &from) ?:
		 doca_op_resolve(queue, dst, DOCA_ACCESS_LOCAL_WRITE, &to);
	if (status)
		return status;

	max = min3(max, src->length - op->src.offset,
		   dst->length - op->dst.offset);
	left = doca_copy_bytes(to, dst->address + op->dst.offset, from,
			       src->address + op->src.offset, max);
	*moved = max - left;
	op->src.offset += *moved;
	op->dst.offset += *moved;
	return left ? DOCA_STATUS_BAD_MEMORY : DOCA_STATUS_SUCCESS;
}

u32 doca_copy_step(struct doca_queue *queue, struct doca_op *op)
{
	u32 budget = DOCA_OP_STEP_LENGTH;
	u32 status;
	u32 moved;

	while (budget && op->done < op->length) {
		status = doca_copy_segment(queue, op,
					   min_t(u64, budget,
						 op->length - op->done),
					   &moved);
		op->done += moved;
		if (status)
			return status;
		budget -= moved;
	}
	return op->done < op->length ? DOCA_STATUS_AGAIN : DOCA_STATUS_SUCCESS;
}

u32 doca_copy_load(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	u32 status;
	bool fits;

	status = doca_op_load_side(queue, &op->src, &sqe->src,
				   sqe->flags & DOCA_SQE_SRC_LIST);
	if (status)
		return status;
	status = doca_op_load_side(queue, &op->dst, &sqe->dst,
				   sqe->flags & DOCA_SQE_DST_LIST);
	if (status)
		return status;
	fits = op->src.length <= DOCA_OP_MAX_LENGTH &&
	       op->src.length <= op->dst.length;
	/*
	 * If each side is one segment and there is something to move, the first
	 * step checks.
	 */
	if (!fits || !op->src.length || op->src.nr > 1 || op->dst.nr > 1) {
		status = doca_copy_check(queue, op);
		if (status)
			return status;
	}
	if (!fits)
		return DOCA_STATUS_BAD_LENGTH;
	op->length = op->src.length;
	return DOCA_STATUS_SUCCESS;
}

u32 doca_copy_begin(struct doca_queue *queue, struct doca_op *op)
{
	if (op->length > DOCA_OP_SMALL_LENGTH)
		return DOCA_STATUS_AGAIN;
	return doca_copy_step(queue, op);
}

/* Everything is checked before the first byte is moved. */
static u32 doca_copy_prepare(struct doca_queue *queue, struct doca_op *op)
{
	return doca_copy_load(queue, op) ?: doca_copy_begin(queue, op);
}

const struct doca_op_type doca_op_memcpy = {
	.name = "memcpy",
	.remote = DOCA_REMOTE_MOVED,
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST,
	.max_src = DOCA_OP_ANY,
	.max_dst = DOCA_OP_ANY,
	.prepare = doca_copy_prepare,
	.step = doca_copy_step,
};
