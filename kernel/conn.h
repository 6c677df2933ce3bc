/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Connections: each joins the endpoints of a server and of a client. Endpoints lead to
 * them; they have no reference to endpoints.
 */
#ifndef DOCA_CONN_H
#define DOCA_CONN_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "endpoint.h"
#include "far.h"

struct doca_conn;
struct doca_sqe;
struct doca_user;

enum doca_conn_side {
	DOCA_CONN_SERVER,
	DOCA_CONN_CLIENT,
	DOCA_CONN_SIDES,
};

/* The things that belong to an end of a connection: attached.h. */
enum doca_conn_kind {
	DOCA_CONN_PRODUCER,
	DOCA_CONN_CONSUMER,
	DOCA_CONN_KINDS,
};

/**
 * struct doca_conn_end - one end of a connection
 * @conn: the connection that it is part of; constant
 * @side: &enum doca_conn_side; constant
 * @user: account that is charged; reference; NULL if the end was never joined
 * @endpoint: NULL before it is joined, and after the connection is closed; no reference
 * @far: provider's object if the end is elsewhere, else NULL; lives as long as the
 *	connection, and is constant once others know it
 * @id: id in the endpoint; constant once it is joined
 * @promised: events that the endpoint's inbox has promised; under its lock
 * @parked: messages that wait for room at the other end
 * @under_way: messages to a far end that its provider has taken, and
 * @nr_taken: their number, and
 * @nr_arrived: number of those of which the far end has said that they arrived
 * @starving_node: in doca_endpoint.starving of the other end, under the lock of that one,
 *	while there may be such messages
 * @attached: struct doca_attached
 * @nr_attached: number of them, by &enum doca_conn_kind
 * @last_attached: last id, likewise
 */
struct doca_conn_end {
	struct doca_conn *conn;
	u8 side;
	struct doca_user *user;
	struct doca_endpoint *endpoint;
	struct doca_far *far;
	u32 id;
	u32 promised;
	struct doca_parking parked;
	struct doca_parking under_way;
	u32 nr_taken;
	u32 nr_arrived;
	struct list_head starving_node;
	struct list_head attached;
	u32 nr_attached[DOCA_CONN_KINDS];
	u32 last_attached[DOCA_CONN_KINDS];
};

/**
 * struct doca_conn - a connection
 * @ref: held by each end while an endpoint has it in its table, by finders, and by the
 *	provider of a far end
 * @lock: protects all that is not under another lock
 * @closed: set for good
 * @max_message: bytes of a message; constant once both ends are joined
 * @ends: by &enum doca_conn_side
 *
 * An end is in its endpoint's table exactly as long as @endpoint of the end is set.
 */
struct doca_conn {
	struct kref ref;
	spinlock_t lock; /* see above */
	bool closed;
	u32 max_message;
	struct doca_conn_end ends[DOCA_CONN_SIDES];
};

static inline struct doca_conn_end *
doca_conn_other(const struct doca_conn_end *end)
{
	return &end->conn->ends[!end->side];
}

static inline bool doca_conn_is_joined(const struct doca_conn_end *end)
{
	return end->far ? end->far->open && !end->far->lost : !!end->endpoint;
}

/* Return true if both ends are joined. Call it with the lock of the connection held. */
static inline bool doca_conn_is_open(const struct doca_conn *conn)
{
	return !conn->closed &&
	       doca_conn_is_joined(&conn->ends[DOCA_CONN_SERVER]) &&
	       doca_conn_is_joined(&conn->ends[DOCA_CONN_CLIENT]);
}

/* Make a connection that is joined at neither end; the caller gets the reference. */
struct doca_conn *doca_conn_create(void);
void doca_conn_put(struct doca_conn *conn);

/*
 * Charge the endpoint's user, and put the end into its table: -EDQUOT, or -ENOSPC if there is
 * no room for the events of a connection. Call it with the connection's lock held.
 */
int doca_conn_join(struct doca_conn_end *end, struct doca_endpoint *endpoint);
/* Tell a joined end of an event that its inbox has promised. */
void doca_conn_tell(struct doca_conn_end *end, const struct doca_event *what);
/* Tell the client's end, the only one that is joined, that there will be no connection. */
void doca_conn_refuse(struct doca_conn *conn, u16 status);

/* Find the end with this id, with a reference to the connection; or NULL. */
struct doca_conn_end *doca_conn_find(struct doca_endpoint *endpoint, u64 id);

/*
 * Close it, and tell both ends but @by, which may be NULL. Messages that wait for room complete
 * with DOCA_STATUS_NOT_CONNECTED, those under way with success unless the far end is lost, and its
 * producers and consumers are told. Return false if it was
 * closed already.
 */
bool doca_conn_close(struct doca_conn *conn, const struct doca_conn_end *by);
/* Messages that wait for room at the other end complete, and those under way to it. */
void doca_conn_drop_parked(struct doca_conn_end *end);
/*
 * Find an end of a connection of an endpoint, from place *@i of its table on, which is set to its
 * place, with a reference to the connection; NULL at the end.
 */
struct doca_conn_end *doca_conn_next(struct doca_endpoint *endpoint, u32 *i);
/**
 * struct doca_conn_info - a look at one end of a connection, for listings
 * @id: id at this end
 * @max_message: bytes
 * @nr_attached: number of producers and consumers, by &enum doca_conn_kind
 * @nr_parked: messages that wait for room at the other end
 * @peer_user: user of the other end; only to be compared. NULL, and the others 0, if that end is
 *	far
 * @peer_file: id of its file
 * @peer_queue: id of its queue
 * @peer_id: id of the connection there
 */
struct doca_conn_info {
	u32 id;
	u32 max_message;
	u32 nr_attached[DOCA_CONN_KINDS];
	u32 nr_parked;
	const struct doca_user *peer_user;
	u32 peer_file;
	u32 peer_queue;
	u32 peer_id;
};

/* Return false if it is not open. */
bool doca_conn_info(struct doca_conn_end *end, struct doca_conn_info *info);
/* Close all connections of a dead endpoint; it is told, too, if it @hears. */
void doca_conn_close_all(struct doca_endpoint *endpoint, bool hears);

#endif
