/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Connections: each joins the endpoints of a server and of a client. They are found by the
 * endpoints; themselves they have no reference to these.
 */
#ifndef DOCA_CONN_H
#define DOCA_CONN_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "endpoint.h"

struct doca_conn;
struct doca_sqe;
struct doca_user;

enum doca_conn_side {
	DOCA_CONN_SERVER,
	DOCA_CONN_CLIENT,
	DOCA_CONN_SIDES,
};

/* What belongs to an end of a connection: attached.h. */
enum doca_conn_kind {
	DOCA_CONN_PRODUCER,
	DOCA_CONN_CONSUMER,
	DOCA_CONN_KINDS,
};

/**
 * struct doca_conn_end - one end of a connection
 * @conn: the connection that it is part of; constant
 * @side: &enum doca_conn_side; constant
 * @user: account that is charged; reference; NULL if it was never joined
 * @endpoint: NULL before it is joined, and when the connection is closed; no reference
 * @id: in the endpoint, constant once it is joined
 * @promised: events that the endpoint's inbox has promised; under its lock
 * @parked: messages that wait for room at the other end
 * @starving_node: in doca_endpoint.starving of the other end, under the lock of that, while
 *	there may be such messages
 * @attached: struct doca_attached
 * @nr_attached: how many, by &enum doca_conn_kind
 * @last_attached: the last id, likewise
 */
struct doca_conn_end {
	struct doca_conn *conn;
	u8 side;
	struct doca_user *user;
	struct doca_endpoint *endpoint;
	u32 id;
	u32 promised;
	struct doca_parking parked;
	struct list_head starving_node;
	struct list_head attached;
	u32 nr_attached[DOCA_CONN_KINDS];
	u32 last_attached[DOCA_CONN_KINDS];
};

/**
 * struct doca_conn - a connection
 * @ref: held by each end while an endpoint has it in its table, and by finders
 * @lock: protects all that is not said to be under another lock
 * @closed: once and for all
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

/* Both ends are joined; with its lock. */
static inline bool doca_conn_is_open(const struct doca_conn *conn)
{
	return conn->ends[DOCA_CONN_SERVER].endpoint &&
	       conn->ends[DOCA_CONN_CLIENT].endpoint;
}

/* Not joined at either end; the reference is the caller's. */
struct doca_conn *doca_conn_create(void);
void doca_conn_put(struct doca_conn *conn);

/*
 * Charge the endpoint's user, and put the end into its table: -EDQUOT, or -ENOSPC if there is
 * no room for the events of a connection. Called with the connection's lock.
 */
int doca_conn_join(struct doca_conn_end *end, struct doca_endpoint *endpoint);
/* Tell an end that is joined of something for which its inbox has promised an event. */
void doca_conn_tell(struct doca_conn_end *end, const struct doca_event *what);
/* The client's end alone is joined: tell it that there will be no connection. */
void doca_conn_refuse(struct doca_conn *conn, u16 status);

/* The end with this id, with a reference to the connection; NULL. */
struct doca_conn_end *doca_conn_find(struct doca_endpoint *endpoint, u64 id);

/*
 * Close it, and tell both ends but @by, which may be NULL. What waits for room is completed
 * with DOCA_STATUS_NOT_CONNECTED, and its producers and consumers are told. False if it was closed
 * already.
 */
bool doca_conn_close(struct doca_conn *conn, const struct doca_conn_end *by);
/*
 * Any end of a connection of an endpoint that is dead, with a reference to the connection, NULL
 * at the end. It is searched for from *@i on.
 */
struct doca_conn_end *doca_conn_next(struct doca_endpoint *endpoint, u32 *i);
/* All connections of an endpoint that is dead; it is told, too, if it @hears. */
void doca_conn_close_all(struct doca_endpoint *endpoint, bool hears);

#endif
