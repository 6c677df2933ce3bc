// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* SEND_TO: send into the next buffer of a consumer. POST_RECV: post such a buffer. */
#include "access.h"
#include "flight.h"
#include "memcpy.h"
#include "ops.h"
#include "producer.h"
#include "queue.h"

/* Check everything on the sender's side before a buffer is taken. */
static u32 doca_send_load(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	bool list = sqe->flags & DOCA_SQE_SRC_LIST;
	u32 status;

	if ((sqe->flags & DOCA_SQE_IMM_MASK) >> DOCA_SQE_IMM_SHIFT >
	    DOCA_MAX_IMM)
		return DOCA_STATUS_BAD_ENTRY;
	op->length = 0;
	/* Without a source, there is immediate data alone. */
	if (!list && !sqe->src.key && !sqe->src.length && !sqe->src.address)
		return DOCA_STATUS_SUCCESS;
	status = doca_op_load_side(queue, &op->src, &sqe->src, list);
	if (status)
		return status;
	if (op->src.length > DOCA_OP_MAX_LENGTH)
		return DOCA_STATUS_BAD_LENGTH;
	op->length = op->src.length;
	return doca_copy_check_side(queue, &op->src, DOCA_ACCESS_LOCAL_READ);
}

static void doca_send_drop(struct doca_queue *queue)
{
	struct doca_producer *producer =
		doca_endpoint_producer(queue->endpoint);

	if (producer)
		doca_producer_drop(producer);
}

static u32 doca_send_prepare(struct doca_queue *queue, struct doca_op *op)
{
	u32 status = doca_send_load(queue, op);

	/* Drop a buffer of an earlier entry that did not end here. */
	doca_send_drop(queue);
	/* Memory of another process cannot be sent. */
	if (unlikely(status == DOCA_STATUS_START))
		return DOCA_STATUS_NOT_SUPPORTED;
	return status ?: doca_producer_step(queue, op);
}

static u32 doca_send_cancel(struct doca_queue *queue, struct doca_op *op)
{
	doca_send_drop(queue);
	return DOCA_STATUS_CANCELED;
}

static u32 doca_send_start(struct doca_queue *queue, struct doca_flight *flight)
{
	return doca_producer_wait(queue, flight);
}

static u32 doca_send_finish(struct doca_queue *queue,
			    struct doca_flight *flight)
{
	return doca_producer_go_on(queue, &flight->op);
}

const struct doca_op_type doca_op_send_to = {
	.name = "send_to",
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_IMM_MASK,
	.aux = DOCA_AUX_CONSUMER,
	.nr_op = 2,
	.max_src = DOCA_OP_ANY,
	.max_dst = DOCA_MAX_IMM,
	.max_ops = 1,
	.prepare = doca_send_prepare,
	.step = doca_producer_step,
	.cancel = doca_send_cancel,
	.start = doca_send_start,
	.recall = doca_producer_recall,
	.finish = doca_send_finish,
	.private = sizeof(struct doca_parked),
};

/* Its queue never executes it; the senders do. */
const struct doca_op_type doca_op_post_recv = {
	.name = "post_recv",
	.max_dst = DOCA_OP_ANY,
};
