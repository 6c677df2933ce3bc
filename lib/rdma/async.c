// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <poll.h>

#include "async.h"
#include "core/device/verbs_events.h"
#include "news.h"
#include "poll.h"

LOG_SOURCE("RDMA");

/* Marks of a context, as bits. */
enum {
	MARK_CONNECTION = 1, /* one of them has ->reported */
	MARK_QUEUE = 2, /* the completion queue is lost */
	MARK_DEVICE = 4, /* nothing works any more */
};

/* Started contexts of all devices, which the lock of events covers. */
static struct list contexts = { &contexts, &contexts };

static void mark(struct doca_rdma *rdma, unsigned int what)
{
	__atomic_fetch_or(&rdma->marks, what, __ATOMIC_RELEASE);
	rdma_news_wake(rdma);
}

void rdma_async_begin(struct doca_rdma *rdma)
{
	int state = verbs_events_lock();

	rdma->failures = rdma->ctx.dev->failures;
	verbs_events_unlock(state);
}

void rdma_async_join(struct doca_rdma *rdma)
{
	int state;

	__atomic_store_n(&rdma->marks, 0, __ATOMIC_RELAXED);
	state = verbs_events_lock();
	list_add_tail(&contexts, &rdma->link);
	if (rdma->failures != rdma->ctx.dev->failures)
		mark(rdma, MARK_DEVICE);
	verbs_events_unlock(state);
}

void rdma_async_leave(struct doca_rdma *rdma)
{
	int state = verbs_events_lock();

	list_del(&rdma->link);
	verbs_events_unlock(state);
}

/*
 * A consequence must not hide its cause: that no more receives are taken is one of all others, and
 * the peer's error may be one of the failure of the queue pair.
 */
static bool says_more(int type, int than)
{
	if (!than || than == IBV_EVENT_QP_LAST_WQE_REACHED)
		return true;
	return type == IBV_EVENT_QP_FATAL;
}

static void mark_connection(struct doca_rdma *rdma,
			    struct doca_rdma_connection *connection,
			    enum ibv_event_type type)
{
	int before = __atomic_load_n(&connection->reported, __ATOMIC_RELAXED);

	while (says_more(type, before) &&
	       !__atomic_compare_exchange_n(&connection->reported, &before,
					    type, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		;
	mark(rdma, MARK_CONNECTION);
}

/*
 * Mark a context if the event is of it. A queue pair exists until its event is acknowledged, but it may
 * be the program's; ours have the context's queue for receives.
 */
static void mark_if(struct doca_rdma *rdma, const struct ibv_async_event *event)
{
	switch (event->event_type) {
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
		if (event->element.qp->srq == rdma->srq)
			mark_connection(rdma, event->element.qp->qp_context,
					event->event_type);
		break;
	case IBV_EVENT_CQ_ERR:
		if (event->element.cq == rdma->cq)
			mark(rdma, MARK_QUEUE);
		break;
	case IBV_EVENT_SRQ_ERR:
		if (event->element.srq == rdma->srq)
			mark(rdma, MARK_DEVICE);
		break;
	case IBV_EVENT_DEVICE_FATAL:
		mark(rdma, MARK_DEVICE);
		break;
	default:
		break;
	}
}

void rdma_async_mark(struct doca_rdma_connection *connection)
{
	mark(connection->rdma, MARK_CONNECTION);
}

/*
 * Tasks on the port fail by themselves, unless it comes back before that. The event may be from
 * long ago.
 */
static void tell_of_port(const struct doca_rdma *rdma)
{
	struct ibv_port_attr attr;

	if (!ibv_query_port(rdma->pd->context, DEV_PORT, &attr) &&
	    attr.state != IBV_PORT_ACTIVE)
		LOG_WARN("%s: its port is down: tasks fail if it does not come "
			 "back at once",
			 rdma->ctx.dev->info.name);
}

static short look(const struct ibv_context *context)
{
	struct pollfd p = { .fd = context->async_fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 ? p.revents : 0;
}

/* Call it with the lock held. Return false if there is none. @port: it has been down. */
static bool read_one(struct doca_rdma *rdma, bool *port)
{
	struct ibv_context *context = rdma->pd->context;
	struct ibv_async_event event;
	struct doca_rdma *other;
	struct list *link;

	if (!(look(context) & POLLIN) || ibv_get_async_event(context, &event))
		return false;
	list_for_each(link, &contexts) {
		other = list_entry(link, struct doca_rdma, link);
		if (other->pd->context == context)
			mark_if(other, &event);
	}
	if (event.event_type == IBV_EVENT_DEVICE_FATAL)
		rdma->ctx.dev->failures++;
	if (event.event_type == IBV_EVENT_PORT_ERR &&
	    event.element.port_num == DEV_PORT)
		*port = true;
	ibv_ack_async_event(&event);
	return true;
}

/*
 * A program that has the protection domain may have queue pairs of its own there, and reads the
 * events itself. A line in the log is the program's code: it has to wait for the lock's end.
 */
void rdma_async_read(struct doca_rdma *rdma)
{
	struct ibv_context *context = rdma->pd->context;
	int state = verbs_events_lock();
	bool lent = rdma->ctx.dev->lends_pd;
	bool port = false;

	while (!lent && read_one(rdma, &port))
		;
	verbs_events_unlock(state);
	if (port)
		tell_of_port(rdma);
	if (lent || look(context) & ~POLLIN)
		rdma_news_drop(rdma, context->async_fd);
}

/* The event may be from before the queue pair was led through its states again. */
static bool is_in_error(const struct doca_rdma_connection *connection)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	return !ibv_query_qp(connection->qp, &attr, IBV_QP_STATE, &init) &&
	       (attr.qp_state == IBV_QPS_ERR || attr.qp_state == IBV_QPS_SQE);
}

/* Peers whose requests are wrong cannot fill the log, where a callback tells of the end. */
static void break_connection(struct doca_rdma_connection *connection,
			     enum ibv_event_type type)
{
	const struct doca_rdma *rdma = connection->rdma;
	bool told = connection->by_address && rdma->set.on.disconnect &&
		    type != IBV_EVENT_QP_FATAL;

	LOG_(told ? DOCA_LOG_LEVEL_DEBUG : DOCA_LOG_LEVEL_ERROR,
	     "%s %p: connection %u is broken: %s", rdma->ctx.type->name,
	     (const void *)rdma, connection->id,
	     type == IBV_EVENT_QP_FATAL ?
		     "its queue pair has failed" :
		     "the peer has asked for something that it may not, or for "
		     "which there is no room");
	rdma_connection_break(connection);
}

/*
 * If the device has tasks of it, these say why it has failed; but they may all have been done
 * before. So the report stays until there are none, as it does until the connection works.
 */
static void act_on(struct doca_rdma_connection *connection)
{
	int type = __atomic_load_n(&connection->reported, __ATOMIC_RELAXED);

	if (!type || rdma_is_coming(connection->state))
		return;
	if (connection->posted) {
		if (type == IBV_EVENT_QP_FATAL &&
		    connection->state == RDMA_READY && is_in_error(connection))
			connection->fatal = true;
		return;
	}
	type = __atomic_exchange_n(&connection->reported, 0, __ATOMIC_RELAXED);
	if (connection->state == RDMA_READY && is_in_error(connection))
		break_connection(connection, type);
}

/* The tasks in flight end as the context stops. */
static void act_on_device(struct doca_rdma *rdma)
{
	uint32_t i;

	for (i = 0; i < rdma->nr_connections; i++)
		rdma->slots[i]->fatal = rdma->slots[i]->state == RDMA_READY;
	ctx_failed(&rdma->ctx, "the device has failed");
}

bool rdma_async_act(struct doca_rdma *rdma)
{
	unsigned int marks;
	uint32_t i;

	if (!rdma_async_is_marked(rdma))
		return false;
	marks = __atomic_exchange_n(&rdma->marks, 0, __ATOMIC_ACQUIRE);
	if (marks & MARK_CONNECTION)
		for (i = 0; i < rdma->nr_connections; i++)
			act_on(rdma->slots[i]);
	if (marks & MARK_QUEUE)
		rdma_queue_failed(rdma);
	else if (marks & MARK_DEVICE)
		act_on_device(rdma);
	doca_priv_ctx_kick(&rdma->ctx);
	return true;
}
