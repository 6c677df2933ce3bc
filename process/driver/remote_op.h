/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* An operation that stands aside until another process has answered. */
#ifndef INPROC_REMOTE_OP_H
#define INPROC_REMOTE_OP_H

#include "link.h"
#include "op.h"

/**
 * struct relay_op - an operation with a remote side
 * @node: in the queue's list; under the run section
 * @all: among all operations, or among those that are free
 * @queue: whose it is
 * @op: a copy of it: sides, how far they have been cut up, and what is done
 * @sent: bytes of @op that were cut into pieces
 * @pieces: struct piece, those under way
 * @status: of the first piece that failed
 * @starving: in the list of a link that had no piece left; under the link's lock
 * @starved: that link, with a reference; NULL
 * @starved_class: of the piece
 * @asleep: it is not polled: a thread that finds something for it must kick it
 * @kicked: the service thread is to take a step
 */
struct relay_op {
	struct list_head node;
	struct list_head all;
	struct doca_queue *queue;
	struct doca_op op;
	u64 sent;
	struct list_head pieces;
	u32 status;
	struct list_head starving;
	struct link *starved;
	enum piece_class starved_class;
	bool asleep;
	bool kicked;
};

/* True if the service thread has to be woken for it. */
static inline bool relay_kick(struct relay_op *op, bool always)
{
	if (!always && !READ_ONCE(op->asleep))
		return false;
	WRITE_ONCE(op->kicked, true);
	return true;
}

#endif /* INPROC_REMOTE_OP_H */
