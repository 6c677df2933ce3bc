// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* How connections end: at once, or with a callback if librdmacm made them. */
#include <doca_error.h>

#include "cm.h"
#include "core/base/errno_text.h"

LOG_SOURCE("RDMA");

static void end(struct doca_rdma_connection *connection)
{
	connection->until = 0;
	rdma_connection_close(connection);
}

void rdma_cm_disconnect(struct doca_rdma_connection *connection)
{
	enum rdma_state state = connection->state;

	LOG_DBG("connection %u ends", connection->id);
	end(connection);
	if (state == RDMA_REQUESTED && connection->cm_id)
		rdma_reject(connection->cm_id, NULL, 0);
	else if (connection->cm_id)
		rdma_disconnect(connection->cm_id);
	rdma_cm_tell(connection, state == RDMA_REQUESTED ?
					 RDMA_TOLD :
					 RDMA_TELL_DISCONNECT);
}

void rdma_cm_drop(struct doca_rdma_connection *connection)
{
	end(connection);
	connection->due = 0;
	rdma_cm_tell(connection, RDMA_TOLD);
}

/* Peers cannot fill the log. */
void rdma_cm_fail(struct doca_rdma_connection *connection, const char *why,
		  int err)
{
	const struct doca_rdma_addr *addr = connection->addr;
	bool asked = connection->state == RDMA_ACCEPTED;

	LOG_(asked ? DOCA_LOG_LEVEL_DEBUG : DOCA_LOG_LEVEL_ERROR,
	     "connection %u with %s, port %u, has failed: %s%s%s",
	     connection->id, addr->text, addr->port, why, err ? ": " : "",
	     err ? errno_text(err) : "");
	end(connection);
	rdma_cm_tell(connection, RDMA_TELL_FAILURE);
}

/* Return true if there is another connection that works, or that may come to. */
static bool has_hope(const struct doca_rdma *rdma)
{
	enum rdma_state state;
	uint32_t i;

	if (!list_empty(&rdma->listeners))
		return true;
	for (i = 0; i < rdma->nr_connections; i++) {
		state = rdma->slots[i]->state;
		if (rdma_is_coming(state) || state == RDMA_READY ||
		    state == RDMA_REPEATING)
			return true;
	}
	return false;
}

/* A callback tells of the end of one by address, so the context need not stop to tell it. */
void rdma_connection_break(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;

	if (connection->state != RDMA_READY &&
	    connection->state != RDMA_REPEATING)
		return;
	if (connection->by_address && !rdma->canceled) {
		rdma_cm_disconnect(connection);
		return;
	}
	connection->state = RDMA_BROKEN;
	rdma_qp_fail(connection);
	rdma_connection_kick(connection);
	if (!rdma->canceled && !has_hope(rdma))
		ctx_failed(&rdma->ctx, "no connection is left that works");
}
