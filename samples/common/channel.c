// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "channel.h"
#include "sample.h"

static struct channel *channel_of(struct doca_comch_connection *connection)
{
	struct doca_comch_server *server =
		doca_comch_server_get_server_ctx(connection);
	union doca_data data = {};

	check(doca_ctx_get_user_data(
		      server ? doca_comch_server_as_ctx(server) :
			       doca_comch_client_as_ctx(
				       doca_comch_client_get_client_ctx(
					       connection)),
		      &data),
	      "the channel");
	return data.ptr;
}

static void on_state(const union doca_data user_data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct channel *channel = user_data.ptr;

	(void)ctx;
	(void)prev;
	channel->state = next;
	if (channel->client && next == DOCA_CTX_STATE_RUNNING)
		check(doca_comch_client_get_connection(channel->client,
						       &channel->connection),
		      "the connection");
	else if (channel->client)
		channel->connection = NULL;
}

static void on_sent(struct doca_comch_task_send *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct channel *channel = ctx_data.ptr;

	(void)task_data;
	doca_task_free(doca_comch_task_send_as_task(task));
	channel->sending--;
}

static void on_not_sent(struct doca_comch_task_send *task,
			union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	check(doca_task_get_status(doca_comch_task_send_as_task(task)),
	      "a message to the other side");
}

static void on_message(struct doca_comch_event_msg_recv *event,
		       uint8_t *message, uint32_t length,
		       struct doca_comch_connection *connection)
{
	struct channel *channel = channel_of(connection);

	(void)event;
	if (channel->length || length > sizeof(channel->message))
		give_up(DOCA_ERROR_BAD_STATE,
			"a message that was not asked for");
	memcpy(channel->message, message, length);
	channel->length = length;
}

static void
on_connected(struct doca_comch_event_connection_status_changed *event,
	     struct doca_comch_connection *connection, uint8_t successful)
{
	struct channel *channel = channel_of(connection);

	(void)event;
	(void)successful;
	if (!channel->connection)
		channel->connection = connection;
	else
		check(doca_comch_server_disconnect(channel->server, connection),
		      "a second client");
}

static void
on_disconnected(struct doca_comch_event_connection_status_changed *event,
		struct doca_comch_connection *connection, uint8_t successful)
{
	(void)event;
	(void)successful;
	channel_of(connection)->connection = NULL;
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	channel_of(connection)->consumer = id;
}

static void on_no_consumer(struct doca_comch_event_consumer *event,
			   struct doca_comch_connection *connection,
			   uint32_t id)
{
	(void)event;
	(void)id;
	channel_of(connection)->consumer = 0;
}

static struct doca_ctx *create_server(struct channel *channel, const char *name)
{
	struct doca_dev_rep *rep = side_open_representor(channel->dev);
	struct doca_comch_server *server;

	check(doca_comch_server_create(channel->dev, rep, name, &server),
	      "the server");
	check(doca_dev_rep_close(rep), "the representor");
	check(doca_comch_server_task_send_set_conf(server, on_sent, on_not_sent,
						   1),
	      "the kind of task");
	check(doca_comch_server_event_msg_recv_register(server, on_message),
	      "a callback");
	check(doca_comch_server_event_connection_status_changed_register(
		      server, on_connected, on_disconnected),
	      "a callback");
	check(doca_comch_server_event_consumer_register(server, on_consumer,
							on_no_consumer),
	      "a callback");
	channel->server = server;
	return doca_comch_server_as_ctx(server);
}

static struct doca_ctx *create_client(struct channel *channel, const char *name)
{
	struct doca_comch_client *client;

	check(doca_comch_client_create(channel->dev, name, &client),
	      "the client");
	check(doca_comch_client_task_send_set_conf(client, on_sent, on_not_sent,
						   1),
	      "the kind of task");
	check(doca_comch_client_event_msg_recv_register(client, on_message),
	      "a callback");
	check(doca_comch_client_event_consumer_register(client, on_consumer,
							on_no_consumer),
	      "a callback");
	channel->client = client;
	return doca_comch_client_as_ctx(client);
}

void channel_open(struct channel *channel, const char *name, enum side side)
{
	union doca_data data = { .ptr = channel };
	doca_error_t err;

	*channel = (struct channel){ .dev = side_open_device(side),
				     .state = DOCA_CTX_STATE_IDLE };
	check(doca_pe_create(&channel->pe), "the engine");
	channel->ctx = side == SIDE_DPU ? create_server(channel, name) :
					  create_client(channel, name);
	check(doca_ctx_set_user_data(channel->ctx, data), "the user data");
	check(doca_ctx_set_state_changed_cb(channel->ctx, on_state),
	      "a callback");
	check(doca_pe_connect_ctx(channel->pe, channel->ctx),
	      "the connection to the engine");
	err = doca_ctx_start(channel->ctx);
	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "start of the channel");
	while (!channel->connection && channel->state != DOCA_CTX_STATE_IDLE)
		side_progress(channel->pe);
	if (!channel->connection)
		give_up(DOCA_ERROR_NOT_CONNECTED, "the other side");
}

void channel_progress(struct channel *channel)
{
	if (!channel->connection)
		give_up(DOCA_ERROR_NOT_CONNECTED, "the other side has gone");
	side_progress(channel->pe);
}

void channel_send(struct channel *channel, const void *message, size_t length)
{
	struct doca_comch_task_send *task;
	doca_error_t err;

	if (!channel->connection)
		give_up(DOCA_ERROR_NOT_CONNECTED, "the other side has gone");
	err = channel->server ? doca_comch_server_task_send_alloc_init(
					channel->server, channel->connection,
					message, length, &task) :
				doca_comch_client_task_send_alloc_init(
					channel->client, channel->connection,
					message, length, &task);
	check(err, "a message to the other side");
	check(doca_task_submit(doca_comch_task_send_as_task(task)),
	      "submission");
	channel->sending++;
	while (channel->sending)
		side_progress(channel->pe);
}

void channel_receive(struct channel *channel, void *message, size_t length)
{
	while (!channel->length)
		channel_progress(channel);
	if (channel->length != length)
		give_up(DOCA_ERROR_INVALID_VALUE, "a message of this length");
	memcpy(message, channel->message, length);
	channel->length = 0;
}

/* The host ends first: what it has not heard yet must not end with the connection. */
void channel_close(struct channel *channel)
{
	doca_error_t err;

	while (channel->server && channel->connection)
		side_progress(channel->pe);
	err = doca_ctx_stop(channel->ctx);
	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "stop of the channel");
	while (channel->state != DOCA_CTX_STATE_IDLE)
		side_progress(channel->pe);
	if (channel->server)
		check(doca_comch_server_destroy(channel->server), "the server");
	else
		check(doca_comch_client_destroy(channel->client), "the client");
	check(doca_pe_destroy(channel->pe), "the engine");
	check(doca_dev_close(channel->dev), "the device");
}
