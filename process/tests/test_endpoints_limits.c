// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Limits of servers, of connections and of users. Another user has limits of its own. */
#include <stdlib.h>

#include "consumers_bed.h"

#define OTHER_USER 4711
#define MANY 2048

/* The driver asks for the user by these. */
static uid_t user_id = 1000;

uid_t getuid(void)
{
	return user_id;
}

uid_t geteuid(void)
{
	return user_id;
}

static struct doca_queue_create large_queue(void)
{
	struct doca_queue_create create = message_queue();

	create.inbox_entries = MANY;
	return create;
}

TEST(a_server_has_so_many_clients)
{
	struct end server, client;
	u32 n, first;

	make_pair();
	open_end(&server, dpu_device, large_queue());
	ASSERT(!listen_as(&server, function_id, NAME, MESSAGE));
	open_end(&client, host_device, large_queue());
	join(&server, &client);
	first = client.conn;
	for (n = 1; n < DOCA_MAX_CLIENTS; n++)
		join(&server, &client);
	EXPECT(!connect_to(&client, NAME, MESSAGE));
	expect_event(&client, DOCA_EVENT_REFUSED, DOCA_STATUS_NO_SPACE);
	expect_no_event(&server);
	EXPECT(!disconnect(&client, first));
	expect_event(&server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	join(&server, &client);
	EXPECT(!connect_to(&client, NAME, MESSAGE));
	expect_event(&client, DOCA_EVENT_REFUSED, DOCA_STATUS_NO_SPACE);
	close_end(&client);
	close_end(&server);
}

static int attach_one(struct part *part, struct channel *c, bool consumes)
{
	struct end *parent = consumes ? &c->server : &c->client;

	open_part(part, parent, consumes ? consumer_queue() : producer_queue(), target);
	return attach(part, parent, consumes ? DOCA_ATTACH_CONSUMER : DOCA_ATTACH_PRODUCER,
		      consumes ? part->key : 0, 0);
}

/* One of each is there already. */
TEST(a_connection_has_so_many_of_each)
{
	static struct part parts[2 * DOCA_MAX_ATTACHED];
	struct part last;
	struct channel c;
	u32 n;

	open_channel(&c);
	for (n = 0; n < ARRAY_SIZE(parts); n++)
		EXPECT_EQ(attach_one(&parts[n], &c, n % 2),
			  n < 2 * (DOCA_MAX_ATTACHED - 1) ? 0 : -ENOSPC);
	/* The other side has its own. */
	open_part(&last, &c.server, producer_queue(), source);
	EXPECT(!attach(&last, &c.server, DOCA_ATTACH_PRODUCER, 0, 0));
	close_part(&last);
	for (n = 0; n < ARRAY_SIZE(parts); n++)
		close_part(&parts[n]);
	EXPECT_EQ(attach_one(&last, &c, true), 0);
	close_part(&last);
	close_channel(&c);
}

/* Connect this user to its own server, whose name is a number. */
static void join_own(struct end *server, struct end *client, const char *name)
{
	open_end(server, dpu_device, message_queue());
	ASSERT(!listen_as(server, function_id, name, MESSAGE));
	open_client(client);
	EXPECT(!connect_to(client, name, MESSAGE));
	expect_event(client, DOCA_EVENT_CONNECTED, DOCA_STATUS_SUCCESS);
	expect_event(server, DOCA_EVENT_CONNECTED, DOCA_STATUS_SUCCESS);
}

TEST(a_user_has_so_many_connections)
{
	struct end server, client, other_server, other_client;

	make_pair();
	EXPECT(inproc_set_param("max_connections", 2));
	join_own(&server, &client, NAME);
	EXPECT_EQ(connect_to(&client, NAME, MESSAGE), -EDQUOT);
	expect_no_event(&client);
	user_id = OTHER_USER;
	join_own(&other_server, &other_client, own_name("other"));
	EXPECT_EQ(connect_to(&other_client, own_name("other"), MESSAGE), -EDQUOT);
	/* The client's end is within the limit, and the server's is not. */
	EXPECT(inproc_set_param("max_connections", 3));
	EXPECT(!connect_to(&other_client, own_name("other"), MESSAGE));
	expect_event(&other_client, DOCA_EVENT_REFUSED, DOCA_STATUS_NO_SPACE);
	expect_no_event(&other_server);
	EXPECT(!disconnect(&other_client, other_client.conn - 1));
	expect_event(&other_server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	EXPECT(!connect_to(&other_client, own_name("other"), MESSAGE));
	expect_event(&other_client, DOCA_EVENT_CONNECTED, DOCA_STATUS_SUCCESS);
	close_end(&other_client);
	close_end(&other_server);
	user_id = 1000;
	close_end(&client);
	close_end(&server);
	EXPECT(inproc_set_param("max_connections", 4096));
}

/* The slots and the events of an inbox count as the rings do. */
TEST(a_user_has_so_many_bytes_of_inboxes)
{
	struct doca_queue_create large = large_queue();
	struct end e, other;
	u64 bytes;

	make_pair();
	open_file(&e, dpu_device);
	ASSERT(!make_end_queue(&e, message_queue()));
	bytes = used(e.file->user, DOCA_QUOTA_RING_BYTES);
	EXPECT(bytes > SLOTS * MESSAGE * 2 + INBOX * sizeof(struct doca_event));
	EXPECT(inproc_set_param("max_ring_bytes", bytes + MANY * sizeof(struct doca_event)));
	other = e;
	EXPECT_EQ(make_end_queue(&other, large), -EDQUOT);
	EXPECT_EQ(used(e.file->user, DOCA_QUOTA_RING_BYTES), bytes);
	user_id = OTHER_USER;
	open_end(&other, dpu_device, large);
	close_end(&other);
	user_id = 1000;
	close_end(&e);
	EXPECT(inproc_set_param("max_ring_bytes", 256 << 20));
}
