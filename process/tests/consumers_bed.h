/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A connection, with a consumer on the server's side and a producer on the client's. */
#ifndef PROCESS_TESTS_CONSUMERS_BED_H
#define PROCESS_TESTS_CONSUMERS_BED_H

#include <linux/sizes.h>

#include "consumer.h"
#include "endpoints_bed.h"

#define LENGTH (3 * SZ_256K)

static char source[LENGTH] __attribute__((aligned(4096)));
static char target[LENGTH] __attribute__((aligned(4096)));

/* A queue attached to another one, with its memory. */
struct part {
	struct end e;
	u32 mem;
	u32 key;
	u32 id;
};

struct channel {
	struct end server, client;
	struct part consumer, producer;
};

static inline struct doca_queue_create consumer_queue(void)
{
	return (struct doca_queue_create){
		.sq_entries = SQ,
		.opcodes = BIT_ULL(DOCA_OP_POST_RECV),
		.inbox_entries = INBOX,
	};
}

static inline struct doca_queue_create producer_queue(void)
{
	return (struct doca_queue_create){
		.sq_entries = SQ,
		.nr_segments = 8,
		.opcodes = BIT_ULL(DOCA_OP_SEND_TO),
		.inbox_entries = 2,
	};
}

static inline int attach(struct part *part, struct end *parent, u32 role, u32 key, u32 imm)
{
	return queue_attach(part->e.queue_fd, parent->queue_fd, parent->conn, role, key, imm,
			    &part->id);
}

static inline int announce(struct part *part)
{
	return consumer_announce(part->e.queue_fd);
}

/* Open it in the parent's file. */
static inline void open_part(struct part *part, struct end *parent, struct doca_queue_create create,
			     void *memory)
{
	*part = (struct part){ .e = *parent };
	part->e.tail = part->e.reaped = part->e.head = 0;
	ASSERT(!mem_reg(parent->fd, memory, LENGTH, ACCESS_LOCAL, &part->mem));
	ASSERT(!mem_map(parent->fd, part->mem, parent->device, ACCESS_LOCAL, &part->key));
	ASSERT(!make_end_queue(&part->e, create));
}

static inline void close_part(struct part *part)
{
	close(part->e.queue_fd);
	part->e.queue_fd = -1;
}

static inline void open_consumer(struct part *part, struct end *parent)
{
	open_part(part, parent, consumer_queue(), target);
	ASSERT(!attach(part, parent, DOCA_ATTACH_CONSUMER, part->key, DOCA_MAX_IMM));
}

static inline void open_producer(struct part *part, struct end *parent)
{
	open_part(part, parent, producer_queue(), source);
	ASSERT(!attach(part, parent, DOCA_ATTACH_PRODUCER, 0, 0));
}

static inline void make_known(struct part *part, struct end *other)
{
	struct doca_event event;

	ASSERT(!announce(part));
	event = next_event(other);
	EXPECT_EQ(event.type, DOCA_EVENT_CONSUMER_NEW);
	EXPECT_EQ(event.connection, other->conn);
	EXPECT_EQ(event.id, part->id);
	EXPECT_EQ(event.length, DOCA_MAX_IMM);
}

static inline void open_channel(struct channel *c)
{
	u32 *words = (u32 *)source, i;

	for (i = 0; i < LENGTH / sizeof(*words); i++)
		words[i] = (i + 1) * 0x9e3779b1;
	memset(target, 0, LENGTH);
	open_both(&c->server, &c->client);
	open_consumer(&c->consumer, &c->server);
	make_known(&c->consumer, &c->client);
	open_producer(&c->producer, &c->client);
}

static inline void close_channel(struct channel *c)
{
	close(c->consumer.e.queue_fd);
	close(c->producer.e.queue_fd);
	close_end(&c->client);
	close_end(&c->server);
	EXPECT(until(!inproc_pinned()));
}

/* Post a buffer at an offset of the memory; make a call only if a producer waits for it. */
static inline void post(struct part *part, u32 offset, u32 length, u64 user_data)
{
	put_sqe(&part->e, (struct doca_sqe){
				  .opcode = DOCA_OP_POST_RECV,
				  .user_data = user_data,
				  .dst = { part->key, length, (uintptr_t)target + offset },
			  });
	smp_mb(); /* J */
	if (READ_ONCE(part->e.queue->ring.k->need_wakeup))
		enter(&part->e);
}

static inline struct doca_sqe send_sqe(struct part *part, u16 consumer, u32 offset, u32 length,
				       u64 user_data)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_SEND_TO,
		.aux = consumer,
		.user_data = user_data,
		.src = { part->key, length, (uintptr_t)source + offset },
	};
}

static inline void send_to(struct channel *c, u32 offset, u32 length, u64 user_data)
{
	put_sqe(&c->producer.e, send_sqe(&c->producer, c->consumer.id, offset, length, user_data));
	enter(&c->producer.e);
}

static inline void expect_received(struct part *consumer, u64 user_data, u16 status, u32 length)
{
	struct doca_event event = next_event(&consumer->e);

	EXPECT_EQ(event.type, DOCA_EVENT_RECEIVED);
	EXPECT_EQ(event.user_data, user_data);
	EXPECT_EQ(event.status, status);
	EXPECT_EQ(event.length, length);
}

static inline bool is_there(u32 to, u32 from, u32 length)
{
	return !memcmp(target + to, source + from, length);
}

#endif
