// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * SLOW: copies after a delay, in an interrupt, with all bits inverted. So to the driver it
 * looks like an operation of a device. The first word of the result is the number of
 * operations that were finished in this session, or in the queue without one; the second
 * is the number of bytes.
 */
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/time64.h>

#include "access.h"
#include "ops.h"
#include "slow.h"

#define DOCA_SLOW_MAX_LENGTH SZ_4K

/* Data in a queue, and in each session. */
struct doca_slow_space {
	u64 finished;
};

static struct doca_slow *doca_slow_of(struct doca_flight *flight)
{
	return (struct doca_slow *)flight->private;
}

static u32 doca_slow_prepare(struct doca_queue *queue, struct doca_op *op)
{
	const u64 known = DOCA_SLOW_STATUS | DOCA_SLOW_DEAF | DOCA_SLOW_REFUSE;
	const struct doca_sqe *sqe = &op->sqe;

	if (sqe->op[0] > DOCA_SLOW_MAX_NS || sqe->op[1] & ~known)
		return DOCA_STATUS_BAD_ENTRY;
	if (sqe->src.length > DOCA_SLOW_MAX_LENGTH ||
	    sqe->src.length > sqe->dst.length)
		return DOCA_STATUS_BAD_LENGTH;
	return DOCA_STATUS_START;
}

static void doca_slow_back(struct doca_slow *slow)
{
	struct doca_flight *flight = slow->flight;
	const struct doca_sqe *sqe = &flight->op.sqe;
	u8 bytes[64];
	u32 i;

	while (flight->op.done < sqe->src.length) {
		u64 done = flight->op.done;
		u32 len = min_t(u64, sizeof(bytes), sqe->src.length - done);

		if (doca_mapping_read(slow->src, sqe->src.address + done, bytes,
				      len))
			break;
		for (i = 0; i < len; i++)
			bytes[i] = ~bytes[i];
		if (doca_mapping_write(slow->dst, sqe->dst.address + done, bytes,
				       len))
			break;
		flight->op.done += len;
	}
	doca_flight_complete(flight, sqe->op[1] & DOCA_SLOW_STATUS);
}

static u32 doca_slow_start(struct doca_queue *queue, struct doca_flight *flight)
{
	struct doca_slow *slow = doca_slow_of(flight);
	const struct doca_sqe *sqe = &flight->op.sqe;
	u32 status;

	status = doca_op_resolve(queue, &sqe->src, DOCA_ACCESS_LOCAL_READ,
				 &slow->src) ?:
		 doca_op_resolve(queue, &sqe->dst, DOCA_ACCESS_LOCAL_WRITE,
				 &slow->dst);
	if (status)
		return status;
	slow->flight = flight;
	slow->back = doca_slow_back;
	doca_flight_use(flight, slow->src);
	doca_flight_use(flight, slow->dst);
	if (sqe->op[1] & DOCA_SLOW_REFUSE)
		return DOCA_STATUS_FAILED;
	if (sqe->op[0])
		doca_slow_set(slow, sqe->op[0]);
	else
		doca_slow_back(slow);
	return DOCA_STATUS_PENDING;
}

static bool doca_slow_recall(struct doca_flight *flight)
{
	if (flight->op.sqe.op[1] & DOCA_SLOW_DEAF)
		return false;
	return doca_slow_unset(doca_slow_of(flight));
}

static u32 doca_slow_finish(struct doca_queue *queue, struct doca_flight *flight)
{
	const struct doca_sqe *sqe = &flight->op.sqe;
	struct doca_slow_space *space = doca_flight_space(flight);

	if (sqe->aux)
		space = doca_queue_session(queue, sqe);
	flight->op.result[0] = ++space->finished;
	flight->op.result[1] = flight->op.done;
	return DOCA_STATUS_SUCCESS;
}

const struct doca_op_type doca_op_slow = {
	.name = "slow",
	.aux = DOCA_AUX_SESSION,
	.nr_op = 2,
	.max_src = DOCA_SLOW_MAX_LENGTH,
	.max_dst = DOCA_SLOW_MAX_LENGTH,
	.max_ops = DOCA_MAX_OPS,
	.cost = SZ_4K,
	.prepare = doca_slow_prepare,
	.start = doca_slow_start,
	.recall = doca_slow_recall,
	.finish = doca_slow_finish,
	.private = sizeof(struct doca_slow),
	.space = sizeof(struct doca_slow_space),
	.session = sizeof(struct doca_slow_space),
};
