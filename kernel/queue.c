// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The state of a queue, and how it is announced. */
#include <linux/poll.h>

#include "queue.h"

/* Set the word that user space sees, and wake all waiters. */
void doca_queue_raise_state(struct doca_queue *queue, u32 state)
{
	spin_lock(&queue->lock);
	if (queue->state < state) {
		WRITE_ONCE(queue->state, state);
		smp_store_release(&queue->ring.k->state, state); /* G */
	}
	if (state == DOCA_QUEUE_BROKEN)
		WRITE_ONCE(queue->halted, true);
	/* W: a poll that does not see the state is followed by another one. */
	smp_mb();
	WRITE_ONCE(queue->waits.watcher.due, true);
	if (!queue->closed)
		doca_queue_wake(queue);
	spin_unlock(&queue->lock);
	wake_up_interruptible_poll(&queue->wait, EPOLLIN | EPOLLERR);
}

void doca_queue_set_dead(struct doca_queue *queue, bool *why)
{
	spin_lock(&queue->lock);
	WRITE_ONCE(*why, true);
	if (queue->closed)
		WRITE_ONCE(queue->halted, true);
	WRITE_ONCE(queue->ring.k->dead, 1);
	spin_unlock(&queue->lock);
}

void doca_queue_set_removed(struct doca_queue *queue)
{
	doca_queue_set_dead(queue, &queue->removed);
	doca_queue_raise_state(queue, DOCA_QUEUE_FLUSH);
	wake_up_interruptible_poll(&queue->wait, EPOLLHUP);
}

void doca_queue_orphan(struct doca_queue *queue)
{
	doca_queue_set_dead(queue, &queue->closed);
	wake_up_interruptible_poll(&queue->wait, EPOLLHUP);
}
