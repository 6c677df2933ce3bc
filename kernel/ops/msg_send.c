// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* MSG_SEND: a message to the other end of a connection. */
#include <linux/sizes.h>

#include "endpoint.h"
#include "flight.h"
#include "message.h"
#include "ops.h"
#include "queue.h"

static u32 doca_msg_prepare(struct doca_queue *queue, struct doca_op *op)
{
	return doca_message_send(queue->endpoint, &op->sqe);
}

static u32 doca_msg_start(struct doca_queue *queue, struct doca_flight *flight)
{
	return doca_message_wait(queue->endpoint, flight);
}

/* It costs as much as a copy, but counts no bytes. */
const struct doca_op_type doca_op_msg_send = {
	.name = "msg_send",
	.nr_op = 1,
	.max_src = DOCA_MAX_MESSAGE,
	.max_ops = DOCA_MAX_OPS,
	.cost = SZ_4K,
	.prepare = doca_msg_prepare,
	.start = doca_msg_start,
	.recall = doca_parked_recall,
	.private = sizeof(struct doca_parked),
};
