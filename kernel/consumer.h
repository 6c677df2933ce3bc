/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Consumers. The submission ring of a consumer's queue has no executor: producers take buffers
 * from it, and write into them.
 *
 * Barriers, beside A and F of ring.h:
 *
 *  J  user: store phase, full barrier, load need_wakeup; then ENTER
 *     producer: store need_wakeup, full barrier, load phase; then wait
 */
#ifndef DOCA_CONSUMER_H
#define DOCA_CONSUMER_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <linux/doca.h>

#include "attached.h"
#include "memory.h"

struct doca_user;

/**
 * struct doca_consumer - a consumer
 * @at: the common part of producers and consumers
 * @use: use of the memory of its buffers, until it has @ended. Its reference count is the
 *	consumer's: references are held by the endpoint, and by producers that deal with it
 * @user: account that is charged; reference
 * @imm_length: immediate data that it accepts; constant
 * @announced: the other side knows it; under the lock of the connection
 * @lock: protects the members below it, and the submission ring; taken between that of
 *	the connection and those of inboxes; held while a page is copied
 * @ended: set for good
 * @wrong: an entry was wrong: the producer that has found it shall stop the consumer
 * @filled: @fill is a buffer that was taken off the ring and belongs to no producer
 * @fill: its entry
 * @hungry: struct doca_taker that wait for a buffer
 * @takers: struct doca_taker that have a buffer
 *
 * For @fill, and for each buffer of @takers, the inbox has promised an event. A consumer that
 * ends takes all of them back; ENTER gives back the entries in the ring.
 */
struct doca_consumer {
	struct doca_attached at;
	struct doca_mapping_user use;
	struct doca_user *user;
	u32 imm_length;
	bool announced;
	spinlock_t lock; /* see above */
	bool ended;
	bool wrong;
	bool filled;
	struct doca_sqe fill;
	struct list_head hungry;
	struct list_head takers;
};

/* Return the consumer of an endpoint, or NULL; @endpoint may be NULL. */
static inline struct doca_consumer *
doca_endpoint_consumer(struct doca_endpoint *endpoint)
{
	struct doca_attached *at = doca_endpoint_attached(endpoint);

	return at && at->kind == DOCA_CONN_CONSUMER ?
		       container_of(at, struct doca_consumer, at) :
		       NULL;
}

/*
 * For ATTACH: make a consumer that no other thread can see; -ENOENT, -EACCES,
 * -EOPNOTSUPP, -EDQUOT, -ENOMEM.
 */
struct doca_consumer *doca_consumer_create(struct doca_queue *queue,
					   struct doca_conn_end *end,
					   const struct doca_queue_attach *arg);
void doca_consumer_put(struct doca_consumer *consumer);

/* Tell the other side of it: -ENOTCONN or -ENOSPC. */
int doca_consumer_announce(struct doca_consumer *consumer);
/*
 * End it, without waiting: nothing is written into its memory when this returns. Its queue is
 * told if it @hears.
 */
void doca_consumer_stop(struct doca_consumer *consumer, bool hears);
/* ENTER: wake producers that wait for a buffer; or give buffers back, and return their number. */
u32 doca_consumer_enter(struct doca_consumer *consumer);

/*
 * Find the consumer with this id on the other side of the connection, if it was announced,
 * with a reference.
 */
struct doca_consumer *doca_consumer_find(struct doca_conn_end *end, u32 id);
/*
 * Return true if @fill is there. Call it with its lock held, while it has not ended. It may
 * be @wrong by now.
 */
bool doca_consumer_fill(struct doca_consumer *consumer);
/* Answer an entry, for which an event is promised. Call it with its lock held. */
void doca_consumer_answer(struct doca_consumer *consumer,
			  const struct doca_sqe *fill, struct doca_event event);

#endif
