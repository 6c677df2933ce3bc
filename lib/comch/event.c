// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include <doca_error.h>

#include "core/driver/endpoint.h"
#include "ends.h"
#include "event.h"

static void copy_message(struct party *party, struct doca_event *event)
{
	if (event->length > party->max_msg)
		event->length = party->max_msg;
	memcpy(party->message, inbox_message(&party->inbox, event),
	       event->length);
	party->message[event->length] = 0;
}

bool event_take(struct party *party, struct doca_event *event)
{
	const struct doca_event *next = inbox_peek(&party->inbox);

	if (!next)
		return false;
	*event = *next;
	if (event->type == DOCA_EVENT_MESSAGE)
		copy_message(party, event);
	if (inbox_release(&party->inbox))
		driver_queue_enter(&party->ctx->queue);
	return true;
}

/* A client has its only connection before it runs, so this is a server's. */
static enum lane_turn on_connected(struct party *party,
				   const struct doca_event *event)
{
	struct doca_comch_connection *connection = NULL;

	if (!party->stopping)
		connection = connection_new(party->ctx->dev);
	if (!connection) {
		driver_queue_disconnect(&party->ctx->queue, event->connection);
		return LANE_AGAIN;
	}
	party_add(party, connection, event);
	party->connect_cb((void *)party, connection, 1);
	return LANE_CALLED;
}

static enum lane_turn on_message(struct party *party,
				 struct doca_comch_connection *connection,
				 const struct doca_event *event)
{
	connection_count(connection, RECV_MESSAGES, event->length);
	party->recv_cb((void *)party, party->message, event->length,
		       connection);
	return LANE_CALLED;
}

static enum lane_turn on_consumer(struct party *party,
				  struct doca_comch_connection *connection,
				  doca_comch_event_consumer_cb_t call,
				  uint32_t id)
{
	if (!call)
		return LANE_AGAIN;
	call((void *)party, connection, id);
	return LANE_CALLED;
}

/*
 * Deliver an event. The program is also told of messages that came before their
 * connection was closed here.
 */
static enum lane_turn on_event(struct party *party,
			       const struct doca_event *event)
{
	struct doca_comch_connection *connection;

	if (event->type == DOCA_EVENT_CONNECTED)
		return on_connected(party, event);
	connection = party_find(party, event->connection);
	if (!connection || connection->dropped)
		return LANE_AGAIN;
	switch (event->type) {
	case DOCA_EVENT_DISCONNECTED:
		connection_ended(connection);
		return LANE_AGAIN;
	case DOCA_EVENT_MESSAGE:
		return on_message(party, connection, event);
	case DOCA_EVENT_CONSUMER_NEW:
		return on_consumer(party, connection, party->new_consumer_cb,
				   event->id);
	case DOCA_EVENT_CONSUMER_GONE:
		return on_consumer(party, connection, party->gone_consumer_cb,
				   event->id);
	default:
		return LANE_AGAIN;
	}
}

/*
 * Tell of ends first, then of events. If the other side has closed a
 * connection, its end is read after its messages. A connection that was closed
 * here may have messages left.
 */
enum lane_turn event_deliver(struct party *party)
{
	enum lane_turn turn = LANE_IDLE;
	struct doca_event event;

	if (!party->stopping)
		turn = party_tell_end(party);
	if (turn != LANE_IDLE)
		return turn;
	if (event_take(party, &event))
		return on_event(party, &event);
	return party_tell_end(party);
}
