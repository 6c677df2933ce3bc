/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Plain verbs for tests: queue pairs of a device, connected with each other. */
#ifndef SELFTESTS_API_VERBS_H
#define SELFTESTS_API_VERBS_H

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include <infiniband/verbs.h>

#include "bed.h"

#define VERBS_PORT 1
#define VERBS_GID_IPV4 0x0000ffff
#define VERBS_QKEY 0x11111111
#define VERBS_ACCESS                                        \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
	 IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

/* A queue pair, and one completion queue for sending and receiving. */
struct verbs_qp {
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	union ibv_gid gid;
	int gid_index;
};

/* Open the device of this name, any if NULL; NULL if there is none. */
static inline struct ibv_context *verbs_open(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	int i;

	for (i = 0; list && list[i] && !ctx; i++)
		if (!name || !strcmp(ibv_get_device_name(list[i]), name))
			ctx = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	return ctx;
}

/* Find the GID that is the interface's address, if it has one by now. */
static inline int verbs_find_gid(struct verbs_qp *q, struct ibv_context *ctx)
{
	uint32_t words[4];
	int i;

	for (i = 0; !ibv_query_gid(ctx, VERBS_PORT, i, &q->gid); i++) {
		memcpy(words, &q->gid, sizeof(words));
		q->gid_index = i;
		if (!words[0] && !words[1] && words[2] == htonl(VERBS_GID_IPV4))
			return 0;
	}
	return -ENOENT;
}

/* Make a queue pair. Even after a failure, destroy it by verbs_qp_destroy(). */
static inline int verbs_qp_create(struct verbs_qp *q, struct ibv_pd *pd,
				  enum ibv_qp_type type)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = type,
		.cap = { .max_send_wr = 4,
			 .max_recv_wr = 4,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};

	q->cq = ibv_create_cq(pd->context, 8, NULL, NULL, 0);
	if (!q->cq)
		return -errno;
	attr.send_cq = q->cq;
	attr.recv_cq = q->cq;
	q->qp = ibv_create_qp(pd, &attr);
	return q->qp ? verbs_find_gid(q, pd->context) : -errno;
}

static inline void verbs_qp_destroy(struct verbs_qp *q)
{
	if (q->qp)
		ibv_destroy_qp(q->qp);
	if (q->cq)
		ibv_destroy_cq(q->cq);
}

/*
 * Reset a queue pair from any state. A failed request may be reported before soft RoCE moves
 * the queue pair to the error state, at either end: a reset that meets this ends in that
 * state, but not before both have been dealt with. So the second reset holds.
 */
static inline int verbs_qp_init(struct verbs_qp *q, enum ibv_qp_type type)
{
	const bool is_ud = type == IBV_QPT_UD;
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };
	int err = ibv_modify_qp(q->qp, &attr, IBV_QP_STATE);

	if (!err)
		err = ibv_modify_qp(q->qp, &attr, IBV_QP_STATE);
	if (err)
		return err;
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT,
				     .port_num = VERBS_PORT,
				     .qkey = is_ud ? VERBS_QKEY : 0,
				     .qp_access_flags = VERBS_ACCESS };
	return ibv_modify_qp(q->qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				     (is_ud ? IBV_QP_QKEY :
					      IBV_QP_ACCESS_FLAGS));
}

static inline struct ibv_ah_attr verbs_way_to(const struct verbs_qp *from,
					      const struct verbs_qp *to)
{
	return (struct ibv_ah_attr){
		.is_global = 1,
		.port_num = VERBS_PORT,
		.grh = { .dgid = to->gid,
			 .sgid_index = from->gid_index,
			 .hop_limit = 4 },
	};
}

/* Connect a reliable connection, from any state. */
static inline int verbs_connect(struct verbs_qp *q, const struct verbs_qp *to)
{
	struct ibv_qp_attr attr;
	int err = verbs_qp_init(q, IBV_QPT_RC);

	if (err)
		return err;
	attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = to->qp->qp_num,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = verbs_way_to(q, to),
	};
	err = ibv_modify_qp(q->qp, &attr,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				    IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				    IBV_QP_MAX_DEST_RD_ATOMIC |
				    IBV_QP_MIN_RNR_TIMER);
	if (err)
		return err;
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS,
				     .timeout = 18,
				     .retry_cnt = 7,
				     .rnr_retry = 7,
				     .max_rd_atomic = 1 };
	return ibv_modify_qp(q->qp, &attr,
			     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				     IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				     IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Make a queue pair for unreliable datagrams ready, from any state. */
static inline int verbs_ready(struct verbs_qp *q)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR };
	int err = verbs_qp_init(q, IBV_QPT_UD);

	if (!err)
		err = ibv_modify_qp(q->qp, &attr, IBV_QP_STATE);
	attr.qp_state = IBV_QPS_RTS;
	return err ? err :
		     ibv_modify_qp(q->qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN);
}

/* Return the status of the next completion; -1 if none comes. */
static inline int verbs_wait_for(struct ibv_cq *cq, double seconds)
{
	double end = bed_now() + seconds;
	struct ibv_wc wc;

	while (bed_now() < end)
		if (ibv_poll_cq(cq, 1, &wc) == 1)
			return wc.status;
	return -1;
}

static inline int verbs_wait(struct ibv_cq *cq)
{
	return verbs_wait_for(cq, 20);
}

#define NOT_POSTED -2

/* Make one request; return its status. */
static inline int verbs_request(struct verbs_qp *q, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	wr->send_flags = IBV_SEND_SIGNALED;
	if (ibv_post_send(q->qp, wr, &bad))
		return NOT_POSTED;
	return verbs_wait(q->cq);
}

static inline int verbs_receive(struct verbs_qp *q, uint64_t at, uint32_t lkey,
				size_t len)
{
	struct ibv_sge sge = { at, len, lkey };
	struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

	return ibv_post_recv(q->qp, &wr, &bad);
}

#endif
