// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Consumers: they are made, offer buffers, and end. */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "access.h"
#include "consumer.h"
#include "flight.h"
#include "queue.h"
#include "taker.h"
#include "user.h"

#define DOCA_CONSUMER_BYTES doca_user_bytes(sizeof(struct doca_consumer))

static struct doca_queue *
doca_consumer_queue(const struct doca_consumer *consumer)
{
	return consumer->at.endpoint->inbox.queue;
}

static void doca_consumer_free(struct kref *ref)
{
	struct doca_consumer *consumer =
		container_of(ref, struct doca_consumer, use.ref);

	doca_conn_put(consumer->at.end->conn);
	doca_user_uncharge(consumer->user, DOCA_QUOTA_OBJECT_BYTES,
			   DOCA_CONSUMER_BYTES, 0);
	doca_user_put(consumer->user);
	kfree(consumer);
}

void doca_consumer_put(struct doca_consumer *consumer)
{
	kref_put(&consumer->use.ref, doca_consumer_free);
}

static void doca_consumer_need_wakeup(struct doca_consumer *consumer, u32 value)
{
	WRITE_ONCE(doca_consumer_queue(consumer)->ring.k->need_wakeup, value);
}

static bool doca_consumer_knows(struct doca_consumer *consumer, u32 promised)
{
	struct doca_conn_end *other = doca_conn_other(consumer->at.end);
	struct doca_inbox *inbox = &other->endpoint->inbox;
	bool room;

	spin_lock(&inbox->lock);
	room = doca_inbox_promise(inbox, promised);
	if (room)
		other->promised += promised;
	spin_unlock(&inbox->lock);
	return room;
}

static void doca_consumer_tell(struct doca_consumer *consumer, u16 type,
			       u32 length)
{
	doca_conn_tell(doca_conn_other(consumer->at.end),
		       &(struct doca_event){
			       .type = type,
			       .id = consumer->at.id,
			       .length = length,
		       });
}

static int doca_consumer_tell_new(struct doca_consumer *consumer)
{
	struct doca_far *far = doca_conn_other(consumer->at.end)->far;

	if (far)
		return doca_far_ops->announce(far, consumer->at.id,
					      consumer->imm_length);
	if (!doca_consumer_knows(consumer, 2))
		return -ENOSPC;
	doca_consumer_tell(consumer, DOCA_EVENT_CONSUMER_NEW,
			   consumer->imm_length);
	return 0;
}

static void doca_consumer_tell_gone(struct doca_consumer *consumer)
{
	const struct doca_conn_end *other = doca_conn_other(consumer->at.end);

	if (other->far)
		doca_far_ops->gone(other->far, consumer->at.id);
	else if (other->endpoint)
		doca_consumer_tell(consumer, DOCA_EVENT_CONSUMER_GONE, 0);
}

/* Tell the other side. Call it with the lock of the connection held. */
static int doca_consumer_publish(struct doca_consumer *consumer)
{
	int rc = 0;

	if (consumer->at.ended || consumer->at.end->conn->closed)
		return -ENOTCONN;
	if (!consumer->announced)
		rc = doca_consumer_tell_new(consumer);
	if (!rc)
		consumer->announced = true;
	return rc;
}

int doca_consumer_announce(struct doca_consumer *consumer)
{
	struct doca_conn *conn = consumer->at.end->conn;
	int rc;

	spin_lock(&conn->lock);
	rc = doca_consumer_publish(consumer);
	spin_unlock(&conn->lock);
	return rc;
}

struct doca_consumer *doca_consumer_find(struct doca_conn_end *end, u32 id)
{
	struct doca_conn_end *other = doca_conn_other(end);
	struct doca_attached *at;

	lockdep_assert_held(&end->conn->lock);
	list_for_each_entry(at, &other->attached, node) {
		struct doca_consumer *consumer =
			container_of(at, struct doca_consumer, at);

		if (at->kind != DOCA_CONN_CONSUMER || at->id != id)
			continue;
		if (!consumer->announced)
			return NULL;
		kref_get(&consumer->use.ref);
		return consumer;
	}
	return NULL;
}

void doca_consumer_answer(struct doca_consumer *consumer,
			  const struct doca_sqe *fill, struct doca_event event)
{
	struct doca_inbox *inbox = &consumer->at.endpoint->inbox;

	lockdep_assert_held(&consumer->lock);
	event.type = DOCA_EVENT_RECEIVED;
	event.user_data = fill->user_data;
	event.connection = consumer->at.end->id;
	spin_lock(&inbox->lock);
	doca_inbox_put(inbox, &event);
	spin_unlock(&inbox->lock);
}

static void doca_consumer_give_back(struct doca_consumer *consumer,
				    const struct doca_sqe *fill, u16 status)
{
	doca_consumer_answer(consumer, fill,
			     (struct doca_event){ .status = status });
}

static u32 doca_consumer_check_entry(const struct doca_consumer *consumer,
				     const struct doca_sqe *sqe)
{
	const struct doca_queue *queue = doca_consumer_queue(consumer);
	const struct doca_mapping *mapping = consumer->use.mapping;
	u64 offset = sqe->dst.address - mapping->addr;

	if (sqe->opcode != DOCA_OP_POST_RECV)
		return DOCA_STATUS_BAD_OPCODE;
	if (!doca_op_is_formed(queue->types[DOCA_OP_POST_RECV], sqe) ||
	    sqe->flags)
		return DOCA_STATUS_BAD_ENTRY;
	if (sqe->dst.key != mapping->key)
		return DOCA_STATUS_BAD_KEY;
	if (offset > mapping->length ||
	    sqe->dst.length > mapping->length - offset)
		return DOCA_STATUS_BAD_RANGE;
	return DOCA_STATUS_SUCCESS;
}

/* Return true if there is an entry; if not, the next one comes with a call. */
static bool doca_consumer_has_entry(struct doca_consumer *consumer)
{
	const struct doca_ring *ring = &doca_consumer_queue(consumer)->ring;

	if (doca_ring_sq_ready(ring))
		return true;
	doca_consumer_need_wakeup(consumer, 1);
	smp_mb(); /* J */
	return doca_ring_sq_ready(ring);
}

/* Take an entry, and the promise of an event for its answer. */
static bool doca_consumer_get(struct doca_consumer *consumer,
			      struct doca_sqe *sqe)
{
	struct doca_inbox *inbox = &consumer->at.endpoint->inbox;
	struct doca_ring *ring = &doca_consumer_queue(consumer)->ring;
	bool room;

	if (!doca_consumer_has_entry(consumer))
		return false;
	spin_lock(&inbox->lock);
	room = doca_inbox_has_room(inbox, 1) && doca_inbox_promise(inbox, 1);
	consumer->wrong |= inbox->broken;
	spin_unlock(&inbox->lock);
	if (!room)
		return false;
	doca_ring_sq_get(ring, sqe);
	smp_store_release(&ring->k->sq_head, ring->sq_head); /* F */
	return true;
}

bool doca_consumer_fill(struct doca_consumer *consumer)
{
	u32 status;

	lockdep_assert_held(&consumer->lock);
	if (consumer->filled)
		return true;
	if (consumer->wrong || !doca_consumer_get(consumer, &consumer->fill))
		return false;
	status = doca_consumer_check_entry(consumer, &consumer->fill);
	if (!status) {
		consumer->filled = true;
		return true;
	}
	consumer->wrong = true;
	doca_consumer_give_back(consumer, &consumer->fill, status);
	doca_queue_raise_state(doca_consumer_queue(consumer), DOCA_QUEUE_FLUSH);
	return false;
}

/* Let all that wait for a buffer look again. */
static void doca_consumer_feed(struct doca_consumer *consumer)
{
	struct doca_taker *taker;

	while ((taker = list_first_entry_or_null(&consumer->hungry,
						 struct doca_taker,
						 hungry_node))) {
		list_del_init(&taker->hungry_node);
		taker->fed(taker);
	}
}

/* Take all buffers back from producers. */
static void doca_consumer_take_back(struct doca_consumer *consumer)
{
	struct doca_taker *taker;

	while (!list_empty(&consumer->takers)) {
		taker = list_first_entry(&consumer->takers, struct doca_taker,
					 taken_node);
		list_del_init(&taker->taken_node);
		doca_consumer_give_back(consumer, &taker->fill,
					DOCA_STATUS_CANCELED);
	}
	if (consumer->filled)
		doca_consumer_give_back(consumer, &consumer->fill,
					DOCA_STATUS_CANCELED);
	consumer->filled = false;
}

static void doca_consumer_end(struct doca_consumer *consumer, u16 status,
			      bool hears)
{
	if (!doca_attached_end(&consumer->at))
		return;
	spin_lock(&consumer->lock);
	consumer->ended = true;
	/* From now on each entry comes with a call, which gives it back. */
	doca_consumer_need_wakeup(consumer, 1);
	doca_consumer_take_back(consumer);
	doca_consumer_feed(consumer);
	spin_unlock(&consumer->lock);
	doca_mapping_unuse(&consumer->use);
	doca_attached_tell(&consumer->at, hears, status);
	if (consumer->announced)
		doca_consumer_tell_gone(consumer);
}

void doca_consumer_stop(struct doca_consumer *consumer, bool hears)
{
	struct doca_conn *conn = consumer->at.end->conn;

	spin_lock(&conn->lock);
	doca_consumer_end(consumer, DOCA_STATUS_SUCCESS, hears);
	spin_unlock(&conn->lock);
}

static void doca_consumer_disconnect(struct doca_attached *at)
{
	doca_consumer_end(container_of(at, struct doca_consumer, at),
			  DOCA_STATUS_SUCCESS, true);
}

/* A key to its memory was retired. */
static void doca_consumer_recall(struct doca_mapping_user *use)
{
	struct doca_consumer *consumer =
		container_of(use, struct doca_consumer, use);
	struct doca_conn *conn = consumer->at.end->conn;

	spin_lock(&conn->lock);
	doca_consumer_end(consumer, DOCA_STATUS_BAD_KEY, true);
	spin_unlock(&conn->lock);
	doca_consumer_put(consumer);
}

/* Check that all of a memory may be buffers of this queue. */
static int doca_consumer_check(const struct doca_queue *queue,
			       const struct doca_mapping *mapping)
{
	if (mapping->device != queue->device)
		return -ENOENT;
	if (mapping->export || mapping->memory->remote ||
	    !(mapping->access & DOCA_ACCESS_LOCAL_WRITE))
		return -EACCES;
	return doca_mapping_is_direct(mapping) ? 0 : -EOPNOTSUPP;
}

static int doca_consumer_use(struct doca_consumer *consumer,
			     struct doca_queue *queue, u32 key)
{
	struct doca_mapping *mapping = doca_mapping_find(queue->file, key);
	int rc;

	if (IS_ERR(mapping))
		return PTR_ERR(mapping);
	consumer->use.recall = doca_consumer_recall;
	rc = doca_consumer_check(queue, mapping) ?:
		     doca_mapping_use(mapping, &consumer->use);
	doca_mapping_put(mapping);
	return rc;
}

struct doca_consumer *doca_consumer_create(struct doca_queue *queue,
					   struct doca_conn_end *end,
					   const struct doca_queue_attach *arg)
{
	struct doca_endpoint *endpoint = queue->endpoint;
	struct doca_consumer *consumer;
	int rc;

	rc = doca_user_charge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
			      DOCA_CONSUMER_BYTES, 0);
	if (rc)
		return ERR_PTR(rc);
	consumer = kzalloc(sizeof(*consumer), GFP_KERNEL_ACCOUNT);
	if (!consumer) {
		doca_user_uncharge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
				   DOCA_CONSUMER_BYTES, 0);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&consumer->use.ref);
	INIT_LIST_HEAD(&consumer->use.node);
	consumer->user = doca_user_get(endpoint->user);
	doca_attached_init(&consumer->at, endpoint, end, DOCA_CONN_CONSUMER);
	consumer->at.disconnect = doca_consumer_disconnect;
	spin_lock_init(&consumer->lock);
	INIT_LIST_HEAD(&consumer->hungry);
	INIT_LIST_HEAD(&consumer->takers);
	consumer->imm_length = arg->imm_length;
	rc = doca_consumer_use(consumer, queue, arg->key);
	if (rc) {
		doca_consumer_stop(consumer, false);
		doca_consumer_put(consumer);
		return ERR_PTR(rc);
	}
	return consumer;
}

/* Give back some of the entries in the ring; return true if there are more. */
static bool doca_consumer_flush(struct doca_consumer *consumer, u32 *nr)
{
	u32 left = DOCA_BATCH_ENTRIES;
	struct doca_sqe sqe;

	spin_lock(&consumer->lock);
	for (; left && doca_consumer_get(consumer, &sqe); left--) {
		doca_consumer_give_back(consumer, &sqe, DOCA_STATUS_CANCELED);
		++*nr;
	}
	spin_unlock(&consumer->lock);
	return !left;
}

/* Return false if it has ended. */
static bool doca_consumer_wake(struct doca_consumer *consumer)
{
	bool ended;

	spin_lock(&consumer->lock);
	ended = consumer->ended;
	if (!ended) {
		doca_consumer_need_wakeup(consumer, 0);
		doca_consumer_feed(consumer);
	}
	spin_unlock(&consumer->lock);
	return !ended;
}

u32 doca_consumer_enter(struct doca_consumer *consumer)
{
	u32 nr = 0;

	if (READ_ONCE(doca_consumer_queue(consumer)->state) != DOCA_QUEUE_RUN)
		doca_consumer_stop(consumer, false);
	if (!doca_consumer_wake(consumer))
		while (nr < DOCA_RING_MAX_ENTRIES &&
		       doca_consumer_flush(consumer, &nr))
			cond_resched();
	return nr;
}
