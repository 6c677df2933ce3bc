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

static bool doca_producer_goes_far(const struct doca_producer *producer)
{
	return doca_conn_other(producer->at.end)->far;
}

/* End it; return true for the first call. Call it with the lock of the connection held. */
static bool doca_producer_end(struct doca_producer *producer)
{
	if (!doca_attached_end(&producer->at))
		return false;
	if (producer->far)
		doca_far_ops->part(producer);
	return true;
}

/* Complete the operation that waits for a buffer. */
static void doca_producer_disconnect(struct doca_attached *at)
{
	struct doca_producer *producer =
		container_of(at, struct doca_producer, at);
	struct doca_flight *flight;

	if (!doca_producer_end(producer))
		return;
	flight = doca_endpoint_unpark(at->endpoint, &producer->parked);
	if (flight)
		doca_flight_complete(flight, DOCA_STATUS_NOT_CONNECTED);
	doca_attached_tell(at, true, DOCA_STATUS_SUCCESS);
}

/* Have the operation try again. */
static void doca_producer_fed(struct doca_taker *taker)
{
	struct doca_producer *producer =
		container_of(taker, struct doca_producer, taker);
	struct doca_flight *flight;

	flight = doca_endpoint_unpark(producer->at.endpoint, &producer->parked);
	if (flight)
		doca_flight_complete(flight, DOCA_STATUS_SUCCESS);
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
	doca_taker_init(&producer->taker, doca_producer_fed);
	doca_parking_init(&producer->parked);
	return producer;
}

void doca_producer_free(struct doca_producer *producer)
{
	if (producer->far)
		doca_far_ops->forget(producer);
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
	if (doca_producer_end(producer))
		doca_attached_tell(&producer->at, hears,
				   DOCA_STATUS_SUCCESS);
	spin_unlock(&conn->lock);
}

static u32 doca_producer_imm_length(const struct doca_sqe *sqe)
{
	return (sqe->flags & DOCA_SQE_IMM_MASK) >> DOCA_SQE_IMM_SHIFT;
}

/* Take a buffer. */
static u32 doca_producer_take(struct doca_producer *producer,
			      const struct doca_op *op)
{
	struct doca_taker *taker = &producer->taker;

	return doca_taker_find(taker, producer->at.end, op->sqe.aux) ?:
		       doca_taker_take(taker, op->length,
				       doca_producer_imm_length(&op->sqe));
}

void doca_producer_drop(struct doca_producer *producer)
{
	doca_taker_drop(&producer->taker);
}

/* Copy the rest of a piece, and count it. Call it with the lock of the consumer held. */
static u32 doca_producer_copy(struct doca_producer *producer,
			      struct doca_op *op,
			      const struct doca_mapping *from, u64 src, u32 len)
{
	struct doca_taker *taker = &producer->taker;
	const struct doca_mapping *to = taker->consumer->use.mapping;
	u64 dst = taker->fill.dst.address + op->done;
	u32 left = doca_copy_bytes(to, dst, from, src, len);

	op->done += len - left;
	op->src.offset += len - left;
	return likely(!left) ? DOCA_STATUS_SUCCESS :
			       doca_taker_missed(taker, dst + len - left);
}

/* Find the memory of the current segment, in which the source goes on: a &enum doca_status. */
static u32 doca_producer_source(struct doca_queue *queue,
				const struct doca_seg *seg,
				const struct doca_mapping **from)
{
	u32 status;

	status = doca_op_resolve(queue, seg, DOCA_ACCESS_LOCAL_READ, from);
	/* By now, the key may name memory of another process. */
	if (status == DOCA_STATUS_START ||
	    (!status && !doca_mapping_is_direct(*from)))
		return DOCA_STATUS_NOT_SUPPORTED;
	return status;
}

static u32 doca_producer_piece(struct doca_queue *queue,
			       struct doca_producer *producer,
			       struct doca_op *op, u32 max)
{
	struct doca_consumer *consumer = producer->taker.consumer;
	const struct doca_seg *seg = doca_copy_seg(&op->src);
	const struct doca_mapping *from;
	u32 status;

	status = doca_producer_source(queue, seg, &from);
	if (status)
		return status;
	max = min3(max, (u32)DOCA_PRODUCER_PIECE, seg->length - op->src.offset);
	spin_lock(&consumer->lock);
	if (!doca_taker_has(&producer->taker))
		status = doca_taker_lost(&producer->taker);
	else
		status = doca_producer_copy(producer, op, from,
					    seg->address + op->src.offset, max);
	spin_unlock(&consumer->lock);
	return status;
}

u32 doca_producer_read(struct doca_queue *queue, struct doca_op *op,
		       void *bytes, u32 length)
{
	u32 done, nr, left, status;

	for (done = 0; done < length; done += nr) {
		const struct doca_seg *seg = doca_copy_seg(&op->src);
		const struct doca_mapping *from;

		status = doca_producer_source(queue, seg, &from);
		if (status)
			return status;
		nr = min_t(u32, length - done, seg->length - op->src.offset);
		left = doca_mapping_read(from, seg->address + op->src.offset,
					 bytes + done, nr);
		if (left)
			return DOCA_STATUS_BAD_MEMORY;
		op->done += nr;
		op->src.offset += nr;
	}
	return DOCA_STATUS_SUCCESS;
}

struct doca_event doca_producer_event(const struct doca_producer *producer,
				      const struct doca_op *op)
{
	struct doca_event event = {
		.id = producer->at.id,
		.length = op->length,
		.imm_length = doca_producer_imm_length(&op->sqe),
	};

	/* The data lies in two fields of the entry, which are adjacent but for alignment. */
	static_assert(sizeof(op->sqe.dst) + sizeof(op->sqe.imm) ==
		      sizeof(event.imm));
	memcpy(event.imm, &op->sqe.dst, sizeof(op->sqe.dst));
	memcpy(event.imm + sizeof(op->sqe.dst), op->sqe.imm,
	       sizeof(op->sqe.imm));
	memset(event.imm + event.imm_length, 0,
	       sizeof(event.imm) - event.imm_length);
	return event;
}

/* Everything is there: tell the consumer. */
static u32 doca_producer_finish(struct doca_producer *producer,
				const struct doca_op *op)
{
	return doca_taker_finish(&producer->taker,
				 doca_producer_event(producer, op));
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
	else if (doca_producer_goes_far(producer))
		return DOCA_STATUS_START;
	else if (!producer->taker.taking)
		status = doca_producer_take(producer, op);
	if (!status)
		status = doca_producer_move(queue, producer, op);
	if (status != DOCA_STATUS_AGAIN && status != DOCA_STATUS_START)
		doca_producer_drop(producer);
	return status;
}

u32 doca_producer_go_on(struct doca_queue *queue, struct doca_op *op)
{
	if (doca_producer_goes_far(doca_endpoint_producer(queue->endpoint)))
		return DOCA_STATUS_SUCCESS;
	return doca_producer_step(queue, op);
}

static u32 doca_producer_wait_here(struct doca_producer *producer,
				   struct doca_flight *flight)
{
	doca_endpoint_park(producer->at.endpoint, &producer->parked, flight);
	if (!doca_taker_wait(&producer->taker))
		doca_producer_fed(&producer->taker);
	return DOCA_STATUS_PENDING;
}

u32 doca_producer_wait(struct doca_queue *queue, struct doca_flight *flight)
{
	struct doca_producer *producer =
		doca_endpoint_producer(queue->endpoint);

	return doca_producer_goes_far(producer) ?
		       doca_far_ops->produce(queue, producer, flight) :
		       doca_producer_wait_here(producer, flight);
}

/* One that came back to be started again is the caller's to drop. */
bool doca_producer_recall(struct doca_flight *flight)
{
	return doca_parked_recall(flight) || flight->state != DOCA_FLIGHT_AWAY;
}
