/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Parties: what servers and clients have in common. The two objects begin in
 * the same way, so that what is done for both needs to know of a party alone.
 */
#ifndef DOCA_COMCH_PARTY_H
#define DOCA_COMCH_PARTY_H

#include <stddef.h>

#include "comch.h"
#include "connection.h"
#include "core/driver/inbox.h"

#define PARTY_SLOTS 256 /* messages in sending, at most */
#define SERVER_CONN_SLOTS 16 /* of these, of one connection of a server */

struct party {
	struct doca_ctx *ctx;
	char name[COMCH_MAX_NAME]; /* the server's */
	uint32_t max_msg;
	uint32_t recv_slots;
	uint32_t conn_slots; /* of one connection */
	uint32_t promises; /* events of the inbox, besides messages */
	doca_comch_event_msg_recv_cb_t recv_cb;
	doca_comch_event_consumer_cb_t new_consumer_cb;
	doca_comch_event_consumer_cb_t gone_consumer_cb;
	/* NULL of a client. */
	doca_comch_event_connection_status_changed_cb_t connect_cb;
	doca_comch_event_connection_status_changed_cb_t disconnect_cb;

	/* Between start and stop. */
	struct inbox inbox;
	bool stopping;
	uint8_t *message; /* the one that the program is told of, and a byte */
	struct doca_comch_connection **table;
	uint32_t mask; /* of the table */
	uint32_t nr_connections; /* in it */
	uint16_t *free_slots;
	uint32_t nr_free;
	char *backlog; /* messages without a slot, by number of their tasks */
	struct list waiting; /* connections that could send, were a slot free */
	struct list
		ended; /* those that are not open, and have no task in flight */
	struct doca_task *failed, *last_failed; /* tasks that will be in vain */
};

struct doca_comch_server {
	struct doca_ctx ctx;
	struct task_pool pools[1];
	struct party party;
	struct doca_dev_rep *rep; /* the program's */
	uint32_t function;
};

struct doca_comch_client {
	struct doca_ctx ctx;
	struct task_pool pools[1];
	struct party party;
	struct doca_comch_connection *connection; /* while it is in the table */
	uint32_t asked; /* the id of the connection that is asked for */
	uint32_t patience_ms;
	uint64_t until; /* when it gives up */
	uint64_t again; /* when it asks again; 0: it waits for an answer */
};

_Static_assert(offsetof(struct doca_comch_server, party) ==
		       offsetof(struct doca_comch_client, party),
	       "party_of() is for both");

static inline struct party *party_of(const struct doca_ctx *ctx)
{
	return &list_entry(ctx, struct doca_comch_server, ctx)->party;
}

/* The object is all 0 but for its context. */
void party_init(struct party *party, struct doca_ctx *ctx, uint32_t conn_slots,
		uint32_t promises);

/*
 * The name of its server: INVALID_VALUE if it is none, with a line in the log.
 */
doca_error_t party_set_name(struct party *party, const char *name,
			    const struct log_site *site);

/* For struct ctx_type: the queue that it needs. */
doca_error_t party_queue(const struct doca_ctx *ctx,
			 struct driver_queue_attr *attr);

/* Allocate the part that lives between start and stop; -ENOMEM. */
int party_open(struct party *party);
/* Connections that are left are dropped. */
void party_close(struct party *party);

/* The connection with this id, or NULL. */
struct doca_comch_connection *party_find(const struct party *party,
					 uint32_t id);
/* It is open from now on. */
void party_add(struct party *party, struct doca_comch_connection *connection,
	       const struct doca_event *event);
/* It is the party's no more: nothing of it is in flight. */
void party_forget(struct doca_comch_connection *connection);

#endif /* DOCA_COMCH_PARTY_H */
