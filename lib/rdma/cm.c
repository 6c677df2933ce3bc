// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Events of librdmacm, and the callbacks that tell of them. */
#include <doca_error.h>

#include "async.h"
#include "cm.h"
#include "core/base/clock.h"
#include "poll.h"

LOG_SOURCE("RDMA");

static void refuse(struct rdma_cm_id *id)
{
	rdma_reject(id, NULL, 0);
	rdma_destroy_id(id);
}

/* The first peer that is rejected for a reason is worth a line. */
static bool may_take(struct doca_rdma *rdma, const struct rdma_cm_id *id)
{
	if (!rdma_cm_fits(rdma, id)) {
		if (!rdma->told_foreign)
			LOG_WARN("%s %p rejects a peer, as all that come by %s "
				 "and not by %s",
				 rdma->ctx.type->name, (void *)rdma,
				 rdma_cm_dev_name(id),
				 rdma->ctx.dev->info.name);
		rdma->told_foreign = true;
		return false;
	}
	if (rdma_has_place(rdma))
		return true;
	if (!rdma->told_full)
		LOG_WARN("%s %p rejects peers until one of its %u connections "
			 "ends",
			 rdma->ctx.type->name, (void *)rdma,
			 rdma->nr_connections);
	rdma->told_full = true;
	return false;
}

static void requested(struct doca_rdma *rdma, struct rdma_cm_event *event)
{
	struct doca_rdma_connection *connection;

	if (!may_take(rdma, event->id)) {
		refuse(event->id);
		return;
	}
	if (rdma_cm_take(rdma, event->id, &event->param.conn,
			 rdma->told_unable ? DOCA_LOG_LEVEL_DEBUG :
					     DOCA_LOG_LEVEL_ERROR,
			 &connection) != DOCA_SUCCESS) {
		rdma->told_unable = true;
		refuse(event->id);
		return;
	}
	event->id->context = connection;
	LOG_DBG("%s %p: a peer asks for connection %u", rdma->ctx.type->name,
		(void *)rdma, connection->id);
	rdma_cm_tell(connection, RDMA_TELL_REQUEST);
}

void rdma_cm_established(struct doca_rdma_connection *connection)
{
	if (connection->state != RDMA_ACCEPTED)
		return;
	connection->state = RDMA_READY;
	connection->until = 0;
	rdma_async_remind(connection);
	rdma_cm_tell(connection, RDMA_TELL_ESTABLISHED);
}

/* The peer has gone, or the device. The answer to a request that was taken back tells it. */
static void ended(struct doca_rdma_connection *connection, const char *why,
		  int err)
{
	switch (connection->state) {
	case RDMA_READY:
		rdma_cm_disconnect(connection);
		break;
	case RDMA_ACCEPTED:
	case RDMA_RESOLVING:
	case RDMA_CONNECTING:
		rdma_cm_fail(connection, why, err);
		break;
	default:
		break;
	}
}

static void take(struct doca_rdma_connection *connection,
		 const struct rdma_cm_event *event)
{
	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
	case RDMA_CM_EVENT_CONNECT_RESPONSE:
		rdma_cm_step(connection, event);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		rdma_cm_established(connection);
		break;
	case RDMA_CM_EVENT_ADDR_ERROR:
		ended(connection, "its address is not reached", event->status);
		break;
	case RDMA_CM_EVENT_ROUTE_ERROR:
		ended(connection, "there is no way to it", event->status);
		break;
	case RDMA_CM_EVENT_REJECTED:
		ended(connection,
		      "the peer rejects it, or does not listen there", 0);
		break;
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_CONNECT_ERROR:
		ended(connection, "the peer does not answer", event->status);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		/* It was there, though the sign of that may be lost. */
		rdma_cm_established(connection);
		ended(connection, "the peer has disconnected", 0);
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		ended(connection, "the device was removed", 0);
		break;
	default:
		break;
	}
}

/* Events of listeners are of no connection. There may be more. */
void rdma_cm_take_event(struct doca_rdma *rdma)
{
	struct rdma_cm_event *next, event;

	if (rdma_get_cm_event(rdma->cm, &next))
		return;
	rdma_news_soon(rdma);
	event = *next;
	rdma_ack_cm_event(next);
	LOG_DBG("%s %p: %s, status %d", rdma->ctx.type->name, (void *)rdma,
		rdma_event_str(event.event), event.status);
	if (event.event == RDMA_CM_EVENT_CONNECT_REQUEST)
		requested(rdma, &event);
	else if (event.id->context)
		take(event.id->context, &event);
}

bool rdma_cm_give_up(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection;
	uint64_t now, next = 0;
	bool late = false;
	uint32_t i;

	if (!rdma->cm_until)
		return false;
	now = clock_ns();
	if (now < rdma->cm_until)
		return false;
	for (i = 0; i < rdma->nr_connections; i++) {
		connection = rdma->slots[i];
		if (!connection->until)
			continue;
		if (connection->until <= now) {
			rdma_cm_fail(connection, "the peer does not answer", 0);
			late = true;
		} else if (!next || connection->until < next) {
			next = connection->until;
		}
	}
	rdma->cm_until = next;
	ctx_set_deadline(&rdma->ctx, next);
	return late;
}

/* An end is told behind its tasks and its messages. */
static bool can_be_told(const struct doca_rdma_connection *connection)
{
	return connection->due & (RDMA_TELL_REQUEST | RDMA_TELL_ESTABLISHED) ||
	       rdma_is_drained(connection);
}

static struct doca_rdma_connection *next_due(const struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection;
	struct list *link;
	bool now;

	list_for_each(link, &rdma->due) {
		connection =
			list_entry(link, struct doca_rdma_connection, due_link);
		now = can_be_told(connection);
		/* The look has found that the context is lost. */
		if (rdma->failed)
			return NULL;
		if (now)
			return connection;
	}
	return NULL;
}

/*
 * Call the program back, for the first reason. What it hears last of a connection leaves that
 * to be freed in the next turn. A program of the bridge may have no callbacks.
 */
static enum lane_turn tell(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	union doca_data its = connection->user_data, ours = rdma->ctx.user_data;
	unsigned int what = connection->due & -connection->due;

	connection->due &= ~what;
	if (what == RDMA_TELL_FAILURE || what == RDMA_TELL_DISCONNECT)
		connection->due = RDMA_TOLD;
	if (!connection->due)
		list_del(&connection->due_link);
	if (what == RDMA_TOLD) {
		rdma_connection_free(connection);
		return LANE_AGAIN;
	}
	if (!rdma->set.on.established)
		return LANE_AGAIN;
	switch (what) {
	case RDMA_TELL_REQUEST:
		rdma->set.on.request(connection, ours);
		break;
	case RDMA_TELL_ESTABLISHED:
		rdma->set.on.established(connection, its, ours);
		break;
	case RDMA_TELL_FAILURE:
		rdma->set.on.failure(connection, its, ours);
		break;
	default:
		rdma->set.on.disconnect(connection, its, ours);
	}
	return LANE_CALLED;
}

enum lane_turn rdma_cm_tell_next(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection = next_due(rdma);

	return connection ? tell(connection) : LANE_IDLE;
}

bool rdma_cm_is_busy(const struct doca_rdma *rdma)
{
	return !rdma->canceled && (rdma->cm || !list_empty(&rdma->due));
}

bool rdma_cm_is_due(const struct doca_rdma *rdma)
{
	return next_due(rdma);
}
