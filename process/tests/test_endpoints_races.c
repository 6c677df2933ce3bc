// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A server, and clients in threads of their own that come, send and go, in every possible way.
 * The server sees of each that it came, its messages in order, and that it went.
 */
#include <pthread.h>
#include <stdlib.h>

#include "selftests/lib/rounds.h"

#include "endpoints_bed.h"

#define CLIENTS 3
#define CONNS 65536 /* more than all clients make together */

static u32 ended; /* number of clients that have ended */

/* Send one message, and the next when it has gone or stands aside. */
static bool send_some(struct end *e, u32 from, u32 nr)
{
	struct doca_cqe cqe;
	u32 n;

	for (n = from; n < from + nr; n++) {
		put_number(e, e->conn, n);
		enter(e);
		while (!next_completion(e, &cqe))
			sched_yield();
		if (cqe.status == DOCA_STATUS_NOT_CONNECTED)
			return false;
		EXPECT_EQ(cqe.status, DOCA_STATUS_SUCCESS);
	}
	return true;
}

/* Send some that may still wait, or be on their way, when the client goes. */
static void send_last(struct end *e, u32 from)
{
	u32 n;

	for (n = from; n < from + SLOTS; n++)
		put_number(e, e->conn, n);
	enter(e);
}

static void visit(struct end *e, unsigned int *seed)
{
	struct doca_event event;

	open_client(e);
	EXPECT(!connect_to(e, NAME, MESSAGE));
	event = next_event(e);
	if (event.type == DOCA_EVENT_REFUSED) {
		close_end(e);
		return;
	}
	EXPECT_EQ(event.type, DOCA_EVENT_CONNECTED);
	if (send_some(e, 0, rand_r(seed) % 12))
		send_last(e, 100);
	switch (rand_r(seed) % 4) {
	case 0:
		disconnect(e, e->conn);
		break;
	case 1:
		EXPECT(!queue_stop(e->queue_fd));
		break;
	}
	close_end(e);
}

static void *be_client(void *arg)
{
	unsigned int seed = (uintptr_t)arg;
	struct end e;
	u32 n;

	for (n = 0; n < rounds(40); n++)
		visit(&e, &seed);
	__atomic_add_fetch(&ended, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* For each connection, the least number that may come next, plus one; 0: unknown. */
static u32 next_number[CONNS];
#define THROWN_OUT U32_MAX /* by the server: earlier messages may follow */

static void see(struct end *server, const struct doca_event *event)
{
	u32 *next = &next_number[event->connection % CONNS];
	u32 n;

	if (*next == THROWN_OUT)
		return;
	switch (event->type) {
	case DOCA_EVENT_CONNECTED:
		EXPECT_EQ(*next, 0);
		*next = 1;
		break;
	case DOCA_EVENT_MESSAGE:
		memcpy(&n, received(server, event), sizeof(n));
		EXPECT(*next && n + 1 >= *next);
		*next = n + 2;
		break;
	case DOCA_EVENT_DISCONNECTED:
		EXPECT(*next);
		*next = 0;
		break;
	default:
		EXPECT(false);
	}
}

/* The server throws some out in the middle. */
static void drain(struct end *server, unsigned int *seed)
{
	const struct doca_event *event;
	u32 conn;

	while ((event = peek(server))) {
		conn = event->connection;
		see(server, event);
		let_go(server);
		if (!(rand_r(seed) % 64) && !disconnect(server, conn))
			next_number[conn % CONNS] = THROWN_OUT;
	}
}

TEST(clients_come_and_go)
{
	pthread_t threads[CLIENTS];
	unsigned int seed = 1;
	struct end server;
	u32 i;

	make_pair();
	open_server(&server);
	for (i = 0; i < CLIENTS; i++)
		BUG_ON(pthread_create(&threads[i], NULL, be_client, (void *)(uintptr_t)(i + 1)));
	while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) < CLIENTS)
		drain(&server, &seed);
	for (i = 0; i < CLIENTS; i++)
		pthread_join(threads[i], NULL);
	drain(&server, &seed);
	for (i = 0; i < CONNS; i++)
		EXPECT(!next_number[i] || next_number[i] == THROWN_OUT);
	EXPECT_EQ(server.queue->state, DOCA_QUEUE_RUN);
	close_end(&server);
}
