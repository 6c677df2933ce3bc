// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Connections of programs that listen with librdmacm themselves. They read the events of the
 * identifier, and tell of those that matter; a channel of ours cannot have it, for to migrate it is
 * to wait until the program has acknowledged all of them.
 */
#include <doca_error.h>

#include "async.h"
#include "cm.h"

LOG_SOURCE("RDMA");

/* Return why it cannot be taken, or NULL. */
static const char *fault_of(const struct doca_rdma *rdma,
			    const struct rdma_cm_id *id)
{
	uint32_t i;

	for (i = 0; i < rdma->nr_connections; i++)
		if (rdma->slots[i]->cm_id == id)
			return "belongs to a connection already";
	if (id->qp)
		return "has a queue pair, and the connection has its own";
	if (id->qp_type != IBV_QPT_RC)
		return "is of another kind than reliable connections";
	return NULL;
}

doca_error_t doca_rdma_bridge_prepare_connection(
	struct doca_rdma *rdma, struct rdma_cm_id *cm_id,
	struct doca_rdma_connection **rdma_connection)
{
	static const struct log_site site = LOG_SITE;
	/* The peer's limits are in an event of the program: as many as the devices have. */
	const struct rdma_conn_param param = {
		.responder_resources = UINT8_MAX,
		.initiator_depth = UINT8_MAX,
	};
	const char *fault;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !given(cm_id) || !given(rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma->ctx), return DOCA_ERROR_IN_USE);
	ret = rdma_is_running(rdma, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!rdma_cm_fits(rdma, cm_id))
		return FAIL(INVALID_VALUE,
			    "%s %p cannot have a connection of %s: it is of %s",
			    rdma->ctx.type->name, (void *)rdma,
			    rdma_cm_dev_name(cm_id), rdma->ctx.dev->info.name);
	fault = fault_of(rdma, cm_id);
	if (fault)
		return FAIL(INVALID_VALUE, "identifier %p %s", (void *)cm_id,
			    fault);
	ret = rdma_cm_take(rdma, cm_id, &param, DOCA_LOG_LEVEL_ERROR,
			   rdma_connection);
	if (ret == DOCA_SUCCESS)
		(*rdma_connection)->bridged = true;
	return ret;
}

static doca_error_t is_bridged(struct doca_rdma *rdma,
			       const struct doca_rdma_connection *connection,
			       enum rdma_state state,
			       const struct log_site *site)
{
	doca_error_t ret = rdma_is_running(rdma, site);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (connection->bridged && connection->state == state)
		return DOCA_SUCCESS;
	return FAIL_AT(site, BAD_STATE,
		       "%s(): connection %u was not %s by the bridge",
		       site->func, connection->id,
		       state == RDMA_REQUESTED ? "prepared" : "accepted");
}

doca_error_t
doca_rdma_bridge_accept(struct doca_rdma *rdma, void *private_data,
			uint8_t private_data_len,
			struct doca_rdma_connection *rdma_connection)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !valid(rdma_connection) ||
	    refused(rdma_connection->rdma != rdma))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma->ctx), return DOCA_ERROR_IN_USE);
	ret = is_bridged(rdma, rdma_connection, RDMA_REQUESTED, &site);
	if (ret == DOCA_SUCCESS)
		ret = rdma_cm_accept(rdma_connection, private_data,
				     private_data_len);
	return ret;
}

doca_error_t
doca_rdma_bridge_established(struct doca_rdma *rdma,
			     struct doca_rdma_connection *rdma_connection)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !valid(rdma_connection) ||
	    refused(rdma_connection->rdma != rdma))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma->ctx), return DOCA_ERROR_IN_USE);
	ret = is_bridged(rdma, rdma_connection, RDMA_ACCEPTED, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	rdma_connection->state = RDMA_READY;
	rdma_async_remind(rdma_connection);
	rdma_cm_tell(rdma_connection, RDMA_TELL_ESTABLISHED);
	return DOCA_SUCCESS;
}
