/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_RDMA_POLL_H
#define DOCA_RDMA_POLL_H

#include <stdbool.h>

#include "connection.h"

/*
 * Return true if there is a completion. If the queue has failed, there is none any more; the next
 * turn of progress gives the context up.
 */
bool rdma_look(struct doca_rdma *rdma);

/*
 * Return true if nothing of a closed connection is in flight, and no completion of its receives
 * is left.
 */
bool rdma_is_drained(const struct doca_rdma_connection *connection);

#endif /* DOCA_RDMA_POLL_H */
