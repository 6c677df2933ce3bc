/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Connections: objects of their own, each found by the id that the driver tells
 * at this end. One that has ended lives on, without its party, while something
 * is attached to it.
 */
#ifndef DOCA_COMCH_CONNECTION_H
#define DOCA_COMCH_CONNECTION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "comch.h"
#include "core/base/list.h"

struct party;

enum comch_counter { SENT_MESSAGES, SENT_BYTES, RECV_MESSAGES, RECV_BYTES };

struct doca_comch_connection {
	struct party *party; /* NULL once it was told that it has ended */
	struct doca_comch_connection *next; /* in its party's table */
	uint32_t id;
	uint32_t max_msg; /* that both sides take */
	bool open; /* messages can be sent */
	bool dropped; /* by the program, which hears no more of it */
	uint32_t sends; /* tasks in flight */
	uint32_t slots; /* of them those that have a slot */
	struct doca_task *first, *last; /* of them those that wait for one */
	struct list waits; /* in party.waiting, for one that is free */
	struct list ends; /* in party.ended, for the program to be told */
	uint64_t counters[4];
	uint64_t snapshot[4];
	union doca_data user_data;
	struct doca_dev *dev; /* with a reference */

	/* Other threads use these, for attached contexts. */
	uint32_t refs; /* atomic: of its party, and of each attachment */
	pthread_mutex_t lock;
	int queue_fd; /* its party's, -1 once it is closed; with the lock */
};

/*
 * NULL, with a line in the log, without memory. Its reference is the party's.
 */
struct doca_comch_connection *connection_new(struct doca_dev *dev);
struct doca_comch_connection *
connection_get(struct doca_comch_connection *connection);
void connection_put(struct doca_comch_connection *connection);

/* It is there, or is no more, for what is attached. */
void connection_set_fd(struct doca_comch_connection *connection, int queue_fd);

/* With its queue kept: the descriptor, or -1; to be given back in any case. */
int connection_hold_fd(struct doca_comch_connection *connection);
void connection_release_fd(struct doca_comch_connection *connection);

static inline void connection_count(struct doca_comch_connection *connection,
				    enum comch_counter messages, uint32_t bytes)
{
	connection->counters[messages]++;
	connection->counters[messages + 1] += bytes;
}

#endif /* DOCA_COMCH_CONNECTION_H */
