/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Asynchronous events of devices: a queue pair has failed, or all of the device. There is one
 * stream of them for all contexts on a device, and the first one that looks reads an event. So the
 * reader marks the context and the connection that it is of, and wakes that context, which acts
 * on its marks in its own thread.
 */
#ifndef DOCA_RDMA_ASYNC_H
#define DOCA_RDMA_ASYNC_H

#include <stdbool.h>

#include "connection.h"

/*
 * Called before anything is made on the device: a failure that another context has read since then is
 * known when the context joins.
 */
void rdma_async_begin(struct doca_rdma *rdma);

/* From the start of a context until its stop. */
void rdma_async_join(struct doca_rdma *rdma);
void rdma_async_leave(struct doca_rdma *rdma);

/* Read the events of the context's device, and mark those that they are of. */
void rdma_async_read(struct doca_rdma *rdma);

/* Return true if there are events of it. */
static inline bool
rdma_async_is_told(const struct doca_rdma_connection *connection)
{
	return __atomic_load_n(&connection->reported, __ATOMIC_RELAXED);
}

/* Mark its context again if events of it wait for what has happened to it just now. */
void rdma_async_mark(struct doca_rdma_connection *connection);
static inline void rdma_async_remind(struct doca_rdma_connection *connection)
{
	if (rdma_async_is_told(connection))
		rdma_async_mark(connection);
}

static inline bool rdma_async_is_marked(const struct doca_rdma *rdma)
{
	return __atomic_load_n(&rdma->marks, __ATOMIC_RELAXED);
}

/* Act on the marks of the context. Return true if there were some. */
bool rdma_async_act(struct doca_rdma *rdma);

#endif /* DOCA_RDMA_ASYNC_H */
