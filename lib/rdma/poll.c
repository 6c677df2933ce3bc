// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The completion queue of a context. */
#include "poll.h"

void rdma_queue_failed(struct doca_rdma *rdma)
{
	rdma->failed = true;
	rdma_stir(rdma);
	doca_priv_ctx_kick(&rdma->ctx);
}

/*
 * Completions of receives name the queue pair that they came by, and some devices drop them
 * with it. So it goes when there are none, or all that were there at its end have been taken:
 * it is in the error state, and gets no more.
 */
bool rdma_is_drained(const struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;

	if (connection->first)
		return false;
	return (int32_t)(rdma->taken - connection->last_taken) >= 0 ||
	       !rdma_look(rdma);
}
