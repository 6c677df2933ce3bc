// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Producers and consumers of programs that break every rule, and that race. */
#include <pthread.h>
#include <stdlib.h>

#include "selftests/lib/rounds.h"

#include "consumers_bed.h"
#include "memory.h"

static void expect_bad_queue(struct end *e, struct doca_queue_create create)
{
	EXPECT_EQ(make_end_queue(e, create), -EINVAL);
}

TEST(queues_that_cannot_be)
{
	struct doca_queue_create create;
	struct end e;

	make_pair();
	open_file(&e, dpu_device);
	create = consumer_queue();
	create.opcodes |= BIT_ULL(DOCA_OP_NOP);
	expect_bad_queue(&e, create);
	create = consumer_queue();
	create.worker_id = 1;
	EXPECT_EQ(make_end_queue(&e, create), -ENOENT);
	ASSERT(!worker_create(e.fd, 0, &create.worker_id));
	expect_bad_queue(&e, create);
	create = consumer_queue();
	create.inbox_entries = 0;
	expect_bad_queue(&e, create);
	create = producer_queue();
	create.inbox_entries = 0;
	expect_bad_queue(&e, create);
	create = producer_queue();
	create.nr_ops = 2;
	expect_bad_queue(&e, create);
	close_end(&e);
}

static int attach_with(struct part *part, int parent, u32 conn, u32 role, u32 key, u32 imm)
{
	struct end as = { .queue_fd = parent, .conn = conn };

	return attach(part, &as, role, key, imm);
}

TEST(attachments_that_cannot_be)
{
	const u32 consumer = DOCA_ATTACH_CONSUMER, producer = DOCA_ATTACH_PRODUCER;
	struct part part, plain, other;
	struct channel c;
	u32 key, mem;
	int fd;

	open_channel(&c);
	fd = c.server.queue_fd;
	open_part(&part, &c.server, consumer_queue(), target);
	key = part.key;
	EXPECT_EQ(attach_with(&part, -1, c.server.conn, consumer, key, 0), -EINVAL);
	EXPECT_EQ(attach_with(&part, c.server.fd, c.server.conn, consumer, key, 0), -EINVAL);
	EXPECT_EQ(attach_with(&part, STDERR_FILENO, c.server.conn, consumer, key, 0), -EINVAL);
	EXPECT_EQ(attach_with(&part, c.client.queue_fd, c.client.conn, consumer, key, 0), -EINVAL);
	EXPECT_EQ(attach_with(&part, fd, c.server.conn + 1, consumer, key, 0), -ENOTCONN);
	EXPECT_EQ(attach_with(&part, fd, c.server.conn, 0, key, 0), -EINVAL);
	EXPECT_EQ(attach_with(&part, fd, c.server.conn, producer, 0, 0), -EINVAL);
	EXPECT_EQ(attach_with(&part, fd, c.server.conn, consumer, key + 1, 0), -ENOENT);
	EXPECT_EQ(attach_with(&part, fd, c.server.conn, consumer, key, DOCA_MAX_IMM + 1),
		  -EMSGSIZE);
	ASSERT(!mem_reg(c.server.fd, source, 64, DOCA_ACCESS_LOCAL_READ, &mem));
	ASSERT(!mem_map(c.server.fd, mem, dpu_device, DOCA_ACCESS_LOCAL_READ, &key));
	EXPECT_EQ(attach_with(&part, fd, c.server.conn, consumer, key, 0), -EACCES);
	/* a key of another device */
	ASSERT(!mem_map(c.server.fd, part.mem, host_device, ACCESS_LOCAL, &key));
	EXPECT_EQ(attach_with(&part, fd, c.server.conn, consumer, key, 0), -ENOENT);
	EXPECT_EQ(announce(&part), -ENOTCONN);
	/* None of that holds the memory. */
	EXPECT(!mem_unmap(c.server.fd, key));
	EXPECT_EQ(attach_with(&part, fd, c.server.conn, consumer, part.key, 0), 0);
	EXPECT_EQ(attach_with(&part, fd, c.server.conn, consumer, part.key, 0), -EBUSY);
	EXPECT_EQ(listen_as(&part.e, function_id, "x", 1), -EMSGSIZE);

	open_part(&other, &c.server, producer_queue(), source);
	EXPECT_EQ(attach_with(&other, fd, c.server.conn, producer, other.key, 0), -EINVAL);
	EXPECT_EQ(attach_with(&other, fd, c.server.conn, producer, 0, 1), -EINVAL);
	EXPECT_EQ(attach_with(&other, fd, c.server.conn, consumer, other.key, 0), -EINVAL);
	EXPECT_EQ(announce(&other), -ENOTCONN);
	open_part(&plain, &c.server, (struct doca_queue_create){ .sq_entries = SQ }, source);
	EXPECT_EQ(attach_with(&plain, fd, c.server.conn, producer, 0, 0), -ENXIO);
	EXPECT_EQ(announce(&plain), -ENOTCONN);
	close(plain.e.queue_fd);
	close(other.e.queue_fd);
	close(part.e.queue_fd);
	close_channel(&c);
}

/* Attach between CONNECT's answer and its event, which may come much later. */
TEST(a_connection_without_a_server_yet)
{
	struct doca_conn *conn = doca_conn_create();
	struct doca_conn_end *end;
	struct end client;
	struct part part;

	make_pair();
	open_client(&client);
	end = &conn->ends[DOCA_CONN_CLIENT];
	ASSERT(!doca_endpoint_claim(client.queue->endpoint, DOCA_ROLE_CLIENT, MESSAGE));
	spin_lock(&conn->lock);
	ASSERT(!doca_conn_join(end, client.queue->endpoint));
	spin_unlock(&conn->lock);
	open_part(&part, &client, consumer_queue(), target);
	EXPECT_EQ(attach_with(&part, client.queue_fd, end->id, DOCA_ATTACH_CONSUMER, part.key, 0),
		  -ENOTCONN);
	EXPECT_EQ(announce(&part), -ENOTCONN);
	EXPECT(doca_conn_close(conn, end));
	doca_conn_put(conn);
	close_part(&part);
	close_end(&client);
}

static void expect_wrong(struct doca_sqe sqe, u16 status)
{
	struct channel c;

	open_channel(&c);
	if (sqe.dst.key == 1)
		sqe.dst.key = c.consumer.key;
	sqe.user_data = 5;
	put_sqe(&c.consumer.e, sqe);
	post(&c.consumer, 0, 8, 6);
	send_to(&c, 0, 8, 1);
	expect_completion(&c.producer.e, 1, DOCA_STATUS_NO_CONSUMER);
	EXPECT_EQ(c.producer.e.queue->state, DOCA_QUEUE_RUN);
	EXPECT_EQ(c.consumer.e.queue->state, DOCA_QUEUE_FLUSH);
	enter(&c.consumer.e);
	expect_received(&c.consumer, 5, status, 0);
	expect_received(&c.consumer, 6, DOCA_STATUS_CANCELED, 0);
	expect_no_event(&c.consumer.e);
	expect_event(&c.client, DOCA_EVENT_CONSUMER_GONE, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(target[0], 0);
	close_channel(&c);
}

TEST(buffers_that_are_wrong)
{
	const struct doca_sqe good = {
		.opcode = DOCA_OP_POST_RECV,
		.dst = { 1, 64, (uintptr_t)target },
	};
	struct doca_sqe sqe = good;

	sqe.opcode = DOCA_OP_NOP;
	expect_wrong(sqe, DOCA_STATUS_BAD_OPCODE);
	sqe = good;
	sqe.flags = DOCA_SQE_DRAIN;
	expect_wrong(sqe, DOCA_STATUS_BAD_ENTRY);
	sqe.flags = DOCA_SQE_DST_LIST;
	expect_wrong(sqe, DOCA_STATUS_BAD_ENTRY);
	sqe = good;
	sqe.src.key = 1;
	expect_wrong(sqe, DOCA_STATUS_BAD_ENTRY);
	sqe = good;
	sqe.dst.key = 2;
	expect_wrong(sqe, DOCA_STATUS_BAD_KEY);
	sqe = good;
	sqe.dst.address += LENGTH - 63;
	expect_wrong(sqe, DOCA_STATUS_BAD_RANGE);
	sqe = good;
	sqe.dst.address -= 1;
	expect_wrong(sqe, DOCA_STATUS_BAD_RANGE);
	sqe = good;
	sqe.dst.length = -1;
	expect_wrong(sqe, DOCA_STATUS_BAD_RANGE);
}

/* A producer's own fault ends it, and loses no buffer. */
TEST(sources_that_are_wrong)
{
	const u16 statuses[] = { DOCA_STATUS_BAD_KEY, DOCA_STATUS_BAD_RANGE,
				 DOCA_STATUS_BAD_ENTRY };
	struct doca_sqe sqe;
	struct channel c;
	u32 n;

	for (n = 0; n < ARRAY_SIZE(statuses); n++) {
		open_channel(&c);
		post(&c.consumer, 0, 64, 1);
		sqe = send_sqe(&c.producer, c.consumer.id, 0, 8, 1);
		if (n == 0)
			sqe.src.key = c.consumer.key + 1;
		else if (n == 1)
			sqe.src.address += LENGTH;
		else
			sqe.flags = 33 << DOCA_SQE_IMM_SHIFT;
		put_sqe(&c.producer.e, sqe);
		enter(&c.producer.e);
		expect_completion(&c.producer.e, 1, statuses[n]);
		EXPECT_EQ(c.producer.e.queue->state, DOCA_QUEUE_FLUSH);
		expect_no_event(&c.consumer.e);
		close(c.producer.e.queue_fd);
		open_producer(&c.producer, &c.client);
		send_to(&c, 0, 8, 2);
		expect_completion(&c.producer.e, 2, DOCA_STATUS_SUCCESS);
		expect_received(&c.consumer, 1, DOCA_STATUS_SUCCESS, 8);
		close_channel(&c);
	}
}

TEST(a_consumer_with_an_impossible_head)
{
	struct channel c;
	u32 n;

	open_channel(&c);
	c.consumer.e.queue->ring.u->ev_head = -1;
	for (n = 0; n < INBOX; n++) {
		post(&c.consumer, 0, 8, n);
		send_to(&c, 0, 8, n);
		expect_completion(&c.producer.e, n,
				  n < INBOX - 1 ? DOCA_STATUS_SUCCESS : DOCA_STATUS_NO_CONSUMER);
	}
	EXPECT_EQ(c.consumer.e.queue->state, DOCA_QUEUE_BROKEN);
	EXPECT_EQ(c.producer.e.queue->state, DOCA_QUEUE_RUN);
	expect_event(&c.client, DOCA_EVENT_CONSUMER_GONE, DOCA_STATUS_SUCCESS);
	close_channel(&c);
}

/* Make as many of each as a connection may have; none of them stays. */
TEST(no_more_than_so_many)
{
	struct part parts[DOCA_MAX_ATTACHED] = {}, last;
	struct channel c;
	u32 n;

	open_channel(&c);
	for (n = 0; n < DOCA_MAX_ATTACHED; n++) {
		open_part(&parts[n], &c.client, producer_queue(), source);
		EXPECT_EQ(attach(&parts[n], &c.client, DOCA_ATTACH_PRODUCER, 0, 0),
			  n < DOCA_MAX_ATTACHED - 1 ? 0 : -ENOSPC);
	}
	close_part(&parts[0]);
	open_part(&last, &c.client, producer_queue(), source);
	EXPECT(!attach(&last, &c.client, DOCA_ATTACH_PRODUCER, 0, 0));
	/* Ids are not reused. */
	EXPECT(last.id > DOCA_MAX_ATTACHED);
	EXPECT(!disconnect(&c.server, c.server.conn));
	expect_event(&last.e, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
	for (n = 1; n < DOCA_MAX_ATTACHED - 1; n++) {
		expect_event(&parts[n].e, DOCA_EVENT_DISCONNECTED, DOCA_STATUS_SUCCESS);
		close_part(&parts[n]);
	}
	close(parts[n].e.queue_fd);
	close(last.e.queue_fd);
	close_channel(&c);
}

/*
 * The client's producers and consumers keep the connection, but the server's user is not
 * charged.
 */
TEST(a_closed_connection_does_not_count)
{
	struct doca_user *user = doca_user_get_current();
	struct channel c;

	open_channel(&c);
	EXPECT_EQ(used(user, DOCA_QUOTA_CONNECTIONS), 2);
	EXPECT(!disconnect(&c.server, c.server.conn));
	EXPECT_EQ(used(user, DOCA_QUOTA_CONNECTIONS), 0);
	close_channel(&c);
	doca_user_put(user);
}

static void *close_file(void *fd)
{
	close(*(int *)fd);
	return NULL;
}

/* Close a producer that waits for a buffer by its descriptor and by its file's at once. */
TEST(a_producer_is_closed_twice_at_once)
{
	pthread_t thread;
	struct channel c;
	unsigned int n;

	for (n = 0; n < rounds(30); n++) {
		open_channel(&c);
		send_to(&c, 0, 8, 1);
		BUG_ON(pthread_create(&thread, NULL, close_file, &c.client.fd));
		close_part(&c.producer);
		pthread_join(thread, NULL);
		c.client.fd = -1;
		close_channel(&c);
	}
}

/* A consumer and its memory come and go while two producers send to it. */
#define PRODUCERS 2

static struct channel *chan;
static u32 consumer_id; /* 0: the end */

static void *be_producer(void *arg)
{
	struct part *part = arg;
	struct doca_cqe cqe;
	u32 id;

	while ((id = __atomic_load_n(&consumer_id, __ATOMIC_ACQUIRE))) {
		put_sqe(&part->e, send_sqe(part, id, 0, part->e.tail % 3 ? 100 : SZ_64K * 5, 0));
		enter(&part->e);
		while (!next_completion(&part->e, &cqe))
			sched_yield();
		EXPECT(cqe.status == DOCA_STATUS_SUCCESS || cqe.status == DOCA_STATUS_NO_CONSUMER ||
		       cqe.status == DOCA_STATUS_NOT_CONNECTED);
	}
	return NULL;
}

/* Post some buffers, each of which is answered. */
static void consume(struct part *part, unsigned int *seed)
{
	u32 n, nr = rand_r(seed) % 6;
	struct doca_event event;

	for (n = 0; n < nr; n++)
		post(part, 0, LENGTH, n);
	for (n = rand_r(seed) % 3 ? nr : 0; n;) {
		event = next_event(&part->e);
		if (!event.type)
			sched_yield();
		else if (event.type == DOCA_EVENT_RECEIVED)
			n--;
	}
}

static void leave(struct part *part, unsigned int *seed)
{
	switch (rand_r(seed) % 3) {
	case 0:
		EXPECT(!mem_dereg(part->e.fd, part->mem));
		break;
	case 1:
		EXPECT(!queue_stop(part->e.queue_fd));
		break;
	}
	close_part(part);
}

TEST(consumers_come_and_go)
{
	struct part producers[PRODUCERS];
	pthread_t threads[PRODUCERS];
	unsigned int seed = 1, n, i;
	struct doca_event event;
	struct channel c;

	open_channel(&c);
	chan = &c;
	consumer_id = c.consumer.id;
	for (i = 0; i < PRODUCERS; i++) {
		open_producer(&producers[i], &c.client);
		BUG_ON(pthread_create(&threads[i], NULL, be_producer, &producers[i]));
	}
	for (n = 0; n < rounds(60); n++) {
		consume(&c.consumer, &seed);
		leave(&c.consumer, &seed);
		expect_event(&c.client, DOCA_EVENT_CONSUMER_GONE, DOCA_STATUS_SUCCESS);
		open_consumer(&c.consumer, &c.server);
		__atomic_store_n(&consumer_id, c.consumer.id, __ATOMIC_RELEASE);
		EXPECT(!announce(&c.consumer));
		expect_event(&c.client, DOCA_EVENT_CONSUMER_NEW, DOCA_STATUS_SUCCESS);
	}
	__atomic_store_n(&consumer_id, 0, __ATOMIC_RELEASE);
	EXPECT(!disconnect(&c.server, c.server.conn));
	for (i = 0; i < PRODUCERS; i++) {
		pthread_join(threads[i], NULL);
		event = next_event(&producers[i].e);
		EXPECT_EQ(event.type, DOCA_EVENT_DISCONNECTED);
		close_part(&producers[i]);
	}
	close_channel(&c);
}
