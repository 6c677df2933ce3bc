/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The bed of tests of the communication channel: a pair of fake devices, with a server or a
 * client.
 */
#ifndef DOCA_TESTS_COMCH_BED_H
#define DOCA_TESTS_COMCH_BED_H

#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_msgq.h>
#include <doca_comch_producer.h>

#include "bed.h"
#include "clock.h"
#include "core/device/rep.h"
#include "core/exec/ctx.h"
#include "fault.h"

#define HOST_ID 9
#define FUNCTION_ID 5
#define MAX_MSG 4080
#define TASKS 512

static const struct driver_function functions[] = {
	{ .id = FUNCTION_ID, .dpu = FAKE_DEVICE_ID, .host = HOST_ID, .vuid = "PAIR" },
};

static struct doca_dev_rep rep = { .info = { .vuid = "PAIR", .function = FUNCTION_ID } };

/*
 * Events are recorded as in bed.h; also new and lost connections (C D), messages (M), and
 * new and lost consumers (N G).
 */
static struct comch {
	struct doca_dev *host, *third;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_ctx *ctx; /* context of the server or client */
	struct doca_comch_connection *connection; /* the last one */
	char message[MAX_MSG + 1]; /* the last one */
	uint32_t consumer; /* id of the last one */
	doca_error_t status; /* status of the last task */
	void (*on_event)(void);
} comch;

static inline void comch_event(char c, struct doca_comch_connection *connection)
{
	record(c);
	comch.connection = connection;
	if (comch.on_event)
		comch.on_event();
}

static inline void on_connect(struct doca_comch_event_connection_status_changed *event,
			      struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	EXPECT_EQ(ok, 1);
	comch_event('C', connection);
}

static inline void on_disconnect(struct doca_comch_event_connection_status_changed *event,
				 struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	EXPECT_EQ(ok, 1);
	EXPECT(doca_comch_server_get_server_ctx(connection) == comch.server);
	comch_event('D', connection);
}

static inline void on_message(struct doca_comch_event_msg_recv *event, uint8_t *buffer,
			      uint32_t length, struct doca_comch_connection *connection)
{
	(void)event;
	buffer[length] = '\0';
	strcpy(comch.message, (char *)buffer);
	comch_event('M', connection);
}

static inline void on_consumer(struct doca_comch_event_consumer *event,
			       struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	comch.consumer = id;
	comch_event('N', connection);
}

static inline void on_consumer_gone(struct doca_comch_event_consumer *event,
				    struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	EXPECT_EQ(id, comch.consumer);
	comch_event('G', connection);
}

/* Both callbacks free the task. */
static inline void on_sent(struct doca_comch_task_send *task, union doca_data task_data,
			   union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	record('S');
	doca_task_free(doca_comch_task_send_as_task(task));
}

static inline void on_unsent(struct doca_comch_task_send *task, union doca_data task_data,
			     union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	record('E');
	comch.status = doca_task_get_status(doca_comch_task_send_as_task(task));
	doca_task_free(doca_comch_task_send_as_task(task));
}

static inline void comch_set_up(bool workers)
{
	fake_reset(workers);
	fake.functions = functions;
	fake.nr_functions = 1;
	bed.n = 0;
	bed.on_state = NULL;
	comch = (struct comch){ 0 };
	doca_priv_debug_add(&rep, &doca_priv_dev_rep_object, sizeof(rep), 1);
	comch.host = fake_new_dev(HOST_ID);
	comch.third = fake_new_dev(HOST_ID + 1);
	OK(doca_pe_create(&bed.pe));
	logged();
}

static inline enum doca_ctx_states state_of_ctx(const struct doca_ctx *ctx)
{
	enum doca_ctx_states now = -1;

	OK(doca_ctx_get_state(ctx, &now));
	return now;
}

static inline void comch_tear_down(void)
{
	if (comch.ctx) {
		doca_ctx_stop(comch.ctx);
		drain(bed.pe);
		EXPECT_EQ(state_of_ctx(comch.ctx), DOCA_CTX_STATE_IDLE);
	}
	if (comch.server)
		OK(doca_comch_server_destroy(comch.server));
	if (comch.client)
		OK(doca_comch_client_destroy(comch.client));
	OK(doca_pe_destroy(bed.pe));
	OK(doca_dev_close(comch.host));
	OK(doca_dev_close(comch.third));
	doca_priv_debug_del(&rep);
	EXPECT_CLEAN();
}

static inline void comch_use(struct doca_ctx *ctx)
{
	comch.ctx = ctx;
	OK(doca_ctx_set_state_changed_cb(ctx, on_state));
	OK(doca_pe_connect_ctx(bed.pe, ctx));
}

/* Make a server, but do not start it. */
static inline void make_server(void)
{
	OK(doca_comch_server_create(&fake_dev, &rep, "a server", &comch.server));
	OK(doca_comch_server_event_connection_status_changed_register(comch.server, on_connect,
								      on_disconnect));
	OK(doca_comch_server_event_msg_recv_register(comch.server, on_message));
	OK(doca_comch_server_event_consumer_register(comch.server, on_consumer, on_consumer_gone));
	OK(doca_comch_server_task_send_set_conf(comch.server, on_sent, on_unsent, TASKS));
	comch_use(doca_comch_server_as_ctx(comch.server));
}

static inline void make_client(void)
{
	OK(doca_comch_client_create(comch.host, "a server", &comch.client));
	OK(doca_comch_client_event_msg_recv_register(comch.client, on_message));
	OK(doca_comch_client_event_consumer_register(comch.client, on_consumer, on_consumer_gone));
	OK(doca_comch_client_task_send_set_conf(comch.client, on_sent, on_unsent, TASKS));
	comch_use(doca_comch_client_as_ctx(comch.client));
}

static inline void add_connection(uint32_t id)
{
	fake_connected(&comch.ctx->queue, id, MAX_MSG);
	drain(bed.pe);
	EXPECT_STR(took(), "C");
}

/* Start a server with one connection, whose id is 1. */
static inline void start_server(bool workers)
{
	comch_set_up(workers);
	make_server();
	OK(doca_ctx_start(comch.ctx));
	EXPECT_STR(took(), "r");
	add_connection(1);
}

/* Start a client, and connect it. */
static inline void start_client(bool workers)
{
	comch_set_up(workers);
	make_client();
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	fake_connected(&comch.ctx->queue, fake_inbox.last_id, MAX_MSG);
	drain(bed.pe);
	EXPECT_STR(took(), ".r");
	OK(doca_comch_client_get_connection(comch.client, &comch.connection));
}

static inline doca_error_t send_text(const char *text)
{
	struct doca_comch_task_send *task;
	doca_error_t ret;

	if (comch.server)
		ret = doca_comch_server_task_send_alloc_init(comch.server, comch.connection, text,
							     strlen(text), &task);
	else
		ret = doca_comch_client_task_send_alloc_init(comch.client, comch.connection, text,
							     strlen(text), &task);
	if (ret == DOCA_SUCCESS)
		OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	return ret;
}

#endif /* DOCA_TESTS_COMCH_BED_H */
