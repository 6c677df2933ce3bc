// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "channel.h"
#include "clock.h"
#include "msg.h"
#include "way.h"

#define TASKS 64 /* messages in flight, on each side */
#define NAME "doca_bench %d" /* with the process id */

static struct channel *channel_of(struct doca_comch_connection *connection)
{
	return doca_comch_connection_get_user_data(connection).ptr;
}

static void on_sent(struct doca_comch_task_send *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct doca_task *base = doca_comch_task_send_as_task(task);
	struct side *side = ctx_data.ptr;

	(void)task_data;
	if (doca_task_get_status(base) != DOCA_SUCCESS)
		side_note(side, doca_task_get_status(base));
	doca_task_free(base);
}

static doca_error_t submit(struct doca_comch_task_send *task)
{
	return doca_task_submit(doca_comch_task_send_as_task(task));
}

/* The connection has the channel as its user data from its first event on. */
static void on_connect(struct doca_comch_event_connection_status_changed *event,
		       struct doca_comch_connection *connection, uint8_t ok)
{
	struct doca_comch_server *server =
		doca_comch_server_get_server_ctx(connection);
	union doca_data data = { 0 };
	struct channel *channel;

	(void)event, (void)ok;
	doca_ctx_get_user_data(doca_comch_server_as_ctx(server), &data);
	channel = container_of(data.ptr, struct channel, far);
	data.ptr = channel;
	doca_comch_connection_set_user_data(connection, data);
	channel->far.connection = connection;
}

static void
on_disconnect(struct doca_comch_event_connection_status_changed *event,
	      struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event, (void)ok;
	channel_of(connection)->far.connection = NULL;
}

static void on_server_message(struct doca_comch_event_msg_recv *event,
			      uint8_t *message, uint32_t length,
			      struct doca_comch_connection *connection)
{
	struct channel *channel = channel_of(connection);
	struct doca_comch_task_send *task;
	doca_error_t err;

	(void)event;
	channel->far.received++;
	if (!channel->echoes)
		return;
	err = doca_comch_server_task_send_alloc_init(
		channel->server, connection, message, length, &task);
	if (err == DOCA_SUCCESS)
		err = submit(task);
	if (err != DOCA_SUCCESS)
		side_note(&channel->far, err);
}

static void on_client_message(struct doca_comch_event_msg_recv *event,
			      uint8_t *message, uint32_t length,
			      struct doca_comch_connection *connection)
{
	(void)event, (void)message, (void)length;
	channel_of(connection)->near.received++;
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	channel_of(connection)->near.consumer = id;
}

static void on_other_consumer(struct doca_comch_event_consumer *event,
			      struct doca_comch_connection *connection,
			      uint32_t id)
{
	(void)event, (void)connection, (void)id;
}

static doca_error_t open_side(struct side *side)
{
	union doca_data self = { .ptr = side };
	doca_error_t err;

	err = doca_ctx_set_user_data(side->ctx, self);
	if (err == DOCA_SUCCESS)
		err = doca_pe_create(&side->pe);
	if (err == DOCA_SUCCESS)
		err = doca_pe_connect_ctx(side->pe, side->ctx);
	return err;
}

static doca_error_t open_server(struct channel *channel, const char *name)
{
	struct doca_comch_server **server = &channel->server;
	struct side *side = &channel->far;
	doca_error_t err;

	err = doca_comch_server_create(channel->pair.dpu, channel->pair.rep,
				       name, server);
	if (err != DOCA_SUCCESS)
		return err;
	side->ctx = doca_comch_server_as_ctx(*server);
	err = doca_comch_server_task_send_set_conf(*server, on_sent, on_sent,
						   TASKS);
	if (err == DOCA_SUCCESS)
		err = doca_comch_server_event_msg_recv_register(
			*server, on_server_message);
	if (err == DOCA_SUCCESS)
		err = doca_comch_server_event_connection_status_changed_register(
			*server, on_connect, on_disconnect);
	if (err == DOCA_SUCCESS)
		err = open_side(side);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(side->ctx);
	return err;
}

static doca_error_t open_client(struct channel *channel, const char *name)
{
	struct doca_comch_client **client = &channel->client;
	struct side *side = &channel->near;
	doca_error_t err;

	err = doca_comch_client_create(channel->pair.host, name, client);
	if (err != DOCA_SUCCESS)
		return err;
	side->ctx = doca_comch_client_as_ctx(*client);
	err = doca_comch_client_task_send_set_conf(*client, on_sent, on_sent,
						   TASKS);
	if (err == DOCA_SUCCESS)
		err = doca_comch_client_event_msg_recv_register(
			*client, on_client_message);
	if (err == DOCA_SUCCESS)
		err = doca_comch_client_event_consumer_register(
			*client, on_consumer, on_other_consumer);
	if (err == DOCA_SUCCESS)
		err = open_side(side);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(side->ctx);
	return err == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : err;
}

static enum doca_ctx_states state_of(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	doca_ctx_get_state(ctx, &state);
	return state;
}

static void progress_both(struct channel *channel)
{
	if (channel->near.pe)
		doca_pe_progress(channel->near.pe);
	if (channel->far.pe)
		doca_pe_progress(channel->far.pe);
}

static int connect_sides(struct channel *channel)
{
	struct side *near = &channel->near;
	union doca_data self = { .ptr = channel };

	while (state_of(near->ctx) == DOCA_CTX_STATE_STARTING)
		progress_both(channel);
	if (doca_comch_client_get_connection(channel->client,
					     &near->connection) != DOCA_SUCCESS)
		return fail("the client cannot connect");
	doca_comch_connection_set_user_data(near->connection, self);
	while (!channel->far.connection)
		progress_both(channel);
	return 0;
}

static int open_ends(struct channel *channel)
{
	char name[32], idle_us[16];
	doca_error_t err;

	snprintf(name, sizeof(name), NAME, getpid());
	snprintf(idle_us, sizeof(idle_us), "%u", channel->idle_us);
	setenv("DOCA_IDLE_US", idle_us, 1);
	err = open_server(channel, name);
	if (err == DOCA_SUCCESS)
		err = open_client(channel, name);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot open a channel");
	return connect_sides(channel);
}

int channel_open(struct channel *channel)
{
	if (pair_open(&channel->pair))
		return -1;
	if (!open_ends(channel))
		return 0;
	channel_close(channel);
	return -1;
}

static void stop(struct channel *channel, const struct side *side)
{
	struct patience patience = { 0 };

	if (!side->ctx)
		return;
	doca_ctx_stop(side->ctx);
	while (state_of(side->ctx) != DOCA_CTX_STATE_IDLE &&
	       !patience_lost(&patience))
		progress_both(channel);
}

void channel_close(struct channel *channel)
{
	stop(channel, &channel->near);
	stop(channel, &channel->far);
	if (channel->client)
		doca_comch_client_destroy(channel->client);
	if (channel->server)
		doca_comch_server_destroy(channel->server);
	if (channel->near.pe)
		doca_pe_destroy(channel->near.pe);
	if (channel->far.pe)
		doca_pe_destroy(channel->far.pe);
	pair_close(&channel->pair);
	channel_init(channel, channel->cpus, channel->idle_us);
}

/* Whatever has come meanwhile, the handle is readable at once. */
static int sleep_until_event(struct side *side)
{
	doca_notification_handle_t handle;
	struct pollfd fd = { .events = POLLIN };

	doca_pe_get_notification_handle(side->pe, &handle);
	doca_pe_request_notification(side->pe);
	fd.fd = handle;
	if (poll(&fd, 1, PATIENCE_SECONDS * 1000) != 1)
		return fail("no event in %d seconds", PATIENCE_SECONDS);
	doca_pe_clear_notification(side->pe, handle);
	return 0;
}

int side_await(struct side *side, const uint64_t *count, uint64_t wanted,
	       bool sleeps)
{
	struct patience patience = { 0 };

	while (*count < wanted && side->error == DOCA_SUCCESS) {
		if (doca_pe_progress(side->pe))
			patience = (struct patience){ 0 };
		else if (sleeps && sleep_until_event(side))
			return -1;
		else if (!sleeps && patience_lost(&patience))
			return fail("no answer in %d seconds",
				    PATIENCE_SECONDS);
	}
	if (side->error != DOCA_SUCCESS)
		return fail_doca(side->error, "the channel has failed");
	return 0;
}

int channel_send(struct channel *channel, const void *message, uint32_t length)
{
	struct side *side = &channel->near;
	struct doca_comch_task_send *task;
	doca_error_t err;

	err = doca_comch_client_task_send_alloc_init(
		channel->client, side->connection, message, length, &task);
	if (err == DOCA_SUCCESS)
		err = submit(task);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot send");
	channel->sent++;
	return 0;
}

static void *serve(void *arg)
{
	struct channel *channel = arg;
	struct side *side = &channel->far;

	if (cpu_pin(channel->cpus->work))
		return NULL; /* the client gives up after a while */
	while (side->received <
	       __atomic_load_n(&channel->last, __ATOMIC_ACQUIRE))
		if (side_await(side, &side->received, side->received + 1,
			       channel->sleeps))
			break;
	return NULL;
}

int channel_run(struct channel *channel)
{
	int err;

	channel->last = UINT64_MAX;
	err = pthread_create(&channel->thread, NULL, serve, channel);
	return err ? fail_errno(err, "cannot create a thread") : 0;
}

int channel_stop(struct channel *channel)
{
	static const char last;
	int ret;

	/* Ending at the message before, the other thread would not answer this one. */
	__atomic_store_n(&channel->last, channel->sent + 1, __ATOMIC_RELEASE);
	ret = channel_send(channel, &last, sizeof(last));
	pthread_join(channel->thread, NULL);
	return ret;
}

void channel_init(struct channel *channel, const struct cpus *cpus,
		  uint32_t idle_us)
{
	*channel = (struct channel){ .cpus = cpus, .idle_us = idle_us };
}
