// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * INVALIDATE: the program no longer needs the content of some memory, so caches need not
 * write it back. A CPU cannot safely drop a dirty line, and a coherent one has no stale
 * lines: so the advice is ignored. It is only checked like any other access, so that no
 * program relies on calls that a device would refuse.
 */
#include "memory.h"
#include "ops.h"
#include "queue.h"

static u32 doca_invalidate_prepare(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	const struct doca_mapping *mapping;
	u32 status;

	status = doca_op_resolve(queue, &sqe->dst, DOCA_ACCESS_LOCAL_WRITE,
				 &mapping);
	if (status)
		return status;
	if (sqe->dst.length > DOCA_OP_MAX_LENGTH)
		return DOCA_STATUS_BAD_LENGTH;
	return DOCA_STATUS_SUCCESS;
}

const struct doca_op_type doca_op_invalidate = {
	.name = "invalidate",
	.remote = DOCA_REMOTE_SENT,
	.max_dst = DOCA_OP_ANY,
	.prepare = doca_invalidate_prepare,
};
