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
#include "remote.h"
#include "ring.h"
#include "wait.h"

struct doca_looker;
struct doca_pool;
struct doca_ucmd;
struct doca_worker;

/**
 * enum doca_stall - why a queue does not begin its next entry
 * @DOCA_STALL_NONE: it does
 * @DOCA_STALL_PLACE: that needs a place of the pool, and there is none
 * @DOCA_STALL_ORDER: its pool has one place: what stands behind an operation in flight
 *	begins when that has ended
 * @DOCA_STALL_DRAIN: all before it is to complete first: it drains, or the one before
 *	does
 *
 * No slot of the completion ring is known to be free then, so that entries are looked at
 * as in a full ring: nothing else has to ask. The executor goes on when what is waited for
 * has ended, or the queue is not to execute, as it sees when it looks at what waits.
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
 *	@ring, @op, @waits, @asides, @stall and @stats
 * @plain: opcode that is executed in line, MEMCPY; none, if it is not to be executed;
 *	constant
 * @ring: its rings
 * @op: the operation at work
 * @waits: operations that wait
 * @asides: operations that others do
 * @opcodes: bit n is set if opcode n is executed; constant
 * @pool: places and workspaces of operations in flight; reference; NULL if no opcode
 *	needs any; constant
 * @stall: why the next entry is not begun; read anywhere
 * @held: the entry of which that is so was taken: it is in @op
 * @resumed: no longer so, and nobody has looked at entries since; for executors that
 *	come for what waits alone; read anywhere
 * @forgiving: a failure is of the entry alone; constant
 * @looker: looks at @waits where there is no worker, between calls of ENTER; NULL
 *	if there cannot be any; reference; constant
 * @looker_node: in the looker's list; under the looker's lock
 * @worker: its executor, NULL if that is ENTER; reference; constant
 * @worker_node: in the worker's list; under the worker's lock
 * @state: &enum doca_queue_state; raised under @lock, read anywhere
 * @closed: the file is dead; never taken back
 * @halted: closed or broken: nothing is executed any more; never taken back
 * @removed: the device is dead: what is submitted is flushed
 * @lock: protects changes of @state, @closed, @halted and @removed, and the
 *	words of the ring that tell of them; the executor is woken under it
 * @wait: of poll
 * @stats: for fdinfo
 * @file: whose keys it uses and whose user is charged; reference, to the
 *	structure only
 * @file_node: in doca_file.queues; under the file's lock
 * @id: in doca_file.queue_ids; constant
 * @device: reference
 * @device_user: the device's removal flushes the queue
 * @ref: of the file descriptor, and of the file's death while it kills it
 *
 * Death has two stages. The file's last close, or the close of the descriptor,
 * marks the queue closed, takes it from its worker or looker, cancels the operation
 * at work, recalls those in flight and drops the waits in the run section: from then on
 * nobody executes it. The last reference frees the rings, whose pages live on in what
 * mappings there are. The pool lives on until what is in flight has come back: flight.h.
 */
struct doca_queue {
	struct doca_run *run;
	u32 plain;
	struct doca_ring ring;
	struct doca_op op;
	struct doca_waits waits;
	struct doca_asides asides;
	u64 opcodes;
	struct doca_pool *pool;
	u8 stall;
	bool held;
	bool resumed;
	bool forgiving;
	struct doca_looker *looker;
	struct list_head looker_node;
	struct doca_worker *worker;
	struct list_head worker_node;
	u32 state;
	bool closed;
	bool halted;
	bool removed;
	spinlock_t lock; /* see above */
	wait_queue_head_t wait;
	struct {
		u64 ops;
		u64 errors;
		u64 bytes;
		u64 wakeups;
	} stats;

	struct doca_file *file;
	struct list_head file_node;
	u32 id;
	struct doca_device *device;
	struct doca_device_user device_user;
	struct kref ref;
};

/* Have the executor look at the waits. */
static inline void doca_queue_wake(struct doca_queue *queue)
{
	queue->waits.watcher.wake(&queue->waits.watcher);
}

/* queue.c */
void doca_queue_raise_state(struct doca_queue *queue, u32 state);
/* For good, and @why is one of the queue's words. */
void doca_queue_set_dead(struct doca_queue *queue, bool *why);
/* It has no executor any more. */
void doca_queue_orphan(struct doca_queue *queue);

/* exec.c */

/* What an executor is to do next. */
enum doca_turn {
	DOCA_TURN_IDLE, /* nothing until user space does something */
	DOCA_TURN_AGAIN,
};

/**
 * struct doca_budget - what a turn may use up; the turn leaves what it did not
 * @entries: to execute
 * @length: bytes to move; the last entry may move more
 * @looks: for another entry when there is none
 */
struct doca_budget {
	unsigned int entries;
	int length;
	unsigned int looks;
};

/* Execute entries, or one large step, in the run section. */
enum doca_turn doca_queue_turn(struct doca_queue *queue,
			       struct doca_budget *budget);

/* Whether there is an operation at work or an entry, if not room for its end. */
static inline bool doca_queue_pending(const struct doca_queue *queue)
{
	return READ_ONCE(queue->op.type) || doca_ring_sq_ready(&queue->ring);
}

/* Wait a moment for that: who has one answer may have the next question. */
static inline bool doca_queue_look(const struct doca_queue *queue,
				   unsigned int *looks)
{
	while (*looks) {
		--*looks;
		if (doca_queue_pending(queue))
			return true;
	}
	return false;
}

/*
 * Look at what waits, in the run section, after each turn and between turns: at
 * DOCA_WAIT_LOOKS of them, or all if there are fewer. How many ended.
 */
unsigned int doca_queue_end_waits(struct doca_queue *queue);

/* In the run section: end one that has stood aside, or cancel a wait, if it is there. */
void doca_queue_end_aside(struct doca_queue *queue, u64 user_data, u32 status,
			  u64 length, u64 result);
void doca_queue_cancel_wait(struct doca_queue *queue, u64 user_data);

/* Operations that have begun and are not at an end, but the one at work. */
static inline u32 doca_queue_nr_waiting(const struct doca_queue *queue)
{
	return READ_ONCE(queue->waits.nr) + READ_ONCE(queue->asides.nr);
}

/* Whether that may find something by and by. A hint: without the section. */
static inline bool doca_queue_waits(const struct doca_queue *queue)
{
	return (READ_ONCE(queue->waits.nr) || READ_ONCE(queue->asides.polled)) &&
	       !READ_ONCE(queue->halted);
}

/* Whether it would find something now. A hint: without the section. */
bool doca_queue_is_due(const struct doca_queue *queue);

/*
 * After that, by an executor that does not take turns: entries that had to wait for what
 * has ended are begun. True if there are more, for another call.
 */
bool doca_queue_catch_up(struct doca_queue *queue);

/* Whether a turn or that would do something. A hint: without the section. */
bool doca_queue_has_work(const struct doca_queue *queue);

/*
 * What a turn executes, if it is nothing large: bounds how long others wait, for
 * with the last entry this is no more than one step moves.
 */
#define DOCA_TURN_ENTRIES 32
#define DOCA_TURN_LENGTH (DOCA_OP_STEP_LENGTH - DOCA_OP_SMALL_LENGTH)

/* queue_create.c */

/* Nobody executes it yet, and nobody but the caller knows it. */
struct doca_queue *doca_queue_create(struct doca_file *file,
				     struct doca_device *device,
				     struct doca_worker *worker,
				     struct doca_queue_create *arg);
/* Hand it to its file, its device and its executor; undone by the descriptor's close. */
int doca_queue_connect(struct doca_queue *queue);
/* Nobody executes it when this returns; waits for the step that is running. */
void doca_queue_close(struct doca_queue *queue);
void doca_queue_put(struct doca_queue *queue);
/* At the end of the mm. */
void doca_file_kill_queues(struct doca_file *file);

/* queue_file.c */
int doca_ioctl_queue_create(struct doca_ucmd *ucmd);

#endif
