/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Posting of requests. The tasks of a connection are in one list, in order: first those that
 * the device has, then those that wait for room in the queue pair's send queue or for a flush.
 */
#ifndef DOCA_RDMA_POST_H
#define DOCA_RDMA_POST_H

#include "connection.h"

/* Take a task over, behind all others of its connection, or of the context; see struct lane_ops. */
void rdma_submit(struct doca_task *task, bool flush);
doca_error_t rdma_put(struct doca_task *task, bool flush);

/* Post all that there is room for. Return true if something was posted. */
bool rdma_post(struct doca_rdma *rdma);

/* Return true if the send queue has so much room that it is to be filled. */
static inline bool rdma_has_room(const struct doca_rdma_connection *connection)
{
	return connection->posted <= connection->rdma->sq_size / 2;
}

/* Take the first task of a connection out of its list. */
struct doca_task *rdma_pop(struct doca_rdma_connection *connection);

/* Likewise one that is posted, as its request is done. */
static inline void rdma_pop_posted(struct doca_rdma_connection *connection)
{
	connection->first = connection->first->next;
	connection->posted--;
	if (connection->unposted && rdma_has_room(connection))
		rdma_connection_kick(connection);
}

/* The device has no task of the connection any more: none of them is posted. */
void rdma_take_back(struct doca_rdma_connection *connection);

/* Return true if the first task is to be ended here, for the device does not have it. */
bool rdma_ends_here(const struct doca_rdma_connection *connection);

#endif /* DOCA_RDMA_POST_H */
