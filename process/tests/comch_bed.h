/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A server and a client on the two devices of the default pair. One thread serves both,
 * each with a progress engine of its own.
 */
#ifndef PROCESS_TESTS_COMCH_BED_H
#define PROCESS_TESTS_COMCH_BED_H

#include <string.h>

#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "bed.h"
#include "selftests/lib/own_name.h"

#define CHANNEL own_name("a channel")
#define SEND_TASKS 1024
#define MAX_MSG 4080
#define MAX_CONSUMERS 8

struct end {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_comch_connection *connection; /* the last one */
	unsigned int connects, disconnects;
	unsigned int received, sent, failed;
	uint64_t bytes;
	uint32_t next; /* number of the next message */
	bool disordered;
	doca_error_t status; /* status of the first task that failed */
	char last[MAX_MSG + 1];
	uint32_t consumers[MAX_CONSUMERS];
	unsigned int new_consumers, gone_consumers;
	void (*on_connect)(struct end *end, struct doca_comch_connection *connection);
	void (*on_message)(struct end *end, struct doca_comch_connection *connection);
};

static struct end server, client;

/* Use the driver that programs get without the module: it has a pair of devices. */
__attribute__((constructor)) static void choose_driver(void)
{
	setenv("DOCA_DRIVER", "process", 1);
}

static inline struct end *end_of(const struct doca_comch_connection *connection)
{
	return doca_comch_server_get_server_ctx(connection) ? &server : &client;
}

static inline void on_connect(struct doca_comch_event_connection_status_changed *event,
			      struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	EXPECT_EQ(ok, 1);
	server.connects++;
	if (!server.connection)
		server.connection = connection;
	if (server.on_connect)
		server.on_connect(&server, connection);
}

static inline void on_disconnect(struct doca_comch_event_connection_status_changed *event,
				 struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	EXPECT_EQ(ok, 1);
	EXPECT(doca_comch_server_get_server_ctx(connection) == server.server);
	server.disconnects++;
	if (server.connection == connection)
		server.connection = NULL;
}

static inline void on_message(struct doca_comch_event_msg_recv *event, uint8_t *buffer,
			      uint32_t length, struct doca_comch_connection *connection)
{
	struct end *end = end_of(connection);
	uint32_t number = ~0;

	(void)event;
	buffer[length] = 0;
	if (length >= sizeof(number))
		memcpy(&number, buffer, sizeof(number));
	if (number != end->next++)
		end->disordered = true;
	memcpy(end->last, buffer, length + 1);
	end->received++;
	end->bytes += length;
	if (end->on_message)
		end->on_message(end, connection);
}

static inline void on_new_consumer(struct doca_comch_event_consumer *event,
				   struct doca_comch_connection *connection, uint32_t id)
{
	struct end *end = end_of(connection);

	(void)event;
	end->consumers[end->new_consumers++ % MAX_CONSUMERS] = id;
}

static inline void on_gone_consumer(struct doca_comch_event_consumer *event,
				    struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	(void)id;
	end_of(connection)->gone_consumers++;
}

static inline void on_sent(struct doca_comch_task_send *task, union doca_data task_data,
			   union doca_data ctx_data)
{
	struct end *end = ctx_data.ptr;
	doca_error_t status = doca_task_get_status(doca_comch_task_send_as_task(task));

	(void)task_data;
	if (status == DOCA_SUCCESS)
		end->sent++;
	else if (!end->failed++)
		end->status = status;
	doca_task_free(doca_comch_task_send_as_task(task));
}

static inline void end_init(struct end *end, const char *device)
{
	*end = (struct end){ .dev = bed_open_dev(device) };
	OK(doca_pe_create(&end->pe));
}

static inline void end_connect(struct end *end)
{
	union doca_data self = { .ptr = end };

	OK(doca_ctx_set_user_data(end->ctx, self));
	OK(doca_pe_connect_ctx(end->pe, end->ctx));
}

static inline void create_server(const char *name)
{
	struct doca_devinfo_rep **reps;
	struct doca_dev_rep *rep;
	uint32_t nr = 0;

	end_init(&server, "software");
	OK(doca_devinfo_rep_create_list(server.dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &nr));
	ASSERT(nr == 1);
	OK(doca_dev_rep_open(reps[0], &rep));
	OK(doca_devinfo_rep_destroy_list(reps));
	OK(doca_comch_server_create(server.dev, rep, name, &server.server));
	OK(doca_dev_rep_close(rep));
	server.ctx = doca_comch_server_as_ctx(server.server);
	OK(doca_comch_server_task_send_set_conf(server.server, on_sent, on_sent, SEND_TASKS));
	OK(doca_comch_server_event_msg_recv_register(server.server, on_message));
	OK(doca_comch_server_event_consumer_register(server.server, on_new_consumer,
						     on_gone_consumer));
	OK(doca_comch_server_event_connection_status_changed_register(server.server, on_connect,
								      on_disconnect));
	end_connect(&server);
}

static inline void configure_client(struct end *end, const char *name)
{
	OK(doca_comch_client_create(end->dev, name, &end->client));
	end->ctx = doca_comch_client_as_ctx(end->client);
	OK(doca_comch_client_task_send_set_conf(end->client, on_sent, on_sent, SEND_TASKS));
	OK(doca_comch_client_event_msg_recv_register(end->client, on_message));
	OK(doca_comch_client_event_consumer_register(end->client, on_new_consumer,
						     on_gone_consumer));
	end_connect(end);
}

static inline void create_client(const char *name)
{
	end_init(&client, "software1");
	configure_client(&client, name);
}

static inline enum doca_ctx_states state_of(const struct end *end)
{
	enum doca_ctx_states state = -1;

	OK(doca_ctx_get_state(end->ctx, &state));
	return state;
}

static inline void progress(void)
{
	if (server.pe)
		doca_pe_progress(server.pe);
	if (client.pe)
		doca_pe_progress(client.pe);
}

/* Progress both until a condition holds. */
#define await(condition)                         \
	do {                                     \
		unsigned long left_ = 200000000; \
		while (!(condition) && --left_)  \
			progress();              \
		EXPECT(condition);               \
	} while (0)

static inline void end_destroy(struct end *end)
{
	if (!end->pe)
		return;
	doca_ctx_stop(end->ctx);
	await(state_of(end) == DOCA_CTX_STATE_IDLE);
	if (end->server)
		OK(doca_comch_server_destroy(end->server));
	if (end->client)
		OK(doca_comch_client_destroy(end->client));
	OK(doca_pe_destroy(end->pe));
	OK(doca_dev_close(end->dev));
	end->pe = NULL;
}

/* Open both, and connect them. */
static inline void open_both(void)
{
	create_server(CHANNEL);
	create_client(CHANNEL);
	OK(doca_ctx_start(server.ctx));
	ERR(doca_ctx_start(client.ctx), IN_PROGRESS);
	await(state_of(&client) == DOCA_CTX_STATE_RUNNING && server.connects == 1);
	OK(doca_comch_client_get_connection(client.client, &client.connection));
}

static inline void close_both(void)
{
	end_destroy(&client);
	end_destroy(&server);
	EXPECT(until(!inproc_pinned()));
}

static inline doca_error_t send_on(struct end *end, struct doca_comch_connection *connection,
				   const void *msg, uint32_t length)
{
	struct doca_comch_task_send *task;
	doca_error_t ret;

	ret = end->server ? doca_comch_server_task_send_alloc_init(end->server, connection, msg,
								   length, &task) :
			    doca_comch_client_task_send_alloc_init(end->client, connection, msg,
								   length, &task);
	if (ret == DOCA_SUCCESS)
		ret = doca_task_submit(doca_comch_task_send_as_task(task));
	return ret;
}

static inline void send_number(struct end *end, uint32_t number, uint32_t length)
{
	static char message[MAX_MSG];

	memcpy(message, &number, sizeof(number));
	OK(send_on(end, end->connection, message, length));
}

#endif
