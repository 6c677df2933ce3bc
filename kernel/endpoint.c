// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Endpoints: they are made and charged; their connections by id, and those that wait. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>

#include "conn.h"
#include "endpoint.h"
#include "flight.h"
#include "queue.h"
#include "user.h"

static size_t doca_endpoint_table_bytes(const struct doca_inbox *inbox)
{
	return doca_user_bytes(inbox->nr_events *
			       sizeof(struct doca_conn_end *));
}

void doca_endpoint_free(struct doca_endpoint *endpoint)
{
	if (endpoint->ends)
		doca_user_uncharge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
				   doca_endpoint_table_bytes(&endpoint->inbox),
				   0);
	kvfree(endpoint->ends);
	doca_inbox_free(&endpoint->inbox);
	doca_user_uncharge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
			   endpoint->bytes, 0);
	doca_user_put(endpoint->user);
	kfree(endpoint);
}

struct doca_endpoint *doca_endpoint_create(struct doca_queue *queue,
					   struct doca_file *file,
					   const struct doca_queue_create *arg)
{
	struct doca_endpoint *endpoint;
	u64 bytes;
	int rc;

	if (!arg->inbox_entries)
		return NULL;
	bytes = doca_user_bytes(sizeof(*endpoint)) + doca_inbox_bytes(arg);
	rc = doca_user_charge(file->user, DOCA_QUOTA_OBJECT_BYTES, bytes, 0);
	if (rc)
		return ERR_PTR(rc);
	endpoint = kzalloc(sizeof(*endpoint), GFP_KERNEL_ACCOUNT);
	if (!endpoint) {
		doca_user_uncharge(file->user, DOCA_QUOTA_OBJECT_BYTES, bytes,
				   0);
		return ERR_PTR(-ENOMEM);
	}
	endpoint->user = doca_user_get(file->user);
	endpoint->bytes = bytes;
	endpoint->slots = queue->ring.user.addr + arg->out_send_off;
	endpoint->nr_slots = arg->send_slots;
	INIT_LIST_HEAD(&endpoint->starving);
	spin_lock_init(&endpoint->parked_lock);
	rc = doca_inbox_init(&endpoint->inbox, queue, arg);
	if (rc) {
		doca_endpoint_free(endpoint);
		return ERR_PTR(rc);
	}
	return endpoint;
}

/* Give the caller's table to the endpoint, unless it has one; else free it. */
static void doca_endpoint_install(struct doca_endpoint *endpoint,
				  struct doca_conn_end **ends)
{
	bool first;

	spin_lock(&endpoint->inbox.lock);
	first = !endpoint->ends;
	if (first)
		WRITE_ONCE(endpoint->ends, ends);
	spin_unlock(&endpoint->inbox.lock);
	if (first)
		return;
	kvfree(ends);
	doca_user_uncharge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
			   doca_endpoint_table_bytes(&endpoint->inbox), 0);
}

static int doca_endpoint_make_table(struct doca_endpoint *endpoint)
{
	size_t bytes = doca_endpoint_table_bytes(&endpoint->inbox);
	struct doca_conn_end **ends;
	int rc;

	if (READ_ONCE(endpoint->ends))
		return 0;
	rc = doca_user_charge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES, bytes,
			      0);
	if (rc)
		return rc;
	ends = kvcalloc(endpoint->inbox.nr_events, sizeof(*ends),
			GFP_KERNEL_ACCOUNT);
	if (!ends) {
		doca_user_uncharge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
				   bytes, 0);
		return -ENOMEM;
	}
	doca_endpoint_install(endpoint, ends);
	return 0;
}

static int doca_endpoint_set_role(struct doca_endpoint *endpoint,
				  enum doca_role role)
{
	int rc = 0;

	spin_lock(&endpoint->inbox.lock);
	if (endpoint->role == DOCA_ROLE_NONE)
		endpoint->role = role;
	else if (endpoint->role != role)
		rc = -EBUSY;
	spin_unlock(&endpoint->inbox.lock);
	return rc;
}

int doca_endpoint_claim(struct doca_endpoint *endpoint, enum doca_role role,
			u32 max_message)
{
	if (!endpoint)
		return -ENXIO;
	if (!endpoint->inbox.nr_slots || max_message > DOCA_MAX_MESSAGE ||
	    max_message > endpoint->inbox.slot_size)
		return -EMSGSIZE;
	return doca_endpoint_set_role(endpoint, role) ?:
		       doca_endpoint_make_table(endpoint);
}

static struct doca_conn_end **
doca_endpoint_slot(const struct doca_endpoint *endpoint, u32 id)
{
	return &endpoint->ends[id & (endpoint->inbox.nr_events - 1)];
}

void doca_endpoint_kill(struct doca_endpoint *endpoint)
{
	spin_lock(&endpoint->inbox.lock);
	WRITE_ONCE(endpoint->dead, true);
	spin_unlock(&endpoint->inbox.lock);
}

/* Each end in the table has at least the promise of an event, so there is a free slot. */
bool doca_endpoint_add(struct doca_endpoint *endpoint,
		       struct doca_conn_end *end)
{
	u32 id = endpoint->last_id + 1;

	while (id && *doca_endpoint_slot(endpoint, id))
		id++;
	if (!id || endpoint->dead || !doca_inbox_promise(&endpoint->inbox, 2))
		return false;
	endpoint->last_id = id;
	end->id = id;
	end->promised = 2;
	end->endpoint = endpoint;
	*doca_endpoint_slot(endpoint, id) = end;
	WRITE_ONCE(endpoint->nr_ends, endpoint->nr_ends + 1);
	return true;
}

void doca_endpoint_remove(struct doca_endpoint *endpoint,
			  struct doca_conn_end *end)
{
	*doca_endpoint_slot(endpoint, end->id) = NULL;
	WRITE_ONCE(endpoint->nr_ends, endpoint->nr_ends - 1);
	doca_inbox_forgo(&endpoint->inbox, end->promised);
	end->promised = 0;
	end->endpoint = NULL;
}

struct doca_conn_end *doca_endpoint_find(const struct doca_endpoint *endpoint,
					 u64 id)
{
	struct doca_conn_end *end;

	if (!endpoint->ends)
		return NULL;
	end = *doca_endpoint_slot(endpoint, id);
	return end && end->id == id ? end : NULL;
}

static struct doca_parked *doca_parked_of(struct doca_flight *flight)
{
	return (struct doca_parked *)flight->private;
}

static void doca_parked_add(struct doca_parked *parked,
			    struct doca_parking *parking)
{
	parked->parking = parking;
	list_add_tail(&parked->node, &parking->list);
	WRITE_ONCE(parking->nr, parking->nr + 1);
}

void doca_endpoint_park(struct doca_endpoint *endpoint,
			struct doca_parking *parking,
			struct doca_flight *flight)
{
	struct doca_parked *parked = doca_parked_of(flight);
	unsigned long flags;

	parked->endpoint = endpoint;
	parked->flight = flight;
	spin_lock_irqsave(&endpoint->parked_lock, flags);
	doca_parked_add(parked, parking);
	spin_unlock_irqrestore(&endpoint->parked_lock, flags);
}

static void doca_parked_remove(struct doca_parked *parked)
{
	struct doca_parking *parking = parked->parking;

	list_del_init(&parked->node);
	WRITE_ONCE(parking->nr, parking->nr - 1);
}

static struct doca_parked *
doca_parking_first(struct doca_parking *parking)
{
	return list_first_entry_or_null(&parking->list, struct doca_parked,
					node);
}

struct doca_flight *doca_endpoint_unpark(struct doca_endpoint *endpoint,
					 struct doca_parking *parking)
{
	struct doca_parked *parked;
	unsigned long flags;

	spin_lock_irqsave(&endpoint->parked_lock, flags);
	parked = doca_parking_first(parking);
	if (parked)
		doca_parked_remove(parked);
	spin_unlock_irqrestore(&endpoint->parked_lock, flags);
	return parked ? parked->flight : NULL;
}

struct doca_flight *doca_endpoint_parked(struct doca_endpoint *endpoint,
					 struct doca_parking *parking,
					 struct doca_sqe *sqe)
{
	struct doca_parked *parked;
	unsigned long flags;

	spin_lock_irqsave(&endpoint->parked_lock, flags);
	parked = doca_parking_first(parking);
	if (parked)
		*sqe = parked->flight->op.sqe;
	spin_unlock_irqrestore(&endpoint->parked_lock, flags);
	return parked ? parked->flight : NULL;
}

void doca_endpoint_repark_first(struct doca_endpoint *endpoint,
				struct doca_parking *from,
				struct doca_parking *to,
				struct doca_flight *flight, u32 number)
{
	struct doca_parked *parked;
	unsigned long flags;

	spin_lock_irqsave(&endpoint->parked_lock, flags);
	parked = doca_parking_first(from);
	if (parked && parked->flight == flight) {
		doca_parked_remove(parked);
		parked->number = number;
		doca_parked_add(parked, to);
	}
	spin_unlock_irqrestore(&endpoint->parked_lock, flags);
}

struct doca_flight *doca_endpoint_unpark_until(struct doca_endpoint *endpoint,
					       struct doca_parking *parking,
					       u32 number)
{
	struct doca_parked *parked;
	unsigned long flags;

	spin_lock_irqsave(&endpoint->parked_lock, flags);
	parked = doca_parking_first(parking);
	if (parked && (s32)(parked->number - number) <= 0)
		doca_parked_remove(parked);
	else
		parked = NULL;
	spin_unlock_irqrestore(&endpoint->parked_lock, flags);
	return parked ? parked->flight : NULL;
}

bool doca_parked_recall(struct doca_flight *flight)
{
	struct doca_parked *parked = doca_parked_of(flight);
	struct doca_endpoint *endpoint = parked->endpoint;
	unsigned long flags;
	bool waits;

	spin_lock_irqsave(&endpoint->parked_lock, flags);
	waits = !list_empty(&parked->node);
	if (waits)
		doca_parked_remove(parked);
	spin_unlock_irqrestore(&endpoint->parked_lock, flags);
	return waits;
}
