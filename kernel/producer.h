/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Producers: endpoints that write into the buffers of consumers. */
#ifndef DOCA_PRODUCER_H
#define DOCA_PRODUCER_H

#include <linux/list.h>
#include <linux/types.h>

#include <linux/doca.h>

#include "attached.h"
#include "taker.h"

struct doca_flight;
struct doca_op;
struct doca_queue;
struct doca_user;

/**
 * struct doca_producer - a producer
 * @at: the common part of producers and consumers
 * @user: account that is charged; reference
 * @taker: by which it takes buffers
 * @far: the provider's, for entries to the far end of a connection; NULL before the first
 * @parked: the entry, if it waits for a buffer
 *
 * Its queue has one place: so at most one entry has begun. Members that are under no lock
 * belong to the run section.
 */
struct doca_producer {
	struct doca_attached at;
	struct doca_user *user;
	struct doca_taker taker;
	void *far;
	struct doca_parking parked;
};

/* Return the producer of an endpoint, or NULL; @endpoint may be NULL. */
static inline struct doca_producer *
doca_endpoint_producer(struct doca_endpoint *endpoint)
{
	struct doca_attached *at = doca_endpoint_attached(endpoint);

	return at && at->kind == DOCA_CONN_PRODUCER ?
		       container_of(at, struct doca_producer, at) :
		       NULL;
}

/* For ATTACH: make a producer that no other thread can see; -EDQUOT or -ENOMEM. */
struct doca_producer *doca_producer_create(struct doca_queue *queue,
					   struct doca_conn_end *end);
void doca_producer_free(struct doca_producer *producer);
/* Detach it from the connection, and tell its queue if it @hears. */
void doca_producer_stop(struct doca_producer *producer, bool hears);

/* Call these in the run section: */

/*
 * Begin, or go on; return DOCA_STATUS_START if it has to wait for a buffer, or goes to the far
 * end of a connection.
 */
u32 doca_producer_step(struct doca_queue *queue, struct doca_op *op);
/* Wait for a buffer, if there is still none; or go on with an entry that goes far. */
u32 doca_producer_wait(struct doca_queue *queue, struct doca_flight *flight);
/*
 * For @finish of a row: there is a buffer, or was a moment ago; an entry that goes to the far end
 * is done.
 */
u32 doca_producer_go_on(struct doca_queue *queue, struct doca_op *op);
/* For @recall of a row: take the flight from where it waits, or drop it. */
bool doca_producer_recall(struct doca_flight *flight);
/*
 * For entries to the far end: read so many bytes of the source as are left at most, and advance;
 * and make the event of which the consumer will be told.
 */
u32 doca_producer_read(struct doca_queue *queue, struct doca_op *op,
		       void *bytes, u32 length);
struct doca_event doca_producer_event(const struct doca_producer *producer,
				      const struct doca_op *op);
/* The entry goes no further: give back the buffer that it has taken. */
void doca_producer_drop(struct doca_producer *producer);

#endif
