// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Connections: they are made, announced, and closed. */
#include <linux/sched.h>
#include <linux/slab.h>

#include "attached.h"
#include "conn.h"
#include "file.h"
#include "flight.h"
#include "queue.h"
#include "user.h"

/*
 * The user of each end is charged for all these bytes until they are freed, because what the
 * other side attaches keeps the connection; but for one connection only while the end is joined.
 */
#define DOCA_CONN_BYTES doca_user_bytes(sizeof(struct doca_conn))

const struct doca_far_ops *doca_far_ops;

static void doca_conn_free_end(struct doca_conn_end *end)
{
	if (end->far)
		doca_far_ops->free(end->far);
	if (!end->user)
		return;
	doca_user_uncharge(end->user, DOCA_QUOTA_CONNECTIONS, 0,
			   DOCA_CONN_BYTES);
	doca_user_put(end->user);
}

static void doca_conn_free(struct kref *ref)
{
	struct doca_conn *conn = container_of(ref, struct doca_conn, ref);
	unsigned int i;

	for (i = 0; i < DOCA_CONN_SIDES; i++)
		doca_conn_free_end(&conn->ends[i]);
	kfree(conn);
}

void doca_conn_put(struct doca_conn *conn)
{
	kref_put(&conn->ref, doca_conn_free);
}

static void doca_conn_init_end(struct doca_conn *conn, unsigned int side)
{
	struct doca_conn_end *end = &conn->ends[side];

	end->conn = conn;
	end->side = side;
	doca_parking_init(&end->parked);
	doca_parking_init(&end->under_way);
	INIT_LIST_HEAD(&end->starving_node);
	INIT_LIST_HEAD(&end->attached);
}

struct doca_conn *doca_conn_create(void)
{
	struct doca_conn *conn = kzalloc(sizeof(*conn), GFP_KERNEL_ACCOUNT);
	unsigned int i;

	if (!conn)
		return NULL;
	kref_init(&conn->ref);
	spin_lock_init(&conn->lock);
	for (i = 0; i < DOCA_CONN_SIDES; i++)
		doca_conn_init_end(conn, i);
	return conn;
}

int doca_conn_join(struct doca_conn_end *end, struct doca_endpoint *endpoint)
{
	bool added;
	int rc;

	lockdep_assert_held(&end->conn->lock);
	rc = doca_user_charge(endpoint->user, DOCA_QUOTA_CONNECTIONS, 1,
			      DOCA_CONN_BYTES);
	if (rc)
		return rc;
	spin_lock(&endpoint->inbox.lock);
	added = doca_endpoint_add(endpoint, end);
	spin_unlock(&endpoint->inbox.lock);
	if (!added) {
		doca_user_uncharge(endpoint->user, DOCA_QUOTA_CONNECTIONS, 1,
				   DOCA_CONN_BYTES);
		return -ENOSPC;
	}
	end->user = doca_user_get(endpoint->user);
	kref_get(&end->conn->ref);
	doca_files_changed();
	return 0;
}

/* Put an event. Call it with the lock of the inbox held. */
static void doca_conn_put_event(struct doca_conn_end *end,
				const struct doca_event *what)
{
	struct doca_event event = *what;

	event.connection = end->id;
	end->promised--;
	doca_inbox_put(&end->endpoint->inbox, &event);
}

void doca_conn_tell(struct doca_conn_end *end, const struct doca_event *what)
{
	struct doca_inbox *inbox = &end->endpoint->inbox;

	lockdep_assert_held(&end->conn->lock);
	spin_lock(&inbox->lock);
	doca_conn_put_event(end, what);
	spin_unlock(&inbox->lock);
}

/*
 * Put the last event, if any, and leave the table in one go, for each end in it has a
 * promise. Drop the table's reference; the caller must have another one.
 */
static void doca_conn_part(struct doca_conn_end *end,
			   const struct doca_event *last)
{
	struct doca_endpoint *endpoint = end->endpoint;

	spin_lock(&endpoint->inbox.lock);
	if (last)
		doca_conn_put_event(end, last);
	list_del_init(&doca_conn_other(end)->starving_node);
	doca_endpoint_remove(endpoint, end);
	spin_unlock(&endpoint->inbox.lock);
	doca_user_uncharge(end->user, DOCA_QUOTA_CONNECTIONS, 1, 0);
	doca_files_changed();
	doca_conn_put(end->conn);
}

void doca_conn_refuse(struct doca_conn *conn, u16 status)
{
	struct doca_conn_end *end = &conn->ends[DOCA_CONN_CLIENT];

	lockdep_assert_held(&conn->lock);
	WRITE_ONCE(conn->closed, true);
	doca_conn_part(end, &(struct doca_event){
				    .type = DOCA_EVENT_REFUSED,
				    .status = status,
			    });
}

struct doca_conn_end *doca_conn_find(struct doca_endpoint *endpoint, u64 id)
{
	struct doca_conn_end *end;

	spin_lock(&endpoint->inbox.lock);
	end = doca_endpoint_find(endpoint, id);
	if (end)
		kref_get(&end->conn->ref);
	spin_unlock(&endpoint->inbox.lock);
	return end;
}

/* There are at most as many as one queue has places. */
static void doca_conn_drop(struct doca_conn_end *end,
			   struct doca_parking *parking, u32 status)
{
	struct doca_flight *flight;

	while ((flight = doca_endpoint_unpark(end->endpoint, parking)))
		doca_flight_complete(flight, status);
}

/* A far end that is there gets what is under way to it, for nothing here takes that back. */
void doca_conn_drop_parked(struct doca_conn_end *end)
{
	const struct doca_far *far = doca_conn_other(end)->far;

	doca_conn_drop(end, &end->under_way,
		       far && !far->lost ? DOCA_STATUS_SUCCESS :
					   DOCA_STATUS_NOT_CONNECTED);
	doca_conn_drop(end, &end->parked, DOCA_STATUS_NOT_CONNECTED);
}

static void doca_conn_close_end(struct doca_conn_end *end, bool tell)
{
	const struct doca_event event = { .type = DOCA_EVENT_DISCONNECTED };

	if (end->far)
		doca_far_ops->close(end->far);
	if (!end->endpoint)
		return;
	doca_conn_drop_parked(end);
	doca_conn_part(end, tell ? &event : NULL);
}

/* End one at a time, for there may be hundreds. Return false if none is left. */
static bool doca_conn_end_attached(struct doca_conn *conn)
{
	struct doca_attached *at = NULL;
	unsigned int i;

	spin_lock(&conn->lock);
	for (i = 0; i < DOCA_CONN_SIDES && !at; i++)
		at = list_first_entry_or_null(&conn->ends[i].attached,
					      struct doca_attached, node);
	if (at)
		at->disconnect(at);
	spin_unlock(&conn->lock);
	return at;
}

bool doca_conn_close(struct doca_conn *conn, const struct doca_conn_end *by)
{
	bool first;
	unsigned int i;

	spin_lock(&conn->lock);
	first = !conn->closed;
	WRITE_ONCE(conn->closed, true);
	for (i = 0; i < DOCA_CONN_SIDES && first; i++)
		doca_conn_close_end(&conn->ends[i], &conn->ends[i] != by);
	spin_unlock(&conn->lock);
	while (doca_conn_end_attached(conn))
		;
	return first;
}

struct doca_conn_end *doca_conn_next(struct doca_endpoint *endpoint, u32 *i)
{
	struct doca_conn_end *end = NULL;

	spin_lock(&endpoint->inbox.lock);
	for (; endpoint->ends && *i < endpoint->inbox.nr_events; ++*i) {
		end = endpoint->ends[*i];
		if (!end)
			continue;
		kref_get(&end->conn->ref);
		break;
	}
	spin_unlock(&endpoint->inbox.lock);
	return end;
}

/* A far end has no queue here. */
static void doca_conn_peer_info(const struct doca_conn_end *peer,
				struct doca_conn_info *info)
{
	const struct doca_queue *queue;

	if (!peer->endpoint)
		return;
	queue = peer->endpoint->inbox.queue;
	info->peer_user = peer->user;
	info->peer_file = queue->file->id;
	info->peer_queue = queue->id;
	info->peer_id = peer->id;
}

bool doca_conn_info(struct doca_conn_end *end, struct doca_conn_info *info)
{
	bool open;

	spin_lock(&end->conn->lock);
	open = doca_conn_is_open(end->conn);
	if (open) {
		*info = (struct doca_conn_info){
			.id = end->id,
			.max_message = end->conn->max_message,
			.nr_parked = READ_ONCE(end->parked.nr),
		};
		memcpy(info->nr_attached, end->nr_attached,
		       sizeof(info->nr_attached));
		doca_conn_peer_info(doca_conn_other(end), info);
	}
	spin_unlock(&end->conn->lock);
	return open;
}

void doca_conn_close_all(struct doca_endpoint *endpoint, bool hears)
{
	struct doca_conn_end *end;
	u32 i = 0;

	while ((end = doca_conn_next(endpoint, &i))) {
		doca_conn_close(end->conn, hears ? NULL : end);
		doca_conn_put(end->conn);
		cond_resched();
	}
}
