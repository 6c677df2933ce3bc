// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Connections to a peer's address. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>

#include <infiniband/ib.h>

#include <doca_error.h>

#include "cm.h"
#include "core/base/clock.h"
#include "core/base/errno_text.h"

LOG_SOURCE("RDMA");

#define NS_PER_MS 1000000ull
#define ATTEMPT_TIMEOUTS 4 /* an attempt takes at most so many of its steps */
#define ATTEMPT_MIN_MS 10000ull

void rdma_cm_limit_time(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	uint64_t ms = (uint64_t)rdma->set.timeout_ms * ATTEMPT_TIMEOUTS;

	if (ms < ATTEMPT_MIN_MS)
		ms = ATTEMPT_MIN_MS;
	connection->until = clock_ns() + ms * NS_PER_MS;
	if (rdma->cm_until && rdma->cm_until < connection->until)
		return;
	rdma->cm_until = connection->until;
	ctx_set_deadline(&rdma->ctx, rdma->cm_until);
}

/* Ports of InfiniBand are identifiers of services, of which a range is that of TCP's ports. */
static void make_ib(const struct doca_rdma_addr *addr,
		    struct sockaddr_storage *to)
{
	struct sockaddr_ib *ib = (struct sockaddr_ib *)to;

	memset(to, 0, sizeof(*to));
	ib->sib_family = AF_IB;
	ib->sib_pkey = htobe16(0xffff);
	memcpy(&ib->sib_addr, addr->gid.raw, sizeof(addr->gid.raw));
	ib->sib_sid =
		htobe64(((uint64_t)RDMA_PS_TCP << 16) | (uint64_t)addr->port);
	ib->sib_sid_mask = htobe64(~0ull);
}

/*
 * A program that has chosen a GID means to go out by it. Those of InfiniBand are no addresses of
 * interfaces.
 */
static int resolve(struct doca_rdma_connection *connection)
{
	const struct doca_rdma_addr *addr = connection->addr;
	struct doca_rdma *rdma = connection->rdma;
	const struct rdma_port *port = &rdma->port;
	struct sockaddr_storage from, to;
	struct sockaddr *src = NULL;

	rdma_sockaddr_make(&addr->gid, addr->scope ? addr->scope : port->scope,
			   addr->port, &to);
	if (addr->type == DOCA_RDMA_ADDR_TYPE_GID && !rdma->hca.ethernet)
		make_ib(addr, &to);
	rdma_sockaddr_make(&port->gid, port->scope, 0, &from);
	if (rdma->set.has_gid && rdma->hca.ethernet &&
	    from.ss_family == to.ss_family)
		src = (struct sockaddr *)&from;
	if (rdma_resolve_addr(connection->cm_id, src, (struct sockaddr *)&to,
			      rdma->set.timeout_ms))
		return -errno;
	return 0;
}

static int ask_peer(struct doca_rdma_connection *connection)
{
	const struct doca_rdma *rdma = connection->rdma;
	struct rdma_conn_param param = {
		.responder_resources = rdma->hca.rd_atomic,
		.initiator_depth = rdma->hca.init_rd_atomic,
		.flow_control = 1,
		.retry_count = 6,
		.rnr_retry_count = rdma->set.rnr_retry,
		.srq = 1,
		.qp_num = connection->qp->qp_num,
	};

	connection->state = RDMA_CONNECTING;
	return rdma_connect(connection->cm_id, &param) ? -errno : 0;
}

static int take_answer(struct doca_rdma_connection *connection,
		       const struct rdma_conn_param *param)
{
	int err;

	rdma_cm_limit(connection, param);
	err = rdma_qp_follow(connection);
	if (!err && rdma_establish(connection->cm_id))
		err = -errno;
	if (err)
		return err;
	connection->state = RDMA_READY;
	connection->until = 0;
	LOG_DBG("connection %u is connected", connection->id);
	rdma_cm_tell(connection, RDMA_TELL_ESTABLISHED);
	return 0;
}

static void resolved(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	char why[256];

	if (!rdma_cm_fits(rdma, connection->cm_id)) {
		snprintf(why, sizeof(why), "the way there is by %s, not by %s",
			 rdma_cm_dev_name(connection->cm_id),
			 rdma->ctx.dev->info.name);
		rdma_cm_fail(connection, why, 0);
		return;
	}
	if (rdma_resolve_route(connection->cm_id, rdma->set.timeout_ms))
		rdma_cm_fail(connection, "there is no way to it", errno);
}

void rdma_cm_step(struct doca_rdma_connection *connection,
		  const struct rdma_cm_event *event)
{
	int err = 0;

	if (connection->state != RDMA_RESOLVING &&
	    connection->state != RDMA_CONNECTING)
		return;
	if (event->event == RDMA_CM_EVENT_ADDR_RESOLVED) {
		resolved(connection);
		return;
	}
	if (event->event == RDMA_CM_EVENT_ROUTE_RESOLVED)
		err = ask_peer(connection);
	else
		err = take_answer(connection, &event->param.conn);
	if (err)
		rdma_cm_fail(connection, "it cannot be connected", err);
}

/* Its memory stays with the slot, for the program may have a pointer to it. */
static doca_error_t prepare(struct doca_rdma_connection *connection,
			    uint32_t level)
{
	connection->by_address = true;
	connection->contacted = true;
	if (!connection->addr)
		connection->addr = rdma_addr_alloc();
	if (connection->addr)
		return DOCA_SUCCESS;
	LOG_(level, "out of memory for the address of a connection");
	return DOCA_ERROR_NO_MEMORY;
}

static doca_error_t begin(struct doca_rdma_connection *connection,
			  const struct doca_rdma_addr *addr)
{
	struct doca_rdma *rdma = connection->rdma;
	doca_error_t ret = prepare(connection, DOCA_LOG_LEVEL_ERROR);
	int err;

	if (ret != DOCA_SUCCESS)
		return ret;
	*connection->addr = *addr;
	connection->addr->of_connection = true;
	if (rdma_create_id(rdma->cm, &connection->cm_id, connection,
			   RDMA_PS_TCP)) {
		connection->cm_id = NULL;
		return FAIL(DRIVER, "%s: no identifier of a connection: %s",
			    rdma->ctx.dev->info.name, errno_text(errno));
	}
	rdma_cm_limit_time(connection);
	err = resolve(connection);
	if (err)
		rdma_cm_fail(connection, "its address is not reached", err);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma,
				       struct doca_rdma_addr *addr,
				       union doca_data connection_user_data)
{
	static const struct log_site site = LOG_SITE;
	struct doca_rdma_connection *connection;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !valid(addr))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&rdma->ctx), return DOCA_ERROR_IN_USE);
	ret = rdma_is_running(rdma, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!rdma->set.on.established)
		return FAIL(BAD_STATE,
			    "%s %p cannot tell of connections by address: "
			    "call doca_rdma_set_connection_state_callbacks() "
			    "before the start",
			    rdma->ctx.type->name, (void *)rdma);
	ret = rdma_cm_open(rdma);
	if (ret == DOCA_SUCCESS)
		ret = rdma_connection_new(rdma, RDMA_RESOLVING,
					  DOCA_LOG_LEVEL_ERROR, &connection);
	if (ret != DOCA_SUCCESS)
		return ret;
	connection->user_data = connection_user_data;
	ret = begin(connection, addr);
	if (ret != DOCA_SUCCESS)
		rdma_connection_free(connection);
	return ret;
}

doca_error_t rdma_cm_take(struct doca_rdma *rdma, struct rdma_cm_id *id,
			  const struct rdma_conn_param *param, uint32_t level,
			  struct doca_rdma_connection **out)
{
	struct doca_rdma_connection *connection;
	doca_error_t ret;

	ret = rdma_connection_new(rdma, RDMA_REQUESTED, level, &connection);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = prepare(connection, level);
	if (ret != DOCA_SUCCESS) {
		rdma_connection_free(connection);
		return ret;
	}
	rdma_addr_set(connection->addr, rdma_get_peer_addr(id));
	rdma_cm_limit(connection, param);
	connection->cm_id = id;
	*out = connection;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connection_get_addr(
	const struct doca_rdma_connection *rdma_connection,
	struct doca_rdma_addr **addr)
{
	if (!valid(rdma_connection) || !given(addr))
		return DOCA_ERROR_INVALID_VALUE;
	if (!rdma_connection->by_address)
		return FAIL(INVALID_VALUE,
			    "connection %u was made by details: it has no "
			    "address",
			    rdma_connection->id);
	*addr = rdma_connection->addr;
	return DOCA_SUCCESS;
}
