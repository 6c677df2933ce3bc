// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Messages. The sender's executor writes into the receiver's inbox. If there is no room, or
 * others wait, the operation goes into flight: it waits in a list of its connection, and the
 * call that makes room copies it and completes it. So the order of a connection is kept, and
 * the sender's executor may sleep.
 *
 * A message to a far end waits twice: for its provider to take it, and then for the news that it
 * has arrived.
 */
#include <linux/nospec.h>
#include <linux/sched.h>

#include "conn.h"
#include "flight.h"
#include "message.h"

/* Return the bytes of a slot, which must have been checked. */
static const char *doca_message_at(const struct doca_endpoint *from,
				   const struct doca_sqe *sqe)
{
	u32 slot = array_index_nospec(sqe->src.address, from->nr_slots);

	return from->slots + (size_t)slot * from->inbox.slot_size;
}

static u32 doca_message_check(const struct doca_endpoint *endpoint,
			      const struct doca_sqe *sqe)
{
	if (sqe->src.key)
		return DOCA_STATUS_BAD_KEY;
	if (sqe->src.address >= endpoint->nr_slots)
		return DOCA_STATUS_BAD_RANGE;
	if (!sqe->src.length || sqe->src.length > endpoint->inbox.slot_size)
		return DOCA_STATUS_BAD_LENGTH;
	return DOCA_STATUS_SUCCESS;
}

/* Call it with the lock of the receiver's inbox held; there must be a free slot. */
static void doca_message_put(struct doca_conn_end *from,
			     const struct doca_sqe *sqe)
{
	struct doca_conn_end *to = doca_conn_other(from);
	struct doca_event event = {
		.type = DOCA_EVENT_MESSAGE,
		.connection = to->id,
		.length = sqe->src.length,
	};

	doca_inbox_put_message(&to->endpoint->inbox,
			       doca_message_at(from->endpoint, sqe), &event);
}

/* Put it, or note that the end waits for room. Call it with the lock of the connection held. */
static u32 doca_message_try(struct doca_conn_end *from,
			    const struct doca_sqe *sqe)
{
	struct doca_endpoint *to = doca_conn_other(from)->endpoint;
	bool room;

	if (READ_ONCE(from->parked.nr) || doca_conn_other(from)->far)
		return DOCA_STATUS_START;
	spin_lock(&to->inbox.lock);
	room = doca_inbox_has_slot(&to->inbox);
	if (room)
		doca_message_put(from, sqe);
	spin_unlock(&to->inbox.lock);
	return room ? DOCA_STATUS_SUCCESS : DOCA_STATUS_START;
}

/*
 * Put the first message that waits; return false if there is no room. The flight stays in the
 * list until then, for it could not be recalled in between.
 */
static bool doca_message_deliver(struct doca_conn_end *from)
{
	struct doca_endpoint *to = doca_conn_other(from)->endpoint;
	struct doca_flight *flight = NULL;
	bool room;

	spin_lock(&to->inbox.lock);
	room = doca_inbox_has_slot(&to->inbox);
	if (room)
		flight = doca_endpoint_unpark(from->endpoint, &from->parked);
	if (flight) {
		doca_message_put(from, &flight->op.sqe);
		list_move_tail(&from->starving_node, &to->starving);
	}
	if (!READ_ONCE(from->parked.nr))
		list_del_init(&from->starving_node);
	spin_unlock(&to->inbox.lock);
	if (flight)
		doca_flight_complete(flight, DOCA_STATUS_SUCCESS);
	return room;
}

/* A message may be taken, and its flight be recalled meanwhile; but none can wait meanwhile. */
static bool doca_message_deliver_far(struct doca_conn_end *from)
{
	struct doca_endpoint *endpoint = from->endpoint;
	struct doca_flight *flight;
	struct doca_sqe sqe;

	flight = doca_endpoint_parked(endpoint, &from->parked, &sqe);
	if (!flight ||
	    !doca_far_ops->send(doca_conn_other(from)->far,
				doca_message_at(endpoint, &sqe),
				sqe.src.length))
		return false;
	doca_endpoint_repark_first(endpoint, &from->parked, &from->under_way,
				   flight, ++from->nr_taken);
	return true;
}

/* Those that were recalled under way have arrived, too, but have no flight. */
void doca_message_arrived(struct doca_conn_end *from, u32 nr)
{
	struct doca_flight *flight;

	lockdep_assert_held(&from->conn->lock);
	from->nr_arrived += nr;
	while ((flight = doca_endpoint_unpark_until(from->endpoint,
						    &from->under_way,
						    from->nr_arrived)))
		doca_flight_complete(flight, DOCA_STATUS_SUCCESS);
}

void doca_message_deliver_all(struct doca_conn_end *from)
{
	lockdep_assert_held(&from->conn->lock);
	while (READ_ONCE(from->parked.nr) && doca_message_deliver_far(from))
		;
}

static void doca_message_park(struct doca_conn_end *from,
			      struct doca_flight *flight)
{
	struct doca_endpoint *to = doca_conn_other(from)->endpoint;

	doca_endpoint_park(from->endpoint, &from->parked, flight);
	if (doca_conn_other(from)->far) {
		doca_message_deliver_all(from);
		return;
	}
	spin_lock(&to->inbox.lock);
	if (list_empty(&from->starving_node))
		list_add_tail(&from->starving_node, &to->starving);
	spin_unlock(&to->inbox.lock);
	/* There may be room by now. */
	while (READ_ONCE(from->parked.nr) && doca_message_deliver(from))
		;
}

/* Try, or wait if there is a flight. Call it with the lock of the connection held. */
static u32 doca_message_go(struct doca_conn_end *from,
			   const struct doca_sqe *sqe,
			   struct doca_flight *flight)
{
	if (!doca_conn_is_open(from->conn))
		return DOCA_STATUS_NOT_CONNECTED;
	if (sqe->src.length > from->conn->max_message)
		return DOCA_STATUS_NO_SPACE;
	if (!flight)
		return doca_message_try(from, sqe);
	doca_message_park(from, flight);
	return DOCA_STATUS_PENDING;
}

/* A broken inbox never has room again. */
static bool doca_message_is_lost(const struct doca_conn_end *from)
{
	const struct doca_endpoint *to = doca_conn_other(from)->endpoint;

	return to && READ_ONCE(to->inbox.broken);
}

static u32 doca_message_find(struct doca_endpoint *endpoint,
			     const struct doca_sqe *sqe,
			     struct doca_flight *flight)
{
	struct doca_conn_end *from = doca_conn_find(endpoint, sqe->op[0]);
	u32 status;
	bool lost;

	if (!from)
		return DOCA_STATUS_NOT_CONNECTED;
	spin_lock(&from->conn->lock);
	status = doca_message_go(from, sqe, flight);
	lost = doca_message_is_lost(from);
	spin_unlock(&from->conn->lock);
	if (unlikely(lost))
		doca_conn_close(from->conn, NULL);
	doca_conn_put(from->conn);
	return status;
}

u32 doca_message_send(struct doca_endpoint *endpoint,
		      const struct doca_sqe *sqe)
{
	return doca_message_check(endpoint, sqe) ?:
		       doca_message_find(endpoint, sqe, NULL);
}

u32 doca_message_wait(struct doca_endpoint *endpoint,
		      struct doca_flight *flight)
{
	return doca_message_find(endpoint, &flight->op.sqe, flight);
}

/* Find the first end that waits for room here, with a reference to its connection; or NULL. */
static struct doca_conn_end *
doca_endpoint_next_starving(struct doca_endpoint *endpoint)
{
	struct doca_conn_end *from;

	spin_lock(&endpoint->inbox.lock);
	from = list_first_entry_or_null(&endpoint->starving,
					struct doca_conn_end, starving_node);
	if (from)
		kref_get(&from->conn->ref);
	else
		doca_inbox_satisfied(&endpoint->inbox);
	spin_unlock(&endpoint->inbox.lock);
	return from;
}

/* Return false if there is no room. */
static bool doca_endpoint_deliver_from(struct doca_conn_end *from)
{
	bool more = true;

	spin_lock(&from->conn->lock);
	if (!from->conn->closed)
		more = from->far ? doca_far_ops->deliver(from->far) :
				   doca_message_deliver(from);
	spin_unlock(&from->conn->lock);
	doca_conn_put(from->conn);
	return more;
}

void doca_endpoint_deliver(struct doca_endpoint *endpoint)
{
	u32 left = endpoint->inbox.nr_slots;
	struct doca_conn_end *from;

	/* Without slots, only a consumer waits, and the caller wakes it next. */
	while ((from = doca_endpoint_next_starving(endpoint)) &&
	       doca_endpoint_deliver_from(from) && --left)
		cond_resched();
}
