/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Sending of messages. A message is copied into a slot of the queue, from which
 * the driver sends it, whatever the program does. If there is no free slot, or
 * the connection has its maximum, the message is kept here until a later call
 * of doca_pe_progress() gives it a slot. Messages of a connection stay in
 * order.
 */
#ifndef DOCA_COMCH_SEND_H
#define DOCA_COMCH_SEND_H

#include "core/exec/lane.h"
#include "party.h"

struct doca_comch_task_send {
	struct doca_task task;
	const void *msg;
	uint32_t len;
	uint32_t id; /* id of the connection, which may have ended */
	struct doca_comch_connection *connection; /* NULL: not open */
	uint32_t slot; /* valid in flight */
};

extern const struct task_type comch_send;

/* Submit a task; for the lane. */
void send_submit(struct doca_task *task, bool flush);

/* End one of the tasks that cannot be sent any more. */
enum lane_turn send_end_failed(struct party *party);

/* Close a connection for messages. Those that are kept here fail. */
void send_close(struct doca_comch_connection *connection);

#endif /* DOCA_COMCH_SEND_H */
