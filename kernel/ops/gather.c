// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * GATHER: reads many small pieces of physical memory into memory of another kind. It does
 * not fail if a piece cannot be read, or the owner of that memory could stop the reader:
 * the piece is zeros, and its bit in the result is set.
 *
 * A piece is read in one step, so that it is zeros as a whole.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "access.h"
#include "physical.h"

/* What one step reads: less than a step copies, because each page is checked. */
#define DOCA_GATHER_STEP SZ_64K

static u32 doca_gather_from(struct doca_queue *queue, const struct doca_seg *seg,
			    const struct doca_mapping **from)
{
	u32 status;

	/* Such a mapping allows no access, so none is required here: see DOCA_MEM_MAP. */
	status = doca_op_resolve(queue, seg, 0, from);
	if (status)
		return status;
	return (*from)->memory->ops->gathered ? DOCA_STATUS_SUCCESS :
						DOCA_STATUS_NOT_SUPPORTED;
}

static u32 doca_gather_to(struct doca_queue *queue, const struct doca_op *op,
			  const struct doca_mapping **to)
{
	u32 status;

	status = doca_op_resolve(queue, &op->sqe.dst, DOCA_ACCESS_LOCAL_WRITE,
				 to);
	if (status)
		return status;
	return doca_mapping_is_direct(*to) ? DOCA_STATUS_SUCCESS :
					     DOCA_STATUS_NOT_SUPPORTED;
}

static void doca_gather_zero(const struct doca_mapping *to, u64 dst, u32 length)
{
	while (length) {
		u32 len = min_t(unsigned long, length,
				doca_chunks_contig(to->chunks, dst));

		memset(doca_mapping_at(to, dst), 0, len);
		length -= len;
		dst += len;
	}
}

/* Read all of it, or return false and write zeros. */
static bool doca_gather_piece(const struct doca_mapping *to, u64 dst,
			      const struct doca_mapping *from,
			      const struct doca_seg *seg)
{
	u32 done = 0;

	while (done < seg->length) {
		u32 len = min_t(unsigned long, seg->length - done,
				doca_chunks_contig(to->chunks, dst + done));

		if (doca_mapping_read(from, seg->address + done,
				      doca_mapping_at(to, dst + done), len)) {
			doca_gather_zero(to, dst, seg->length);
			return false;
		}
		done += len;
	}
	return true;
}

static u32 doca_gather_step(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_mapping *from, *to;
	u32 left = DOCA_GATHER_STEP;
	u32 status;

	status = doca_gather_to(queue, op, &to);
	if (status)
		return status;
	for (; op->src.index < op->src.nr; op->src.index++) {
		const struct doca_seg *seg = &op->src.segs[op->src.index];

		if (seg->length > left)
			return DOCA_STATUS_AGAIN;
		status = doca_gather_from(queue, seg, &from);
		if (status)
			return status;
		if (!doca_gather_piece(to, op->sqe.dst.address + op->done, from,
				       seg))
			op->result |= BIT_ULL(op->src.index);
		op->done += seg->length;
		left -= seg->length;
	}
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_gather_check(struct doca_queue *queue, const struct doca_op *op)
{
	const struct doca_mapping *mapping;
	bool fits = op->src.length <= op->sqe.dst.length;
	u32 status;
	u32 i;

	for (i = 0; i < op->src.nr; i++) {
		status = doca_gather_from(queue, &op->src.segs[i], &mapping);
		if (status)
			return status;
		fits = fits && op->src.segs[i].length <= DOCA_GATHER_STEP;
	}
	status = doca_gather_to(queue, op, &mapping);
	if (status)
		return status;
	return fits ? DOCA_STATUS_SUCCESS : DOCA_STATUS_BAD_LENGTH;
}

static u32 doca_gather_prepare(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	u32 status;

	if (sqe->flags & ~DOCA_SQE_SRC_LIST || sqe->op[0] || sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	status = doca_op_load_side(queue, &op->src, &sqe->src,
				   sqe->flags & DOCA_SQE_SRC_LIST);
	if (status)
		return status;
	status = doca_gather_check(queue, op);
	if (status)
		return status;
	if (doca_physical_is_locked_down())
		return DOCA_STATUS_BAD_ACCESS;
	op->length = op->src.length;
	if (op->length > DOCA_GATHER_STEP)
		return DOCA_STATUS_AGAIN;
	return doca_gather_step(queue, op);
}

const struct doca_op_type doca_op_gather = {
	.cost = SZ_64K,
	.prepare = doca_gather_prepare,
	.step = doca_gather_step,
};
