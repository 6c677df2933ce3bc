// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Producers, and consumers whose buffers they fill. */
#include "consumers_bed.h"

TEST(a_buffer_is_filled)
{
	struct doca_event event;
	struct doca_sqe sqe;
	struct channel c;
	u32 i;

	open_channel(&c);
	post(&c.consumer, 64, 100, 7);
	sqe = send_sqe(&c.producer, c.consumer.id, 8, 50, 1);
	sqe.flags = 20 << DOCA_SQE_IMM_SHIFT;
	for (i = 0; i < 16; i++) {
		((u8 *)&sqe.dst)[i] = i + 1;
		sqe.imm[i] = i + 17;
	}
	put_sqe(&c.producer.e, sqe);
	enter(&c.producer.e);
	expect_completion(&c.producer.e, 1, DOCA_STATUS_SUCCESS);
	event = next_event(&c.consumer.e);
	EXPECT_EQ(event.type, DOCA_EVENT_RECEIVED);
	EXPECT_EQ(event.status, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(event.user_data, 7);
	EXPECT_EQ(event.connection, c.server.conn);
	EXPECT_EQ(event.id, c.producer.id);
	EXPECT_EQ(event.length, 50);
	EXPECT_EQ(event.imm_length, 20);
	for (i = 0; i < sizeof(event.imm); i++)
		EXPECT_EQ(event.imm[i], i < 20 ? i + 1 : 0);
	EXPECT(is_there(64, 8, 50));
	EXPECT_EQ(target[64 + 50], 0);
	EXPECT_EQ(target[63], 0);
	close_channel(&c);
}

/* Messages may be longer than a step, a list, and empty. */
TEST(of_any_length)
{
	struct channel c;
	struct doca_seg *segs;
	struct doca_sqe sqe;

	open_channel(&c);
	post(&c.consumer, 0, LENGTH, 1);
	send_to(&c, 0, LENGTH, 1);
	expect_completion(&c.producer.e, 1, DOCA_STATUS_SUCCESS);
	expect_received(&c.consumer, 1, DOCA_STATUS_SUCCESS, LENGTH);
	EXPECT(is_there(0, 0, LENGTH));

	segs = segs_of(c.producer.e.queue);
	segs[0] = (struct doca_seg){ c.producer.key, 5000, (uintptr_t)source + 100 };
	segs[1] = (struct doca_seg){ c.producer.key, 0, (uintptr_t)source };
	segs[2] = (struct doca_seg){ c.producer.key, 3, (uintptr_t)source + 9000 };
	post(&c.consumer, 10, 5003, 2);
	sqe = send_sqe(&c.producer, c.consumer.id, 0, 0, 2);
	sqe.flags = DOCA_SQE_SRC_LIST;
	sqe.src = (struct doca_seg){ .length = 3 };
	put_sqe(&c.producer.e, sqe);
	enter(&c.producer.e);
	expect_completion(&c.producer.e, 2, DOCA_STATUS_SUCCESS);
	expect_received(&c.consumer, 2, DOCA_STATUS_SUCCESS, 5003);
	EXPECT(is_there(10, 100, 5000));
	EXPECT(is_there(5010, 9000, 3));

	post(&c.consumer, 0, 1, 3);
	sqe = send_sqe(&c.producer, c.consumer.id, 0, 0, 3);
	sqe.src = (struct doca_seg){};
	sqe.flags = 1 << DOCA_SQE_IMM_SHIFT;
	put_sqe(&c.producer.e, sqe);
	enter(&c.producer.e);
	expect_completion(&c.producer.e, 3, DOCA_STATUS_SUCCESS);
	expect_received(&c.consumer, 3, DOCA_STATUS_SUCCESS, 0);
	close_channel(&c);
}

/* In order: the first buffer gets the first message. */
TEST(it_waits_for_a_buffer)
{
	struct channel c;
	u32 n;

	open_channel(&c);
	for (n = 0; n < 5; n++)
		put_sqe(&c.producer.e,
			send_sqe(&c.producer, c.consumer.id, 64 * n, n < 2 ? LENGTH / 2 : 8, n));
	enter(&c.producer.e);
	expect_no_completion(&c.producer.e);
	EXPECT(c.consumer.e.queue->ring.k->need_wakeup);
	for (n = 0; n < 5; n++) {
		post(&c.consumer, 0, LENGTH / 2, n);
		expect_completion(&c.producer.e, n, DOCA_STATUS_SUCCESS);
		expect_received(&c.consumer, n, DOCA_STATUS_SUCCESS, n < 2 ? LENGTH / 2 : 8);
		EXPECT(is_there(0, 64 * n, n < 2 ? LENGTH / 2 : 8));
	}
	/* If no producer waits, there is no call. */
	post(&c.consumer, 0, 8, 5);
	EXPECT(!c.consumer.e.queue->ring.k->need_wakeup);
	close_channel(&c);
}

/* Each buffer taken has the promise of an event, so none is taken without room for its answer. */
TEST(without_room_for_its_event_no_buffer_is_taken)
{
	struct channel c;
	u32 n;

	open_channel(&c);
	for (n = 0; n < INBOX + 4; n++) {
		post(&c.consumer, 0, 8, n);
		send_to(&c, 0, 8, n);
		if (n < INBOX - 1)
			expect_completion(&c.producer.e, n, DOCA_STATUS_SUCCESS);
	}
	expect_no_completion(&c.producer.e);
	EXPECT(c.consumer.e.queue->ring.k->ev_starved);
	for (n = 0; n < INBOX + 4; n++) {
		struct doca_event event = {};

		EXPECT(until((event = next_event(&c.consumer.e)).type));
		EXPECT_EQ(event.type, DOCA_EVENT_RECEIVED);
		EXPECT_EQ(event.user_data, n);
	}
	for (n = INBOX - 1; n < INBOX + 4; n++)
		expect_completion(&c.producer.e, n, DOCA_STATUS_SUCCESS);
	EXPECT(!c.consumer.e.queue->ring.k->ev_starved);
	close_channel(&c);
}

TEST(soft_failures_keep_the_buffer)
{
	struct channel c;
	struct doca_sqe sqe;

	open_channel(&c);
	post(&c.consumer, 0, 8, 1);
	send_to(&c, 0, 9, 1);
	expect_completion(&c.producer.e, 1, DOCA_STATUS_NO_SPACE);
	put_sqe(&c.producer.e, send_sqe(&c.producer, c.consumer.id + 1, 0, 8, 2));
	put_sqe(&c.producer.e, send_sqe(&c.producer, 0, 0, 8, 3));
	enter(&c.producer.e);
	expect_completion(&c.producer.e, 2, DOCA_STATUS_NO_CONSUMER);
	expect_completion(&c.producer.e, 3, DOCA_STATUS_NO_CONSUMER);
	expect_no_event(&c.consumer.e);
	send_to(&c, 0, 8, 4);
	expect_completion(&c.producer.e, 4, DOCA_STATUS_SUCCESS);
	expect_received(&c.consumer, 1, DOCA_STATUS_SUCCESS, 8);
	/* A producer of its own side does not find it, nor does one that uses its id too early. */
	close_part(&c.consumer);
	expect_event(&c.client, DOCA_EVENT_CONSUMER_GONE, DOCA_STATUS_SUCCESS);
	send_to(&c, 0, 8, 5);
	expect_completion(&c.producer.e, 5, DOCA_STATUS_NO_CONSUMER);
	open_part(&c.consumer, &c.server, consumer_queue(), target);
	ASSERT(!attach(&c.consumer, &c.server, DOCA_ATTACH_CONSUMER, c.consumer.key, 4));
	EXPECT_EQ(c.consumer.id, 2);
	post(&c.consumer, 0, 8, 6);
	send_to(&c, 0, 8, 6);
	expect_completion(&c.producer.e, 6, DOCA_STATUS_NO_CONSUMER);
	ASSERT(!announce(&c.consumer));
	ASSERT(!announce(&c.consumer));
	EXPECT_EQ(next_event(&c.client).length, 4);
	expect_no_event(&c.client);
	sqe = send_sqe(&c.producer, c.consumer.id, 0, 8, 7);
	sqe.flags = 5 << DOCA_SQE_IMM_SHIFT;
	put_sqe(&c.producer.e, sqe);
	enter(&c.producer.e);
	expect_completion(&c.producer.e, 7, DOCA_STATUS_NO_SPACE);
	EXPECT_EQ(c.producer.e.queue->state, DOCA_QUEUE_RUN);
	close_channel(&c);
}

/* All posted buffers come back once; a waiting producer is told, and so is the other side. */
static void expect_end(struct channel *c, u32 nr, u16 sent, bool stopped)
{
	u32 n;

	for (n = 0; n < nr; n++)
		expect_received(&c->consumer, n, DOCA_STATUS_CANCELED, 0);
	if (!stopped)
		expect_event(&c->consumer.e, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_no_event(&c->consumer.e);
	send_to(c, 0, 8, 100);
	expect_completion(&c->producer.e, 100, sent);
}

TEST(a_consumer_stops)
{
	struct channel c;
	u32 n;

	open_channel(&c);
	send_to(&c, 0, 9, 50);
	ASSERT(!queue_stop(c.consumer.e.queue_fd));
	expect_completion(&c.producer.e, 50, DOCA_STATUS_NO_CONSUMER);
	expect_event(&c.client, DOCA_EVENT_CONSUMER_GONE, DOCA_STATUS_SUCCESS);
	for (n = 0; n < 3; n++)
		post(&c.consumer, 0, 8, n);
	expect_end(&c, 3, DOCA_STATUS_NO_CONSUMER, true);
	EXPECT_EQ(announce(&c.consumer), -ENOTCONN);
	close_channel(&c);
}

TEST(its_connection_ends)
{
	struct channel c;
	u32 n;

	open_channel(&c);
	post(&c.consumer, 0, 8, 0);
	send_to(&c, 0, 9, 50); /* it takes the buffer off the ring */
	expect_completion(&c.producer.e, 50, DOCA_STATUS_NO_SPACE);
	post(&c.consumer, 0, 8, 1);
	post(&c.consumer, 0, 8, 2);
	EXPECT(!disconnect(&c.client, c.client.conn));
	expect_event(&c.server, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_no_event(&c.client);
	expect_event(&c.producer.e, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_received(&c.consumer, 0, DOCA_STATUS_CANCELED, 0);
	expect_event(&c.consumer.e, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	enter(&c.consumer.e);
	for (n = 1; n < 3; n++)
		expect_received(&c.consumer, n, DOCA_STATUS_CANCELED, 0);
	send_to(&c, 0, 8, 100);
	expect_completion(&c.producer.e, 100, DOCA_STATUS_NOT_CONNECTED);
	close_channel(&c);
}

TEST(who_waits_hears_of_the_end_of_the_connection)
{
	struct channel c;

	open_channel(&c);
	send_to(&c, 0, 8, 1);
	close_end(&c.server);
	c.server.file = NULL;
	expect_completion(&c.producer.e, 1, DOCA_STATUS_NOT_CONNECTED);
	expect_event(&c.producer.e, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	expect_event(&c.client, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(c.producer.e.queue->state, DOCA_QUEUE_RUN);
	close(c.consumer.e.queue_fd);
	close(c.producer.e.queue_fd);
	close_end(&c.client);
}

static void hear_of_removal(struct part *part)
{
	struct doca_device_user *user = &part->e.queue->device_user;

	ASSERT(doca_device_forget_user(part->e.queue->device, user));
	user->removed(user);
	expect_event(&part->e, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
}

/* The device is removed before the connection ends. */
TEST(its_device_is_removed)
{
	struct channel c;

	open_channel(&c);
	hear_of_removal(&c.producer);
	hear_of_removal(&c.consumer);
	expect_event(&c.client, DOCA_EVENT_CONSUMER_GONE, DOCA_STATUS_SUCCESS);
	expect_no_event(&c.server);
	close_channel(&c);
}

/* The memory is released at once, though the consumer still exists. */
TEST(its_memory_ends)
{
	struct channel c;

	open_channel(&c);
	post(&c.consumer, 0, 8, 0);
	send_to(&c, 0, 9, 50);
	expect_completion(&c.producer.e, 50, DOCA_STATUS_NO_SPACE);
	ASSERT(!mem_dereg(c.server.fd, c.consumer.mem));
	expect_received(&c.consumer, 0, DOCA_STATUS_CANCELED, 0);
	expect_event(&c.consumer.e, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_BAD_KEY);
	expect_event(&c.client, DOCA_EVENT_CONSUMER_GONE, DOCA_STATUS_SUCCESS);
	post(&c.consumer, 0, 8, 1);
	expect_received(&c.consumer, 1, DOCA_STATUS_CANCELED, 0);
	send_to(&c, 0, 8, 2);
	expect_completion(&c.producer.e, 2, DOCA_STATUS_NO_CONSUMER);
	/* The connection lives on. */
	put_number(&c.server, c.server.conn, 3);
	enter(&c.server);
	expect_number(&c.client, c.client.conn, 3);
	close_channel(&c);
}

/* The buffer that the producer had begun to fill comes back, and can be posted again. */
TEST(a_producer_ends_half_way)
{
	struct doca_budget budget = { .entries = 1, .length = 1 };
	struct channel c;
	u32 n;

	for (n = 0; n < 2; n++) {
		open_channel(&c);
		post(&c.consumer, 0, LENGTH, 1);
		put_sqe(&c.producer.e, send_sqe(&c.producer, c.consumer.id, 0, LENGTH, 1));
		doca_run_lock(c.producer.e.queue->run);
		EXPECT_EQ(doca_queue_batch(c.producer.e.queue, &budget), DOCA_BATCH_AGAIN);
		doca_run_unlock(c.producer.e.queue->run);
		expect_no_event(&c.consumer.e);
		if (n) {
			ASSERT(!queue_stop(c.producer.e.queue_fd));
			enter(&c.producer.e);
			expect_completion(&c.producer.e, 1, DOCA_STATUS_CANCELED);
		}
		close(c.producer.e.queue_fd);
		expect_received(&c.consumer, 1, DOCA_STATUS_CANCELED, 0);
		EXPECT_EQ(c.consumer.e.queue->state, DOCA_QUEUE_RUN);
		open_producer(&c.producer, &c.client);
		EXPECT_EQ(c.producer.id, 2);
		post(&c.consumer, 0, 8, 2);
		send_to(&c, 0, 8, 2);
		expect_completion(&c.producer.e, 2, DOCA_STATUS_SUCCESS);
		expect_received(&c.consumer, 2, DOCA_STATUS_SUCCESS, 8);
		close_channel(&c);
	}
}

/* Nothing is written into its memory once the call has returned. */
TEST(a_consumer_stops_half_way)
{
	struct doca_budget budget = { .entries = 1, .length = 1 };
	struct channel c;

	open_channel(&c);
	post(&c.consumer, 0, LENGTH, 1);
	put_sqe(&c.producer.e, send_sqe(&c.producer, c.consumer.id, 0, LENGTH, 1));
	doca_run_lock(c.producer.e.queue->run);
	EXPECT_EQ(doca_queue_batch(c.producer.e.queue, &budget), DOCA_BATCH_AGAIN);
	doca_run_unlock(c.producer.e.queue->run);
	ASSERT(!queue_stop(c.consumer.e.queue_fd));
	expect_received(&c.consumer, 1, DOCA_STATUS_CANCELED, 0);
	memset(target, 0, LENGTH);
	ASSERT(!mem_dereg(c.server.fd, c.consumer.mem));
	enter(&c.producer.e);
	expect_completion(&c.producer.e, 1, DOCA_STATUS_NO_CONSUMER);
	EXPECT_EQ(target[LENGTH - 1], 0);
	expect_no_event(&c.consumer.e);
	close_channel(&c);
}
