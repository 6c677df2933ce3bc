/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Operations on memory of other processes, which are in flight (flight.h), and what a queue
 * that has some knows of connections.
 */
#ifndef INPROC_REMOTE_OP_H
#define INPROC_REMOTE_OP_H

#include "flight.h"
#include "link.h"

/**
 * struct remote_space - what the provider has in each queue; under the run section
 * @tied: bit n is set if the queue has something on the link with that index
 * @links: by index
 * @ties: by index, how many pieces and starving operations that is
 * @unflushed: bit n is set if entries were put into that link's ring and not announced
 * @asleep: its executor does not look for answers: exporters are to ring; read anywhere
 * @crowded: others wait for the CPU that its program looks on
 * @node: in the list of queues that the service thread is to execute; under its lock
 * @queue: with a reference, while it is in the list
 *
 * When the queue is closed, the pool's lock is in the place of the run section.
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
 * @flight: the operation: sides, how far they have been cut up, and what is done
 * @space: of its queue
 * @length: to be cut into pieces: bytes of a copy, or 1
 * @sent: of that, what was cut into pieces
 * @pieces: struct piece, those under way
 * @status: of the first piece that failed
 * @starved: the link that had no piece left for it, with a reference and a tie; NULL
 * @starved_class: of the piece
 * @starving: in the link's list, until it is its turn; under the link's lock
 * @turn: the link that has called it, likewise, while it takes pieces; NULL
 * @back: claimed by the one who is to complete the flight, or who has done so
 * @claimed: in that one's list
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

/* True for one caller at a time: it completes the flight, or ends it here. */
static inline bool relay_claim(struct relay_op *op)
{
	return !__atomic_exchange_n(&op->back, true, __ATOMIC_SEQ_CST);
}

/* NULL in a queue that has no places for such operations. */
static inline struct remote_space *remote_space(const struct doca_queue *queue)
{
	return queue->pool ? doca_queue_space(queue, DOCA_OP_REMOTE) : NULL;
}

#endif /* INPROC_REMOTE_OP_H */
