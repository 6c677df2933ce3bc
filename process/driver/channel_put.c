// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Producers here, whose consumers are in another process. An entry is in flight until the other
 * side has answered it. It comes back to be started again, in the run section, when there is a buffer
 * for it, when the socket has room again, and when it is done.
 */
#include "shim/kernel.h"

#include "channel_inner.h"
#include "flight.h"
#include "producer.h"
#include "queue.h"

enum putter_phase {
	PUTTER_FIRST, /* SEND is to be sent */
	PUTTER_ASKED,
	PUTTER_GRANTED, /* DATA is to be sent */
	PUTTER_SENT,
	PUTTER_DONE,
};

/**
 * struct putter - a producer that has begun to send
 * @producer: the producer
 * @node: in channel.putters, until the producer has ended
 * @thirsty_node: in channel.thirsty
 * @known: the other side has had a SEND
 * @seq: number of the entry
 * @phase: &enum putter_phase
 * @status: when it is done
 * @event: the event of which the consumer will be told
 * @consumer: id that the entry names
 * @held: bytes that were read, and not sent
 * @bytes: these
 *
 * Under the lock of the connection, but for @event to @bytes, which belong to the run section.
 */
struct putter {
	struct doca_producer *producer;
	struct list_head node;
	struct list_head thirsty_node;
	bool known;
	u32 seq;
	enum putter_phase phase;
	u32 status;
	struct doca_event event;
	u32 consumer;
	u32 held;
	u8 bytes[CHANNEL_CHUNK];
};

/* A try may take no more bytes than a step. */
#define CHUNKS (DOCA_OP_STEP_LENGTH / CHANNEL_CHUNK)

static struct channel *channel_of_producer(const struct doca_producer *producer)
{
	return channel_of(doca_conn_other(producer->at.end)->far);
}

static struct putter *putter_get(struct doca_producer *producer)
{
	struct channel *channel = channel_of_producer(producer);
	struct putter *putter = producer->far;

	if (putter)
		return putter;
	putter = malloc(sizeof(*putter));
	if (!putter)
		return NULL;
	*putter = (struct putter){ .producer = producer };
	INIT_LIST_HEAD(&putter->node);
	INIT_LIST_HEAD(&putter->thirsty_node);
	spin_lock(&channel->conn->lock);
	producer->far = putter;
	if (!producer->at.ended)
		list_add_tail(&putter->node, &channel->putters);
	spin_unlock(&channel->conn->lock);
	return putter;
}

void channel_forget(struct doca_producer *producer)
{
	free(producer->far);
}

/* The other side gives back a buffer that it may have taken. */
static void putter_leave(struct channel *channel, struct putter *putter)
{
	list_del_init(&putter->thirsty_node);
	if (putter->known)
		channel_say_soon(channel, &(struct channel_frame){
						  .type = CHANNEL_LEAVE,
						  .id = putter->producer->at.id,
					  });
	putter->known = false;
	if (putter->phase != PUTTER_DONE)
		putter->phase = PUTTER_FIRST;
}

void channel_part(struct doca_producer *producer)
{
	struct putter *putter = producer->far;

	putter_leave(channel_of_producer(producer), putter);
	list_del_init(&putter->node);
}

/* Have the flight come back, to be started again. */
static void putter_call(struct putter *putter)
{
	struct doca_producer *producer = putter->producer;
	struct doca_flight *flight;

	flight = doca_endpoint_unpark(producer->at.endpoint, &producer->parked);
	if (flight)
		doca_flight_complete(flight, DOCA_STATUS_START);
}

static struct putter *find_putter(struct channel *channel, u32 id)
{
	struct putter *putter;

	list_for_each_entry(putter, &channel->putters, node)
		if (putter->producer->at.id == id)
			return putter;
	return NULL;
}

/* Translate the other side's status into one that such an entry may have. */
static u32 status_of(u32 status)
{
	switch (status) {
	case DOCA_STATUS_SUCCESS:
	case DOCA_STATUS_NOT_CONNECTED:
	case DOCA_STATUS_NO_SPACE:
		return status;
	default:
		return DOCA_STATUS_NO_CONSUMER;
	}
}

/*
 * The entry is done, whatever comes after: its flight does not come back to be started, for its
 * queue may be at its end by then. If it is about to be, it learns it there.
 */
static void putter_end(struct putter *putter, u32 status)
{
	struct doca_producer *producer = putter->producer;
	struct doca_flight *flight;

	if (putter->phase == PUTTER_DONE)
		return;
	putter->phase = PUTTER_DONE;
	putter->status = status;
	flight = doca_endpoint_unpark(producer->at.endpoint, &producer->parked);
	if (flight)
		doca_flight_complete(flight, status);
}

/* Answers to entries that were canceled, or that make no sense, are ignored. */
void channel_answered(struct channel *channel,
		      const struct channel_frame *frame)
{
	struct putter *putter = find_putter(channel, frame->id);

	if (!putter || frame->seq != putter->seq ||
	    putter->phase == PUTTER_FIRST || putter->phase == PUTTER_DONE)
		return;
	if (frame->type == CHANNEL_DONE) {
		putter_end(putter, status_of(frame->value));
		return;
	}
	if (putter->phase == PUTTER_ASKED && putter->event.length > CHANNEL_FEW)
		putter->phase = PUTTER_GRANTED;
	putter_call(putter);
}

void channel_water(struct channel *channel)
{
	struct putter *putter;

	while (!channel->full &&
	       (putter = list_first_entry_or_null(
			&channel->thirsty, struct putter, thirsty_node))) {
		list_del_init(&putter->thirsty_node);
		putter_call(putter);
	}
}

void channel_dry(struct channel *channel)
{
	struct putter *putter;

	list_for_each_entry(putter, &channel->putters, node)
		putter_end(putter, DOCA_STATUS_NOT_CONNECTED);
}

/* Return what the other side would say now. */
static u32 putter_check(const struct channel *channel,
			const struct putter *putter)
{
	u32 i;

	for (i = 0; i < channel->nr_consumers; i++)
		if (channel->consumers[i].id == putter->consumer)
			return putter->event.imm_length >
					       channel->consumers[i].imm_length ?
				       DOCA_STATUS_NO_SPACE :
				       DOCA_STATUS_SUCCESS;
	return DOCA_STATUS_NO_CONSUMER;
}

static bool putter_say(struct channel *channel, struct putter *putter,
		       enum channel_type type)
{
	struct channel_frame frame = {
		.type = type,
		.id = putter->event.id,
		.seq = putter->seq,
	};

	if (type == CHANNEL_SEND) {
		frame.value = putter->consumer;
		frame.length = putter->event.length;
		frame.imm_length = putter->event.imm_length;
		memcpy(frame.imm, putter->event.imm, sizeof(frame.imm));
	}
	/* LEAVE must come before another SEND. */
	if (!list_empty(&channel->urgent) ||
	    !channel_say(channel, &frame, putter->bytes, putter->held)) {
		list_add_tail(&putter->thirsty_node, &channel->thirsty);
		return false;
	}
	putter->held = 0;
	return true;
}

static u32 putter_ask(struct channel *channel, struct putter *putter)
{
	u32 status = putter_check(channel, putter);

	if (status)
		return status;
	if (putter_say(channel, putter, CHANNEL_SEND)) {
		putter->phase = PUTTER_ASKED;
		putter->known = true;
	}
	return DOCA_STATUS_PENDING;
}

/* DOCA_STATUS_AGAIN: more bytes are to be read. */
static u32 putter_give(struct channel *channel, struct putter *putter,
		       const struct doca_op *op)
{
	if (putter->held && !putter_say(channel, putter, CHANNEL_DATA))
		return DOCA_STATUS_PENDING;
	if (op->done < op->length)
		return DOCA_STATUS_AGAIN;
	putter->phase = PUTTER_SENT;
	return DOCA_STATUS_PENDING;
}

/* Take a step with the lock of the connection held. */
static u32 putter_go(struct channel *channel, struct putter *putter,
		     const struct doca_op *op)
{
	list_del_init(&putter->thirsty_node);
	if (putter->phase == PUTTER_DONE)
		return putter->status;
	if (list_empty(&putter->node) || channel->closed || channel->far.lost)
		return DOCA_STATUS_NOT_CONNECTED;
	switch (putter->phase) {
	case PUTTER_FIRST:
		return putter_ask(channel, putter);
	case PUTTER_GRANTED:
		return putter_give(channel, putter, op);
	default:
		return DOCA_STATUS_PENDING;
	}
}

static u32 putter_step(struct putter *putter, struct doca_flight *flight)
{
	struct doca_producer *producer = putter->producer;
	struct channel *channel = channel_of_producer(producer);
	u32 status;

	spin_lock(&channel->conn->lock);
	status = putter_go(channel, putter, &flight->op);
	if (status == DOCA_STATUS_PENDING)
		doca_endpoint_park(producer->at.endpoint, &producer->parked,
				   flight);
	spin_unlock(&channel->conn->lock);
	return status;
}

static u32 putter_read(struct doca_queue *queue, struct putter *putter,
		       struct doca_op *op)
{
	u64 left = op->length - op->done;
	u32 nr = min_t(u64, left, CHANNEL_CHUNK);
	u32 status;

	status = doca_producer_read(queue, op, putter->bytes, nr);
	if (!status)
		putter->held = nr;
	return status;
}

/* A new entry takes the place of one that was canceled. Few bytes go with it at once. */
static u32 putter_begin(struct doca_queue *queue, struct putter *putter,
			struct doca_op *op)
{
	struct channel *channel = channel_of_producer(putter->producer);

	spin_lock(&channel->conn->lock);
	list_del_init(&putter->thirsty_node);
	putter->seq++;
	putter->phase = PUTTER_FIRST;
	spin_unlock(&channel->conn->lock);
	putter->event = doca_producer_event(putter->producer, op);
	putter->consumer = op->sqe.aux;
	putter->held = 0;
	op->done = 0;
	return op->length > CHANNEL_FEW ? DOCA_STATUS_SUCCESS :
					  putter_read(queue, putter, op);
}

/* The entry failed here, half way. */
static u32 putter_fail(struct putter *putter, u32 status)
{
	struct channel *channel = channel_of_producer(putter->producer);

	spin_lock(&channel->conn->lock);
	putter_leave(channel, putter);
	spin_unlock(&channel->conn->lock);
	return status;
}

u32 channel_produce(struct doca_queue *queue, struct doca_producer *producer,
		    struct doca_flight *flight)
{
	struct putter *putter = putter_get(producer);
	struct doca_op *op = &flight->op;
	u32 status = DOCA_STATUS_SUCCESS;
	u32 left = CHUNKS;

	if (!putter)
		return DOCA_STATUS_BAD_MEMORY;
	op->cost = 0;
	if (flight->status != DOCA_STATUS_START)
		status = putter_begin(queue, putter, op);
	while (!status) {
		status = putter_step(putter, flight);
		if (status != DOCA_STATUS_AGAIN)
			return status;
		if (!left--) {
			doca_flight_complete(flight, DOCA_STATUS_START);
			return DOCA_STATUS_PENDING;
		}
		status = putter_read(queue, putter, op);
		op->cost += putter->held;
	}
	return putter_fail(putter, status);
}
