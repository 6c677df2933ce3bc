/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_RDMA_POLL_H
#define DOCA_RDMA_POLL_H

#include <stdbool.h>

#include "connection.h"

/* The queue has failed: there is no completion any more. The next turn gives the context up. */
void rdma_queue_failed(struct doca_rdma *rdma);

/* Return true if there is a completion, in a queue that works. */
static inline bool rdma_poll(struct doca_rdma *rdma)
{
	int n;

	if (rdma->nr_wcs)
		return true;
	n = ibv_poll_cq(rdma->cq, RDMA_POLL, rdma->wcs);
	if (doca_unlikely(n < 0))
		rdma_queue_failed(rdma);
	if (n <= 0)
		return false;
	rdma->wc = rdma->wcs;
	rdma->nr_wcs = n;
	rdma->turned = false;
	return true;
}

/* Take the one that there is. */
static inline void rdma_pop_wc(struct doca_rdma *rdma)
{
	rdma->wc++;
	rdma->nr_wcs--;
	rdma->taken++;
}

/* Return true if there is a completion. */
static inline bool rdma_look(struct doca_rdma *rdma)
{
	return rdma->nr_wcs || (!rdma->failed && !rdma->cut && rdma_poll(rdma));
}

/*
 * Return true if nothing of a closed connection is in flight, and no completion of its receives
 * is left.
 */
bool rdma_is_drained(const struct doca_rdma_connection *connection);

#endif /* DOCA_RDMA_POLL_H */
