/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Operations. An entry is copied out of the ring, prepared once, and then takes
 * steps until it is done; between steps the queue can be stopped, its keys
 * retired and its process killed. An operation is one file in ops/ and one row
 * in op.c.
 */
#ifndef DOCA_OP_H
#define DOCA_OP_H

#include <linux/build_bug.h>
#include <linux/nospec.h>
#include <linux/sizes.h>
#include <linux/types.h>

#include <linux/doca.h>

struct doca_device;
struct doca_flight;
struct doca_mapping;
struct doca_memory;
struct doca_queue;

/* What a queue's mask of opcodes has bits for. */
#define DOCA_OP_NR 64
/* Executed where a queue's creation names none: those of before there was a mask. */
#define DOCA_OP_DEFAULT ((1ULL << (DOCA_OP_SYNC_WAIT_NE + 1)) - 1)

#define DOCA_OP_MAX_SEGMENTS 64
#define DOCA_OP_MAX_LENGTH SZ_128M
/* What one step may move; what a revocation, a stop or a kill waits for. */
#define DOCA_OP_STEP_LENGTH SZ_256K
/* What moves no more is done at once, and no operation at work. */
#define DOCA_OP_SMALL_LENGTH SZ_64K

/* One side of an operation: its segments, copied, and how far it has got. */
struct doca_op_side {
	u32 nr;
	u32 index; /* segment that is at work */
	u32 offset; /* in this segment */
	u64 length; /* of all segments */
	struct doca_seg segs[DOCA_OP_MAX_SEGMENTS];
};

/**
 * struct doca_op - the operation that a queue is executing
 * @type: its row; NULL if there is none
 * @sqe: the entry, copied
 * @length: bytes to move
 * @done: bytes moved
 * @result: first result word of the completion
 * @src: source
 * @dst: destination
 * @cursor: how far it has got with what is not bytes
 * @cost: of its row, if it was prepared by that
 */
struct doca_op {
	const struct doca_op_type *type;
	struct doca_sqe sqe;
	u64 length;
	u64 done;
	u64 result;
	struct doca_op_side src;
	struct doca_op_side dst;
	u64 cursor;
	u32 cost;
};

/* Statuses that are not in the uapi: the operation has more steps to take ... */
#define DOCA_STATUS_AGAIN 0x80000000U
/* ... or waits, and the next can begin. */
#define DOCA_STATUS_PENDING 0x80000001U
/* ... or names memory that somebody else has, and is for who reaches that: remote.h ... */
#define DOCA_STATUS_REMOTE 0x80000002U
/* ... or is right, and is to be started outside of the executor: flight.h. */
#define DOCA_STATUS_START 0x80000003U

/**
 * struct doca_look - what a look at what is waited for has found
 * @result: first result word of the completion, if the wait is over
 * @memory: for doca_wait_begin(), if it is not: where what is waited for is
 * @offset: and which byte of it
 */
struct doca_look {
	u64 result;
	struct doca_memory *memory;
	u64 offset;
};

/**
 * struct doca_op_type - how an operation is executed
 * @cost: bytes that a copy of takes as long as one step of it, but for the bytes
 *	that it moves: what it uses up of a turn
 * @prepare: check the copied entry, set up the cursors; a &enum doca_status if
 *	the operation has ended, as a small one should at once,
 *	DOCA_STATUS_AGAIN, DOCA_STATUS_START, or what doca_wait_begin() says. It may
 *	be called again for the same entry, if that had to be held. NULL if there is
 *	nothing to do
 * @step: move on by at most DOCA_OP_STEP_LENGTH bytes, or what takes as long; a
 *	&enum doca_status or DOCA_STATUS_AGAIN
 * @cancel: called instead of further steps: the &enum doca_status to end with;
 *	NULL: DOCA_STATUS_CANCELED, and there is nothing to undo
 * @look: whether the wait of this entry is over: a &enum doca_status or
 *	DOCA_STATUS_AGAIN
 * @start: hand it to its provider, after doca_flight_use() for all memory that the
 *	provider is to reach: DOCA_STATUS_PENDING, or a &enum doca_status if it has
 *	ended, and the provider does not have it. doca_flight_complete() may come
 *	before this returns
 * @recall: have the provider let go soon, of one that it was handed; called once at
 *	most, under a lock that spins, with interrupts off. True: it does not have it
 *	any more, and does not call doca_flight_complete(). It may have done that
 *	already. NULL if there is no way
 * @finish: what is left to do when the provider has succeeded: a &enum doca_status.
 *	The memory may be gone: keys are resolved anew. NULL: nothing
 * @private: bytes that the provider has for itself in each flight
 * @workspace: bytes that all operations of a queue have together, from its creation
 *	to when the last provider has let go; zeroed
 * @open: set the workspace up, for a device: 0, or what the queue's creation fails with
 * @close: the reverse, on a workqueue; it may sleep
 *
 * But for the last two all are called in the queue's run section, or as is said, and
 * allocate nothing. Keys are resolved anew in each step, because no step holds
 * anything for the next.
 */
struct doca_op_type {
	u32 cost;
	u32 (*prepare)(struct doca_queue *queue, struct doca_op *op);
	u32 (*step)(struct doca_queue *queue, struct doca_op *op);
	u32 (*cancel)(struct doca_queue *queue, struct doca_op *op);
	u32 (*look)(struct doca_queue *queue, const struct doca_sqe *sqe,
		    struct doca_look *look);
	u32 (*start)(struct doca_queue *queue, struct doca_flight *flight);
	bool (*recall)(struct doca_flight *flight);
	u32 (*finish)(struct doca_queue *queue, struct doca_flight *flight);
	size_t private;
	size_t workspace;
	int (*open)(void *workspace, struct doca_device *device);
	void (*close)(void *workspace);
};

/* op.c */
extern const struct doca_op_type *const doca_op_types[DOCA_OP_NR];

/* Bit n is set if opcode n is executed. */
u64 doca_op_executed(void);

/* NULL if the opcode is not executed. */
static inline const struct doca_op_type *doca_op_type(u16 opcode)
{
	if (opcode >= DOCA_OP_NR)
		return NULL;
	return doca_op_types[array_index_nospec(opcode, DOCA_OP_NR)];
}

/* The status of an operation for which there is nothing to do, so nothing to say. */
static inline u32 doca_op_nothing(const struct doca_sqe *sqe)
{
	/* One branch: it is the measure of all the rest. */
	if (sqe->flags | sqe->src.key | sqe->src.length | sqe->src.address |
	    sqe->dst.key | sqe->dst.length | sqe->dst.address | sqe->op[0] |
	    sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	return DOCA_STATUS_SUCCESS;
}

/* access.c */
u32 doca_op_load_side(struct doca_queue *queue, struct doca_op_side *side,
		      const struct doca_seg *seg, bool list);
u32 doca_op_resolve(struct doca_queue *queue, const struct doca_seg *seg,
		    u32 access, const struct doca_mapping **mapping);

/* Of tests alone: not of the uapi, where it is never assigned. */
#define DOCA_OP_SLOW (DOCA_OP_NR - 1)

/* ops/ */
extern const struct doca_op_type doca_op_nop;
extern const struct doca_op_type doca_op_memcpy;
extern const struct doca_op_type doca_op_invalidate;
extern const struct doca_op_type doca_op_sync_get;
extern const struct doca_op_type doca_op_sync_set;
extern const struct doca_op_type doca_op_sync_add;
extern const struct doca_op_type doca_op_sync_wait;
extern const struct doca_op_type doca_op_gather;
extern const struct doca_op_type doca_op_slow;

#endif
