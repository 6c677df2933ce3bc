// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Listeners, and answers to those who ask. */
#include <errno.h>
#include <stdlib.h>

#include <doca_error.h>

#include "cm.h"
#include "core/base/errno_text.h"

LOG_SOURCE("RDMA");

#define BACKLOG 128
#define MAX_DATA 196 /* bytes of private data of an answer */

static struct rdma_listener *find(const struct doca_rdma *rdma, uint16_t port)
{
	struct rdma_listener *listener;
	struct list *link;

	list_for_each(link, &rdma->listeners) {
		listener = list_entry(link, struct rdma_listener, link);
		if (listener->port == port)
			return listener;
	}
	return NULL;
}

static void undo(struct rdma_listener *listener)
{
	while (listener->nr_ids)
		rdma_destroy_id(listener->ids[--listener->nr_ids]);
	list_del(&listener->link);
	free(listener);
}

/* Listen at one address. Return 0 or an errno. */
static int listen_at(struct doca_rdma *rdma, struct rdma_listener *listener,
		     struct sockaddr_storage *addr)
{
	struct rdma_cm_id *id;
	int err = 0;

	if (rdma_create_id(rdma->cm, &id, NULL, RDMA_PS_TCP))
		return errno;
	if (rdma_bind_addr(id, (struct sockaddr *)addr) ||
	    rdma_listen(id, BACKLOG))
		err = errno;
	if (err)
		rdma_destroy_id(id);
	else
		listener->ids[listener->nr_ids++] = id;
	return err;
}

/*
 * Addresses of RoCE are in the table of GIDs, often twice. On InfiniBand there is one listener for
 * all devices, which rejects who comes by another. A GID may be no address of the interface.
 */
static int listen_everywhere(struct doca_rdma *rdma,
			     struct rdma_listener *listener,
			     const struct rdma_gids *gids)
{
	static const union ibv_gid any;
	struct sockaddr_storage addr;
	int err, last = ENODEV;
	uint32_t i;

	for (i = 0; i < gids->nr; i++) {
		rdma_sockaddr_make(&gids->entries[i].gid,
				   gids->entries[i].ndev_ifindex,
				   listener->port, &addr);
		err = listen_at(rdma, listener, &addr);
		if (err == EADDRINUSE)
			return err;
		if (err)
			last = err;
	}
	if (rdma->hca.ethernet)
		return listener->nr_ids ? 0 : last;
	rdma_sockaddr_make(&any, 0, listener->port, &addr);
	return listen_at(rdma, listener, &addr);
}

static doca_error_t start(struct doca_rdma *rdma, uint16_t port)
{
	struct rdma_listener *listener;
	struct rdma_gids gids;
	int err = 0;

	gids.nr = 0;
	if (rdma->hca.ethernet)
		err = rdma_gids_ask(rdma->pd->context, &gids);
	if (err)
		return FAIL(DRIVER, "%s does not tell its addresses: %s",
			    rdma->ctx.dev->info.name, errno_text(err));
	listener = calloc(1, sizeof(*listener) +
				     (gids.nr + 1) * sizeof(*listener->ids));
	if (!listener)
		return OUT_OF_MEMORY("a listener");
	listener->port = port;
	list_add_tail(&rdma->listeners, &listener->link);
	err = listen_everywhere(rdma, listener, &gids);
	if (!err)
		return DOCA_SUCCESS;
	undo(listener);
	return FAIL(CONNECTION_ABORTED,
		    "%s %p cannot listen to port %u of %s: %s",
		    rdma->ctx.type->name, (void *)rdma, port,
		    rdma->ctx.dev->info.name, errno_text(err));
}

doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma,
					    uint16_t port)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !given(port))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma->ctx), return DOCA_ERROR_IN_USE);
	ret = rdma_is_running(rdma, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!rdma->set.on.request)
		return FAIL(BAD_STATE,
			    "%s %p cannot tell of peers: call "
			    "doca_rdma_set_connection_state_callbacks() with a "
			    "callback for requests before the start",
			    rdma->ctx.type->name, (void *)rdma);
	if (find(rdma, port))
		return FAIL(BAD_STATE, "%s %p listens to port %u already",
			    rdma->ctx.type->name, (void *)rdma, port);
	ret = rdma_cm_open(rdma);
	return ret == DOCA_SUCCESS ? start(rdma, port) : ret;
}

/* Requests of which the program was told are not concerned. */
doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma,
					   uint16_t port)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_listener *listener;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !given(port))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma->ctx), return DOCA_ERROR_IN_USE);
	ret = rdma_is_running(rdma, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	listener = find(rdma, port);
	if (!listener)
		return FAIL(BAD_STATE, "%s %p does not listen to port %u",
			    rdma->ctx.type->name, (void *)rdma, port);
	undo(listener);
	return DOCA_SUCCESS;
}

static doca_error_t may_answer(const struct doca_rdma_connection *connection,
			       const struct log_site *site)
{
	if (connection->state == RDMA_REQUESTED)
		return DOCA_SUCCESS;
	return FAIL_AT(site, CONNECTION_ABORTED,
		       "%s(): connection %u has no request of a peer that is "
		       "to be answered",
		       site->func, connection->id);
}

/* The queue pair works before the peer hears of it. */
doca_error_t rdma_cm_accept(struct doca_rdma_connection *connection,
			    const void *data, uint8_t len)
{
	const struct doca_rdma *rdma = connection->rdma;
	struct rdma_conn_param param = {
		.private_data = len ? data : NULL,
		.private_data_len = len,
		.flow_control = 1,
		.rnr_retry_count = rdma->set.rnr_retry,
		.srq = 1,
		.qp_num = connection->qp->qp_num,
	};
	int err;

	if (refused(len > MAX_DATA) || (len && !given(data)))
		return DOCA_ERROR_INVALID_VALUE;
	err = rdma_qp_follow(connection);
	param.responder_resources = connection->here.rd_atomic;
	param.initiator_depth = connection->there.rd_atomic;
	if (!err && rdma_accept(connection->cm_id, &param))
		err = -errno;
	if (!err) {
		connection->state = RDMA_ACCEPTED;
		if (!connection->bridged)
			rdma_cm_limit_time(connection);
		return DOCA_SUCCESS;
	}
	rdma_reject(connection->cm_id, NULL, 0);
	rdma_cm_drop(connection);
	return FAIL(CONNECTION_ABORTED,
		    "connection %u cannot be accepted: %s; the peer is "
		    "rejected",
		    connection->id, errno_text(err));
}

doca_error_t
doca_rdma_connection_accept(struct doca_rdma_connection *rdma_connection,
			    void *private_data, uint8_t private_data_len)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid(rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma_connection->rdma->ctx),
		  return DOCA_ERROR_IN_USE);
	ret = rdma_is_running(rdma_connection->rdma, &site);
	if (ret == DOCA_SUCCESS)
		ret = may_answer(rdma_connection, &site);
	if (ret == DOCA_SUCCESS)
		ret = rdma_cm_accept(rdma_connection, private_data,
				     private_data_len);
	return ret;
}

doca_error_t
doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid(rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma_connection->rdma->ctx),
		  return DOCA_ERROR_IN_USE);
	ret = rdma_is_running(rdma_connection->rdma, &site);
	if (ret == DOCA_SUCCESS)
		ret = may_answer(rdma_connection, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	rdma_reject(rdma_connection->cm_id, NULL, 0);
	rdma_cm_drop(rdma_connection);
	return DOCA_SUCCESS;
}
