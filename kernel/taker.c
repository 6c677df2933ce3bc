// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Takers of buffers: they find a consumer, take a buffer, fill and answer it. */
#include <linux/minmax.h>
#include <linux/sizes.h>

#include "access.h"
#include "consumer.h"
#include "taker.h"

/* bytes that are copied under the lock of the consumer */
#define DOCA_TAKER_PIECE SZ_4K

void doca_taker_init(struct doca_taker *taker,
		     void (*fed)(struct doca_taker *taker))
{
	INIT_LIST_HEAD(&taker->taken_node);
	INIT_LIST_HEAD(&taker->hungry_node);
	taker->fed = fed;
}

u32 doca_taker_find(struct doca_taker *taker, struct doca_conn_end *end, u32 id)
{
	u32 status = DOCA_STATUS_NOT_CONNECTED;

	if (taker->consumer)
		return DOCA_STATUS_SUCCESS;
	spin_lock(&end->conn->lock);
	if (!end->conn->closed) {
		taker->consumer = doca_consumer_find(end, id);
		status = taker->consumer ? DOCA_STATUS_SUCCESS :
					   DOCA_STATUS_NO_CONSUMER;
	}
	spin_unlock(&end->conn->lock);
	return status;
}

u32 doca_taker_lost(const struct doca_taker *taker)
{
	return READ_ONCE(taker->consumer->at.end->conn->closed) ?
		       DOCA_STATUS_NOT_CONNECTED :
		       DOCA_STATUS_NO_CONSUMER;
}

/* Call it with the lock of the consumer held. */
static u32 doca_taker_try(struct doca_taker *taker, u64 length, u32 imm_length)
{
	struct doca_consumer *consumer = taker->consumer;

	if (consumer->ended)
		return doca_taker_lost(taker);
	if (imm_length > consumer->imm_length)
		return DOCA_STATUS_NO_SPACE;
	if (!doca_consumer_fill(consumer))
		return consumer->wrong ? DOCA_STATUS_NO_CONSUMER :
					 DOCA_STATUS_START;
	if (length > consumer->fill.dst.length)
		return DOCA_STATUS_NO_SPACE;
	taker->fill = consumer->fill;
	taker->taking = true;
	consumer->filled = false;
	list_add_tail(&taker->taken_node, &consumer->takers);
	return DOCA_STATUS_SUCCESS;
}

u32 doca_taker_take(struct doca_taker *taker, u64 length, u32 imm_length)
{
	struct doca_consumer *consumer = taker->consumer;
	bool wrong;
	u32 status;

	spin_lock(&consumer->lock);
	status = doca_taker_try(taker, length, imm_length);
	wrong = consumer->wrong && !consumer->ended;
	spin_unlock(&consumer->lock);
	if (unlikely(wrong))
		doca_consumer_stop(consumer, false);
	return status;
}

/* Return true if another try may succeed. Call it with the lock of the consumer held. */
static bool doca_taker_may_go(struct doca_consumer *consumer)
{
	return consumer->ended || doca_consumer_fill(consumer) ||
	       consumer->wrong;
}

bool doca_taker_wait(struct doca_taker *taker)
{
	struct doca_consumer *consumer = taker->consumer;
	bool go;

	spin_lock(&consumer->lock);
	go = doca_taker_may_go(consumer);
	if (!go)
		list_add_tail(&taker->hungry_node, &consumer->hungry);
	spin_unlock(&consumer->lock);
	return !go;
}

void doca_taker_answer(struct doca_taker *taker, struct doca_event event)
{
	list_del_init(&taker->taken_node);
	doca_consumer_answer(taker->consumer, &taker->fill, event);
}

u32 doca_taker_finish(struct doca_taker *taker, struct doca_event event)
{
	struct doca_consumer *consumer = taker->consumer;
	u32 status = DOCA_STATUS_SUCCESS;

	spin_lock(&consumer->lock);
	if (doca_taker_has(taker))
		doca_taker_answer(taker, event);
	else
		status = doca_taker_lost(taker);
	spin_unlock(&consumer->lock);
	return status;
}

void doca_taker_drop(struct doca_taker *taker)
{
	struct doca_consumer *consumer = taker->consumer;

	if (!consumer)
		return;
	spin_lock(&consumer->lock);
	list_del_init(&taker->hungry_node);
	if (doca_taker_has(taker))
		doca_taker_answer(taker, (struct doca_event){
						 .status = DOCA_STATUS_CANCELED,
					 });
	spin_unlock(&consumer->lock);
	taker->taking = false;
	taker->consumer = NULL;
	doca_consumer_put(consumer);
}

u32 doca_taker_missed(struct doca_taker *taker, u64 address)
{
	const struct doca_mapping *to = taker->consumer->use.mapping;

	if (!doca_mapping_is_backed(to) ||
	    doca_backed_there(doca_mapping_at(to, address), 1))
		return DOCA_STATUS_BAD_MEMORY;
	doca_taker_answer(taker, (struct doca_event){
					 .status = DOCA_STATUS_BAD_MEMORY,
				 });
	return DOCA_STATUS_NO_CONSUMER;
}

/* Call it with the lock of the consumer held. */
static u32 doca_taker_write_piece(struct doca_taker *taker, u64 offset,
				  const void *bytes, u32 length)
{
	const struct doca_mapping *to = taker->consumer->use.mapping;
	u64 address = taker->fill.dst.address + offset;
	u32 left;

	if (!doca_taker_has(taker))
		return doca_taker_lost(taker);
	left = doca_mapping_write(to, address, bytes, length);
	return left ? doca_taker_missed(taker, address + length - left) :
		      DOCA_STATUS_SUCCESS;
}

u32 doca_taker_write(struct doca_taker *taker, u64 offset, const void *bytes,
		     u32 length)
{
	u32 status = DOCA_STATUS_SUCCESS;
	u32 done, piece;

	for (done = 0; done < length && !status; done += piece) {
		piece = min_t(u32, length - done, DOCA_TAKER_PIECE);
		spin_lock(&taker->consumer->lock);
		status = doca_taker_write_piece(taker, offset + done,
						bytes + done, piece);
		spin_unlock(&taker->consumer->lock);
	}
	return status;
}
