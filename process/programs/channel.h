/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * One side of the communication channel, with the addresses that such programs have by default;
 * the other side is in another process. Messages are numbered, and what is in them follows
 * from the number.
 */
#ifndef SELFTESTS_PROCESS_CHANNEL_H
#define SELFTESTS_PROCESS_CHANNEL_H

#include <poll.h>

#include <doca_comch.h>

#include "../../selftests/lib/own_name.h"
#include "pair.h"

#define NAME own_name("a channel")
#define TASKS 1024
#define MAX_MSG 4080

struct side {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_comch_connection *connection;
	struct shared *shared; /* if it is a victim */
	unsigned int connects, disconnects, received, sent, failed;
	unsigned int next; /* number of the next message */
	bool wrong; /* a message was not the next one, or was damaged */
	bool echoes;
	char last[MAX_MSG]; /* the last message, and its length */
	uint32_t last_length;
	unsigned int consumer, new_consumers, gone_consumers;
	doca_error_t status;
};

static inline struct side *side_of(const struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	struct doca_comch_client *client = doca_comch_client_get_client_ctx(connection);
	union doca_data data = {};

	doca_ctx_get_user_data(server ? doca_comch_server_as_ctx(server) :
					doca_comch_client_as_ctx(client),
			       &data);
	return data.ptr;
}

static inline void side_sent(struct doca_comch_task_send *task, union doca_data data,
			     union doca_data ctx_data)
{
	struct doca_task *base = doca_comch_task_send_as_task(task);
	struct side *side = ctx_data.ptr;

	(void)data;
	if (doca_task_get_status(base) == DOCA_SUCCESS) {
		side->sent++;
	} else {
		side->failed++;
		side->status = doca_task_get_status(base);
	}
	doca_task_free(base);
}

static inline doca_error_t side_send_bytes(struct side *side,
					   struct doca_comch_connection *connection,
					   const void *bytes, uint32_t length)
{
	struct doca_comch_task_send *task;
	doca_error_t rc;

	rc = side->server ? doca_comch_server_task_send_alloc_init(side->server, connection,
								   bytes, length, &task) :
			    doca_comch_client_task_send_alloc_init(side->client, connection,
								   bytes, length, &task);
	if (rc)
		return rc;
	rc = doca_task_submit(doca_comch_task_send_as_task(task));
	if (rc)
		doca_task_free(doca_comch_task_send_as_task(task));
	return rc;
}

static inline void make_message(char *message, uint32_t number, uint32_t length)
{
	bed_fill(message, length, number);
	memcpy(message, &number, sizeof(number));
}

static inline doca_error_t side_send(struct side *side, uint32_t number, uint32_t length)
{
	char message[MAX_MSG];

	make_message(message, number, length);
	return side_send_bytes(side, side->connection, message, length);
}

static inline void side_got(struct doca_comch_event_msg_recv *event, uint8_t *bytes,
			    uint32_t length, struct doca_comch_connection *connection)
{
	struct side *side = side_of(connection);
	char expected[MAX_MSG];

	(void)event;
	make_message(expected, side->next++, length);
	side->wrong |= !!memcmp(bytes, expected, length);
	memcpy(side->last, bytes, length);
	side->last_length = length;
	side->received++;
	if (side->shared)
		store(&side->shared->steps, side->received);
	if (side->echoes && side_send_bytes(side, connection, bytes, length))
		side->wrong = true;
}

static inline void side_connected(struct doca_comch_event_connection_status_changed *event,
				  struct doca_comch_connection *connection, uint8_t ok)
{
	struct side *side = side_of(connection);

	(void)event;
	(void)ok;
	side->connects++;
	side->connection = connection;
}

static inline void side_disconnected(struct doca_comch_event_connection_status_changed *event,
				     struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	(void)ok;
	side_of(connection)->disconnects++;
}

static inline void side_new_consumer(struct doca_comch_event_consumer *event,
				     struct doca_comch_connection *connection, uint32_t id)
{
	struct side *side = side_of(connection);

	(void)event;
	side->consumer = id;
	side->new_consumers++;
}

static inline void side_gone_consumer(struct doca_comch_event_consumer *event,
				      struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	(void)id;
	side_of(connection)->gone_consumers++;
}

/* Open the device at an address, of 7 or 12 characters. */
static inline struct doca_dev *open_at(const char *pci)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint8_t equal;
	uint32_t nr, i;

	if (doca_devinfo_create_list(&list, &nr))
		return NULL;
	for (i = 0; i < nr && !dev; i++)
		if (doca_devinfo_is_equal_pci_addr(list[i], pci, &equal) || !equal ||
		    doca_dev_open(list[i], &dev))
			dev = NULL;
	doca_devinfo_destroy_list(list);
	return dev;
}

static inline struct doca_dev_rep *open_rep_at(struct doca_dev *dev, const char *pci)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep = NULL;
	uint8_t equal;
	uint32_t nr, i;

	if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &nr))
		return NULL;
	for (i = 0; i < nr && !rep; i++)
		if (doca_devinfo_rep_is_equal_pci_addr(list[i], pci, &equal) || !equal ||
		    doca_dev_rep_open(list[i], &rep))
			rep = NULL;
	doca_devinfo_rep_destroy_list(list);
	return rep;
}

static inline int side_configure(struct side *side)
{
	union doca_data self = { .ptr = side };

	return doca_ctx_set_user_data(side->ctx, self) || doca_pe_connect_ctx(side->pe, side->ctx);
}

/* Make a server, and do not start it. */
static inline int server_make(struct side *side, const char *pci, const char *rep_pci,
			      const char *name)
{
	struct doca_dev_rep *rep;

	side->dev = open_at(pci);
	rep = side->dev ? open_rep_at(side->dev, rep_pci) : NULL;
	if (!rep || doca_pe_create(&side->pe) ||
	    doca_comch_server_create(side->dev, rep, name, &side->server) ||
	    doca_dev_rep_close(rep))
		return -1;
	side->ctx = doca_comch_server_as_ctx(side->server);
	return doca_comch_server_task_send_set_conf(side->server, side_sent, side_sent, TASKS) ||
	       doca_comch_server_event_msg_recv_register(side->server, side_got) ||
	       doca_comch_server_event_consumer_register(side->server, side_new_consumer,
							 side_gone_consumer) ||
	       doca_comch_server_event_connection_status_changed_register(
		       side->server, side_connected, side_disconnected) ||
	       side_configure(side);
}

static inline int client_make(struct side *side, const char *pci, const char *name)
{
	side->dev = open_at(pci);
	if (!side->dev || doca_pe_create(&side->pe) ||
	    doca_comch_client_create(side->dev, name, &side->client))
		return -1;
	side->ctx = doca_comch_client_as_ctx(side->client);
	return doca_comch_client_task_send_set_conf(side->client, side_sent, side_sent, TASKS) ||
	       doca_comch_client_event_msg_recv_register(side->client, side_got) ||
	       doca_comch_client_event_consumer_register(side->client, side_new_consumer,
							 side_gone_consumer) ||
	       side_configure(side);
}

static inline enum doca_ctx_states state_of(struct doca_ctx *ctx)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	doca_ctx_get_state(ctx, &state);
	return state;
}

/* Progress until a condition holds; false if it never does. */
#define SIDE_UNTIL(side, condition) AWAIT_BY(doca_pe_progress((side)->pe), condition)

/* Wait for the end of the start: true if it runs. */
static inline bool client_runs(struct side *side)
{
	return SIDE_UNTIL(side, state_of(side->ctx) == DOCA_CTX_STATE_RUNNING ||
					state_of(side->ctx) == DOCA_CTX_STATE_IDLE) &&
	       !doca_comch_client_get_connection(side->client, &side->connection);
}

static inline bool client_connect(struct side *side)
{
	return doca_ctx_start(side->ctx) == DOCA_ERROR_IN_PROGRESS && client_runs(side);
}

static inline bool side_stop(struct side *side)
{
	doca_ctx_stop(side->ctx);
	return SIDE_UNTIL(side, state_of(side->ctx) == DOCA_CTX_STATE_IDLE);
}

static inline int side_destroy(struct side *side)
{
	return !side_stop(side) ||
	       (side->server ? doca_comch_server_destroy(side->server) :
			       doca_comch_client_destroy(side->client)) ||
	       doca_pe_destroy(side->pe) || doca_dev_close(side->dev);
}

static inline int server_open(struct side *side, const char *name)
{
	return server_make(side, "03:00.0", "b1:00.0", name) || doca_ctx_start(side->ctx);
}

/* Victims: each serves for ever, and sends back what it gets. */
static inline int run_server_named(struct shared *shared, const char *name)
{
	struct side side = { .shared = shared, .echoes = true };

	if (server_open(&side, name))
		return 1;
	store(&shared->ready, 1);
	for (;;) {
		doca_pe_progress(side.pe);
		/* Each client numbers its messages by itself. */
		if (side.connects == side.disconnects)
			side.next = 0;
	}
}

static inline int run_server(struct shared *shared)
{
	return run_server_named(shared, NAME);
}

static inline int run_client(struct shared *shared)
{
	struct side side = { .shared = shared, .echoes = true };

	if (client_make(&side, "0000:b1:00.0", NAME) || !client_connect(&side))
		return 1;
	store(&shared->ready, 1);
	while (state_of(side.ctx) == DOCA_CTX_STATE_RUNNING)
		doca_pe_progress(side.pe);
	return side.wrong ? 2 : 0;
}

#endif
