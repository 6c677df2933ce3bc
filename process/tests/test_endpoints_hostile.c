// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Endpoints of a program that breaks every rule, and the limits of a user. */
#include <stdlib.h>

#include "endpoints_bed.h"
#include "until.h"

static int make_one(struct end *e, struct doca_queue_create create)
{
	int err = make_end_queue(e, create);

	if (!err) {
		close(e->queue_fd);
		e->queue_fd = -1;
	}
	return err;
}

static void expect_bad_queue(struct end *e, struct doca_queue_create create)
{
	EXPECT_EQ(make_one(e, create), -EINVAL);
}

#define BUT(...)                                                    \
	({                                                          \
		struct doca_queue_create create_ = message_queue(); \
		struct doca_queue_create *q = &create_;             \
		__VA_ARGS__;                                        \
		create_;                                            \
	})

TEST(impossible_inboxes)
{
	struct end e;

	make_pair();
	open_file(&e, dpu_device);
	EXPECT_EQ(make_one(&e, message_queue()), 0);
	EXPECT_EQ(make_one(&e, BUT(q->recv_slots = INBOX - 1)), 0);
	EXPECT_EQ(make_one(&e, BUT(q->recv_slots = 0, q->send_slots = 0, q->slot_size = 0)), 0);
	EXPECT_EQ(make_one(&e, BUT(q->slot_size = 4096, q->send_slots = 0)), 0);
	expect_bad_queue(&e, BUT(q->inbox_entries = 0));
	expect_bad_queue(&e, BUT(q->inbox_entries = INBOX + 1));
	expect_bad_queue(&e, BUT(q->inbox_entries = 2 * DOCA_RING_MAX_ENTRIES));
	expect_bad_queue(&e, BUT(q->recv_slots = INBOX));
	expect_bad_queue(&e, BUT(q->send_slots = DOCA_MAX_SLOTS + 1));
	expect_bad_queue(&e, BUT(q->recv_slots = DOCA_MAX_SLOTS + 1,
				 q->inbox_entries = 2 * DOCA_MAX_SLOTS));
	expect_bad_queue(&e, BUT(q->slot_size = 0));
	expect_bad_queue(&e, BUT(q->slot_size = MESSAGE + 1));
	expect_bad_queue(&e, BUT(q->slot_size = 4096 + 64));
	expect_bad_queue(&e, BUT(q->recv_slots = 0, q->send_slots = 0));
	expect_bad_queue(&e, BUT(q->__reserved = 1));
	close_end(&e);
}

static void expect_bad_name(struct end *e, bool listens, const char *bytes, u32 length, int err)
{
	char name[DOCA_SERVER_NAME_SIZE] = {};
	struct doca_queue_listen listen = {
		.size = sizeof(listen),
		.function_id = function_id,
		.max_message = MESSAGE,
	};
	struct doca_queue_connect connect = {
		.size = sizeof(connect),
		.max_message = MESSAGE,
	};

	memcpy(name, bytes, length);
	memcpy(listen.name, name, sizeof(name));
	memcpy(connect.name, name, sizeof(name));
	if (listens)
		EXPECT_EQ(doca_call(e->queue_fd, DOCA_QUEUE_LISTEN, &listen), err);
	else
		EXPECT_EQ(doca_call(e->queue_fd, DOCA_QUEUE_CONNECT, &connect), err);
}

TEST(names)
{
	struct end server, client, other;
	char name[DOCA_SERVER_NAME_SIZE];
	bool listens;
	u32 n;

	make_pair();
	open_end(&server, dpu_device, message_queue());
	open_client(&client);
	memset(name, ' ', sizeof(name));
	for (n = 0; n < 2; n++) {
		struct end *e = n ? &server : &client;

		listens = n;
		expect_bad_name(e, listens, "", 1, -EINVAL);
		expect_bad_name(e, listens, name, 120, -EINVAL);
		expect_bad_name(e, listens, "a\0b", 3, -EINVAL);
		expect_bad_name(e, listens, name, 119, 0);
	}
	/* The client was refused before there was a server; the longest name is valid. */
	expect_event(&client, DOCA_EVENT_REFUSED, DOCA_STATUS_NOT_CONNECTED);
	expect_bad_name(&client, false, name, 119, 0);
	expect_event(&client, DOCA_EVENT_CONNECTED, DOCA_STATUS_SUCCESS);
	open_end(&other, dpu_device, message_queue());
	expect_bad_name(&other, true, name, 119, -EADDRINUSE);
	expect_bad_name(&other, true, name, 118, 0);
	EXPECT_EQ(listen_as(&other, function_id, "third", MESSAGE), -EBUSY);
	close_end(&other);
	close_end(&client);
	close_end(&server);
}

TEST(calls_that_cannot_be)
{
	struct doca_queue_create plain = { .sq_entries = SQ };
	struct doca_queue_create deaf = message_queue();
	struct end e, other;

	make_pair();
	open_end(&e, dpu_device, plain);
	EXPECT_EQ(listen_as(&e, function_id, NAME, MESSAGE), -ENXIO);
	EXPECT_EQ(disconnect(&e, 1), -ENXIO);
	close_end(&e);
	deaf.recv_slots = 0;
	open_end(&e, dpu_device, deaf);
	EXPECT_EQ(listen_as(&e, function_id, NAME, MESSAGE), -EMSGSIZE);
	close_end(&e);
	open_end(&e, dpu_device, message_queue());
	EXPECT_EQ(listen_as(&e, function_id + 1, NAME, MESSAGE), -ENXIO);
	EXPECT_EQ(listen_as(&e, function_id, NAME, 0), -EINVAL);
	EXPECT_EQ(listen_as(&e, function_id, NAME, MESSAGE + 1), -EMSGSIZE);
	/* The DPU's side cannot connect, and the host's cannot listen. */
	EXPECT_EQ(connect_to(&e, NAME, MESSAGE), -ENXIO);
	open_client(&other);
	EXPECT_EQ(listen_as(&other, function_id, NAME, MESSAGE), -ENXIO);
	EXPECT_EQ(connect_to(&other, NAME, 0), -EINVAL);
	EXPECT_EQ(connect_to(&other, NAME, MESSAGE + 1), -EMSGSIZE);
	EXPECT_EQ(disconnect(&other, 0), -ENOTCONN);
	EXPECT_EQ(disconnect(&other, 1), -ENOTCONN);
	EXPECT_EQ(listen_as(&e, function_id, NAME, MESSAGE), 0);
	EXPECT_EQ(listen_as(&e, function_id, "other", MESSAGE), -EBUSY);
	close_end(&other);
	close_end(&e);
}

static void expect_hard(struct end *client, struct doca_sqe sqe, u16 status)
{
	struct end server, *e = client;

	open_both(&server, e);
	if (sqe.op[0] == 1)
		sqe.op[0] = e->conn;
	put_sqe(e, sqe);
	put_sqe(e, message_sqe(e->conn, 0, 1, 1));
	enter(e);
	expect_completion(e, 0, status);
	expect_completion(e, 1, DOCA_STATUS_CANCELED);
	EXPECT_EQ(e->queue->state, DOCA_QUEUE_FLUSH);
	expect_no_event(&server);
	close_end(e);
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	close_end(&server);
}

TEST(entries_that_are_wrong)
{
	struct doca_sqe sqe = message_sqe(1, 0, 1, 0);
	struct end e;

	expect_hard(&e, message_sqe(1, SLOTS, 1, 0), DOCA_STATUS_BAD_RANGE);
	sqe.src.address = 1ULL << 32;
	expect_hard(&e, sqe, DOCA_STATUS_BAD_RANGE);
	expect_hard(&e, message_sqe(1, 0, 0, 0), DOCA_STATUS_BAD_LENGTH);
	expect_hard(&e, message_sqe(1, 0, MESSAGE + 1, 0), DOCA_STATUS_BAD_LENGTH);
	sqe = message_sqe(1, 0, 1, 0);
	sqe.src.key = 1;
	expect_hard(&e, sqe, DOCA_STATUS_BAD_KEY);
	sqe = message_sqe(1, 0, 1, 0);
	sqe.flags = DOCA_SQE_SRC_LIST;
	expect_hard(&e, sqe, DOCA_STATUS_BAD_ENTRY);
	sqe = message_sqe(1, 0, 1, 0);
	sqe.op[1] = 1;
	expect_hard(&e, sqe, DOCA_STATUS_BAD_ENTRY);
	sqe = message_sqe(1, 0, 1, 0);
	sqe.aux = 1;
	expect_hard(&e, sqe, DOCA_STATUS_BAD_ENTRY);
}

static void expect_broken(u32 (*head)(struct end *e))
{
	struct end server, client, other;
	u32 n;

	open_both(&server, &client);
	open_client(&other);
	join(&server, &other);
	for (n = 0; n < SLOTS; n++)
		put_number(&client, client.conn, n);
	enter(&client);
	for (n = 0; n < SLOTS; n++)
		expect_completion(&client, n, DOCA_STATUS_SUCCESS);
	server.queue->ring.u->ev_head = head(&server);
	/* The next sender finds it out, and its connection is gone. */
	put_number(&client, client.conn, 100);
	enter(&client);
	expect_completion(&client, 100, DOCA_STATUS_NOT_CONNECTED);
	expect_event(&client, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(client.queue->state, DOCA_QUEUE_RUN);
	EXPECT_EQ(server.queue->state, DOCA_QUEUE_BROKEN);
	EXPECT_EQ(queue_enter(server.queue_fd, 1, NULL), 0);
	close_end(&server);
	expect_event(&other, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	close_end(&other);
	close_end(&client);
}

static u32 beyond(struct end *e)
{
	return e->head + SLOTS + 1;
}

static u32 back(struct end *e)
{
	return -1;
}

TEST(impossible_heads)
{
	expect_broken(beyond);
	expect_broken(back);
}

/* It reaps all, then claims that it has not. */
TEST(a_head_that_goes_back)
{
	struct end server, client;
	u32 n;

	open_both(&server, &client);
	for (n = 0; n < 2 * SLOTS; n++) {
		put_number(&client, client.conn, n);
		enter(&client);
		expect_completion(&client, n, DOCA_STATUS_SUCCESS);
		expect_number(&server, server.conn, n);
	}
	server.queue->ring.u->ev_head = 0;
	for (; n < 4 * SLOTS; n++) {
		put_number(&client, client.conn, n);
		enter(&client);
	}
	EXPECT_EQ(server.queue->state, DOCA_QUEUE_BROKEN);
	close_end(&server);
	close_end(&client);
}

/* A stop cancels messages that wait; so does the close, and others may take the places. */
TEST(what_waits_is_canceled)
{
	struct end server, client;
	u32 n;

	open_both(&server, &client);
	for (n = 0; n < SLOTS + 2; n++) {
		put_number(&client, client.conn, n);
		enter(&client);
	}
	for (n = 0; n < SLOTS; n++)
		expect_completion(&client, n, DOCA_STATUS_SUCCESS);
	ASSERT(!queue_stop(client.queue_fd));
	expect_completion(&client, SLOTS, DOCA_STATUS_CANCELED);
	expect_completion(&client, SLOTS + 1, DOCA_STATUS_CANCELED);
	for (n = 0; n < SLOTS; n++)
		expect_number(&server, server.conn, n);
	expect_no_event(&server);
	close_end(&client);
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	/* Closed while messages wait: none of them arrives later. */
	open_client(&client);
	server.conn = join(&server, &client);
	for (n = 0; n < SLOTS + 2; n++) {
		put_number(&client, client.conn, n);
		enter(&client);
	}
	close_end(&client);
	for (n = 0; n < SLOTS; n++)
		expect_number(&server, server.conn, n);
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_no_event(&server);
	close_end(&server);
}

/* Everything that was charged is given back. */
TEST(nothing_stays_charged)
{
	struct doca_user *user = doca_user_get_current();
	struct end server, client, other;
	enum doca_quota what;

	make_pair();
	/* A file of the case before may still be on its way out. */
	finish_works(doca_retire_wq);
	for (what = 0; what < DOCA_QUOTA_NR; what++)
		ASSERT(until(!used(user, what)));
	open_both(&server, &client);
	EXPECT_EQ(used(user, DOCA_QUOTA_CONNECTIONS), 2);
	open_client(&other);
	EXPECT(!connect_to(&other, "none", MESSAGE));
	EXPECT_EQ(used(user, DOCA_QUOTA_CONNECTIONS), 2);
	EXPECT(!connect_to(&other, NAME, MESSAGE));
	EXPECT_EQ(used(user, DOCA_QUOTA_CONNECTIONS), 4);
	EXPECT(!disconnect(&other, other.conn));
	EXPECT_EQ(used(user, DOCA_QUOTA_CONNECTIONS), 2);
	close_end(&other);
	close_end(&client);
	close_end(&server);
	finish_works(doca_retire_wq);
	for (what = 0; what < DOCA_QUOTA_NR; what++)
		EXPECT(until(!used(user, what)));
	doca_user_put(user);
}
