/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Operations on memory of other processes, which are in flight (flight.h), and a queue's
 * ties to connections.
 */
#ifndef INPROC_REMOTE_OP_H
#define INPROC_REMOTE_OP_H

#include "flight.h"
#include "link.h"

/**
 * struct remote_space - the provider's data in each queue; under the run section
 * @tied: bit n is set if the queue has a tie to the link with that index
 * @links: links by index
 * @ties: by index: number of pieces and starving operations
 * @unflushed: bit n is set if that link's ring has entries that were not announced, or
 *	operations starve on it since
 * @asleep: its executor does not look for answers: exporters shall ring; read anywhere
 * @crowded: others wait for the CPU on which its program polls
 * @node: in the list of queues that the service thread shall execute; under its lock
 * @queue: the queue, with a reference, while it is in the list
 *
 * When the queue is closed, the pool's lock takes the place of the run section.
 */
struct remote_space {
	u64 tied;
	struct link *links[LINKS_MAX];
	u32 ties[LINKS_MAX];
	u64 unflushed;
	bool asleep;
	bool crowded;
	struct list_head node;
	struct doca_queue *queue;
};

/**
 * struct relay_op - the provider's data of an operation
 * @flight: the operation: sides, the cursors in them, and its progress
 * @space: its queue's
 * @length: amount to be cut into pieces: bytes of a copy, or 1
 * @sent: part of that which was cut into pieces
 * @pieces: struct piece, those in flight
 * @status: status of the first piece that failed
 * @starved: the link that had no piece left for it, with a reference and a tie; NULL
 * @starved_class: class of that piece
 * @starving: in the link's list, until its turn; under the link's lock
 * @turn: the link that has called it, while it takes pieces; NULL; under the
 *	link's lock
 * @back: claimed by a thread that will complete the flight, or has done so
 * @claimed: in that thread's list
 */
struct relay_op {
	struct doca_flight *flight;
	struct remote_space *space;
	u64 length;
	u64 sent;
	struct list_head pieces;
	u32 status;
	struct link *starved;
	enum piece_class starved_class;
	struct list_head starving;
	struct link *turn;
	bool back;
	struct list_head claimed;
};

static inline struct relay_op *relay_op_of(struct doca_flight *flight)
{
	return (struct relay_op *)flight->private;
}

/* Return true for one caller at a time: it completes the flight, or ends it here. */
static inline bool relay_claim(struct relay_op *op)
{
	return !__atomic_exchange_n(&op->back, true, __ATOMIC_SEQ_CST);
}

/* Return NULL in a queue that has no places for such operations. */
static inline struct remote_space *remote_space(const struct doca_queue *queue)
{
	return queue->pool ? doca_queue_space(queue, DOCA_OP_REMOTE) : NULL;
}

/* The row for operations on remote memory. */
extern const struct doca_op_type remote_type;
/* The queue has work. If its program sleeps, have the service thread do it. */
void remote_wake(struct doca_queue *queue);
/* For the service thread. */
void remote_run(void);
void remote_end(void);
/* A program is about to sleep: answers from now on must wake it. */
void remote_arm(struct doca_queue *queue);
/* A program calls, and looks itself. Return true if operations of the queue are away. */
bool remote_awake(struct doca_queue *queue);
/*
 * After a call that executes: wait a moment for answers if it did nothing else, and
 * wake the threads that have asked for them.
 */
void remote_linger(struct doca_queue *queue,
		   const struct doca_queue_enter *enter, bool was_away);

#endif /* INPROC_REMOTE_OP_H */
