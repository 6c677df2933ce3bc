// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The communication channel, with libdoca_comch and the real driver code. */
#include <poll.h>

#include "comch_bed.h"
#include "logged.h"

/* The last message arrives, even though its sender stops and goes at once. */
TEST(the_last_message_survives_a_stop)
{
	open_both();
	send_number(&client, 0, 100);
	doca_ctx_stop(client.ctx);
	end_destroy(&client);
	await(server.received == 1 && server.disconnects == 1);
	EXPECT_EQ(state_of(&server), DOCA_CTX_STATE_RUNNING);
	close_both();

	open_both();
	send_number(&server, 0, 100);
	ERR(doca_ctx_stop(server.ctx), IN_PROGRESS);
	/* The server becomes idle without any progress of its client. */
	while (state_of(&server) != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(server.pe);
	EXPECT_EQ(server.disconnects, 1);
	EXPECT_EQ(server.sent, 1);
	await(state_of(&client) == DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(client.received, 1);
	close_both();
}

static void stop_in_callback(struct end *end, struct doca_comch_connection *connection)
{
	uint32_t answer = 0;

	OK(send_on(end, connection, &answer, sizeof(answer)));
	ERR(doca_ctx_stop(end->ctx), IN_PROGRESS);
}

TEST(a_stop_right_behind_a_send_in_a_callback_delivers_it)
{
	open_both();
	server.on_message = stop_in_callback;
	send_number(&client, 0, 4);
	await(client.received == 1);
	await(state_of(&client) == DOCA_CTX_STATE_IDLE && state_of(&server) == DOCA_CTX_STATE_IDLE);
	close_both();
}

static void turn_away(struct end *end, struct doca_comch_connection *connection)
{
	if (connection != end->connection)
		OK(doca_comch_server_disconnect(end->server, connection));
}

TEST(a_second_client_is_turned_away_and_the_first_does_not_notice)
{
	struct end second;

	open_both();
	server.on_connect = turn_away;
	end_init(&second, "software1");
	configure_client(&second, CHANNEL);
	ERR(doca_ctx_start(second.ctx), IN_PROGRESS);
	while (state_of(&second) != DOCA_CTX_STATE_IDLE) {
		doca_pe_progress(second.pe);
		progress();
	}
	EXPECT_EQ(server.connects, 2);
	send_number(&client, 0, 8);
	await(server.received == 1);
	EXPECT_EQ(server.disconnects, 0);
	EXPECT_EQ(state_of(&client), DOCA_CTX_STATE_RUNNING);
	end_destroy(&second);
	close_both();
	EXPECT_EQ(server.disconnects, 1);
}

TEST(a_name_is_taken_once_and_free_at_once)
{
	struct end first;

	open_both();
	first = server;
	create_server(CHANNEL);
	ERR(doca_ctx_start(server.ctx), IN_USE);
	end_destroy(&server);
	server = first;
	close_both();
	/* The name is free at once, and contexts can start again. */
	open_both();
	doca_ctx_stop(client.ctx);
	doca_ctx_stop(server.ctx);
	await(state_of(&client) == DOCA_CTX_STATE_IDLE && state_of(&server) == DOCA_CTX_STATE_IDLE);
	server.connects = 0;
	OK(doca_ctx_start(server.ctx));
	ERR(doca_ctx_start(client.ctx), IN_PROGRESS);
	await(state_of(&client) == DOCA_CTX_STATE_RUNNING && server.connects == 1);
	close_both();
}

/* Sleep until one of the two engines has something to do; the timeout only ends a hang. */
static void wait_for_either(void)
{
	struct end *ends[] = { &server, &client };
	struct pollfd fds[2];
	int i, n = 0;

	for (i = 0; i < 2; i++) {
		doca_notification_handle_t fd;

		if (!ends[i]->pe)
			continue;
		OK(doca_pe_get_notification_handle(ends[i]->pe, &fd));
		OK(doca_pe_request_notification(ends[i]->pe));
		fds[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	EXPECT(poll(fds, n, 60000) > 0);
	for (i = 0, n = 0; i < 2; i++)
		if (ends[i]->pe)
			OK(doca_pe_clear_notification(ends[i]->pe, fds[n++].fd));
}

#define await_asleep(condition)                                                                   \
	do {                                                                                      \
		while (!(condition)) {                                                            \
			bool ran = server.pe && doca_pe_progress(server.pe);                      \
                                                                                                  \
			if (!((client.pe && doca_pe_progress(client.pe)) || ran) && !(condition)) \
				wait_for_either();                                                \
		}                                                                                 \
	} while (0)

TEST(events_and_the_end_of_patience_wake)
{
	uint32_t i;

	setenv("DOCA_COMCH_CONNECT_MS", "30", 1);
	create_client("nobody");
	ERR(doca_ctx_start(client.ctx), IN_PROGRESS);
	await_asleep(state_of(&client) == DOCA_CTX_STATE_IDLE);
	unsetenv("DOCA_COMCH_CONNECT_MS");
	end_destroy(&client);

	create_server(CHANNEL);
	create_client(CHANNEL);
	OK(doca_ctx_start(server.ctx));
	ERR(doca_ctx_start(client.ctx), IN_PROGRESS);
	await_asleep(state_of(&client) == DOCA_CTX_STATE_RUNNING && server.connects == 1);
	OK(doca_comch_client_get_connection(client.client, &client.connection));
	for (i = 0; i < 500; i++) {
		send_number(&client, i, 64);
		await_asleep(server.received == i + 1);
		send_number(&server, i, 64);
		await_asleep(client.received == i + 1);
	}
	doca_ctx_stop(client.ctx);
	await_asleep(state_of(&client) == DOCA_CTX_STATE_IDLE && server.disconnects == 1);
	close_both();
}

/* Without workers, calls execute what is sent, in either thread. */
TEST(without_workers)
{
	uint32_t i;

	setenv("DOCA_WORKERS", "0", 1);
	EXPECT(inproc_set_param("workers", false));
	open_both();
	for (i = 0; i < SEND_TASKS; i++)
		send_number(&client, i, MAX_MSG);
	await(server.received == SEND_TASKS && client.sent == SEND_TASKS);
	EXPECT(!server.disordered);
	close_both();
	EXPECT(inproc_set_param("workers", true));
	unsetenv("DOCA_WORKERS");
}

static void client_is_refused(const char *words)
{
	doca_error_t ret;

	logged();
	ret = doca_ctx_start(client.ctx);
	if (ret == DOCA_ERROR_IN_PROGRESS)
		await(state_of(&client) == DOCA_CTX_STATE_IDLE);
	else
		EXPECT_EQ(ret, DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED(words);
}

/* The first limit stops the client itself, and the second one the server's end. */
TEST(limits_are_named)
{
	create_server(CHANNEL);
	create_client(CHANNEL);
	EXPECT(inproc_set_param("max_ring_bytes", 1 << 16));
	logged();
	ERR(doca_ctx_start(server.ctx), INITIALIZATION);
	EXPECT_LOGGED("max_ring_bytes");
	EXPECT(inproc_set_param("max_ring_bytes", 256 << 20));
	OK(doca_ctx_start(server.ctx));
	EXPECT(inproc_set_param("max_connections", 0));
	client_is_refused("connections");
	EXPECT(inproc_set_param("max_connections", 1));
	client_is_refused("connections");
	EXPECT(inproc_set_param("max_connections", 4096));
	ERR(doca_ctx_start(client.ctx), IN_PROGRESS);
	await(state_of(&client) == DOCA_CTX_STATE_RUNNING && server.connects == 1);
	close_both();
}
