/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Messages: from a slot of the sender's queue into the inbox at the other end. */
#ifndef DOCA_MESSAGE_H
#define DOCA_MESSAGE_H

#include <linux/types.h>

struct doca_conn_end;
struct doca_endpoint;
struct doca_flight;
struct doca_sqe;

/*
 * For an executor, with an entry of its queue: return a &enum doca_status if it has
 * ended, or DOCA_STATUS_START if it must wait for room, or for others that do.
 */
u32 doca_message_send(struct doca_endpoint *endpoint,
		      const struct doca_sqe *sqe);
/* Go on after that: return DOCA_STATUS_PENDING if it waits from now on, or has come back. */
u32 doca_message_wait(struct doca_endpoint *endpoint,
		      struct doca_flight *flight);

/*
 * The provider has room again: have it take the messages to the far end that wait here, as many as
 * there is room for. Call it with the lock of the connection held.
 */
void doca_message_deliver_all(struct doca_conn_end *from);

/* More messages to the far end have arrived. Call it with the lock of the connection held. */
void doca_message_arrived(struct doca_conn_end *from, u32 nr);

/*
 * For a receiver that has made room: deliver messages that wait, one of each connection in
 * turn, and at most as many as there are slots.
 */
void doca_endpoint_deliver(struct doca_endpoint *endpoint);

#endif
