/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Operations in flight: those that are under way outside of the executor, on a device or
 * in another context of the kernel. What does them is a provider, whose functions are
 * those of the operation's row. A queue has a pool of places for them, which is made with
 * it, so that nothing is allocated later.
 *
 * Whatever happens to the queue, a place stays as it is until its provider has let go of
 * it, by doca_flight_complete(): with the memory that the operation reaches, which neither
 * is unpinned nor has a revocation return before, and with what the user is charged.
 * A provider lets go after a bounded time, recalled or not.
 */
#ifndef DOCA_FLIGHT_H
#define DOCA_FLIGHT_H

#include <linux/compiler.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "op.h"

struct doca_device;
struct doca_file;
struct doca_pool;
struct doca_user;
struct doca_watcher;

#define DOCA_MAX_OPS 256U

/**
 * enum doca_flight_state - who has a place of a pool
 * @DOCA_FLIGHT_FREE: nobody
 * @DOCA_FLIGHT_BEGUN: the executor, which is about to hand it to the provider
 * @DOCA_FLIGHT_AWAY: the provider
 * @DOCA_FLIGHT_DONE: the executor again
 *
 * It is BEGUN until @start has returned, and then AWAY, unless the provider was faster:
 * only what is AWAY is recalled.
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
 * @status: what the provider has said
 * @type: its row
 * @op: a copy of what was prepared. The provider sets @done and @result
 * @nr_mappings: how many there are
 * @mappings: of the memory that it reaches, each with one of its uses
 * @private: the provider's own; its size is that of the row
 *
 * Before @start it is the executor's, in the run section, and after the completion
 * again; between them the provider's.
 */
struct doca_flight {
	struct list_head node;
	struct doca_pool *pool;
	u8 state;
	bool recalled;
	u32 status;
	const struct doca_op_type *type;
	struct doca_op op;
	u32 nr_mappings;
	struct doca_mapping *mappings[2 * DOCA_OP_MAX_SEGMENTS];
	u64 private[];
};

/**
 * struct doca_pool - the places of a queue, and the workspaces of its operations
 * @ref: of the queue, of each flight from BEGUN to DONE, and of those who look for what is
 *	to be recalled
 * @user: who is charged; reference
 * @device: reference
 * @types: the table of rows
 * @id: number in doca_file.pools
 * @bytes: that are charged
 * @nr_slots: places; none if no operation of the queue is ever in flight
 * @stride: bytes from one place to the next
 * @slots: all of them
 * @workspaces: by opcode
 * @due: something is in @done; read anywhere
 * @lock: protects what follows, and the state of each flight; taken in any context, the
 *	innermost but for those of providers in @recall
 * @watcher: by whose @wake the executor is told; NULL when the queue is closed
 * @nr: places that are not free; read anywhere
 * @free: struct doca_flight
 * @done: those that have come back, in that order
 * @put: frees it, where nothing spins
 *
 * Closing the queue, in its run section, takes the pool out of the file, recalls what is
 * away and frees what has come back: from then on what comes back is free at once. The
 * queue's reference goes with the queue, and the last one, which may be that of the last
 * flight in an interrupt, has a work item close the workspaces, free all of it and give
 * back the charge. The module waits for that before it goes.
 */
struct doca_pool {
	struct kref ref;
	struct doca_user *user;
	struct doca_device *device;
	const struct doca_op_type *const *types;
	u32 id;
	u64 bytes;
	u32 nr_slots;
	size_t stride;
	void *slots;
	void *workspaces[DOCA_OP_NR];
	bool due;
	spinlock_t lock; /* see above */
	struct doca_watcher *watcher;
	u32 nr;
	struct list_head free;
	struct list_head done;
	struct work_struct put;
};

/*
 * For a queue that executes @opcodes, of those that have a row in @types, with @nr places,
 * one at least: NULL if none of them needs a place or a workspace; ERR_PTR(-EDQUOT),
 * -ENOMEM, or what a row fails with.
 */
struct doca_pool *doca_pool_create(struct doca_file *file,
				   struct doca_device *device,
				   const struct doca_op_type *const *types,
				   u64 opcodes, u32 nr,
				   struct doca_watcher *watcher);
/* See above; it may be called again. */
void doca_pool_close(struct doca_pool *pool, struct doca_file *file);
void doca_pool_put(struct doca_pool *pool);

/* By the executor, in the run section. */

/* A free place, with a copy of the operation, or NULL. */
struct doca_flight *doca_flight_begin(struct doca_pool *pool,
				      const struct doca_op_type *type,
				      const struct doca_op *op);
/* As @start of its row says; if that is not DOCA_STATUS_PENDING, the place is free. */
u32 doca_flight_start(struct doca_flight *flight, struct doca_queue *queue);
/* The first that has come back, which is the caller's until it is freed; NULL. */
struct doca_flight *doca_pool_next_done(struct doca_pool *pool);
void doca_flight_free(struct doca_flight *flight);
/* All that are away. */
void doca_pool_recall(struct doca_pool *pool);

/* By providers */

/*
 * By @start: the memory of a mapping, which was found in the same run section, is to be
 * reached until the completion.
 */
void doca_flight_use(struct doca_flight *flight,
		     const struct doca_mapping *mapping);
/*
 * The provider has let go of the operation, the memory and what is its own, and does not
 * look at them again. In any context, once for each that @start has said
 * DOCA_STATUS_PENDING of, but with no lock that @recall takes. DOCA_STATUS_CANCELED if it
 * was recalled and has not done all of it.
 */
void doca_flight_complete(struct doca_flight *flight, u32 status);

static inline void *doca_flight_workspace(const struct doca_flight *flight)
{
	return flight->pool->workspaces[flight->op.sqe.opcode];
}

/* By mapping.c: what is in flight with a key of the file that was retired. */
void doca_file_recall(struct doca_file *file);
/*
 * All that was in flight has come back when this returns, and no interrupt that brought it is
 * running. A provider that calls from elsewhere sees to that itself before the module goes.
 */
void doca_pools_exit(void);

#endif
