// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Connections and messages. */
#include "comch_bed.h"

TEST(connections_messages_consumers_and_ends_in_order)
{
	const struct driver_queue *queue;

	start_server(false);
	queue = &comch.ctx->queue;
	fake_message(queue, 1, "hello");
	fake_event(queue,
		   (struct doca_event){ .type = DOCA_EVENT_CONSUMER_NEW, .connection = 1, .id = 3 },
		   NULL);
	fake_event(
		queue,
		(struct doca_event){ .type = DOCA_EVENT_CONSUMER_GONE, .connection = 1, .id = 3 },
		NULL);
	fake_disconnected(queue, 1);
	/* Each call of doca_pe_progress() makes one callback. */
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "MNGD");
	EXPECT_STR(comch.message, "hello");
	EXPECT_EQ(comch.consumer, 3);
	/* The program hears nothing more of a connection that has ended. */
	fake_message(queue, 1, "too late");
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_SILENT();
	comch_tear_down();
}

/* Go around the inbox several times. */
TEST(the_inbox_is_given_back)
{
	start_server(false);
	for (uint32_t i = 0; i < 3 * fake.attr.inbox; i++) {
		fake_message(&comch.ctx->queue, 1, "x");
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_EQ(comch.ctx->queue.ring.user->ev_head, i + 2);
	}
	took();
	EXPECT_EQ(fake.enters, 0);
	/* A sender waits for room. */
	find(&comch.ctx->queue)->kernel->ev_starved = 1;
	fake_message(&comch.ctx->queue, 1, "x");
	drain(bed.pe);
	EXPECT_EQ(fake.enters, 1);
	comch_tear_down();
}

TEST(values_of_connections)
{
	union doca_data data = { .u64 = 7 };
	uint64_t value = 99;

	start_server(true);
	EXPECT(doca_comch_server_get_server_ctx(comch.connection) == comch.server);
	EXPECT(!doca_comch_client_get_client_ctx(comch.connection));
	EXPECT_EQ(doca_comch_connection_get_user_data(comch.connection).u64, 0);
	OK(doca_comch_connection_set_user_data(comch.connection, data));
	EXPECT_EQ(doca_comch_connection_get_user_data(comch.connection).u64, 7);
	OK(send_text("four"));
	fake_work(1);
	fake_message(&comch.ctx->queue, 1, "seven..");
	drain(bed.pe);
	OK(doca_comch_connection_get_counter(comch.connection, DOCA_COMCH_COUNTER_SENT_BYTES,
					     &value));
	EXPECT_EQ(value, 0);
	OK(doca_comch_connection_update_info(comch.connection));
	OK(doca_comch_connection_get_counter(comch.connection, DOCA_COMCH_COUNTER_SENT_MESSAGES,
					     &value));
	EXPECT_EQ(value, 1);
	OK(doca_comch_connection_get_counter(comch.connection, DOCA_COMCH_COUNTER_SENT_BYTES,
					     &value));
	EXPECT_EQ(value, 4);
	OK(doca_comch_connection_get_counter(comch.connection, DOCA_COMCH_COUNTER_RECV_MESSAGES,
					     &value));
	EXPECT_EQ(value, 1);
	OK(doca_comch_connection_get_counter(comch.connection, DOCA_COMCH_COUNTER_RECV_BYTES,
					     &value));
	EXPECT_EQ(value, 7);
	ERR(doca_comch_connection_get_counter(comch.connection, 0, &value), INVALID_VALUE);
	ERR(doca_comch_connection_get_counter(comch.connection, 5, &value), INVALID_VALUE);
	comch_tear_down();
	start_client(false);
	EXPECT(!doca_comch_server_get_server_ctx(comch.connection));
	EXPECT(doca_comch_client_get_client_ctx(comch.connection) == comch.client);
	comch_tear_down();
}

/* While the worker is awake, neither the sender nor the receiver makes a call. */
TEST(no_call_for_a_message)
{
	start_server(true);
	for (int i = 0; i < 1000; i++) {
		OK(send_text("there"));
		fake_work(1);
		fake_message(&comch.ctx->queue, 1, "and back");
		EXPECT_EQ(drain(bed.pe), 2);
	}
	took();
	EXPECT_EQ(fake.enters, 0);
	EXPECT_EQ(fake_inbox.nr_sent, 1000);
	comch_tear_down();
}

static doca_error_t alloc(struct doca_comch_connection *peer, uint32_t length,
			  struct doca_comch_task_send **task)
{
	static char message[MAX_MSG + 1];

	return comch.server ? doca_comch_server_task_send_alloc_init(comch.server, peer, message,
								     length, task) :
			      doca_comch_client_task_send_alloc_init(comch.client, peer, message,
								     length, task);
}

static void allocate_all(void)
{
	static struct doca_comch_task_send *tasks[TASKS];
	struct doca_comch_task_send *more;
	int i;

	for (i = 0; i < TASKS; i++)
		OK(alloc(comch.connection, MAX_MSG, &tasks[i]));
	ERR(alloc(comch.connection, 1, &more), NO_MEMORY);
	for (i = 0; i < TASKS; i++)
		doca_task_free(doca_comch_task_send_as_task(tasks[i]));
	ERR(alloc(comch.connection, 0, &more), INVALID_VALUE);
	FAILS(alloc(comch.connection, MAX_MSG + 1, &more), INVALID_VALUE, "longer than");
}

TEST(allocations_of_a_server)
{
	struct doca_comch_connection *first, *second;
	struct doca_comch_task_send *task;

	start_server(false);
	allocate_all();
	first = comch.connection;
	/* The other side takes shorter messages. */
	fake_connected(&comch.ctx->queue, 2, 100);
	drain(bed.pe);
	second = comch.connection;
	ERR(alloc(second, 101, &task), INVALID_VALUE);
	OK(alloc(second, 100, &task));
	/* The other side has closed it, but the program was not told yet. */
	fake_inbox.holds = true;
	OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	fake_disconnected(&comch.ctx->queue, 2);
	drain(bed.pe);
	ERR(alloc(second, 1, &task), NOT_CONNECTED);
	ERR(doca_comch_server_disconnect(comch.server, second), NOT_CONNECTED);
	fake_sent(&comch.ctx->queue, 1, DOCA_STATUS_NOT_CONNECTED);
	took();
	drain(bed.pe);
	EXPECT_STR(took(), "ED");
	EXPECT_EQ(comch.status, DOCA_ERROR_NOT_CONNECTED);
	EXPECT(first != second);
	ERR(doca_ctx_stop(comch.ctx), IN_PROGRESS);
	ERR(alloc(first, 1, &task), BAD_STATE);
	comch_tear_down();
}

TEST(allocations_of_a_client)
{
	struct doca_comch_task_send *task;

	start_client(false);
	allocate_all();
	OK(alloc(comch.connection, 1, &task));
	fake_inbox.holds = true;
	OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	fake_disconnected(&comch.ctx->queue, fake_inbox.last_id);
	drain(bed.pe);
	ERR(alloc(comch.connection, 1, &task), NOT_CONNECTED);
	fake_sent(&comch.ctx->queue, 1, DOCA_STATUS_NOT_CONNECTED);
	drain(bed.pe);
	EXPECT_STR(took(), "Esi");
	comch_tear_down();
	start_client(false);
	ERR(doca_ctx_stop(comch.ctx), IN_PROGRESS);
	ERR(alloc(comch.connection, 1, &task), BAD_STATE);
	comch_tear_down();
}

TEST(connections_of_others_are_refused)
{
	struct doca_comch_connection *server_s, *client_s;
	struct doca_comch_task_send *task;
	struct doca_ctx *server_ctx;

	start_server(false);
	server_s = comch.connection;
	server_ctx = comch.ctx;
	make_client();
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	fake_connected(&comch.ctx->queue, fake_inbox.last_id, MAX_MSG);
	drain(bed.pe);
	OK(doca_comch_client_get_connection(comch.client, &client_s));
	FAILS(doca_comch_server_task_send_alloc_init(comch.server, client_s, "x", 1, &task),
	      INVALID_VALUE, "not one of");
	FAILS(doca_comch_client_task_send_alloc_init(comch.client, server_s, "x", 1, &task),
	      INVALID_VALUE, "not one of");
	FAILS(doca_comch_server_disconnect(comch.server, client_s), INVALID_VALUE, "not one of");
	doca_ctx_stop(server_ctx);
	comch_tear_down();
}

/*
 * Messages go out at once until no slot is free; later calls of progress send the rest,
 * in order.
 */
static void expect_slots(unsigned int slots)
{
	char text[8];
	unsigned int i, n;

	fake_inbox.holds = true;
	for (i = 0; i < TASKS; i++) {
		snprintf(text, sizeof(text), "%u", i);
		OK(send_text(text));
	}
	fake_work(UINT32_MAX);
	EXPECT_EQ(fake_inbox.nr_sent, slots);
	for (n = 0; n < TASKS; n++) {
		fake_sent(&comch.ctx->queue, 1, DOCA_STATUS_SUCCESS);
		drain(bed.pe);
		fake_work(UINT32_MAX);
		i = n + slots < TASKS ? n + slots : TASKS - 1;
		EXPECT_EQ(fake_inbox.nr_sent, i + 1);
		snprintf(text, sizeof(text), "%u", i);
		EXPECT(!memcmp(fake_inbox.message, text, strlen(text)));
	}
	took();
	EXPECT_EQ(comch.ctx->inflight, 0);
}

TEST(messages_beyond_the_slots_follow_in_order)
{
	start_server(true);
	expect_slots(16);
	comch_tear_down();
	start_client(true);
	expect_slots(256);
	comch_tear_down();
}

/* A client that does not receive delays no other; scarce slots go round. */
TEST(connections_share_the_slots)
{
	enum { CONNECTIONS = 20, EACH = 20 };
	struct doca_comch_connection *connections[CONNECTIONS];
	unsigned int i, k, n = 0, to[CONNECTIONS + 2] = { 0 };

	start_server(true);
	connections[0] = comch.connection;
	for (i = 1; i < CONNECTIONS; i++) {
		add_connection(1 + i);
		connections[i] = comch.connection;
	}
	fake_inbox.holds = true;
	for (i = 0; i < CONNECTIONS; i++) {
		comch.connection = connections[i];
		for (k = 0; k < EACH; k++)
			OK(send_text("x"));
	}
	while (n < CONNECTIONS * EACH) {
		unsigned int before = fake_inbox.nr_sent;

		fake_work(1);
		if (fake_inbox.nr_sent == before) {
			fake_sent(&comch.ctx->queue, fake_inbox.nr_held, DOCA_STATUS_SUCCESS);
			drain(bed.pe);
			continue;
		}
		to[fake_inbox.sent.op[0]]++;
		n++;
		if (n == 256)
			for (i = 1; i <= CONNECTIONS; i++)
				EXPECT_EQ(to[i], i <= 16 ? 16 : 0);
	}
	for (i = 1; i <= CONNECTIONS; i++)
		EXPECT_EQ(to[i], EACH);
	fake_sent(&comch.ctx->queue, fake_inbox.nr_held, DOCA_STATUS_SUCCESS);
	drain(bed.pe);
	took();
	comch_tear_down();
}

/* The tasks end before the program hears of the connection's end. */
TEST(tasks_of_a_closed_connection_fail_alone)
{
	struct doca_comch_task_send *task;

	start_server(true);
	OK(alloc(comch.connection, 1, &task));
	fake_inbox.holds = true;
	for (int i = 0; i < 20; i++)
		OK(send_text("x"));
	fake_work(UINT32_MAX);
	fake_message(&comch.ctx->queue, 1, "last");
	fake_disconnected(&comch.ctx->queue, 1);
	drain(bed.pe);
	EXPECT_STR(took(), "MEEEE");
	EXPECT_EQ(comch.status, DOCA_ERROR_NOT_CONNECTED);
	fake_sent(&comch.ctx->queue, 16, DOCA_STATUS_NOT_CONNECTED);
	drain(bed.pe);
	EXPECT_STR(took(), "EEEEEEEEEEEEEEEED");
	/* A task that was allocated before fails, too, and the context goes on. */
	OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	drain(bed.pe);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(comch.status, DOCA_ERROR_NOT_CONNECTED);
	fake_inbox.holds = false;
	add_connection(2);
	OK(send_text("x"));
	fake_work(1);
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	comch_tear_down();
}

static void turn_away(void)
{
	comch.on_event = NULL;
	OK(doca_comch_server_disconnect(comch.server, comch.connection));
}

TEST(a_connection_that_the_program_closes)
{
	struct doca_comch_connection *connection;

	start_server(true);
	/* Close it in the callback that announces it. */
	comch.on_event = turn_away;
	add_connection(2);
	EXPECT_EQ(fake_inbox.disconnected, 2);
	fake_message(&comch.ctx->queue, 2, "too late");
	fake_disconnected(&comch.ctx->queue, 2);
	EXPECT_EQ(drain(bed.pe), 0);
	/* Close it with messages on their way: these are sent first. */
	add_connection(3);
	connection = comch.connection;
	fake_inbox.holds = true;
	OK(send_text("x"));
	EXPECT_EQ(fake_inbox.nr_sent, 0);
	OK(doca_comch_server_disconnect(comch.server, connection));
	EXPECT_EQ(fake_inbox.nr_sent, 1);
	ERR(doca_comch_server_disconnect(comch.server, connection), NOT_CONNECTED);
	fake_sent(&comch.ctx->queue, 1, DOCA_STATUS_SUCCESS);
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	comch_tear_down();
}

TEST(a_server_that_stops)
{
	start_server(false);
	add_connection(2);
	fake_message(&comch.ctx->queue, 1, "last");
	/* The program was not told of this connection. */
	fake_connected(&comch.ctx->queue, 3, MAX_MSG);
	ERR(doca_ctx_stop(comch.ctx), IN_PROGRESS);
	EXPECT_EQ(fake_inbox.disconnects, 2);
	EXPECT_EQ(fake.stops, 1);
	drain(bed.pe);
	EXPECT_EQ(fake_inbox.disconnects, 3);
	EXPECT_STR(took(), "sMDDi");
	comch_tear_down();
	comch_set_up(false);
	make_server();
	OK(doca_ctx_start(comch.ctx));
	OK(doca_ctx_stop(comch.ctx));
	EXPECT_STR(took(), "rsi");
	comch_tear_down();
}

TEST(tasks_of_a_server_that_stops)
{
	start_server(true);
	fake_inbox.holds = true;
	for (int i = 0; i < 18; i++)
		OK(send_text("x"));
	ERR(doca_ctx_stop(comch.ctx), IN_PROGRESS);
	EXPECT_EQ(fake_inbox.nr_sent, 16);
	drain(bed.pe);
	EXPECT_STR(took(), "sEE");
	EXPECT_EQ(comch.status, DOCA_ERROR_SHUTDOWN);
	fake_sent(&comch.ctx->queue, 14, DOCA_STATUS_SUCCESS);
	logged();
	/* There was no room for these when their connection was closed. */
	fake_sent(&comch.ctx->queue, 2, DOCA_STATUS_NOT_CONNECTED);
	comch.status = DOCA_SUCCESS;
	drain(bed.pe);
	EXPECT_STR(took(), "SSSSSSSSSSSSSSEEDi");
	EXPECT_EQ(comch.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_SILENT();
	comch_tear_down();
}

TEST(a_client_stops_when_its_server_has_gone)
{
	start_client(false);
	fake_message(&comch.ctx->queue, fake_inbox.last_id, "last");
	fake_disconnected(&comch.ctx->queue, fake_inbox.last_id);
	drain(bed.pe);
	EXPECT_STR(took(), "Msi");
	EXPECT_SILENT();
	comch_tear_down();
	start_client(false);
	ERR(doca_ctx_stop(comch.ctx), IN_PROGRESS);
	EXPECT_EQ(fake_inbox.disconnected, fake_inbox.last_id);
	drain(bed.pe);
	EXPECT_STR(took(), "si");
	comch_tear_down();
}

/* An event ends a wait. */
TEST(waits_end_with_events)
{
	doca_notification_handle_t fd;

	start_server(true);
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(fd));
	fake_message(&comch.ctx->queue, 1, "x");
	EXPECT(fake_readable(fd));
	OK(doca_pe_clear_notification(bed.pe, fd));
	drain(bed.pe);
	EXPECT_STR(took(), "M");
	/* An event that is there already ends the wait at once. */
	fake_message(&comch.ctx->queue, 1, "x");
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(fd));
	comch_tear_down();
}

/* So do tasks in vain, the program's end of a connection, and a stop. */
TEST(waits_end_when_there_is_something_to_tell)
{
	struct doca_comch_task_send *task;

	start_server(true);
	OK(alloc(comch.connection, 1, &task));
	fake_inbox.holds = true;
	for (int i = 0; i < 17; i++)
		OK(send_text("x"));
	arm();
	EXPECT(!wakes());
	OK(doca_comch_server_disconnect(comch.server, comch.connection));
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), "E");
	fake_sent(&comch.ctx->queue, 16, DOCA_STATUS_SUCCESS);
	drain(bed.pe);
	took();
	arm();
	EXPECT(!wakes());
	OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), "E");
	add_connection(2);
	arm();
	EXPECT(!wakes());
	ERR(doca_ctx_stop(comch.ctx), IN_PROGRESS);
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), "sDi");
	comch_tear_down();
}

TEST(a_device_that_is_removed)
{
	start_server(true);
	fake_inbox.holds = true;
	OK(send_text("x"));
	fake_work(1);
	fake_remove_device();
	fake_disconnected(&comch.ctx->queue, 1);
	drain(bed.pe);
	fake_sent(&comch.ctx->queue, 1, DOCA_STATUS_NOT_CONNECTED);
	drain(bed.pe);
	EXPECT_STR(took(), "EDsi");
	comch_tear_down();
}

/* The device is still there, for other contexts. */
TEST(a_pair_that_is_removed)
{
	start_server(true);
	find(&comch.ctx->queue)->kernel->state = DOCA_QUEUE_FLUSH;
	find(&comch.ctx->queue)->kernel->dead = 1;
	drain(bed.pe);
	EXPECT_STR(took(), "sDi");
	EXPECT_LOGGED("its pair or its device was removed");
	EXPECT(!dev_gone(&fake_dev));
	comch_tear_down();
}
