// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The communication channel: a server on the DPU, a client on the host, and messages.
 *
 * A server has a name on a representor, which stands for the host. A client finds it by
 * this name, and waits up to three seconds for it, so either side may be first. The client
 * has one connection, and the server one for each client; both send tasks through it, and
 * are called back with what has come. Here the host sends a few texts, and the DPU sends
 * each of them back.
 *
 * A context that waits for the other side is not done when doca_ctx_start() or
 * doca_ctx_stop() returns: the callback for its state tells.
 *
 * Usage: comch_ping dpu|host [-p PCI-ADDRESS] [-r PCI-ADDRESS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_pe.h>

#include "../common/sample.h"
#include "../common/side.h"

#define NAME "comch_ping"
#define PINGS 3

static enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
static unsigned int answers; /* messages that have made the whole way */
static struct doca_comch_connection *served; /* NULL: none */

static void on_state(const union doca_data user_data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	(void)user_data;
	(void)ctx;
	(void)prev;
	state = next;
}

/* A task is done when its message is in the other side's queue. */
static void on_sent(struct doca_comch_task_send *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_task_send_as_task(task));
}

/* The other side has gone: its end is told by other callbacks. */
static void on_not_sent(struct doca_comch_task_send *task,
			union doca_data task_data, union doca_data ctx_data)
{
	struct doca_task *base = doca_comch_task_send_as_task(task);

	(void)task_data;
	(void)ctx_data;
	fprintf(stderr, "a message: %s\n",
		doca_error_get_descr(doca_task_get_status(base)));
	doca_task_free(base);
}

/* Start, and wait for the end of the start if that takes the other side. */
static void start(struct doca_pe *pe, struct doca_ctx *ctx)
{
	doca_error_t err;

	check(doca_ctx_set_state_changed_cb(ctx, on_state), "a callback");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	err = doca_ctx_start(ctx);
	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "start");
	while (state == DOCA_CTX_STATE_STARTING)
		side_progress(pe);
	if (state != DOCA_CTX_STATE_RUNNING)
		give_up(DOCA_ERROR_NOT_CONNECTED, "the server");
}

static void stop(struct doca_pe *pe, struct doca_ctx *ctx)
{
	doca_error_t err = doca_ctx_stop(ctx);

	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "stop");
	while (state != DOCA_CTX_STATE_IDLE)
		side_progress(pe);
}

static void answer(struct doca_comch_event_msg_recv *event, uint8_t *text,
		   uint32_t length, struct doca_comch_connection *connection)
{
	struct doca_comch_server *server =
		doca_comch_server_get_server_ctx(connection);
	struct doca_comch_task_send *task;

	(void)event;
	printf("The host says: %.*s\n", (int)length, (char *)text);
	check(doca_comch_server_task_send_alloc_init(server, connection, text,
						     length, &task),
	      "a task");
	check(doca_task_submit(doca_comch_task_send_as_task(task)),
	      "submission");
	answers++;
}

/* There is one client at a time; others are turned away. */
static void
on_connected(struct doca_comch_event_connection_status_changed *event,
	     struct doca_comch_connection *connection, uint8_t successful)
{
	(void)event;
	(void)successful;
	if (!served)
		served = connection;
	else
		check(doca_comch_server_disconnect(
			      doca_comch_server_get_server_ctx(connection),
			      connection),
		      "a second client");
}

static void
on_disconnected(struct doca_comch_event_connection_status_changed *event,
		struct doca_comch_connection *connection, uint8_t successful)
{
	(void)event;
	(void)connection;
	(void)successful;
	served = NULL;
}

static void be_server(struct doca_dev *dev, struct doca_pe *pe)
{
	struct doca_dev_rep *rep = side_open_representor(dev);
	struct doca_comch_server *server;
	struct doca_ctx *ctx;

	check(doca_comch_server_create(dev, rep, NAME, &server), "the server");
	check(doca_comch_server_task_send_set_conf(server, on_sent, on_not_sent,
						   PINGS),
	      "the kind of task");
	check(doca_comch_server_event_msg_recv_register(server, answer),
	      "a callback");
	check(doca_comch_server_event_connection_status_changed_register(
		      server, on_connected, on_disconnected),
	      "a callback");
	ctx = doca_comch_server_as_ctx(server);
	start(pe, ctx);

	while (!served)
		side_progress(pe);
	while (served)
		side_progress(pe);

	stop(pe, ctx);
	check(doca_comch_server_destroy(server), "the server");
	check(doca_dev_rep_close(rep), "the representor");
}

static void send_ping(struct doca_comch_client *client)
{
	struct doca_comch_connection *connection;
	struct doca_comch_task_send *task;
	char text[16];

	snprintf(text, sizeof(text), "ping %u", answers + 1);
	check(doca_comch_client_get_connection(client, &connection),
	      "the connection");
	check(doca_comch_client_task_send_alloc_init(client, connection, text,
						     strlen(text), &task),
	      "a task");
	check(doca_task_submit(doca_comch_task_send_as_task(task)),
	      "submission");
}

static void on_answer(struct doca_comch_event_msg_recv *event, uint8_t *text,
		      uint32_t length, struct doca_comch_connection *connection)
{
	(void)event;
	printf("The DPU answers: %.*s\n", (int)length, (char *)text);
	if (++answers < PINGS)
		send_ping(doca_comch_client_get_client_ctx(connection));
}

static void be_client(struct doca_dev *dev, struct doca_pe *pe)
{
	struct doca_comch_client *client;
	struct doca_ctx *ctx;

	check(doca_comch_client_create(dev, NAME, &client), "the client");
	check(doca_comch_client_task_send_set_conf(client, on_sent, on_not_sent,
						   PINGS),
	      "the kind of task");
	check(doca_comch_client_event_msg_recv_register(client, on_answer),
	      "a callback");
	ctx = doca_comch_client_as_ctx(client);
	start(pe, ctx);

	/* Without its server the client stops by itself. */
	send_ping(client);
	while (answers < PINGS && state == DOCA_CTX_STATE_RUNNING)
		side_progress(pe);

	stop(pe, ctx);
	check(doca_comch_client_destroy(client), "the client");
}

int main(int argc, char **argv)
{
	enum side side = side_start("comch_ping", argc, argv, NULL);
	struct doca_dev *dev = side_open_device(side);
	struct doca_pe *pe;

	check(doca_pe_create(&pe), "the engine");
	if (side == SIDE_DPU)
		be_server(dev, pe);
	else
		be_client(dev, pe);
	check(doca_pe_destroy(pe), "the engine");
	check(doca_dev_close(dev), "the device");

	printf("%u of %u messages were answered\n", answers, PINGS);
	return answers == PINGS ? EXIT_SUCCESS : EXIT_FAILURE;
}
