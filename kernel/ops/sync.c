// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * SYNC: atomic operations on a 64-bit value, and waits for a value. The memory is also
 * mapped into processes: these operations are atomic towards those of the processes. In
 * memory that the CPU does not reach, values are only read and written, not added to.
 *
 * V, here and in user space: a change of the value is a release of everything done
 * before, and a read of it acquires that.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/nospec.h>

#include "access.h"
#include "ops.h"

#define DOCA_SYNC_READ DOCA_ACCESS_LOCAL_READ
#define DOCA_SYNC_WRITE DOCA_ACCESS_LOCAL_WRITE

/**
 * struct doca_sync_at - place of a value; valid until the run section is left
 * @value: its address for the CPU; NULL if only functions of its kind reach it
 * @memory: memory that holds it
 * @offset: offset of the value in @memory
 */
struct doca_sync_at {
	atomic64_t *value;
	struct doca_memory *memory;
	u64 offset;
};

static u32 doca_sync_resolve(struct doca_queue *queue,
			     const struct doca_seg *seg, u32 access,
			     struct doca_sync_at *at)
{
	const struct doca_mapping *mapping;
	u64 offset;
	u32 status;

	status = doca_op_resolve(queue, seg, access, &mapping);
	if (status)
		return status;
	/* The value is compared: not even a mispredicted check may read elsewhere. */
	offset = doca_mapping_offset(mapping, seg->address);
	offset &= array_index_mask_nospec(offset + sizeof(u64) - 1,
					  mapping->length);
	/* The linear map has the same offsets in a page, so it is aligned there. */
	at->value = doca_mapping_is_direct(mapping) ?
			    doca_chunks_addr(mapping->chunks,
					     mapping->addr + offset) :
			    NULL;
	at->memory = mapping->memory;
	at->offset = offset;
	if (unlikely(doca_mapping_is_backed(mapping)) &&
	    !doca_backed_there(at->value, sizeof(u64)))
		return DOCA_STATUS_BAD_MEMORY;
	return DOCA_STATUS_SUCCESS;
}

/* Access the value by a function of its kind. */
static noinline u32 doca_sync_access(const struct doca_sync_at *at, u64 *value,
				     bool write)
{
	struct doca_memory *memory = at->memory;
	u32 rest;

	smp_mb(); /* V */
	rest = memory->ops->access(memory, at->offset, value, sizeof(*value),
				   write);
	smp_mb(); /* V */
	return rest ? DOCA_STATUS_BAD_MEMORY : DOCA_STATUS_SUCCESS;
}

static u32 doca_sync_read(const struct doca_sync_at *at, u64 *value)
{
	if (unlikely(!at->value))
		return doca_sync_access(at, value, false);
	*value = atomic64_read_acquire(at->value); /* V */
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_sync_write(const struct doca_sync_at *at, u64 value)
{
	if (unlikely(!at->value))
		return doca_sync_access(at, &value, true);
	atomic64_set_release(at->value, value); /* V */
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_sync_check(const struct doca_seg *seg)
{
	if (seg->length != sizeof(u64))
		return DOCA_STATUS_BAD_LENGTH;
	if (!IS_ALIGNED(seg->address, sizeof(u64)))
		return DOCA_STATUS_BAD_ALIGN;
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_sync_get(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_seg *src = &op->sqe.src;
	struct doca_sync_at at;

	return doca_sync_check(src) ?:
	       doca_sync_resolve(queue, src, DOCA_SYNC_READ, &at) ?:
	       doca_sync_read(&at, &op->result[0]);
}

/* The value was written. Further steps wake its watchers. */
static u32 doca_sync_written(struct doca_op *op, const struct doca_sync_at *at)
{
	op->done = sizeof(u64);
	op->length = op->done;
	/* W: the barrier between the change and the search for watches. */
	smp_mb();
	if (!doca_watched_by_any(&at->memory->watched))
		return DOCA_STATUS_SUCCESS;
	op->cursor = U64_MAX;
	return DOCA_STATUS_AGAIN;
}

static u32 doca_sync_set(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	struct doca_sync_at at;

	return doca_sync_check(&sqe->dst) ?:
	       doca_sync_resolve(queue, &sqe->dst, DOCA_SYNC_WRITE, &at) ?:
	       doca_sync_write(&at, sqe->op[0]) ?:
	       doca_sync_written(op, &at);
}

static u32 doca_sync_add(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	struct doca_sync_at at;
	u32 status;

	status = doca_sync_check(&sqe->dst) ?:
		 doca_sync_resolve(queue, &sqe->dst,
				   DOCA_SYNC_READ | DOCA_SYNC_WRITE, &at);
	if (status)
		return status;
	if (!at.value)
		return DOCA_STATUS_NOT_SUPPORTED;
	op->result[0] = atomic64_fetch_add(sqe->op[0], at.value); /* V */
	return doca_sync_written(op, &at);
}

/* If the key is gone, watchers that were not woken yet will see the change when they poll. */
static u32 doca_sync_wake(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_sync_at at;

	if (!doca_sync_resolve(queue, &op->sqe.dst, DOCA_SYNC_WRITE, &at) &&
	    doca_watched_wake(&at.memory->watched, at.offset, &op->cursor))
		return DOCA_STATUS_AGAIN;
	return DOCA_STATUS_SUCCESS;
}

/* The value was written, so this has succeeded. */
static u32 doca_sync_cancel(struct doca_queue *queue, struct doca_op *op)
{
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

static u32 doca_sync_poll(struct doca_queue *queue, const struct doca_sqe *sqe,
			  struct doca_look *look)
{
	struct doca_sync_at at;
	u32 status;

	status = doca_sync_resolve(queue, &sqe->src, DOCA_SYNC_READ, &at);
	if (status)
		return status;
	look->memory = at.memory;
	look->offset = at.offset;
	status = doca_sync_read(&at, &look->result);
	if (status)
		return status;
	if (doca_sync_holds(sqe->opcode, look->result & sqe->op[1], sqe->op[0]))
		return DOCA_STATUS_SUCCESS;
	return DOCA_STATUS_AGAIN;
}

static u32 doca_sync_wait(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	struct doca_look look = {};
	u32 status;

	status = doca_sync_check(&sqe->src) ?:
		 doca_sync_poll(queue, sqe, &look);
	if (status == DOCA_STATUS_AGAIN)
		return doca_wait_begin(&queue->waits,
				       queue->types[sqe->opcode], sqe, &look);
	if (status == DOCA_STATUS_SUCCESS)
		op->result[0] = look.result;
	return status;
}

const struct doca_op_type doca_op_sync_get = {
	.name = "sync_get",
	.remote = DOCA_REMOTE_SENT,
	.max_src = sizeof(u64),
	.prepare = doca_sync_get,
};

const struct doca_op_type doca_op_sync_set = {
	.name = "sync_set",
	.remote = DOCA_REMOTE_SENT,
	.nr_op = 1,
	.max_dst = sizeof(u64),
	.prepare = doca_sync_set,
	.step = doca_sync_wake,
	.cancel = doca_sync_cancel,
};

const struct doca_op_type doca_op_sync_add = {
	.name = "sync_add",
	.remote = DOCA_REMOTE_SENT,
	.nr_op = 1,
	.max_dst = sizeof(u64),
	.prepare = doca_sync_add,
	.step = doca_sync_wake,
	.cancel = doca_sync_cancel,
};

#define DOCA_SYNC_WAIT(which)               \
	{                                   \
		.name = "sync_wait_" which, \
		.remote = DOCA_REMOTE_SENT, \
		.nr_op = 2,                 \
		.max_src = sizeof(u64),     \
		.prepare = doca_sync_wait,  \
		.look = doca_sync_poll,     \
	}

const struct doca_op_type doca_op_sync_wait_gt = DOCA_SYNC_WAIT("gt");
const struct doca_op_type doca_op_sync_wait_eq = DOCA_SYNC_WAIT("eq");
const struct doca_op_type doca_op_sync_wait_ne = DOCA_SYNC_WAIT("ne");
