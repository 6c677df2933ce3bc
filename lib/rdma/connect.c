// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Connections by descriptors, which the programs exchange by any means. */
#include <arpa/inet.h>
#include <errno.h>

#include <doca_error.h>

#include "cm.h"
#include "connection.h"
#include "core/base/errno_text.h"

LOG_SOURCE("RDMA");

doca_error_t doca_rdma_export(struct doca_rdma *rdma,
			      const void **local_rdma_conn_details,
			      size_t *local_rdma_conn_details_size,
			      struct doca_rdma_connection **rdma_connection)
{
	static const struct log_site site = LOG_SITE;
	struct doca_rdma_connection *connection;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !given(local_rdma_conn_details) ||
	    !given(local_rdma_conn_details_size) || !given(rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma->ctx), return DOCA_ERROR_IN_USE);
	ret = rdma_is_running(rdma, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = rdma_connection_new(rdma, RDMA_EXPORTED, DOCA_LOG_LEVEL_ERROR,
				  &connection);
	if (ret != DOCA_SUCCESS)
		return ret;
	rdma_desc_write(connection->desc, &connection->here);
	LOG_DBG("%s %p: connection %u is exported", rdma->ctx.type->name,
		(void *)rdma, connection->id);
	*local_rdma_conn_details = connection->desc;
	*local_rdma_conn_details_size = sizeof(connection->desc);
	*rdma_connection = connection;
	return DOCA_SUCCESS;
}

static doca_error_t aborted(const struct doca_rdma_connection *connection,
			    int err)
{
	char from[INET6_ADDRSTRLEN] = "?", to[INET6_ADDRSTRLEN] = "?";

	inet_ntop(AF_INET6, connection->here.gid.raw, from, sizeof(from));
	inet_ntop(AF_INET6, connection->there.gid.raw, to, sizeof(to));
	return FAIL(CONNECTION_ABORTED,
		    "cannot connect connection %u from %s to %s: %s%s",
		    connection->id, from, to, errno_text(err),
		    err == -ETIMEDOUT ?
			    "; there may be no route. On one host use one "
			    "device, or addresses of the link" :
			    "");
}

static doca_error_t connect_to(struct doca_rdma_connection *connection,
			       const void *details, size_t size)
{
	struct rdma_end there;
	const char *why = rdma_desc_read(details, size, &there);
	int err;

	if (!why && there.ethernet != connection->here.ethernet)
		why = "they are of another kind of link";
	if (why)
		return FAIL(CONNECTION_ABORTED,
			    "cannot connect connection %u by these details: %s",
			    connection->id, why);
	connection->there = there;
	err = rdma_qp_connect(connection);
	if (err)
		return aborted(connection, err);
	connection->state = RDMA_READY;
	LOG_DBG("connection %u is connected", connection->id);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connect(struct doca_rdma *rdma,
			       const void *remote_rdma_conn_details,
			       size_t remote_rdma_conn_details_size,
			       struct doca_rdma_connection *rdma_connection)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !given(remote_rdma_conn_details) ||
	    !given(remote_rdma_conn_details_size) || !valid(rdma_connection) ||
	    refused(rdma_connection->rdma != rdma))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma->ctx), return DOCA_ERROR_IN_USE);
	ret = rdma_is_running(rdma, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (rdma_connection->state != RDMA_EXPORTED)
		return FAIL(BAD_STATE,
			    "cannot connect connection %u: it was connected "
			    "before",
			    rdma_connection->id);
	return connect_to(rdma_connection, remote_rdma_conn_details,
			  remote_rdma_conn_details_size);
}

doca_error_t
doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma_connection->rdma->ctx),
		  return DOCA_ERROR_IN_USE);
	if (rdma_is_ours(rdma_connection->rdma, &site) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	if (rdma_connection->state == RDMA_CLOSED ||
	    rdma_connection->state == RDMA_FREE)
		return DOCA_SUCCESS;
	if (rdma_connection->by_address) {
		rdma_cm_disconnect(rdma_connection);
		return DOCA_SUCCESS;
	}
	rdma_connection_close(rdma_connection);
	rdma_settle(rdma_connection);
	return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_connection_set_user_data(struct doca_rdma_connection *rdma_connection,
				   union doca_data connection_user_data)
{
	if (!valid(rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	rdma_connection->user_data = connection_user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connection_get_user_data(
	const struct doca_rdma_connection *rdma_connection,
	union doca_data *connection_user_data)
{
	if (!valid(rdma_connection) || !given(connection_user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*connection_user_data = rdma_connection->user_data;
	return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_connection_get_id(const struct doca_rdma_connection *rdma_connection,
			    uint32_t *connection_id)
{
	if (!valid(rdma_connection) || !given(connection_id))
		return DOCA_ERROR_INVALID_VALUE;
	*connection_id = rdma_connection->id;
	return DOCA_SUCCESS;
}
