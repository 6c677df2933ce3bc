/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Endpoints: queues with an inbox. A sender itself writes into the inbox: there is one hop, and the
 * receiver's executor has no part in it.
 *
 * All locks are spinlocks, so that no thread waits for one of the other side: that of the servers
 * (listen.c) comes before doca_conn.lock, then come doca_consumer.lock, doca_inbox.lock, those of
 * wake-ups and flights, and doca_endpoint.parked_lock last. A run section, if there is one, comes
 * before all of them.
 */
#ifndef DOCA_ENDPOINT_H
#define DOCA_ENDPOINT_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "inbox.h"

struct doca_attached;
struct doca_conn_end;
struct doca_file;
struct doca_flight;
struct doca_server;
struct doca_sqe;
struct doca_user;

/* The role of a queue, set for good by its first call. */
enum doca_role {
	DOCA_ROLE_NONE,
	DOCA_ROLE_SERVER,
	DOCA_ROLE_CLIENT,
	DOCA_ROLE_PRODUCER,
	DOCA_ROLE_CONSUMER,
};

/**
 * struct doca_parking - flights of one queue that wait for the same thing
 * @list: struct doca_parked, in the order in which they came
 * @nr: length of @list; read anywhere
 *
 * Protected by the endpoint's parked_lock, which is the innermost one, because flights are
 * recalled under the lock of their pool.
 */
struct doca_parking {
	struct list_head list;
	u32 nr;
};

/**
 * struct doca_parked - private data of such a flight
 * @node: in doca_parking.list
 * @parking: valid while it is in the list
 * @endpoint: endpoint of the flight's queue
 * @flight: the flight
 * @number: for doca_endpoint_unpark_until(): comes with @parking
 */
struct doca_parked {
	struct list_head node;
	struct doca_parking *parking;
	struct doca_endpoint *endpoint;
	struct doca_flight *flight;
	u32 number;
};

/**
 * struct doca_endpoint - the part of a queue with an inbox
 * @inbox: its inbox, whose lock protects all members that are not constant
 * @user: account that is charged; reference
 * @bytes: bytes that are charged
 * @slots: slots of messages to send, in the user's area; constant
 * @nr_slots: number of @slots; constant
 * @role: &enum doca_role
 * @dead: it gets no further connection, and is attached to none
 * @ends: its ends of connections, each at its id modulo the size of the inbox; made with
 *	the role
 * @nr_ends: number of @ends; read anywhere
 * @last_id: last id of a connection
 * @starving: struct doca_conn_end, other ends that wait for room here
 * @parked_lock: protects its flights that wait for others; taken with interrupts off
 * @attached: the producer or consumer that it is; constant from then on
 * @server: NULL if it does not listen; under the lock of the servers
 *
 * It lives as long as its queue. Objects with a pointer to it, but no reference to the
 * queue, use it under a lock that is taken when they are parted, before the queue is gone.
 */
struct doca_endpoint {
	struct doca_inbox inbox;
	struct doca_user *user;
	u64 bytes;
	const char *slots;
	u32 nr_slots;
	u8 role;
	bool dead;
	struct doca_conn_end **ends;
	u32 nr_ends;
	u32 last_id;
	struct list_head starving;
	spinlock_t parked_lock; /* see above */
	struct doca_attached *attached;
	struct doca_server *server;
};

/* Return the producer or consumer of an endpoint, or NULL; @endpoint may be NULL. */
static inline struct doca_attached *
doca_endpoint_attached(const struct doca_endpoint *endpoint)
{
	return endpoint ? smp_load_acquire(&endpoint->attached) : NULL; /* M */
}

/* Make an endpoint for a queue that has its areas; NULL if the call asks for none. */
struct doca_endpoint *doca_endpoint_create(struct doca_queue *queue,
					   struct doca_file *file,
					   const struct doca_queue_create *arg);
void doca_endpoint_free(struct doca_endpoint *endpoint);

/* Its queue ends. */
void doca_endpoint_kill(struct doca_endpoint *endpoint);

/*
 * Give it a role for good, and room for connections: -ENXIO without an inbox, -EBUSY if it
 * has another role, -EMSGSIZE if it cannot receive messages of that length.
 */
int doca_endpoint_claim(struct doca_endpoint *endpoint, enum doca_role role,
			u32 max_message);

/* Call these with the lock of the inbox held: */

/* Give an end of a connection an id, and promise two events: false if there is no room. */
bool doca_endpoint_add(struct doca_endpoint *endpoint,
		       struct doca_conn_end *end);
void doca_endpoint_remove(struct doca_endpoint *endpoint,
			  struct doca_conn_end *end);
/* Find the end with this id, or NULL. */
struct doca_conn_end *doca_endpoint_find(const struct doca_endpoint *endpoint,
					 u64 id);

static inline void doca_parking_init(struct doca_parking *parking)
{
	INIT_LIST_HEAD(&parking->list);
	parking->nr = 0;
}

/* Have a flight of the endpoint's queue wait from now on. */
void doca_endpoint_park(struct doca_endpoint *endpoint,
			struct doca_parking *parking,
			struct doca_flight *flight);
/* Take the first flight that waits, or NULL. */
struct doca_flight *doca_endpoint_unpark(struct doca_endpoint *endpoint,
					 struct doca_parking *parking);
/* Copy the entry of the first flight that waits, and return it; or NULL. It may be recalled. */
struct doca_flight *doca_endpoint_parked(struct doca_endpoint *endpoint,
					 struct doca_parking *parking,
					 struct doca_sqe *sqe);
/*
 * Have this flight, if it is still the first that waits, wait in another parking from now on,
 * with a number: the next one, or any if @to is empty.
 */
void doca_endpoint_repark_first(struct doca_endpoint *endpoint,
				struct doca_parking *from,
				struct doca_parking *to,
				struct doca_flight *flight, u32 number);
/* Take the first flight that waits, if its number is not after this one; or NULL. */
struct doca_flight *doca_endpoint_unpark_until(struct doca_endpoint *endpoint,
					       struct doca_parking *parking,
					       u32 number);
/* For @recall of a row: return true if it was waiting, and has been taken from there. */
bool doca_parked_recall(struct doca_flight *flight);

#endif
