// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>

#include "loop.h"
#include "msg.h"
#include "rdma_way.h"

#define RECEIVES 2 /* as many as with the library */
#define PORT 1
#define ACCESS                                             \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_WRITE)

static int open_device(struct verbs_way *vw)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	unsigned int i;

	for (i = 0; list && list[i] && !vw->context; i++)
		if (!strcmp(ibv_get_device_name(list[i]), vw->device))
			vw->context = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	return vw->context ? 0 : fail("cannot open %s by verbs", vw->device);
}

static int open_memory(struct verbs_way *vw)
{
	const struct area *area = vw->way.area;

	vw->pd = ibv_alloc_pd(vw->context);
	if (vw->pd)
		vw->mr = ibv_reg_mr(vw->pd, area->src, area->length, ACCESS);
	return vw->mr ? 0 : fail_errno(errno, "cannot register the memory");
}

static struct ibv_qp *make_qp(struct verbs_way *vw)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = vw->cq,
		.recv_cq = vw->far_cq,
		.cap = {
			.max_send_wr = vw->load.depth,
			.max_recv_wr = RECEIVES * vw->load.depth,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};

	return ibv_create_qp(vw->pd, &attr);
}

/* Ready to receive from a peer, which is on the same port, and to send. */
static int connect_to(struct ibv_qp *qp, const struct ibv_qp *peer,
		      const struct ibv_port_attr *port,
		      const union ibv_gid *gid)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = PORT,
		.qp_access_flags = ACCESS,
		.path_mtu = port->active_mtu,
		.dest_qp_num = peer->qp_num,
		.max_dest_rd_atomic = 1,
		.max_rd_atomic = 1,
		.min_rnr_timer = 12,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.ah_attr = {
			.is_global = 1,
			.grh = { .dgid = *gid, .hop_limit = 1 },
			.dlid = port->lid,
			.port_num = PORT,
		},
	};

	if (ibv_modify_qp(qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				  IBV_QP_ACCESS_FLAGS))
		return -1;
	attr.qp_state = IBV_QPS_RTR;
	if (ibv_modify_qp(qp, &attr,
			  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				  IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				  IBV_QP_MAX_DEST_RD_ATOMIC |
				  IBV_QP_MIN_RNR_TIMER))
		return -1;
	attr.qp_state = IBV_QPS_RTS;
	return ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				     IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				     IBV_QP_MAX_QP_RD_ATOMIC) ?
		       -1 :
		       0;
}

static int open_ends(struct verbs_way *vw)
{
	struct ibv_port_attr port;
	union ibv_gid gid;

	vw->cq = ibv_create_cq(vw->context, vw->load.depth, NULL, NULL, 0);
	vw->far_cq = ibv_create_cq(vw->context, RECEIVES * vw->load.depth, NULL,
				   NULL, 0);
	if (vw->cq && vw->far_cq) {
		vw->near = make_qp(vw);
		vw->far = make_qp(vw);
	}
	if (!vw->near || !vw->far)
		return fail_errno(errno, "cannot make queue pairs");
	if (ibv_query_port(vw->context, PORT, &port) ||
	    ibv_query_gid(vw->context, PORT, 0, &gid) ||
	    connect_to(vw->near, vw->far, &port, &gid) ||
	    connect_to(vw->far, vw->near, &port, &gid))
		return fail_errno(errno, "cannot connect queue pairs");
	return 0;
}

static struct ibv_sge sge_of(const struct verbs_way *vw, const uint8_t *addr)
{
	return (struct ibv_sge){
		.addr = (uintptr_t)addr,
		.length = vw->load.size,
		.lkey = vw->mr->lkey,
	};
}

static int post_receive(struct verbs_way *vw)
{
	size_t offset = vw->next_receive * vw->load.size;
	struct ibv_sge sge = sge_of(vw, vw->way.area->dst + offset);
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	vw->next_receive = (vw->next_receive + 1) % vw->slots;
	return ibv_post_recv(vw->far, &wr, &bad);
}

static int post(struct verbs_way *vw)
{
	size_t offset = vw->next * vw->load.size;
	uint8_t *src = vw->way.area->src + offset;
	uint8_t *dst = vw->way.area->dst + offset;
	struct ibv_sge sge = sge_of(vw, vw->kind == RDMA_READ ? dst : src);
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	vw->next = (vw->next + 1) % vw->slots;
	if (vw->kind == RDMA_SEND) {
		wr.opcode = IBV_WR_SEND;
	} else {
		wr.opcode = vw->kind == RDMA_READ ? IBV_WR_RDMA_READ :
						    IBV_WR_RDMA_WRITE;
		wr.wr.rdma.remote_addr =
			(uintptr_t)(vw->kind == RDMA_READ ? src : dst);
		wr.wr.rdma.rkey = vw->mr->rkey;
	}
	return ibv_post_send(vw->near, &wr, &bad);
}

static int submit(void *self, unsigned int n)
{
	while (n--)
		if (post(self))
			return fail_errno(errno, "cannot post a request");
	return 0;
}

/* Give the receives that were used back. */
static int poll_far(struct verbs_way *vw)
{
	struct ibv_wc wc[16];
	int i, n = ibv_poll_cq(vw->far_cq, 16, wc);

	for (i = 0; i < n; i++)
		if (wc[i].status != IBV_WC_SUCCESS || post_receive(vw))
			return fail("a receive: %s",
				    ibv_wc_status_str(wc[i].status));
	return n < 0 ? fail("cannot poll") : 0;
}

static int reap(void *self)
{
	struct verbs_way *vw = self;
	struct patience patience = { 0 };
	struct ibv_wc wc[16];
	int i, n;

	do {
		if (vw->kind == RDMA_SEND && poll_far(vw))
			return -1;
		n = ibv_poll_cq(vw->cq, 16, wc);
		if (!n && patience_lost(&patience))
			return fail("no completion in %d seconds",
				    PATIENCE_SECONDS);
	} while (!n);
	for (i = 0; i < n; i++)
		if (wc[i].status != IBV_WC_SUCCESS)
			return fail("a request: %s",
				    ibv_wc_status_str(wc[i].status));
	return n < 0 ? fail("cannot poll") : n;
}

static int verbs_run(struct way *way, struct meter *meter)
{
	struct verbs_way *vw = container_of(way, struct verbs_way, way);

	return loop_run(vw, &vw->load, meter, submit, reap);
}

static void verbs_close(struct way *way)
{
	struct verbs_way *vw = container_of(way, struct verbs_way, way);

	if (vw->near)
		ibv_destroy_qp(vw->near);
	if (vw->far)
		ibv_destroy_qp(vw->far);
	if (vw->cq)
		ibv_destroy_cq(vw->cq);
	if (vw->far_cq)
		ibv_destroy_cq(vw->far_cq);
	if (vw->mr)
		ibv_dereg_mr(vw->mr);
	if (vw->pd)
		ibv_dealloc_pd(vw->pd);
	if (vw->context)
		ibv_close_device(vw->context);
	verbs_way_init(vw, vw->kind, way->area, vw->device);
}

static int post_receives(struct verbs_way *vw)
{
	unsigned int i;

	for (i = 0; i < RECEIVES * vw->load.depth; i++)
		if (vw->kind == RDMA_SEND && post_receive(vw))
			return fail_errno(errno, "cannot post a receive");
	return 0;
}

static int verbs_open(struct way *way, const struct load *load)
{
	struct verbs_way *vw = container_of(way, struct verbs_way, way);

	vw->load = *load;
	vw->slots = area_slots(way->area, load);
	if (!open_device(vw) && !open_memory(vw) && !open_ends(vw) &&
	    !post_receives(vw))
		return 0;
	verbs_close(way);
	return -1;
}

void verbs_way_init(struct verbs_way *vw, enum rdma_kind kind,
		    const struct area *area, const char *device)
{
	*vw = (struct verbs_way){
		.way = {
			.name = "verbs",
			.open = verbs_open,
			.run = verbs_run,
			.close = verbs_close,
			.area = area,
		},
		.kind = kind,
		.device = device,
	};
}
