/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Parties: the common part of servers and clients. Both objects begin in the
 * same way, so code for both needs only the party.
 */
#ifndef DOCA_COMCH_PARTY_H
#define DOCA_COMCH_PARTY_H

#include <stddef.h>

#include "comch.h"
#include "connection.h"
#include "core/driver/inbox.h"

#define PARTY_SLOTS 256 /* maximum of messages being sent */
#define SERVER_CONN_SLOTS 16 /* maximum for one connection of a server */

#define PARTY_SHOWN_MAX (4 * (COMCH_MAX_NAME - 1) + 1)

struct party {
	struct doca_ctx *ctx;
	char name[COMCH_MAX_NAME]; /* name of the server */
	char shown[PARTY_SHOWN_MAX]; /* name for the log, escaped */
	uint32_t max_msg;
	uint32_t recv_slots;
	uint32_t conn_slots; /* maximum of slots of one connection */
	uint32_t promises; /* events in the inbox, besides messages */
	doca_comch_event_msg_recv_cb_t recv_cb;
	doca_comch_event_consumer_cb_t new_consumer_cb;
	doca_comch_event_consumer_cb_t gone_consumer_cb;
	/* NULL in a client: */
	doca_comch_event_connection_status_changed_cb_t connect_cb;
	doca_comch_event_connection_status_changed_cb_t disconnect_cb;

	/* Valid between start and stop: */
	struct inbox inbox;
	bool stopping;
	uint8_t *message; /* copy for the program, with one byte more */
	struct doca_comch_connection **table;
	uint32_t mask; /* number of rows of the table, minus 1 */
	uint32_t nr_connections; /* number of connections in the table */
	uint16_t *free_slots;
	uint32_t nr_free;
	char *backlog; /* messages without a slot, by number of their tasks */
	struct list waiting; /* connections that could use a free slot */
	struct list ended; /* closed connections without tasks in flight */
	struct doca_task *failed, *last_failed; /* tasks that cannot be sent */
};

struct doca_comch_server {
	struct doca_ctx ctx;
	struct task_pool pools[1];
	struct party party;
	struct doca_dev_rep *rep; /* the program owns it */
	uint32_t function;
};

struct doca_comch_client {
	struct doca_ctx ctx;
	struct task_pool pools[1];
	struct party party;
	struct doca_comch_connection *connection; /* while it is in the table */
	uint32_t patience_ms;
	uint64_t until; /* time at which it gives up */
	uint64_t again; /* time of its next try; 0: it waits for an answer */
};

_Static_assert(offsetof(struct doca_comch_server, party) ==
		       offsetof(struct doca_comch_client, party),
	       "party_of() is for both");

static inline struct party *party_of(const struct doca_ctx *ctx)
{
	return &list_entry(ctx, struct doca_comch_server, ctx)->party;
}

/* Set the defaults. The object is all 0, but for its context. */
void party_init(struct party *party, struct doca_ctx *ctx, uint32_t conn_slots,
		uint32_t promises);

/* Set the name of the server. Return INVALID_VALUE, and log it, if it is not legal. */
doca_error_t party_set_name(struct party *party, const char *name,
			    const struct log_site *site);

/* Set the attributes of the queue; for struct ctx_type. */
doca_error_t party_queue(const struct doca_ctx *ctx,
			 struct driver_queue_attr *attr);

/* Allocate the members between start and stop. Return 0 or -ENOMEM. */
int party_open(struct party *party);
/* Free them, and drop the connections that are left. */
void party_close(struct party *party);

/* Return the connection with this id, or NULL. */
struct doca_comch_connection *party_find(const struct party *party,
					 uint32_t id);
/* Add an open connection, from the event that announces it. */
void party_add(struct party *party, struct doca_comch_connection *connection,
	       const struct doca_event *event);
/* Remove a connection, which must have nothing in flight. */
void party_forget(struct doca_comch_connection *connection);

#endif /* DOCA_COMCH_PARTY_H */
