/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Operations in flight: those in progress outside of the executor, on a device or in another
 * context of the kernel. A provider carries them out; its functions are those of the
 * operation's row. A queue has a pool of places for them, made with the queue, so that
 * nothing is allocated later.
 *
 * Whatever happens to the queue, a place stays as it is until its provider has let go of it,
 * by doca_flight_complete(). Until then the memory that the operation reaches is not
 * unpinned, its revocation does not return, and the user stays charged. A provider lets go
 * within a bounded time after it was recalled; devices also do so if they were not.
 *
 * Remote memory has a provider for all operations (remote.h), and places of its own: others
 * that answer slowly do not hold up local operations.
 */
#ifndef DOCA_FLIGHT_H
#define DOCA_FLIGHT_H

#include <linux/compiler.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/nospec.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "queue.h"

struct doca_file;
struct doca_user;
struct doca_watcher;

#define DOCA_MAX_OPS 256U

/* Number of the row of remote memory in a pool; no entry and no table of rows has it. */
#define DOCA_OP_REMOTE (DOCA_OP_NR - 2)

/**
 * enum doca_flight_state - the owner of a place of a pool
 * @DOCA_FLIGHT_FREE: none
 * @DOCA_FLIGHT_BEGUN: the executor
 * @DOCA_FLIGHT_AWAY: the provider
 * @DOCA_FLIGHT_DONE: none, until the executor takes it from doca_pool.done
 *
 * It is BEGUN until @start has returned, and then AWAY, unless the provider has completed
 * it by then: only places that are AWAY are recalled.
 */
enum doca_flight_state {
	DOCA_FLIGHT_FREE,
	DOCA_FLIGHT_BEGUN,
	DOCA_FLIGHT_AWAY,
	DOCA_FLIGHT_DONE,
};

/**
 * struct doca_flight - an operation in flight: a place of a pool
 * @node: in doca_pool.free or doca_pool.done
 * @pool: constant
 * @state: &enum doca_flight_state; under the pool's lock
 * @recalled: the provider was asked to let go; under the pool's lock
 * @row: number of its row in @pool: the opcode, or DOCA_OP_REMOTE
 * @status: from the provider; 0 before its first start
 * @type: its row
 * @op: a copy of the prepared operation. The provider sets @done, @result and @cost
 * @nr_mappings: number of @mappings
 * @mappings: mappings of the memory that it reaches, each with one of its uses
 * @private: data of the provider; the row tells the size
 *
 * The executor owns it, in the run section, before @start and again after the
 * completion; the provider in between.
 */
struct doca_flight {
	struct list_head node;
	struct doca_pool *pool;
	u8 state;
	bool recalled;
	u8 row;
	u32 status;
	const struct doca_op_type *type;
	struct doca_op op;
	u32 nr_mappings;
	struct doca_mapping *mappings[2 * DOCA_OP_MAX_SEGMENTS];
	u64 private[];
};

/**
 * struct doca_pool - the places of a queue, and memory for its operations
 * @ref: held by the queue, by each flight from its start to DONE, and by searches for
 *	flights to recall
 * @user: account that is charged; reference
 * @types: the table of rows, without that of remote memory
 * @id: number in doca_file.pools
 * @bytes: bytes that are charged
 * @nr_slots: places; none if no operation of the queue is ever in flight on its own
 * @nr_remote_slots: places for remote memory. They are not charged: only a process has any,
 *	and they take its own memory, from their first use on
 * @stride: bytes from one place to the next
 * @slots: all of them
 * @workspace: for the operation in progress; it may be vmalloc()'s
 * @linear: likewise, in the linear map, and of whole pages
 * @linear_size: bytes of that
 * @spaces: by row; each with its sessions
 * @unissued: rows with operations started since the last doca_pool_issue(); for the
 *	executor, in the run section
 * @recalled: all operations were recalled, because the queue stops; likewise
 * @due: @done is not empty; read anywhere
 * @lock: protects the members below it, and the state of each flight; taken in any
 *	context, the innermost but for those of providers in @recall
 * @watcher: its @wake wakes the executor; NULL when the queue is closed
 * @nr: places that are not free; read anywhere
 * @nr_remote: likewise for remote memory
 * @nr_used: number of @slots that were ever used; those after them are free
 * @free: struct doca_flight
 * @done: struct doca_flight that have come back, in that order
 * @put: work item that frees it, in a context that may sleep
 *
 * Closing the queue, in its run section, takes the pool out of the file, recalls the
 * flights that are away and frees those that have come back: from then on a flight that
 * comes back is free at once. The queue's reference goes with the queue. The last
 * reference may be that of the last flight in an interrupt: so a work item closes the
 * spaces, frees all of it and gives back the charge. The module waits for that before it
 * is unloaded.
 */
struct doca_pool {
	struct kref ref;
	struct doca_user *user;
	const struct doca_op_type *const *types;
	u32 id;
	u64 bytes;
	u32 nr_slots;
	u32 nr_remote_slots;
	size_t stride;
	void *slots;
	void *workspace;
	void *linear;
	size_t linear_size;
	void *spaces[DOCA_OP_NR];
	u64 unissued;
	bool recalled;
	bool due;
	spinlock_t lock; /* see above */
	struct doca_watcher *watcher;
	u32 nr;
	u32 nr_remote;
	u32 nr_used;
	struct list_head free;
	struct list_head done;
	struct work_struct put;
};

/*
 * Make a pool for a queue that executes those of @opcodes that have a row in @types, with @nr
 * places, at least one. NULL if none of them needs a place or memory; ERR_PTR(-EOPNOTSUPP) if
 * sessions are asked for and none of them has any, -EDQUOT, -ENOMEM, or the error of a row's
 * @open.
 */
struct doca_pool *doca_pool_create(struct doca_file *file,
				   const struct doca_op_type *const *types,
				   u64 opcodes, u32 nr,
				   const struct doca_op_args *args,
				   struct doca_watcher *watcher);
/* Close it as described above; it may be called again. */
void doca_pool_close(struct doca_pool *pool, struct doca_file *file);
void doca_pool_put(struct doca_pool *pool);

/* For the executor, in the run section: */

/* Take a free place, with a copy of the operation, for the provider of a row; or NULL. */
struct doca_flight *doca_flight_begin(struct doca_pool *pool, u32 row,
				      const struct doca_op *op);
/*
 * Start a flight, or start it again if it has come back with DOCA_STATUS_START. Return
 * the result of its row's @start; unless it is DOCA_STATUS_PENDING, the caller still owns
 * the flight, and frees it.
 */
u32 doca_flight_start(struct doca_flight *flight, struct doca_queue *queue);
/* Drop a flight instead of starting it again; return its status. */
u32 doca_flight_drop(struct doca_flight *flight);
/* Take the first flight that has come back, or NULL; the caller owns it until it frees it. */
struct doca_flight *doca_pool_next_done(struct doca_pool *pool);
void doca_flight_free(struct doca_flight *flight);
/* Have it come back again, after the others, instead of freeing it. */
void doca_flight_go_on(struct doca_flight *flight);
/* Have providers begin with the flights that were started; once per batch. */
void doca_pool_issue_all(struct doca_pool *pool);
static inline void doca_pool_issue(struct doca_pool *pool)
{
	if (pool->unissued)
		doca_pool_issue_all(pool);
}

/* Recall all flights that are away. */
void doca_pool_recall(struct doca_pool *pool);

/* For providers: */

/*
 * Call it in @start: until the completion the provider will reach the memory of a
 * mapping, which was found in the same run section.
 */
void doca_flight_use(struct doca_flight *flight,
		     const struct doca_mapping *mapping);
/*
 * The provider has let go of the operation, its memory and its private data, and does not
 * touch them again. Call it in any context, once for each flight for which @start has
 * returned DOCA_STATUS_PENDING, with no lock held that @recall takes. DOCA_STATUS_CANCELED
 * if it was recalled and is not done completely. DOCA_STATUS_START if it is to be started
 * again: then the provider keeps its private data.
 */
void doca_flight_complete(struct doca_flight *flight, u32 status);

static inline void *doca_flight_space(const struct doca_flight *flight)
{
	return flight->pool->spaces[flight->row];
}

/* For operations: the memory that their rows have asked for. */
static inline void *doca_queue_workspace(const struct doca_queue *queue)
{
	return queue->pool->workspace;
}

static inline void *doca_queue_linear(const struct doca_queue *queue)
{
	return queue->pool->linear;
}

static inline void *doca_queue_space(const struct doca_queue *queue, u16 opcode)
{
	return queue->pool->spaces[opcode];
}

/*
 * @aux of the entry was checked, and is not 0; but the check may have been mispredicted.
 */
static inline void *doca_queue_session(const struct doca_queue *queue,
				       const struct doca_sqe *sqe)
{
	const struct doca_op_type *type = queue->types[sqe->opcode];
	u32 i = array_index_nospec(sqe->aux - 1, queue->nr_sessions);

	return doca_queue_space(queue, sqe->opcode) +
	       ALIGN(type->space, sizeof(u64)) + i * type->session;
}

/* For mapping.c: recall flights with a retired key of the file. */
void doca_file_recall(struct doca_file *file);
/*
 * When this returns all flights have come back, and no interrupt that completed one is
 * running. A provider that completes in other contexts must wait for those itself.
 */
void doca_pools_exit(void);

#endif
