/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Operations. An entry is copied out of the ring, prepared once, and then takes
 * steps until it is done; between steps the queue can be stopped, its keys
 * retired and its process killed. An operation is one file in ops/, with a row that
 * ops.h declares and op.c enters.
 */
#ifndef DOCA_OP_H
#define DOCA_OP_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/nospec.h>
#include <linux/sizes.h>
#include <linux/types.h>

#include <linux/doca.h>

struct doca_engine;
struct doca_flight;
struct doca_mapping;
struct doca_memory;
struct doca_op_object;
struct doca_op_object_type;
struct doca_queue;

/* Number of bits in a queue's mask of opcodes. */
#define DOCA_OP_NR 64
/* Executed if a queue's creation names none: the operations that are older than the mask. */
#define DOCA_OP_DEFAULT ((1ULL << (DOCA_OP_SYNC_WAIT_NE + 1)) - 1)

/* Only a queue with an inbox executes these. */
#define DOCA_OP_ENDPOINTS                                              \
	(BIT_ULL(DOCA_OP_MSG_SEND) | BIT_ULL(DOCA_OP_POST_RECV) |      \
	 BIT_ULL(DOCA_OP_SEND_TO))

#define DOCA_OP_MAX_SEGMENTS 64
#define DOCA_OP_MAX_LENGTH SZ_128M
/* Maximum that a step moves: revocations, stops and kills wait for one step. */
#define DOCA_OP_STEP_LENGTH SZ_256K
/* Maximum of a queue's sessions of each operation. */
#define DOCA_MAX_SESSIONS 4096U
/* A copy of no more is done at once, and never becomes the one in progress. */
#define DOCA_OP_SMALL_LENGTH SZ_64K

/* One side of an operation: a copy of its segments, and the progress in them. */
struct doca_op_side {
	u32 nr;
	u32 index; /* current segment */
	u32 offset; /* offset in the current segment */
	u64 length; /* bytes of all segments */
	struct doca_seg segs[DOCA_OP_MAX_SEGMENTS];
};

/**
 * struct doca_op - the operation that a queue is executing
 * @type: its row; NULL if there is none
 * @sqe: the entry, copied
 * @length: bytes to move
 * @done: bytes moved
 * @result: result words of the completion
 * @src: source
 * @dst: destination
 * @cursor: progress that is not counted in bytes
 * @cost: the row's, or what @prepare has made of it; 0 if nothing was prepared. In flight, that
 *	of its last step
 * @object: the one that @aux names, held; NULL if none is
 */
struct doca_op {
	const struct doca_op_type *type;
	struct doca_sqe sqe;
	u64 length;
	u64 done;
	u64 result[2];
	struct doca_op_side src;
	struct doca_op_side dst;
	u64 cursor;
	u32 cost;
	struct doca_op_object *object;
};

/* Statuses that are not in the uapi: the operation has more steps to take ... */
#define DOCA_STATUS_AGAIN 0x80000000U
/* ... or waits, and the next one can begin ... */
#define DOCA_STATUS_PENDING 0x80000001U
/* ... or is valid, and is started outside of the executor: flight.h. */
#define DOCA_STATUS_START 0x80000002U

/**
 * struct doca_look - result of a poll of a wait
 * @result: first result word of the completion, if the wait is over
 * @memory: memory of the value, for doca_wait_begin(), if the wait is not over
 * @offset: offset of the value in the memory
 */
struct doca_look {
	u64 result;
	struct doca_memory *memory;
	u64 offset;
};

/* Meaning of @aux in an operation's entry. */
enum doca_aux {
	DOCA_AUX_NOTHING,
	DOCA_AUX_SESSION, /* number of one of the queue's sessions, or 0 */
	DOCA_AUX_OBJECT, /* id of one of the file's objects of operations */
	DOCA_AUX_CONSUMER, /* id of a consumer on the other side */
};

/**
 * enum doca_op_remote - way of an operation to remote memory (remote.h)
 * @DOCA_REMOTE_NOT: none: DOCA_STATUS_NOT_SUPPORTED
 * @DOCA_REMOTE_SENT: the owner executes the entry, which names one side
 * @DOCA_REMOTE_MOVED: it is a copy: its bytes are moved
 */
enum doca_op_remote {
	DOCA_REMOTE_NOT,
	DOCA_REMOTE_SENT,
	DOCA_REMOTE_MOVED,
};

/* Any number of bytes of one side, up to the limit of all operations. */
#define DOCA_OP_ANY DOCA_OP_MAX_LENGTH

/**
 * struct doca_op_args - parameters of a queue's creation for its operations
 * @engine: its DMA engine, or NULL
 * @nr_sessions: sessions of each operation that has any
 * @nr_remote: places for operations on remote memory
 */
struct doca_op_args {
	struct doca_engine *engine;
	u32 nr_sessions;
	u32 nr_remote;
};

/**
 * struct doca_op_type - an operation: the form of its entries, and how it is executed
 * @name: for listings and traces
 * @flags: bits of &enum doca_sqe_flags that it allows, beside DOCA_SQE_DRAIN
 * @aux: &enum doca_aux
 * @nr_op: number of words of @op that it uses
 * @remote: &enum doca_op_remote
 * @object: type of its objects, with DOCA_AUX_OBJECT
 * @max_src: maximum bytes of the source; 0 if it has none
 * @max_dst: maximum bytes of the destination that it uses; 0 if it has none
 * @unit: blocks are a multiple of so many bytes; 0 if it has no blocks
 * @max_block: maximum bytes of a block
 * @max_rows: maximum rows of a matrix; 0 if it has none
 * @max_columns: maximum columns of a matrix
 * @max_ops: useful number in flight, for an operation that can be in flight
 * @cost: cost of a step besides the bytes that it moves, as the number of bytes whose copy
 *	takes as long
 * @variants: return a mask of the values of its parameter that can be executed, of which none
 *	means that the operation cannot. May sleep. NULL: it can, always
 * @prepare: check the copied entry, in which everything that the row does not name is 0,
 *	and set up the cursors. Returns a &enum doca_status if the operation has ended, as
 *	one may at once that takes no longer than a step, DOCA_STATUS_AGAIN,
 *	DOCA_STATUS_START, or the result of doca_wait_begin(). It may be called again for
 *	the same entry, if the entry had to be held. NULL if there is nothing to do
 * @step: move at most DOCA_OP_STEP_LENGTH bytes, or take as long as that. Returns a &enum
 *	doca_status or DOCA_STATUS_AGAIN
 * @cancel: called instead of further steps, possibly with preemption disabled; the object is
 *	let go by the caller. Returns the final &enum doca_status. NULL: DOCA_STATUS_CANCELED,
 *	and there is nothing to undo
 * @look: poll the wait of this entry. Returns a &enum doca_status if it is over, or
 *	DOCA_STATUS_AGAIN
 * @start: hand the operation to its provider, after doca_flight_use() for all memory that
 *	the provider may reach. Returns DOCA_STATUS_PENDING, or a &enum doca_status if the
 *	operation has ended and the provider does not have it; DOCA_STATUS_START if some of
 *	the memory is remote. doca_flight_complete() may be called before this returns; with
 *	DOCA_STATUS_START it has this called again, for work in the run section
 * @recall: make the provider let go of an operation soon. Called at most once, under a
 *	spinlock, with interrupts off. Returns true if the provider has dropped it and
 *	does not call doca_flight_complete(); it may have called that already. An operation
 *	that came back to be started again, and is not, is recalled, too: it is dropped.
 *	NULL if it cannot be recalled
 * @finish: do the rest when the provider has succeeded: a &enum doca_status,
 *	DOCA_STATUS_AGAIN after a step, if more are to follow, or DOCA_STATUS_START to be
 *	started once more. The memory may be gone: keys are resolved anew. NULL: nothing is
 *	left to do
 * @issue: have the provider begin with what @start has given it since the last call;
 *	once a batch. NULL: it begins by itself
 * @private: bytes for the provider in each flight
 * @workspace: bytes of doca_queue_workspace() for the operation in progress. A queue has
 *	as many as the largest of its rows needs; they contain remains of any operation
 * @linear: likewise bytes of doca_queue_linear(), for what the kernel's ciphers get in
 *	scatterlists, or make such of: they take it for memory of the linear map
 * @space: bytes of doca_queue_space() in each queue, from its creation until the last
 *	provider has let go; zeroed
 * @session: bytes of each session, behind @space; zeroed
 * @open: set the space up. Returns 0, or the error of the queue's creation
 * @close: undo @open; called on a workqueue, and may sleep
 *
 * All but @variants, @open and @close are called in the queue's run section, unless said otherwise,
 * and allocate nothing. Keys are resolved anew in each step: no step holds anything for the
 * next.
 */
struct doca_op_type {
	const char *name;
	u16 flags;
	u8 aux;
	u8 nr_op;
	u8 remote;
	u32 max_src;
	u32 max_dst;
	u32 unit;
	u32 max_block;
	u16 max_rows;
	u16 max_columns;
	u32 max_ops;
	u32 cost;
	const struct doca_op_object_type *object;
	u64 (*variants)(void);
	u32 (*prepare)(struct doca_queue *queue, struct doca_op *op);
	u32 (*step)(struct doca_queue *queue, struct doca_op *op);
	u32 (*cancel)(struct doca_queue *queue, struct doca_op *op);
	u32 (*look)(struct doca_queue *queue, const struct doca_sqe *sqe,
		    struct doca_look *look);
	u32 (*start)(struct doca_queue *queue, struct doca_flight *flight);
	bool (*recall)(struct doca_flight *flight);
	u32 (*finish)(struct doca_queue *queue, struct doca_flight *flight);
	void (*issue)(void *space);
	size_t private;
	size_t workspace;
	size_t linear;
	size_t space;
	size_t session;
	int (*open)(void *space, const struct doca_op_args *args);
	void (*close)(void *space);
};

/* op.c */
extern const struct doca_op_type *const doca_op_types[DOCA_OP_NR];

/* Return the rows for a queue: with a DMA engine it has another MEMCPY. */
const struct doca_op_type *const *
doca_op_types_of(const struct doca_engine *engine);

/* Return a mask with bit n set if opcode n has a row. */
u64 doca_op_known(const struct doca_op_type *const *types);

/* Return those of a mask of opcodes that are executed. May sleep. */
u64 doca_op_executed(const struct doca_op_type *const *types, u64 opcodes);

/* Return the type of objects with a number of &enum doca_object_type; NULL if there is none. */
const struct doca_op_object_type *doca_op_object_type(u32 number);

/* Return true if the operation has a row and is executed. May sleep. */
static inline bool doca_op_is_executed(const struct doca_op_type *type)
{
	return type && (!type->variants || type->variants());
}

/* Return the row of an opcode, NULL if it is not executed. */
static inline const struct doca_op_type *
doca_op_type(const struct doca_op_type *const *types, u16 opcode)
{
	if (opcode >= DOCA_OP_NR)
		return NULL;
	return types[array_index_nospec(opcode, DOCA_OP_NR)];
}

/* Includes the terminating NUL. */
#define DOCA_OP_NAME_SIZE 16

/* Return a name for listings and traces. */
static inline const char *
doca_op_name(const struct doca_op_type *const *types, u16 opcode)
{
	const struct doca_op_type *type = doca_op_type(types, opcode);

	return type ? type->name : "?";
}

/* Return true if everything that the row does not name is 0. */
static inline bool doca_op_is_formed(const struct doca_op_type *type,
				     const struct doca_sqe *sqe)
{
	u64 rest = sqe->flags & ~(type->flags | DOCA_SQE_DRAIN);

	if (type->aux == DOCA_AUX_NOTHING)
		rest |= sqe->aux;
	if (!type->max_src)
		rest |= sqe->src.key | sqe->src.length | sqe->src.address;
	if (!type->max_dst)
		rest |= sqe->dst.key | sqe->dst.length | sqe->dst.address;
	if (type->nr_op < 2)
		rest |= sqe->op[1];
	if (type->nr_op < 1)
		rest |= sqe->op[0];
	return !rest;
}

/*
 * Streams write more than their length, which is that of their input: nobody knows then how much is
 * left.
 */
static inline bool doca_op_may_be_long(const struct doca_op *op)
{
	return op->done > op->length ||
	       op->length - op->done > DOCA_OP_SMALL_LENGTH;
}

/* access.c */
u32 doca_op_load_side(struct doca_queue *queue, struct doca_op_side *side,
		      const struct doca_seg *seg, bool list);
u32 doca_op_resolve(struct doca_queue *queue, const struct doca_seg *seg,
		    u32 access, const struct doca_mapping **mapping);

/* For tests only: the uapi never assigns this number. */
#define DOCA_OP_SLOW (DOCA_OP_NR - 1)

#endif
