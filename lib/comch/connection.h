/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Connections are objects of their own. A party finds them by the id that the
 * driver gives to its end. A connection that has ended lives on, without its
 * party, while consumers or producers are attached to it.
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
	struct party *party; /* NULL after the program was told of the end */
	struct doca_comch_connection *next; /* in its party's table */
	uint32_t id;
	uint32_t max_msg; /* maximum that both sides take */
	bool open; /* messages can be sent */
	bool dropped; /* the program has closed it, and hears no more of it */
	uint32_t sends; /* tasks in flight */
	uint32_t slots; /* tasks in flight that have a slot */
	struct doca_task *first, *last; /* tasks that wait for a slot */
	struct list waits; /* in party.waiting, for a free slot */
	struct list ends; /* in party.ended, until the program is told */
	uint64_t counters[4];
	uint64_t snapshot[4];
	union doca_data user_data;
	struct doca_dev *dev; /* holds a reference */
	uint32_t generation; /* the driver's when it was made */

	/* Threads of attached contexts use these, too: */
	uint32_t refs; /* references of its party and of attachments; atomic */
	pthread_mutex_t lock;
	int queue_fd; /* queue of the party, -1 if closed; under the lock */
};

/*
 * Make a connection; the party owns its reference. Return NULL, and log an
 * error, if there is no memory.
 */
struct doca_comch_connection *connection_new(struct doca_dev *dev);
struct doca_comch_connection *
connection_get(struct doca_comch_connection *connection);
void connection_put(struct doca_comch_connection *connection);

/* Set the queue that attachments use; -1: none any more. */
void connection_set_fd(struct doca_comch_connection *connection, int queue_fd);

/*
 * Return the descriptor of the queue, or -1, and keep it open until
 * connection_release_fd(), which must be called in either case. In the child of
 * a fork it is -1.
 */
int connection_hold_fd(struct doca_comch_connection *connection);
void connection_release_fd(struct doca_comch_connection *connection);

static inline void connection_count(struct doca_comch_connection *connection,
				    enum comch_counter messages, uint32_t bytes)
{
	connection->counters[messages]++;
	connection->counters[messages + 1] += bytes;
}

#endif /* DOCA_COMCH_CONNECTION_H */
