// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Servers, clients, connections and messages. */
#include "endpoints_bed.h"

TEST(a_message_each_way)
{
	struct end server, client;

	open_both(&server, &client);
	put_number(&client, client.conn, 1);
	enter(&client);
	expect_completion(&client, 1, DOCA_STATUS_SUCCESS);
	expect_number(&server, server.conn, 1);
	put_number(&server, server.conn, 2);
	enter(&server);
	expect_completion(&server, 2, DOCA_STATUS_SUCCESS);
	expect_number(&client, client.conn, 2);
	close_end(&client);
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_no_event(&server);
	close_end(&server);
}

/* Go round the rings and slots many times. */
TEST(messages_come_in_order_and_are_notified_of)
{
	struct end server, client;
	u32 n;

	open_both(&server, &client);
	for (n = 0; n < 5 * INBOX; n++) {
		server.queue->ring.u->ev_notify_at = server.head + 1;
		EXPECT(!doca_inbox_reached(&server.queue->endpoint->inbox));
		put_number(&client, client.conn, n);
		enter(&client);
		EXPECT(doca_inbox_reached(&server.queue->endpoint->inbox));
		expect_completion(&client, n, DOCA_STATUS_SUCCESS);
		expect_number(&server, server.conn, n);
	}
	close_end(&client);
	close_end(&server);
}

TEST(the_longer_of_two_limits_does_not_count)
{
	struct end server, client;
	struct doca_event event;

	make_pair();
	open_server(&server);
	open_client(&client);
	ASSERT(!connect_to(&client, NAME, MESSAGE / 2));
	event = next_event(&server);
	EXPECT_EQ(event.length, MESSAGE / 2);
	EXPECT_EQ(next_event(&client).length, MESSAGE / 2);
	put_sqe(&client, message_sqe(client.conn, 0, MESSAGE / 2, 1));
	put_sqe(&client, message_sqe(client.conn, 0, MESSAGE / 2 + 1, 2));
	put_sqe(&client, message_sqe(client.conn, 0, 1, 3));
	put_sqe(&server, message_sqe(event.connection, 0, MESSAGE / 2 + 1, 4));
	enter(&client);
	enter(&server);
	expect_completion(&client, 1, DOCA_STATUS_SUCCESS);
	expect_completion(&client, 2, DOCA_STATUS_NO_SPACE);
	expect_completion(&client, 3, DOCA_STATUS_SUCCESS);
	expect_completion(&server, 4, DOCA_STATUS_NO_SPACE);
	close_end(&client);
	close_end(&server);
}

/* Messages beyond the slots wait, and arrive in order when there is room. */
TEST(without_room_messages_wait)
{
	struct end server, client;
	u32 n;

	open_both(&server, &client);
	for (n = 0; n < SLOTS + PLACES; n++) {
		put_number(&client, client.conn, n);
		enter(&client);
	}
	for (n = 0; n < SLOTS; n++)
		expect_completion(&client, n, DOCA_STATUS_SUCCESS);
	expect_no_completion(&client);
	EXPECT(server.queue->ring.k->ev_starved);
	/* Slots are read at delivery: all that wait in the same slot carry the last number. */
	for (n = 0; n < SLOTS; n++)
		expect_number(&server, server.conn, n);
	for (; n < SLOTS + PLACES; n++) {
		expect_number(&server, server.conn, SLOTS + PLACES - SLOTS + n % SLOTS);
		expect_completion(&client, n, DOCA_STATUS_SUCCESS);
	}
	expect_no_event(&server);
	EXPECT(!server.queue->ring.k->ev_starved);
	close_end(&client);
	close_end(&server);
}

/* There is room before the program says so. */
TEST(messages_do_not_pass_those_that_wait)
{
	struct end server, client;
	u32 n;

	open_both(&server, &client);
	for (n = 0; n < SLOTS + 1; n++) {
		put_number(&client, client.conn, n);
		enter(&client);
	}
	server.head += 2;
	smp_store_release(&server.queue->ring.u->ev_head, server.head);
	put_number(&client, client.conn, n);
	enter(&client);
	for (n = 0; n < SLOTS + 2; n++) {
		expect_completion(&client, n, DOCA_STATUS_SUCCESS);
		if (n >= 2)
			expect_number(&server, server.conn, n);
	}
	close_end(&client);
	close_end(&server);
}

/* A client that does not reap does not keep the others from being answered. */
TEST(a_receiver_without_room_holds_up_its_connection_alone)
{
	struct end server, deaf, client;
	u32 n, deaf_conn;

	open_both(&server, &deaf);
	deaf_conn = server.conn;
	open_client(&client);
	server.conn = join(&server, &client);
	for (n = 0; n < SLOTS + 2; n++) {
		put_number(&server, deaf_conn, n);
		enter(&server);
	}
	put_number(&server, server.conn, 100);
	enter(&server);
	expect_number(&client, client.conn, 100);
	for (n = 0; n < SLOTS; n++)
		expect_completion(&server, n, DOCA_STATUS_SUCCESS);
	expect_completion(&server, 100, DOCA_STATUS_SUCCESS);
	/* Messages that wait for the deaf client end with it. */
	close_end(&deaf);
	expect_completion(&server, SLOTS, DOCA_STATUS_NOT_CONNECTED);
	expect_completion(&server, SLOTS + 1, DOCA_STATUS_NOT_CONNECTED);
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(server.queue->state, DOCA_QUEUE_RUN);
	close_end(&client);
	close_end(&server);
}

/* Two clients have messages that wait: neither is served twice before the other. */
TEST(those_who_wait_take_turns)
{
	struct end server, clients[2];
	u32 conns[2], i, n;

	open_both(&server, &clients[0]);
	conns[0] = server.conn;
	open_client(&clients[1]);
	conns[1] = join(&server, &clients[1]);
	for (n = 0; n < SLOTS; n++)
		put_number(&clients[0], clients[0].conn, n);
	enter(&clients[0]);
	for (i = 0; i < 2; i++) {
		put_number(&clients[i], clients[i].conn, 40);
		put_number(&clients[i], clients[i].conn, 41);
		enter(&clients[i]);
	}
	for (n = 0; n < SLOTS; n++)
		expect_number(&server, conns[0], n);
	for (n = 40; n < 42; n++) {
		expect_number(&server, conns[0], n);
		expect_number(&server, conns[1], n);
	}
	expect_no_event(&server);
	for (i = 0; i < 2; i++)
		close_end(&clients[i]);
	close_end(&server);
}

/* The end comes once, after earlier messages, also without any close. */
static void expect_last_message(bool close_file)
{
	struct end server, client;

	open_both(&server, &client);
	put_number(&client, client.conn, 1);
	enter(&client);
	if (close_file)
		close_end(&client);
	else
		EXPECT(!disconnect(&client, client.conn));
	expect_number(&server, server.conn, 1);
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_no_event(&server);
	EXPECT_EQ(disconnect(&server, server.conn), -ENOTCONN);
	put_number(&server, server.conn, 2);
	put_number(&server, 0, 3);
	put_sqe(&server, message_sqe(server.conn + (1ULL << 32), 0, 1, 4));
	enter(&server);
	expect_completion(&server, 2, DOCA_STATUS_NOT_CONNECTED);
	expect_completion(&server, 3, DOCA_STATUS_NOT_CONNECTED);
	expect_completion(&server, 4, DOCA_STATUS_NOT_CONNECTED);
	EXPECT_EQ(server.queue->state, DOCA_QUEUE_RUN);
	if (!close_file) {
		expect_no_event(&client);
		close_end(&client);
	}
	close_end(&server);
}

TEST(the_last_message_arrives)
{
	expect_last_message(false);
	expect_last_message(true);
}

TEST(ids_are_not_used_again)
{
	struct end server, client;
	u32 last = 0, n;

	make_pair();
	open_server(&server);
	open_client(&client);
	for (n = 0; n < 3 * INBOX; n++) {
		server.conn = join(&server, &client);
		EXPECT(server.conn > last);
		last = server.conn;
		EXPECT(!disconnect(n % 2 ? &client : &server, n % 2 ? client.conn : server.conn));
		expect_event(n % 2 ? &server : &client, DOCA_EVENT_DISCONNECTED,
			     DOCA_STATUS_SUCCESS);
	}
	close_end(&client);
	close_end(&server);
}

static void expect_refused(struct end *client, const char *name, u16 status)
{
	EXPECT(!connect_to(client, name, MESSAGE));
	expect_event(client, DOCA_EVENT_REFUSED, status);
	EXPECT_EQ(disconnect(client, client->conn), -ENOTCONN);
}

TEST(refusals)
{
	struct end server, client;
	u32 n;

	make_pair();
	open_client(&client);
	/* Any number of refusals leaves nothing behind. */
	for (n = 0; n < 2 * INBOX; n++)
		expect_refused(&client, NAME, DOCA_STATUS_NOT_CONNECTED);
	open_server(&server);
	expect_refused(&client, "serve", DOCA_STATUS_NOT_CONNECTED);
	expect_refused(&client, "servers", DOCA_STATUS_NOT_CONNECTED);
	join(&server, &client);
	ASSERT(!queue_stop(server.queue_fd));
	expect_refused(&client, NAME, DOCA_STATUS_NOT_CONNECTED);
	close_end(&server);
	expect_event(&client, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_refused(&client, NAME, DOCA_STATUS_NOT_CONNECTED);
	/* The name is free at once. */
	open_server(&server);
	join(&server, &client);
	close_end(&client);
	close_end(&server);
}

/* Make as many connections as the server's inbox can promise events for. */
TEST(a_full_server_refuses)
{
	struct end server, clients[INBOX], client;
	u32 n, nr = (INBOX - SLOTS) / 2;

	make_pair();
	open_server(&server);
	open_client(&clients[0]);
	server.conn = join(&server, &clients[0]);
	/* Slots that were given back count like those that were never used. */
	for (n = 0; n < 2 * SLOTS; n++) {
		put_number(&clients[0], clients[0].conn, n);
		enter(&clients[0]);
		expect_completion(&clients[0], n, DOCA_STATUS_SUCCESS);
		expect_number(&server, server.conn, n);
	}
	for (n = 1; n < nr; n++) {
		open_client(&clients[n]);
		ASSERT(!connect_to(&clients[n], NAME, MESSAGE));
		expect_event(&clients[n], DOCA_EVENT_CONNECTED, DOCA_STATUS_SUCCESS);
	}
	open_client(&client);
	expect_refused(&client, NAME, DOCA_STATUS_NO_SPACE);
	/* The server can still receive a message from each. */
	for (n = 0; n < SLOTS; n++) {
		put_number(&clients[n], clients[n].conn, n);
		enter(&clients[n]);
		expect_completion(&clients[n], n, DOCA_STATUS_SUCCESS);
	}
	/* All of them can end. */
	for (n = 0; n < nr; n++)
		close_end(&clients[n]);
	expect_refused(&client, NAME, DOCA_STATUS_NO_SPACE);
	for (n = 1; n < nr; n++)
		expect_event(&server, DOCA_EVENT_CONNECTED, DOCA_STATUS_SUCCESS);
	for (n = 0; n < SLOTS; n++)
		expect_event(&server, DOCA_EVENT_MESSAGE, DOCA_STATUS_SUCCESS);
	for (n = 0; n < nr; n++)
		expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_no_event(&server);
	join(&server, &client);
	close_end(&client);
	close_end(&server);
}

/* Listings tell of a connection to another process, but nothing of the end that is there. */
TEST(the_far_end_of_a_connection_is_not_described)
{
	struct doca_conn *conn = doca_conn_create();
	struct doca_far far = { .open = true };
	struct doca_conn_info info;
	struct end client;

	open_client(&client);
	ASSERT(!doca_endpoint_claim(client.queue->endpoint, DOCA_ROLE_CLIENT, MESSAGE));
	spin_lock(&conn->lock);
	conn->ends[DOCA_CONN_SERVER].far = &far;
	EXPECT(!doca_conn_join(&conn->ends[DOCA_CONN_CLIENT], client.queue->endpoint));
	spin_unlock(&conn->lock);
	EXPECT(doca_conn_info(&conn->ends[DOCA_CONN_CLIENT], &info));
	EXPECT_EQ(info.id, conn->ends[DOCA_CONN_CLIENT].id);
	EXPECT(!info.peer_user);
	EXPECT_EQ(info.peer_file, 0);
	far.lost = true;
	EXPECT(!doca_conn_info(&conn->ends[DOCA_CONN_CLIENT], &info));
	conn->ends[DOCA_CONN_SERVER].far = NULL;
	doca_conn_close(conn, NULL);
	doca_conn_put(conn);
	close_end(&client);
}

/* The queue is dead, though its device is the DPU's of another pair. */
TEST(a_server_whose_pair_has_ended_cannot_listen)
{
	u32 second_host = inproc_add_device("second");
	struct inproc_function second = {};
	struct doca_function *function;
	struct end server, client;

	open_both(&server, &client);
	ASSERT(!inproc_add_function("second", dpu_device, second_host, false));
	second.id = function_id;
	ASSERT(inproc_next_function(&second));
	EXPECT_EQ(listen_as(&server, second.id, NAME, MESSAGE), -EBUSY);
	function = doca_function_find(function_id, current->nsproxy->net_ns);
	ASSERT(function && doca_function_unlink(function));
	doca_function_end(function);
	doca_function_put(function);
	function_id = dpu_device = 0;
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_event(&client, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(listen_as(&server, second.id, NAME, MESSAGE), -ENXIO);
	close_end(&client);
	close_end(&server);
	inproc_remove_device(second_host);
	inproc_remove_device(host_device);
}

static void expect_removed(struct end *e)
{
	EXPECT_EQ(e->queue->state, DOCA_QUEUE_FLUSH);
	EXPECT(e->queue->ring.k->dead);
}

TEST(both_ends_hear_of_the_removal_of_a_device)
{
	struct end server, client;

	open_both(&server, &client);
	put_number(&client, client.conn, 1);
	enter(&client);
	inproc_remove_device(host_device);
	function_id = 0;
	expect_event(&client, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_removed(&client);
	expect_number(&server, server.conn, 1);
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_no_event(&server);
	close_end(&client);
	close_end(&server);
}
