/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Queues: a pair of rings, the operation being executed, and a file descriptor. */
#ifndef DOCA_QUEUE_H
#define DOCA_QUEUE_H

#include <linux/kref.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "device.h"
#include "file.h"
#include "op.h"
#include "ring.h"
#include "wait.h"

struct doca_endpoint;
struct doca_poller;
struct doca_pool;
struct doca_ucmd;
struct doca_worker;

/**
 * enum doca_stall - reason why a queue does not begin its next entry
 * @DOCA_STALL_NONE: it is not stalled
 * @DOCA_STALL_PLACE: the entry needs a place of the pool, and none is free
 * @DOCA_STALL_ORDER: the pool has one place: an entry behind an operation in flight
 *	begins when that has ended
 * @DOCA_STALL_DRAIN: all entries before it must complete first: it or the one before it
 *	drains
 *
 * While stalled, no slot of the completion ring counts as free, so entries are treated as
 * in a full ring: nothing else has to check. The executor polls the waits and goes on
 * when the operation that is in the way has ended, or the queue no longer executes.
 */
enum doca_stall {
	DOCA_STALL_NONE,
	DOCA_STALL_PLACE,
	DOCA_STALL_ORDER,
	DOCA_STALL_DRAIN,
};

/**
 * struct doca_queue - a queue
 * @run: the section in which it takes steps, its own or its worker's; protects
 *	@ring, @op, @waits, @nr_flights, @stall and @stats
 * @plain: opcode that is executed in line, MEMCPY; none, if it is not executed; constant
 * @ring: its rings
 * @op: the operation in progress
 * @waits: operations that wait
 * @nr_flights: operations in flight (flight.h), each of which has a slot of the completion
 *	ring; read anywhere
 * @opcodes: bit n is set if opcode n is executed; constant
 * @types: table of rows, with or without a DMA engine; constant
 * @nr_sessions: sessions of each operation that has any; constant
 * @pool: places and workspaces of operations in flight; reference; NULL if no opcode
 *	needs any; constant
 * @endpoint: its inbox and connections; NULL if it has none; constant
 * @stall: why the next entry is not begun; read anywhere
 * @held: the stalled entry was taken off the ring: it is in @op
 * @resumed: the stall is over, and no batch has run since; for executors that only
 *	poll waits; read anywhere
 * @forgiving: a failure ends only its own entry; constant
 * @poller: polls @waits if there is no worker, between calls of ENTER; NULL if there are
 *	none; reference; constant
 * @poller_node: in the poller's list; under the poller's lock
 * @worker: its executor; NULL: ENTER executes; reference; constant
 * @worker_node: in the worker's list; under the worker's lock
 * @state: &enum doca_queue_state; raised under @lock, read anywhere
 * @closed: the file is dead; never taken back
 * @halted: closed or broken: nothing is executed any more; never taken back
 * @removed: the device is dead: submissions are flushed
 * @ending: @end was left to the section
 * @lock: protects changes of @state, @closed, @halted, @removed and @ending, and the
 *	words of the ring that show them; the executor is woken under it
 * @wait: wait queue of poll
 * @stats: for fdinfo
 * @file: its keys are used and its user is charged; reference, to the structure
 *	only
 * @id: in doca_file.queue_ids; constant
 * @device: reference
 * @device_user: the device's removal flushes the queue
 * @end: the rest of its end, in the run section
 * @ref: references of the file descriptor, of @device_user, of @end until it is done, and of
 *	threads that have found the queue
 * @release: frees it; constant
 *
 * Death waits for nothing. The file's death, or the close of the descriptor, marks the queue
 * closed, closes its connections, and leaves the rest to the run section: to be taken from
 * the worker, to cancel the operation in progress, and to recall those in flight. The closing
 * thread does that, or the one that is in the section, when it leaves: from then on nothing
 * executes the queue, and that thread drops the waits. The last reference frees the rings;
 * their pages live on while they are mapped. The pool lives on until all flights have come
 * back: flight.h.
 */
struct doca_queue {
	struct doca_run *run;
	u32 plain;
	struct doca_ring ring;
	struct doca_op op;
	struct doca_waits waits;
	u32 nr_flights;
	u64 opcodes;
	const struct doca_op_type *const *types;
	u32 nr_sessions;
	struct doca_pool *pool;
	struct doca_endpoint *endpoint;
	u8 stall;
	bool held;
	bool resumed;
	bool forgiving;
	struct doca_poller *poller;
	struct list_head poller_node;
	struct doca_worker *worker;
	struct list_head worker_node;
	u32 state;
	bool closed;
	bool halted;
	bool removed;
	bool ending;
	spinlock_t lock; /* see above */
	wait_queue_head_t wait;
	struct {
		u64 ops;
		u64 errors;
		u64 bytes;
		u64 wakeups;
	} stats;

	struct doca_file *file;
	u32 id;
	struct doca_device *device;
	struct doca_device_user device_user;
	struct doca_run_work end;
	struct kref ref;
	void (*release)(struct kref *ref);
};

static inline void doca_queue_put(struct doca_queue *queue)
{
	kref_put(&queue->ref, queue->release);
}

/* Have the executor poll the waits. */
static inline void doca_queue_wake(struct doca_queue *queue)
{
	queue->waits.watcher.wake(&queue->waits.watcher);
}

/* queue.c */
void doca_queue_raise_state(struct doca_queue *queue, u32 state);
/* Set it for good; @why is @closed or @removed of the queue. */
void doca_queue_set_dead(struct doca_queue *queue, bool *why);
/* The device is gone: submissions are flushed. Does not wait. */
void doca_queue_set_removed(struct doca_queue *queue);
/* The queue has lost its executor. */
void doca_queue_orphan(struct doca_queue *queue);

/* exec.c */

/* The next action of an executor. */
enum doca_batch {
	DOCA_BATCH_IDLE, /* nothing until user space acts */
	DOCA_BATCH_AGAIN,
};

/**
 * struct doca_budget - limits of a batch; it leaves the rest in it
 * @entries: number of entries to execute
 * @length: bytes to move; the last entry may move more
 * @polls: number of polls for another entry when there is none
 */
struct doca_budget {
	unsigned int entries;
	int length;
	unsigned int polls;
};

/* Execute entries, or one large step, in the run section. */
enum doca_batch doca_queue_batch(struct doca_queue *queue,
				 struct doca_budget *budget);

/* Return true if an operation is in progress or an entry is there; the CQ may be full. */
static inline bool doca_queue_pending(const struct doca_queue *queue)
{
	return READ_ONCE(queue->op.type) || doca_ring_sq_ready(&queue->ring);
}

/* Poll for the next entry: it often follows soon after a completion. */
static inline bool doca_queue_poll_ring(const struct doca_queue *queue,
					unsigned int *polls)
{
	while (*polls) {
		--*polls;
		if (doca_queue_pending(queue))
			return true;
	}
	return false;
}

/*
 * Poll the waits, in the run section, after each batch and between batches: up to
 * DOCA_WAIT_POLLS of them. Return the number that ended.
 */
unsigned int doca_queue_end_waits(struct doca_queue *queue);

/* Cancel a wait, if it is there. Call it in the run section. */
void doca_queue_cancel_wait(struct doca_queue *queue, u64 user_data);

/* Count operations that have begun and not ended, without the one in progress. */
static inline u32 doca_queue_nr_waiting(const struct doca_queue *queue)
{
	return READ_ONCE(queue->waits.nr) + READ_ONCE(queue->nr_flights);
}

/* Return true if polling the waits may find something in time. A hint: no lock is held. */
static inline bool doca_queue_waits(const struct doca_queue *queue)
{
	return READ_ONCE(queue->waits.nr) && !READ_ONCE(queue->halted);
}

/* Return true if doca_queue_end_waits() would find something now. A hint: no lock is held. */
bool doca_queue_is_due(const struct doca_queue *queue);

/*
 * Call it after doca_queue_end_waits(), in an executor that does not run batches: begin
 * entries that were stalled by an operation that has ended. True if there are more, for
 * another call.
 */
bool doca_queue_catch_up(struct doca_queue *queue);

/* Return true if doca_queue_batch() or doca_queue_catch_up() has work. A hint: no lock is held. */
bool doca_queue_has_work(const struct doca_queue *queue);

/*
 * Limits of a batch, which bound how long others wait. Even with the last entry, copies that are
 * done at once move no more than one step does. Nothing else that is done at once takes longer than
 * a step, nor does a step but of GCM: whatever the last entry is, a batch takes less than two.
 */
#define DOCA_BATCH_ENTRIES 32
#define DOCA_BATCH_LENGTH (DOCA_OP_STEP_LENGTH - DOCA_OP_SMALL_LENGTH)

/* queue_create.c */

/* Make a queue that is not executed yet, and that only the caller knows. */
struct doca_queue *doca_queue_create(struct doca_file *file,
				     struct doca_device *device,
				     struct doca_worker *worker,
				     struct doca_queue_create *arg);
/* Hand it to its file, its device and its executor; the descriptor's close undoes this. */
int doca_queue_connect(struct doca_queue *queue);
/* Close it, without waiting: a step that is running is the last. */
void doca_queue_close(struct doca_queue *queue);
/* Return the first queue with an id from *id on, with a reference, and set *id. */
struct doca_queue *doca_queue_next(struct doca_file *file, unsigned long *id);
void doca_file_kill_queues(struct doca_file *file);

/* queue_file.c */
int doca_ioctl_queue_create(struct doca_ucmd *ucmd);
int doca_ioctl_device_query(struct doca_ucmd *ucmd);

#endif
