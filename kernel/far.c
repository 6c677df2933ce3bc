// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Messages and events that come from ends elsewhere. */
#include "conn.h"

/* Put one event, for which there is a promise or a slot. */
static void doca_far_put_event(struct doca_conn_end *to,
			       const struct doca_event *what,
			       const void *message)
{
	struct doca_inbox *inbox = &to->endpoint->inbox;
	struct doca_event event = *what;

	event.connection = to->id;
	if (event.type == DOCA_EVENT_MESSAGE) {
		doca_inbox_put_message(inbox, message, &event);
		return;
	}
	to->promised--;
	doca_inbox_put(inbox, &event);
}

/* A new consumer needs two events. */
static bool doca_far_has_room(struct doca_conn_end *to, u16 type)
{
	struct doca_inbox *inbox = &to->endpoint->inbox;

	if (type == DOCA_EVENT_MESSAGE)
		return doca_inbox_has_slot(inbox);
	if (type != DOCA_EVENT_CONSUMER_NEW)
		return true;
	if (!doca_inbox_has_room(inbox, 2) || !doca_inbox_promise(inbox, 2))
		return false;
	to->promised += 2;
	return true;
}

bool doca_far_put(struct doca_conn_end *to, const struct doca_event *event,
		  const void *message)
{
	struct list_head *starving = &doca_conn_other(to)->starving_node;
	struct doca_endpoint *endpoint = to->endpoint;
	bool room;

	lockdep_assert_held(&to->conn->lock);
	spin_lock(&endpoint->inbox.lock);
	room = doca_far_has_room(to, event->type);
	if (room)
		doca_far_put_event(to, event, message);
	/* Others have their turn before the next one. */
	if (!list_empty(starving))
		list_move_tail(starving, &endpoint->starving);
	else if (!room)
		list_add_tail(starving, &endpoint->starving);
	spin_unlock(&endpoint->inbox.lock);
	return room;
}

void doca_far_rest(struct doca_conn_end *to)
{
	struct doca_inbox *inbox = &to->endpoint->inbox;

	lockdep_assert_held(&to->conn->lock);
	spin_lock(&inbox->lock);
	list_del_init(&doca_conn_other(to)->starving_node);
	spin_unlock(&inbox->lock);
}
