/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A server and clients, on the two devices of a function; each reaps its own inbox. */
#ifndef PROCESS_TESTS_ENDPOINTS_BED_H
#define PROCESS_TESTS_ENDPOINTS_BED_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "selftests/lib/own_name.h"
#include "selftests/uapi/doca_calls.h"

#include "conn.h"
#include "function.h"
#include "inner.h"
#include "inproc.h"
#include "queue.h"
#include "user.h"

#define NAME own_name("server")
#define MESSAGE 256 /* maximum bytes */
#define SLOTS 4 /* for messages, each way */
#define PLACES 8
#define INBOX 32
#define SQ 16

/* One party: a file, and a queue of it. */
struct end {
	int fd;
	int queue_fd;
	u32 device;
	struct doca_file *file;
	struct doca_queue *queue;
	u32 tail; /* number of submissions */
	u32 reaped; /* number of completions */
	u32 head; /* number of events */
	u32 conn;
};

static u32 dpu_device, host_device, function_id;

static inline void make_pair(void)
{
	struct inproc_function function = {};
	char name[64];

	if (function_id)
		return;
	inproc_start();
	ASSERT(inproc_next_device(&dpu_device, name, sizeof(name)));
	host_device = inproc_add_device("host");
	ASSERT(!inproc_add_function("pair", dpu_device, host_device, false));
	ASSERT(inproc_next_function(&function));
	function_id = function.id;
}

static inline struct doca_queue_create message_queue(void)
{
	return (struct doca_queue_create){
		.sq_entries = SQ,
		.opcodes = BIT_ULL(DOCA_OP_NOP) | BIT_ULL(DOCA_OP_MSG_SEND),
		.nr_ops = PLACES,
		.inbox_entries = INBOX,
		.recv_slots = SLOTS,
		.send_slots = SLOTS,
		.slot_size = MESSAGE,
	};
}

static inline int make_end_queue(struct end *e, struct doca_queue_create create)
{
	int err;

	create.size = sizeof(create);
	create.device_id = e->device;
	create.cq_entries = create.cq_entries ?: create.sq_entries;
	err = doca_call(e->fd, DOCA_QUEUE_CREATE, &create);
	if (err)
		return err;
	e->queue_fd = create.out_fd;
	e->queue = queue_of(e->queue_fd);
	return 0;
}

/* Make sure that the last file is our own. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static inline void open_file(struct end *e, u32 device)
{
	*e = (struct end){ .device = device, .queue_fd = -1 };
	pthread_mutex_lock(&opening);
	e->fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	e->file = last_file();
	pthread_mutex_unlock(&opening);
	ASSERT(e->fd >= 0 && e->file);
}

static inline void open_end(struct end *e, u32 device, struct doca_queue_create create)
{
	make_pair();
	open_file(e, device);
	ASSERT(!make_end_queue(e, create));
}

static inline void close_end(struct end *e)
{
	if (e->queue_fd >= 0)
		close(e->queue_fd);
	if (e->file)
		doca_file_put(e->file);
	close(e->fd);
}

static inline int listen_as(struct end *e, u32 function, const char *name, u32 max_message)
{
	return queue_listen(e->queue_fd, function, name, max_message);
}

static inline int connect_to(struct end *e, const char *name, u32 max_message)
{
	return queue_connect(e->queue_fd, name, max_message, &e->conn);
}

static inline int disconnect(struct end *e, u32 conn)
{
	return queue_disconnect(e->queue_fd, conn);
}

/* Return the next event, which stays in the ring until let_go(). */
static inline const struct doca_event *peek(struct end *e)
{
	const struct doca_inbox *inbox = &e->queue->endpoint->inbox;
	const struct doca_event *event = &inbox->events[e->head % inbox->nr_events];

	if (smp_load_acquire(&event->phase) != DOCA_RING_PHASE(e->head, ilog2(inbox->nr_events)))
		return NULL;
	return event;
}

/* Consume it, and make room for others. */
static inline void let_go(struct end *e)
{
	smp_store_release(&e->queue->ring.u->ev_head, ++e->head);
	smp_mb(); /* I */
	if (READ_ONCE(e->queue->ring.k->ev_starved))
		EXPECT(!queue_enter(e->queue_fd, 1, NULL));
}

static inline struct doca_event next_event(struct end *e)
{
	const struct doca_event *at = peek(e);
	struct doca_event event = {};

	if (!at)
		return event;
	memcpy(&event, at, sizeof(event));
	let_go(e);
	return event;
}

static inline void expect_event(struct end *e, u16 type, u16 status)
{
	struct doca_event event = next_event(e);

	EXPECT_EQ(event.type, type);
	EXPECT_EQ(event.status, status);
}

static inline void expect_no_event(struct end *e)
{
	EXPECT(!peek(e));
}

/* An executor may read the phase of the entry meanwhile. */
static inline void put_sqe(struct end *e, struct doca_sqe sqe)
{
	struct doca_ring *ring = &e->queue->ring;
	struct doca_sqe *at = &ring->sq[e->tail % ring->sq_entries];

	at->opcode = sqe.opcode;
	at->flags = sqe.flags;
	at->aux = sqe.aux;
	at->user_data = sqe.user_data;
	at->src = sqe.src;
	at->dst = sqe.dst;
	at->op[0] = sqe.op[0];
	at->op[1] = sqe.op[1];
	smp_store_release(&at->phase, DOCA_RING_PHASE(e->tail, ilog2(ring->sq_entries)));
	e->tail++;
}

static inline void enter(struct end *e)
{
	EXPECT(!queue_enter(e->queue_fd, SQ, NULL));
}

static inline bool next_completion(struct end *e, struct doca_cqe *cqe)
{
	struct doca_ring *ring = &e->queue->ring;
	const struct doca_cqe *at = &ring->cq[e->reaped % ring->cq_entries];

	if (smp_load_acquire(&at->phase) != DOCA_RING_PHASE(e->reaped, ilog2(ring->cq_entries)))
		return false;
	*cqe = *at;
	smp_store_release(&ring->u->cq_head, ++e->reaped);
	return true;
}

/* Another thread may complete a message that waited. */
static inline void expect_completion(struct end *e, u64 user_data, u16 status)
{
	struct doca_cqe cqe = { .status = 0xffff };

	EXPECT(until(next_completion(e, &cqe)));
	EXPECT_EQ(cqe.user_data, user_data);
	EXPECT_EQ(cqe.status, status);
}

static inline void expect_no_completion(struct end *e)
{
	struct doca_cqe cqe;

	EXPECT(!next_completion(e, &cqe));
}

static inline char *send_slot(struct end *e, u32 slot)
{
	const struct doca_endpoint *endpoint = e->queue->endpoint;

	return (char *)endpoint->slots + slot * endpoint->inbox.slot_size;
}

static inline const char *received(struct end *e, const struct doca_event *event)
{
	const struct doca_inbox *inbox = &e->queue->endpoint->inbox;

	return inbox->slots + event->slot * inbox->slot_size;
}

static inline struct doca_sqe message_sqe(u64 conn, u32 slot, u32 length, u64 user_data)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_MSG_SEND,
		.user_data = user_data,
		.src = { .length = length, .address = slot },
		.op = { conn },
	};
}

/* Send the number @n as a message, from a slot of its own. */
static inline void put_number(struct end *e, u32 conn, u32 n)
{
	memcpy(send_slot(e, n % SLOTS), &n, sizeof(n));
	put_sqe(e, message_sqe(conn, n % SLOTS, sizeof(n), n));
}

static inline void expect_number(struct end *e, u32 conn, u32 n)
{
	const struct doca_event *event = peek(e);
	u32 got = ~n;

	EXPECT(event);
	if (!event)
		return;
	EXPECT_EQ(event->type, DOCA_EVENT_MESSAGE);
	EXPECT_EQ(event->connection, conn);
	EXPECT_EQ(event->length, sizeof(n));
	memcpy(&got, received(e, event), sizeof(got));
	EXPECT_EQ(got, n);
	let_go(e);
}

/* Connect, and return the server's id of the connection. */
static inline u32 join(struct end *server, struct end *client)
{
	struct doca_event event;

	EXPECT(!connect_to(client, NAME, MESSAGE));
	event = next_event(client);
	EXPECT_EQ(event.type, DOCA_EVENT_CONNECTED);
	EXPECT_EQ(event.connection, client->conn);
	EXPECT_EQ(event.length, MESSAGE);
	event = next_event(server);
	EXPECT_EQ(event.type, DOCA_EVENT_CONNECTED);
	EXPECT_EQ(event.length, MESSAGE);
	return event.connection;
}

static inline void open_server(struct end *server)
{
	open_end(server, dpu_device, message_queue());
	ASSERT(!listen_as(server, function_id, NAME, MESSAGE));
}

static inline void open_client(struct end *client)
{
	open_end(client, host_device, message_queue());
}

/* Return the user's charge: the least limit that it does not exceed. */
static inline u64 used(struct doca_user *user, enum doca_quota what)
{
	u64 low = 0, high = 1ULL << 62;

	while (low < high) {
		u64 middle = low + (high - low) / 2;

		if (doca_user_charge_below(user, what, 0, middle))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Open a server and a client, and connect them. */
static inline void open_both(struct end *server, struct end *client)
{
	make_pair();
	open_server(server);
	open_client(client);
	server->conn = join(server, client);
}

#endif
