// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Producers: an entry finds its consumer, takes a buffer, fills and answers it. */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "access.h"
#include "consumer.h"
#include "flight.h"
#include "ops/memcpy.h"
#include "producer.h"
#include "queue.h"
#include "user.h"

#define DOCA_PRODUCER_BYTES doca_user_bytes(sizeof(struct doca_producer))

/* bytes that are copied under the lock of the consumer */
#define DOCA_PRODUCER_PIECE SZ_4K

/* Complete the operation that waits for a buffer. */
static void doca_producer_disconnect(struct doca_attached *at)
{
	struct doca_producer *producer =
		container_of(at, struct doca_producer, at);
	struct doca_flight *flight;

	if (!doca_attached_end(at))
		return;
	flight = doca_endpoint_unpark(at->endpoint, &producer->parked);
	if (flight)
		doca_flight_complete(flight, DOCA_STATUS_NOT_CONNECTED);
	doca_attached_tell(at, true, DOCA_STATUS_SUCCESS);
}

struct doca_producer *doca_producer_create(struct doca_queue *queue,
					   struct doca_conn_end *end)
{
	struct doca_endpoint *endpoint = queue->endpoint;
	struct doca_producer *producer;
	int rc;

	rc = doca_user_charge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
			      DOCA_PRODUCER_BYTES, 0);
	if (rc)
		return ERR_PTR(rc);
	producer = kzalloc(sizeof(*producer), GFP_KERNEL_ACCOUNT);
	if (!producer) {
		doca_user_uncharge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
				   DOCA_PRODUCER_BYTES, 0);
		return ERR_PTR(-ENOMEM);
	}
	producer->user = doca_user_get(endpoint->user);
	doca_attached_init(&producer->at, endpoint, end, DOCA_CONN_PRODUCER);
	producer->at.disconnect = doca_producer_disconnect;
	INIT_LIST_HEAD(&producer->taken_node);
	INIT_LIST_HEAD(&producer->hungry_node);
	doca_parking_init(&producer->parked);
	return producer;
}

void doca_producer_free(struct doca_producer *producer)
{
	doca_conn_put(producer->at.end->conn);
	doca_user_uncharge(producer->user, DOCA_QUOTA_OBJECT_BYTES,
			   DOCA_PRODUCER_BYTES, 0);
	doca_user_put(producer->user);
	kfree(producer);
}

void doca_producer_stop(struct doca_producer *producer, bool hears)
{
	struct doca_conn *conn = producer->at.end->conn;

	spin_lock(&conn->lock);
	if (doca_attached_end(&producer->at))
		doca_attached_tell(&producer->at, hears,
				   DOCA_STATUS_SUCCESS);
	spin_unlock(&conn->lock);
}

/* Find the consumer that the entry names: return a &enum doca_status. */
static u32 doca_producer_find(struct doca_producer *producer, u32 id)
{
	struct doca_conn_end *end = producer->at.end;
	u32 status = DOCA_STATUS_NOT_CONNECTED;

	if (producer->consumer)
		return DOCA_STATUS_SUCCESS;
	spin_lock(&end->conn->lock);
	if (!end->conn->closed) {
		producer->consumer = doca_consumer_find(end, id);
		status = producer->consumer ? DOCA_STATUS_SUCCESS :
					      DOCA_STATUS_NO_CONSUMER;
	}
	spin_unlock(&end->conn->lock);
	return status;
}

/* Return the reason why a consumer has ended. */
static u32 doca_producer_lost(const struct doca_producer *producer)
{
	return READ_ONCE(producer->at.end->conn->closed) ?
		       DOCA_STATUS_NOT_CONNECTED :
		       DOCA_STATUS_NO_CONSUMER;
}

static u32 doca_producer_imm_length(const struct doca_sqe *sqe)
{
	return (sqe->flags & DOCA_SQE_IMM_MASK) >> DOCA_SQE_IMM_SHIFT;
}

/* Call it with the lock of the consumer held. */
static u32 doca_producer_try(struct doca_producer *producer,
			     const struct doca_op *op)
{
	struct doca_consumer *consumer = producer->consumer;

	if (consumer->ended)
		return doca_producer_lost(producer);
	if (doca_producer_imm_length(&op->sqe) > consumer->imm_length)
		return DOCA_STATUS_NO_SPACE;
	if (!doca_consumer_fill(consumer))
		return consumer->wrong ? DOCA_STATUS_NO_CONSUMER :
					 DOCA_STATUS_START;
	if (op->length > consumer->fill.dst.length)
		return DOCA_STATUS_NO_SPACE;
	producer->fill = consumer->fill;
	producer->taking = true;
	consumer->filled = false;
	list_add_tail(&producer->taken_node, &consumer->takers);
	return DOCA_STATUS_SUCCESS;
}

/* Take a buffer. */
static u32 doca_producer_take(struct doca_producer *producer,
			      const struct doca_op *op)
{
	struct doca_consumer *consumer;
	bool wrong;
	u32 status;

	status = doca_producer_find(producer, op->sqe.aux);
	if (status)
		return status;
	consumer = producer->consumer;
	spin_lock(&consumer->lock);
	status = doca_producer_try(producer, op);
	wrong = consumer->wrong && !consumer->ended;
	spin_unlock(&consumer->lock);
	if (unlikely(wrong))
		doca_consumer_stop(consumer, false);
	return status;
}

/*
 * Answer the buffer that the producer has, and give it up. Call it with the lock of the
 * consumer held.
 */
static void doca_producer_answer(struct doca_producer *producer,
				 struct doca_event event)
{
	list_del_init(&producer->taken_node);
	doca_consumer_answer(producer->consumer, &producer->fill, event);
}

void doca_producer_drop(struct doca_producer *producer)
{
	struct doca_consumer *consumer = producer->consumer;

	if (!consumer)
		return;
	spin_lock(&consumer->lock);
	list_del_init(&producer->hungry_node);
	if (!list_empty(&producer->taken_node))
		doca_producer_answer(producer,
				     (struct doca_event){
					     .status = DOCA_STATUS_CANCELED,
				     });
	spin_unlock(&consumer->lock);
	producer->taking = false;
	producer->consumer = NULL;
	doca_consumer_put(consumer);
}

/* Return true if the consumer's file has lost the page at which a copy has ended. */
static bool doca_producer_missed(const struct doca_mapping *to, u64 address)
{
	return doca_mapping_is_backed(to) &&
	       !doca_backed_there(doca_mapping_at(to, address), 1);
}

/* Copy the rest of a piece, and count it. Call it with the lock of the consumer held. */
static u32 doca_producer_copy(struct doca_producer *producer,
			      struct doca_op *op,
			      const struct doca_mapping *from, u64 src, u32 len)
{
	const struct doca_mapping *to = producer->consumer->use.mapping;
	u64 dst = producer->fill.dst.address + op->done;
	u32 left = doca_copy_bytes(to, dst, from, src, len);

	op->done += len - left;
	op->src.offset += len - left;
	if (likely(!left))
		return DOCA_STATUS_SUCCESS;
	if (!doca_producer_missed(to, dst + len - left))
		return DOCA_STATUS_BAD_MEMORY;
	doca_producer_answer(producer, (struct doca_event){
					       .status = DOCA_STATUS_BAD_MEMORY,
				       });
	return DOCA_STATUS_NO_CONSUMER;
}

static u32 doca_producer_piece(struct doca_queue *queue,
			       struct doca_producer *producer,
			       struct doca_op *op, u32 max)
{
	struct doca_consumer *consumer = producer->consumer;
	const struct doca_seg *seg = doca_copy_seg(&op->src);
	const struct doca_mapping *from;
	u32 status;

	status = doca_op_resolve(queue, seg, DOCA_ACCESS_LOCAL_READ, &from);
	/* By now, the key may name memory of another process. */
	if (status == DOCA_STATUS_START ||
	    (!status && !doca_mapping_is_direct(from)))
		return DOCA_STATUS_NOT_SUPPORTED;
	if (status)
		return status;
	max = min3(max, (u32)DOCA_PRODUCER_PIECE, seg->length - op->src.offset);
	spin_lock(&consumer->lock);
	if (list_empty(&producer->taken_node))
		status = doca_producer_lost(producer);
	else
		status = doca_producer_copy(producer, op, from,
					    seg->address + op->src.offset, max);
	spin_unlock(&consumer->lock);
	return status;
}

/* Everything is there: tell the consumer. */
static u32 doca_producer_finish(struct doca_producer *producer,
				const struct doca_op *op)
{
	struct doca_consumer *consumer = producer->consumer;
	struct doca_event event = {
		.id = producer->at.id,
		.length = op->length,
		.imm_length = doca_producer_imm_length(&op->sqe),
	};
	u32 status = DOCA_STATUS_SUCCESS;

	/* The data lies in two fields of the entry, which are adjacent but for alignment. */
	static_assert(sizeof(op->sqe.dst) + sizeof(op->sqe.imm) ==
		      sizeof(event.imm));
	memcpy(event.imm, &op->sqe.dst, sizeof(op->sqe.dst));
	memcpy(event.imm + sizeof(op->sqe.dst), op->sqe.imm,
	       sizeof(op->sqe.imm));
	memset(event.imm + event.imm_length, 0,
	       sizeof(event.imm) - event.imm_length);
	spin_lock(&consumer->lock);
	if (list_empty(&producer->taken_node))
		status = doca_producer_lost(producer);
	else
		doca_producer_answer(producer, event);
	spin_unlock(&consumer->lock);
	return status;
}

/* Take one step, with a buffer. */
static u32 doca_producer_move(struct doca_queue *queue,
			      struct doca_producer *producer,
			      struct doca_op *op)
{
	u64 end = min_t(u64, op->length, op->done + DOCA_OP_STEP_LENGTH);
	u32 status;

	while (op->done < end) {
		status = doca_producer_piece(queue, producer, op,
					     end - op->done);
		if (status)
			return status;
	}
	return op->done < op->length ? DOCA_STATUS_AGAIN :
				       doca_producer_finish(producer, op);
}

u32 doca_producer_step(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_producer *producer =
		doca_endpoint_producer(queue->endpoint);
	u32 status = DOCA_STATUS_SUCCESS;

	if (!producer)
		return DOCA_STATUS_NOT_CONNECTED;
	if (READ_ONCE(queue->state) != DOCA_QUEUE_RUN)
		status = DOCA_STATUS_CANCELED;
	else if (!producer->taking)
		status = doca_producer_take(producer, op);
	if (!status)
		status = doca_producer_move(queue, producer, op);
	if (status != DOCA_STATUS_AGAIN && status != DOCA_STATUS_START)
		doca_producer_drop(producer);
	return status;
}

/* Return true if another try may succeed. Call it with the lock of the consumer held. */
static bool doca_producer_may_go(struct doca_consumer *consumer)
{
	return consumer->ended || doca_consumer_fill(consumer) ||
	       consumer->wrong;
}

u32 doca_producer_wait(struct doca_producer *producer,
		       struct doca_flight *flight)
{
	struct doca_consumer *consumer = producer->consumer;
	bool go;

	spin_lock(&consumer->lock);
	go = doca_producer_may_go(consumer);
	if (!go) {
		doca_endpoint_park(producer->at.endpoint, &producer->parked,
				   flight);
		list_add_tail(&producer->hungry_node, &consumer->hungry);
	}
	spin_unlock(&consumer->lock);
	if (go)
		doca_flight_complete(flight, DOCA_STATUS_SUCCESS);
	return DOCA_STATUS_PENDING;
}
