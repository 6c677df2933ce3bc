// SPDX-License-Identifier: GPL-2.0
/*
 * SYNC: atomic operations on a 64-bit value in pinned pages, through the linear
 * map, and waits for what it becomes. The pages are also mapped into processes,
 * whose own atomic operations on the value these go together with.
 *
 * V, here and there: whoever changes the value releases what was done before,
 * and whoever reads it acquires that.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/nospec.h>

#include "memory.h"
#include "queue.h"

#define DOCA_SYNC_READ DOCA_ACCESS_LOCAL_READ
#define DOCA_SYNC_WRITE DOCA_ACCESS_LOCAL_WRITE

/* Where the value is; valid until the run section is left. */
static u32 doca_sync_resolve(struct doca_queue *queue,
			     const struct doca_seg *seg, u32 access,
			     atomic64_t **value)
{
	const struct doca_mapping *mapping;
	u64 offset;
	u32 status;

	status = doca_op_resolve(queue, seg, access, &mapping);
	if (status)
		return status;
	/* What is read is compared: not even a mispredicted check may read elsewhere. */
	offset = array_index_nospec(seg->address - mapping->addr,
				    mapping->length);
	/* The linear map has the same offsets in a page, so it is aligned there. */
	*value = doca_chunks_addr(mapping->chunks, mapping->addr + offset);
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_sync_check(const struct doca_sqe *sqe,
			   const struct doca_seg *seg,
			   const struct doca_seg *none)
{
	if (sqe->flags || none->key || none->length || none->address)
		return DOCA_STATUS_BAD_ENTRY;
	if (seg->length != sizeof(u64))
		return DOCA_STATUS_BAD_LENGTH;
	if (!IS_ALIGNED(seg->address, sizeof(u64)))
		return DOCA_STATUS_BAD_ALIGN;
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_sync_get(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	atomic64_t *value;
	u32 status;

	if (sqe->op[0] || sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	status = doca_sync_check(sqe, &sqe->src, &sqe->dst);
	if (status)
		return status;
	status = doca_sync_resolve(queue, &sqe->src, DOCA_SYNC_READ, &value);
	if (status)
		return status;
	op->result = atomic64_read_acquire(value); /* V */
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_sync_set(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	atomic64_t *value;
	u32 status;

	if (sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	status = doca_sync_check(sqe, &sqe->dst, &sqe->src);
	if (status)
		return status;
	status = doca_sync_resolve(queue, &sqe->dst, DOCA_SYNC_WRITE, &value);
	if (status)
		return status;
	atomic64_set_release(value, sqe->op[0]); /* V */
	doca_wait_wake(value);
	op->done = sizeof(u64);
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_sync_add(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	atomic64_t *value;
	u32 status;

	if (sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	status = doca_sync_check(sqe, &sqe->dst, &sqe->src);
	if (status)
		return status;
	status = doca_sync_resolve(queue, &sqe->dst,
				   DOCA_SYNC_READ | DOCA_SYNC_WRITE, &value);
	if (status)
		return status;
	op->result = atomic64_fetch_add(sqe->op[0], value); /* V */
	doca_wait_wake(value);
	op->done = sizeof(u64);
	return DOCA_STATUS_SUCCESS;
}

static bool doca_sync_holds(u16 opcode, u64 value, u64 comparand)
{
	switch (opcode) {
	case DOCA_OP_SYNC_WAIT_GT:
		return value > comparand;
	case DOCA_OP_SYNC_WAIT_EQ:
		return value == comparand;
	default:
		return value != comparand;
	}
}

static u32 doca_sync_look(struct doca_queue *queue, const struct doca_sqe *sqe,
			  struct doca_look *look)
{
	atomic64_t *value;
	u32 status;

	status = doca_sync_resolve(queue, &sqe->src, DOCA_SYNC_READ, &value);
	if (status)
		return status;
	look->where = value;
	look->result = atomic64_read_acquire(value); /* V */
	if (doca_sync_holds(sqe->opcode, look->result & sqe->op[1], sqe->op[0]))
		return DOCA_STATUS_SUCCESS;
	return DOCA_STATUS_AGAIN;
}

static u32 doca_sync_wait(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	struct doca_look look = {};
	u32 status;

	status = doca_sync_check(sqe, &sqe->src, &sqe->dst);
	if (status)
		return status;
	status = doca_sync_look(queue, sqe, &look);
	if (status == DOCA_STATUS_AGAIN)
		return doca_wait_begin(&queue->waits, &doca_op_sync_wait, sqe,
				       look.where);
	if (status == DOCA_STATUS_SUCCESS)
		op->result = look.result;
	return status;
}

const struct doca_op_type doca_op_sync_get = {
	.prepare = doca_sync_get,
};

const struct doca_op_type doca_op_sync_set = {
	.prepare = doca_sync_set,
};

const struct doca_op_type doca_op_sync_add = {
	.prepare = doca_sync_add,
};

const struct doca_op_type doca_op_sync_wait = {
	.prepare = doca_sync_wait,
	.look = doca_sync_look,
};
