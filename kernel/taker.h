/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Takers of buffers: each takes the next buffer of a consumer, fills it, and answers. A
 * producer is one, and so is what stands here for a producer elsewhere.
 */
#ifndef DOCA_TAKER_H
#define DOCA_TAKER_H

#include <linux/list.h>
#include <linux/types.h>

#include <linux/doca.h>

struct doca_conn_end;
struct doca_consumer;

/**
 * struct doca_taker - one that takes buffers, one at a time
 * @consumer: consumer of the entry that has begun; reference
 * @taking: it has taken a buffer, and not answered it; the consumer may have taken it
 *	back
 * @fill: that buffer
 * @taken_node: in doca_consumer.takers, under the lock of the consumer
 * @hungry_node: in doca_consumer.hungry, likewise
 * @fed: called once after each wait, with the lock of the consumer held: another try may
 *	succeed; constant
 *
 * Members that are under no lock belong to its owner.
 */
struct doca_taker {
	struct doca_consumer *consumer;
	bool taking;
	struct doca_sqe fill;
	struct list_head taken_node;
	struct list_head hungry_node;
	void (*fed)(struct doca_taker *taker);
};

void doca_taker_init(struct doca_taker *taker,
		     void (*fed)(struct doca_taker *taker));

/*
 * Find the consumer with this id on the other side of the connection, unless it has one:
 * a &enum doca_status.
 */
u32 doca_taker_find(struct doca_taker *taker, struct doca_conn_end *end,
		    u32 id);

/* The others need a consumer: */

/*
 * Take a buffer for that many bytes: DOCA_STATUS_START if there is none. Call it without the
 * lock of the connection.
 */
u32 doca_taker_take(struct doca_taker *taker, u64 length, u32 imm_length);
/* Wait for a buffer, and return true; or return false if another try may succeed. */
bool doca_taker_wait(struct doca_taker *taker);
/* Copy bytes to an offset that lies within the buffer. */
u32 doca_taker_write(struct doca_taker *taker, u64 offset, const void *bytes,
		     u32 length);
/* Everything is there: answer the buffer. */
u32 doca_taker_finish(struct doca_taker *taker, struct doca_event event);
/* The entry goes no further: give back the buffer, if any, and the consumer, if any. */
void doca_taker_drop(struct doca_taker *taker);

/* Call these with the lock of the consumer held: */

/* Return true if it has a buffer. */
static inline bool doca_taker_has(const struct doca_taker *taker)
{
	return !list_empty(&taker->taken_node);
}

/* Return the reason why it has none any more. */
u32 doca_taker_lost(const struct doca_taker *taker);
/* Answer the buffer, and give it up. */
void doca_taker_answer(struct doca_taker *taker, struct doca_event event);
/* The consumer's file has lost the page at which a copy has ended: give the buffer up, if so. */
u32 doca_taker_missed(struct doca_taker *taker, u64 address);

#endif
