// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Queue pairs, and the states through which they are led. */
#include <errno.h>
#include <sys/random.h>

#include <rdma/rdma_cma.h>

#include "connection.h"
#include "core/base/errno_text.h"

LOG_SOURCE("RDMA");

#define MAX_INLINE 220 /* bytes */
#define ACK_TIMEOUT 16 /* 4.096 us * 2^16, 0.27 s */
#define RETRIES 6
#define RNR_TIMER 12 /* 0.64 ms */
#define HOPS 64
#define MASK_24 0xffffff

static int access_of(const struct doca_rdma *rdma)
{
	uint32_t flags = rdma->set.permissions;
	int access = IBV_ACCESS_LOCAL_WRITE;

	if (flags & DOCA_ACCESS_FLAG_RDMA_READ)
		access |= IBV_ACCESS_REMOTE_READ;
	if (flags & DOCA_ACCESS_FLAG_RDMA_WRITE)
		access |= IBV_ACCESS_REMOTE_WRITE;
	if (flags & DOCA_ACCESS_FLAG_RDMA_ATOMIC)
		access |= IBV_ACCESS_REMOTE_ATOMIC;
	return access;
}

static int to_init(struct doca_rdma_connection *connection)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = DEV_PORT,
		.qp_access_flags = access_of(connection->rdma),
	};

	return -ibv_modify_qp(connection->qp, &attr,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				      IBV_QP_ACCESS_FLAGS);
}

/* A device may not have that many bytes of data in an entry: then it has none. */
static struct ibv_qp *create(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	struct ibv_qp_init_attr attr = {
		.qp_context = connection,
		.send_cq = rdma->cq,
		.recv_cq = rdma->cq,
		.srq = rdma->srq,
		.cap = {
			.max_send_wr = rdma->sq_size,
			.max_send_sge = rdma->set.send_list,
			.max_inline_data = MAX_INLINE,
		},
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_qp *qp = ibv_create_qp(rdma->pd, &attr);

	connection->max_inline = qp ? MAX_INLINE : 0;
	if (qp)
		return qp;
	attr.cap.max_send_wr = rdma->sq_size;
	attr.cap.max_send_sge = rdma->set.send_list;
	attr.cap.max_inline_data = 0;
	return ibv_create_qp(rdma->pd, &attr);
}

int rdma_qp_create(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	uint32_t psn = 0;
	int err;

	/* Packets of an earlier connection of that number must not fit. */
	if (getrandom(&psn, sizeof(psn), 0) < 0)
		return -errno;
	connection->qp = create(connection);
	if (!connection->qp)
		return errno ? -errno : -EIO;
	connection->here = (struct rdma_end){
		.ethernet = rdma->hca.ethernet,
		.mtu = rdma->port.mtu,
		.rd_atomic = rdma->hca.rd_atomic,
		.sl = rdma->set.sl,
		.port = DEV_PORT,
		.lid = rdma->port.lid,
		.qp_num = connection->qp->qp_num,
		.psn = psn & MASK_24,
		.gid = rdma->port.gid,
	};
	err = to_init(connection);
	if (err)
		rdma_qp_destroy(connection);
	return err;
}

void rdma_qp_destroy(struct doca_rdma_connection *connection)
{
	int err = connection->qp ? ibv_destroy_qp(connection->qp) : 0;

	if (err)
		LOG_ERR("connection %u: its queue pair stays: %s; the device may "
			"write to memory of its receive tasks until their mmaps "
			"are destroyed",
			connection->id, errno_text(err));
	connection->qp = NULL;
}

/* InfiniBand has no need of a GID within a subnet. */
static struct ibv_ah_attr way_there(const struct doca_rdma_connection *c)
{
	const struct doca_rdma *rdma = c->rdma;

	return (struct ibv_ah_attr){
		.is_global = rdma->set.grh,
		.port_num = DEV_PORT,
		.dlid = c->there.lid,
		.sl = rdma->set.sl,
		.grh = {
			.dgid = c->there.gid,
			.sgid_index = rdma->port.gid_index,
			.hop_limit = HOPS,
		},
	};
}

static int to_rtr(struct doca_rdma_connection *connection, uint32_t psn)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = connection->mtu,
		.dest_qp_num = connection->there.qp_num,
		.rq_psn = psn,
		.max_dest_rd_atomic = connection->here.rd_atomic,
		.min_rnr_timer = RNR_TIMER,
		.ah_attr = way_there(connection),
	};

	return -ibv_modify_qp(connection->qp, &attr,
			      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				      IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				      IBV_QP_MAX_DEST_RD_ATOMIC |
				      IBV_QP_MIN_RNR_TIMER);
}

static int to_rts(struct doca_rdma_connection *connection)
{
	const struct doca_rdma *rdma = connection->rdma;
	uint8_t rd_atomic = rdma->hca.init_rd_atomic;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.timeout = ACK_TIMEOUT,
		.retry_cnt = RETRIES,
		.rnr_retry = rdma->set.rnr_retry,
		.sq_psn = connection->here.psn,
	};

	if (rd_atomic > connection->there.rd_atomic)
		rd_atomic = connection->there.rd_atomic;
	attr.max_rd_atomic = rd_atomic;
	return -ibv_modify_qp(connection->qp, &attr,
			      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				      IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				      IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Leave it in INIT if it fails: another descriptor may do. */
int rdma_qp_connect(struct doca_rdma_connection *connection)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
	int err;

	connection->mtu = connection->here.mtu;
	if (connection->there.mtu < connection->mtu)
		connection->mtu = connection->there.mtu;
	err = to_rtr(connection, connection->there.psn);
	if (!err)
		err = to_rts(connection);
	if (err && !ibv_modify_qp(connection->qp, &reset, IBV_QP_STATE))
		to_init(connection);
	return err;
}

static void lower(uint8_t *limit, uint8_t *other)
{
	if (*other < *limit)
		*limit = *other;
	*other = *limit;
}

/*
 * Times are not those that a connection manager chooses, and rights are given by nobody but the
 * program.
 */
static void alter(struct doca_rdma_connection *connection,
		  struct ibv_qp_attr *attr)
{
	const struct doca_rdma *rdma = connection->rdma;

	switch (attr->qp_state) {
	case IBV_QPS_INIT:
		attr->qp_access_flags = access_of(rdma);
		break;
	case IBV_QPS_RTR:
		if (attr->path_mtu > rdma->port.mtu)
			attr->path_mtu = rdma->port.mtu;
		connection->mtu = attr->path_mtu;
		lower(&connection->here.rd_atomic, &attr->max_dest_rd_atomic);
		attr->min_rnr_timer = RNR_TIMER;
		if (rdma->set.sl)
			attr->ah_attr.sl = rdma->set.sl;
		break;
	default:
		attr->timeout = ACK_TIMEOUT;
		attr->retry_cnt = RETRIES;
		attr->rnr_retry = rdma->set.rnr_retry;
		lower(&connection->there.rd_atomic, &attr->max_rd_atomic);
	}
}

int rdma_qp_follow(struct doca_rdma_connection *connection)
{
	static const enum ibv_qp_state states[] = { IBV_QPS_INIT, IBV_QPS_RTR,
						    IBV_QPS_RTS };
	struct ibv_qp_attr attr;
	int err, mask;
	size_t i;

	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		memset(&attr, 0, sizeof(attr));
		attr.qp_state = states[i];
		if (rdma_init_qp_attr(connection->cm_id, &attr, &mask))
			return -errno;
		alter(connection, &attr);
		err = -ibv_modify_qp(connection->qp, &attr, mask);
		if (err)
			return err;
	}
	return 0;
}

/* It may be in that state already. */
void rdma_qp_fail(struct doca_rdma_connection *connection)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	if (connection->qp)
		ibv_modify_qp(connection->qp, &attr, IBV_QP_STATE);
}

/*
 * A peer that has executed a send answers it again, for it has the same number, and does not
 * execute it twice. The peer may have sent in the meantime, so the number that is expected of
 * it is the queue pair's. Soft RoCE may put a queue pair that has failed into the error state
 * only after a first reset.
 */
int rdma_qp_repeat(struct doca_rdma_connection *connection)
{
	struct ibv_qp_attr attr, reset = { .qp_state = IBV_QPS_RESET };
	struct ibv_qp_init_attr init;
	int err;

	err = -ibv_query_qp(connection->qp, &attr, IBV_QP_RQ_PSN, &init);
	if (!err)
		err = -ibv_modify_qp(connection->qp, &reset, IBV_QP_STATE);
	if (!err)
		err = -ibv_modify_qp(connection->qp, &reset, IBV_QP_STATE);
	if (!err)
		err = to_init(connection);
	if (!err)
		err = to_rtr(connection, attr.rq_psn);
	return err ? err : to_rts(connection);
}
