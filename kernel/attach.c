// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The calls ATTACH and ANNOUNCE. */
#include <linux/err.h>

#include "attach.h"
#include "consumer.h"
#include "producer.h"
#include "queue.h"
#include "ucmd.h"

/* 0 and 65535 are not ids. */
#define DOCA_LAST_ATTACHED_ID 65534U

/* Call it with the lock of the inbox held. */
static int doca_endpoint_attach(struct doca_attached *attached)
{
	struct doca_endpoint *endpoint = attached->endpoint;

	if (endpoint->role != DOCA_ROLE_NONE)
		return -EBUSY;
	if (endpoint->dead)
		return -ENOTCONN;
	if (!doca_inbox_promise(&endpoint->inbox, 1))
		return -ENOSPC;
	endpoint->role = attached->kind == DOCA_CONN_CONSUMER ?
				 DOCA_ROLE_CONSUMER :
				 DOCA_ROLE_PRODUCER;
	/* The executor reads it without a lock. */
	smp_store_release(&endpoint->attached, attached); /* M */
	return 0;
}

/* Call it with the lock of the connection held. */
static int doca_attached_link(struct doca_attached *attached)
{
	struct doca_endpoint *endpoint = attached->endpoint;
	struct doca_conn_end *end = attached->end;
	int rc;

	/* The server may not have joined yet. */
	if (!doca_conn_is_open(end->conn) || attached->ended)
		return -ENOTCONN;
	if (end->nr_attached[attached->kind] == DOCA_MAX_ATTACHED)
		return -ENOSPC;
	spin_lock(&endpoint->inbox.lock);
	rc = doca_endpoint_attach(attached);
	spin_unlock(&endpoint->inbox.lock);
	if (rc)
		return rc;
	attached->linked = true;
	list_add_tail(&attached->node, &end->attached);
	end->nr_attached[attached->kind]++;
	return 0;
}

/* Reserve the id before the answer, which must come before others can see the attached. */
static int doca_attached_publish(struct doca_attached *attached,
				 struct doca_ucmd *ucmd)
{
	struct doca_queue_attach *arg = ucmd->arg;
	struct doca_conn_end *end = attached->end;
	int rc;

	spin_lock(&end->conn->lock);
	if (end->last_attached[attached->kind] < DOCA_LAST_ATTACHED_ID)
		attached->id = ++end->last_attached[attached->kind];
	spin_unlock(&end->conn->lock);
	if (!attached->id)
		return -ENOSPC;
	arg->out_id = attached->id;
	rc = doca_ucmd_respond(ucmd);
	if (rc)
		return rc;
	spin_lock(&end->conn->lock);
	rc = doca_attached_link(attached);
	spin_unlock(&end->conn->lock);
	return rc;
}

static int doca_attach_consumer(struct doca_queue *queue,
				struct doca_conn_end *end,
				struct doca_ucmd *ucmd)
{
	struct doca_consumer *consumer;
	int rc;

	consumer = doca_consumer_create(queue, end, ucmd->arg);
	if (IS_ERR(consumer))
		return PTR_ERR(consumer);
	rc = doca_attached_publish(&consumer->at, ucmd);
	if (rc) {
		doca_consumer_stop(consumer, false);
		doca_consumer_put(consumer);
	}
	return rc;
}

static int doca_attach_producer(struct doca_queue *queue,
				struct doca_conn_end *end,
				struct doca_ucmd *ucmd)
{
	struct doca_producer *producer = doca_producer_create(queue, end);
	int rc;

	if (IS_ERR(producer))
		return PTR_ERR(producer);
	rc = doca_attached_publish(&producer->at, ucmd);
	if (rc)
		doca_producer_free(producer);
	return rc;
}

static int doca_attach_check(const struct doca_queue *queue,
			     const struct doca_queue_attach *arg)
{
	bool consumes = arg->role == DOCA_ATTACH_CONSUMER;
	u16 opcode = consumes ? DOCA_OP_POST_RECV : DOCA_OP_SEND_TO;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (!consumes &&
	    (arg->role != DOCA_ATTACH_PRODUCER || arg->key || arg->imm_length))
		return -EINVAL;
	if (!queue->endpoint)
		return -ENXIO;
	if (!(queue->opcodes & BIT_ULL(opcode)))
		return -EINVAL;
	return arg->imm_length > DOCA_MAX_IMM ? -EMSGSIZE : 0;
}

int doca_attach(struct doca_queue *queue, struct doca_queue *parent,
		struct doca_ucmd *ucmd)
{
	const struct doca_queue_attach *arg = ucmd->arg;
	struct doca_conn_end *end;
	int rc;

	rc = doca_attach_check(queue, arg);
	if (rc)
		return rc;
	if (parent->file != queue->file || !parent->endpoint)
		return -EINVAL;
	end = doca_conn_find(parent->endpoint, arg->connection);
	if (!end)
		return -ENOTCONN;
	rc = arg->role == DOCA_ATTACH_CONSUMER ?
		     doca_attach_consumer(queue, end, ucmd) :
		     doca_attach_producer(queue, end, ucmd);
	doca_conn_put(end->conn);
	return rc;
}

int doca_ioctl_queue_announce(struct doca_ucmd *ucmd)
{
	const struct doca_queue_announce *arg = ucmd->arg;
	struct doca_queue *queue = ucmd->owner;
	struct doca_consumer *consumer;

	if (arg->flags)
		return -EOPNOTSUPP;
	consumer = doca_endpoint_consumer(queue->endpoint);
	return consumer ? doca_consumer_announce(consumer) : -ENOTCONN;
}

void doca_attach_end(struct doca_endpoint *endpoint, bool hears)
{
	struct doca_consumer *consumer = doca_endpoint_consumer(endpoint);
	struct doca_producer *producer = doca_endpoint_producer(endpoint);

	if (consumer)
		doca_consumer_stop(consumer, hears);
	if (producer)
		doca_producer_stop(producer, hears);
}

void doca_attach_close(struct doca_endpoint *endpoint)
{
	struct doca_producer *producer = doca_endpoint_producer(endpoint);

	if (producer)
		doca_producer_drop(producer);
}

void doca_attach_free(struct doca_endpoint *endpoint)
{
	struct doca_consumer *consumer = doca_endpoint_consumer(endpoint);
	struct doca_producer *producer = doca_endpoint_producer(endpoint);

	if (consumer)
		doca_consumer_put(consumer);
	if (producer)
		doca_producer_free(producer);
}
