/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A server and a client of the communication channel in this process. This thread is the client;
 * the server's progress is made by another one while something is measured, and else by this.
 */
#ifndef BENCH_CHANNEL_H
#define BENCH_CHANNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_pe.h>

#include "cpu.h"
#include "pair.h"

/* One side; only one thread at a time uses it. */
struct side {
	struct doca_pe *pe;
	struct doca_ctx *ctx; /* context of the server or client */
	struct doca_comch_connection *connection;
	uint64_t received; /* messages */
	uint32_t consumer; /* id of the other side's; 0: none yet */
	doca_error_t error; /* the first one */
};

struct channel {
	const struct cpus *cpus;
	uint32_t idle_us; /* for workers */

	/* while it is open */
	struct pair pair;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct side near; /* the client's */
	struct side far; /* the server's */
	uint64_t sent; /* messages to the server */

	/* while the other thread runs */
	bool sleeps; /* both threads sleep until there is something to do */
	bool echoes; /* the server sends back what it gets */
	pthread_t thread;
	uint64_t last; /* the other thread ends when so many messages have come */
};

void channel_init(struct channel *channel, const struct cpus *cpus,
		  uint32_t idle_us);

/* Open the sides, and connect them. */
int channel_open(struct channel *channel);
void channel_close(struct channel *channel);

/* Begin and end the other thread, the latter by a last message. */
int channel_run(struct channel *channel);
int channel_stop(struct channel *channel);

/* Send a message to the server. */
int channel_send(struct channel *channel, const void *message, uint32_t length);

/* Make progress until *@count has reached @wanted, and sleep meanwhile if @sleeps. */
int side_await(struct side *side, const uint64_t *count, uint64_t wanted,
	       bool sleeps);

/* Note an error, unless there was one. */
static inline void side_note(struct side *side, doca_error_t err)
{
	if (side->error == DOCA_SUCCESS)
		side->error = err;
}

#endif /* BENCH_CHANNEL_H */
