/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Messages that are sent. Each is copied into a slot of the queue, from which
 * the driver sends it whatever the program does; without a free one, or if its
 * connection has as many as it may have, it is kept here, and gets a slot by
 * progress. Messages of a connection stay in order.
 */
#ifndef DOCA_COMCH_SEND_H
#define DOCA_COMCH_SEND_H

#include "core/exec/lane.h"
#include "party.h"

struct doca_comch_task_send {
	struct doca_task task;
	const void *msg;
	uint32_t len;
	uint32_t id; /* of the connection, which may have ended */
	struct doca_comch_connection *connection; /* in flight; or NULL */
	uint32_t slot; /* in flight */
};

extern const struct task_type comch_send;

/* For the lane. */
void send_submit(struct doca_task *task);

/* End one of the tasks that are in vain. */
enum lane_turn send_end_failed(struct party *party);

/*
 * No more messages of this connection from now on; those that are kept here
 * fail.
 */
void send_close(struct doca_comch_connection *connection);

#endif /* DOCA_COMCH_SEND_H */
