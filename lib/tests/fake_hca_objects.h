/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of fake_hca.h: functions that make and change the device's objects. */
#ifndef DOCA_TESTS_FAKE_HCA_OBJECTS_H
#define DOCA_TESTS_FAKE_HCA_OBJECTS_H

static int hca_query_port(struct ibv_context *ctx, uint8_t port, struct ibv_port_attr *attr,
			  size_t size)
{
	(void)ctx;
	EXPECT_EQ(port, 1);
	memcpy(attr, &hca.port, size);
	return hca.port_error;
}

#undef ibv_get_device_list
struct ibv_device **ibv_get_device_list(int *n)
{
	static struct ibv_device *list[2] = { &hca_device };

	(void)n;
	strcpy(hca_device.name, hca.name);
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	(void)list;
}

const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

/* Fail with an errno of the test's. */
#define HCA_FAIL(error)              \
	do {                         \
		errno = hca.error;   \
		if (hca.error)       \
			return NULL; \
	} while (0)

/* Memory fails where the libraries' does. */
#define HCA_NEW(object)                                  \
	do {                                             \
		(object) = calloc(1, sizeof(*(object))); \
		errno = ENOMEM;                          \
		if (!(object))                           \
			return NULL;                     \
	} while (0)

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	HCA_FAIL(open_error);
	if (!hca.contexts++)
		EXPECT_EQ(pipe2(hca_events, O_CLOEXEC), 0);
	hca_context = (struct verbs_context){
		.sz = sizeof(hca_context),
		.query_port = hca_query_port,
		.context = {
			.device = device,
			.ops = {
				.poll_cq = hca_poll,
				.req_notify_cq = hca_arm,
				.post_send = hca_post_send,
				.post_srq_recv = hca_post_receive,
			},
			.cmd_fd = -1,
			.async_fd = hca_events[0],
			.abi_compat = __VERBS_ABI_IS_EXTENDED,
		},
	};
	return &hca_context.context;
}

int ibv_close_device(struct ibv_context *ctx)
{
	(void)ctx;
	if (--hca.contexts)
		return 0;
	close(hca_events[0]);
	close(hca_events[1]);
	return 0;
}

/* It blocks if there is none. */
int ibv_get_async_event(struct ibv_context *ctx, struct ibv_async_event *event)
{
	if (read(ctx->async_fd, event, sizeof(*event)) != sizeof(*event))
		return -1;
	hca.unacknowledged++;
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	(void)event;
	hca.unacknowledged--;
}

int ibv_query_device(struct ibv_context *ctx, struct ibv_device_attr *attr)
{
	(void)ctx;
	*attr = hca.attr;
	return hca.query_error;
}

int ibv_query_gid(struct ibv_context *ctx, uint8_t port, int index, union ibv_gid *gid)
{
	(void)ctx, (void)port;
	if (index >= HCA_GIDS || hca.gid_error)
		return -1;
	*gid = hca.gids[index].gid;
	return 0;
}

int _ibv_query_gid_ex(struct ibv_context *ctx, uint32_t port, uint32_t index,
		      struct ibv_gid_entry *entry, uint32_t flags, size_t size)
{
	(void)ctx, (void)port, (void)flags;
	EXPECT_EQ(size, sizeof(*entry));
	if (index >= HCA_GIDS || hca.gid_error)
		return ENODATA;
	*entry = hca.gids[index];
	return 0;
}

/* Entries without an address are not in it. */
ssize_t _ibv_query_gid_table(struct ibv_context *ctx, struct ibv_gid_entry *entries, size_t max,
			     uint32_t flags, size_t size)
{
	static const union ibv_gid none;
	ssize_t n = 0;

	(void)ctx, (void)flags;
	EXPECT_EQ(size, sizeof(*entries));
	if (hca.gid_error)
		return -hca.gid_error;
	for (int i = 0; i < HCA_GIDS && (size_t)n < max; i++)
		if (memcmp(&hca.gids[i].gid, &none, sizeof(none)))
			entries[n++] = hca.gids[i];
	return n;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *ctx)
{
	struct ibv_pd *pd;

	HCA_NEW(pd);
	pd->context = ctx;
	hca.pds++;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	if (hca.cqs || hca.srqs || hca.qps || hca.mrs)
		return EBUSY;
	free(pd);
	hca.pds--;
	return 0;
}

static struct ibv_mr *hca_reg(struct ibv_pd *pd, void *addr, size_t len, int access)
{
	struct ibv_mr *mr = &hca_mrs[hca_next_mr];

	HCA_FAIL(mr_error);
	hca_access[hca_next_mr] = access;
	*mr = (struct ibv_mr){
		.context = pd->context,
		.pd = pd,
		.addr = addr,
		.length = len,
		.lkey = 100 + hca_next_mr,
		.rkey = 1000 + hca_next_mr,
	};
	hca_next_mr++;
	hca.mrs++;
	return mr;
}

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access)
{
	return hca_reg(pd, addr, len, access);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t len, uint64_t iova,
				unsigned int access)
{
	(void)iova;
	return hca_reg(pd, addr, len, access);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	mr->context = NULL;
	hca.mrs--;
	return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *ctx)
{
	struct ibv_comp_channel *channel;

	HCA_FAIL(channel_error);
	HCA_NEW(channel);
	channel->context = ctx;
	channel->fd = eventfd(0, 0);
	hca.channels++;
	return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	close(channel->fd);
	free(channel);
	hca.channels--;
	return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *ctx, int size, void *arg,
			     struct ibv_comp_channel *channel, int vector)
{
	struct hca_cq *cq;

	(void)arg, (void)vector;
	HCA_FAIL(cq_error);
	HCA_NEW(cq);
	cq->cq.context = ctx;
	cq->cq.channel = channel;
	cq->size = size;
	hca.cqs++;
	return &cq->cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	EXPECT_EQ(cq->channel->refcnt, 0);
	free(cq);
	hca.cqs--;
	return 0;
}

/* The channel has one queue, and counts the events that are not acknowledged. */
int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **arg)
{
	eventfd_t n;

	(void)cq, (void)arg;
	if (eventfd_read(channel->fd, &n))
		return -1;
	channel->refcnt++;
	return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int n)
{
	cq->channel->refcnt -= n;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	struct hca_srq *srq;

	HCA_FAIL(srq_error);
	if (hca.at_srq)
		hca.at_srq();
	EXPECT(attr->attr.max_wr && attr->attr.max_sge);
	HCA_NEW(srq);
	srq->srq.context = pd->context;
	hca.srqs++;
	return &srq->srq;
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
	for (int i = 0; i < HCA_OBJECTS; i++)
		EXPECT(!hca_qps[i].qp.qp_num || &hca_qps[i].srq->srq != srq);
	free(srq);
	hca.srqs--;
	return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct hca_qp *qp = hca_qps;

	HCA_FAIL(qp_error);
	errno = EINVAL;
	if (hca.no_inline && attr->cap.max_inline_data)
		return NULL;
	while (qp->qp.qp_num)
		qp++;
	EXPECT_EQ(attr->qp_type, IBV_QPT_RC);
	qp->qp.context = pd->context;
	qp->qp.qp_context = attr->qp_context;
	qp->qp.srq = attr->srq;
	qp->qp.qp_num = ++hca_next_qp;
	qp->cq = (struct hca_cq *)attr->send_cq;
	EXPECT(attr->recv_cq == attr->send_cq);
	qp->srq = (struct hca_srq *)attr->srq;
	qp->state = IBV_QPS_RESET;
	qp->size = attr->cap.max_send_wr;
	qp->n = 0;
	hca.qps++;
	return &qp->qp;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	EXPECT_EQ(hca.unacknowledged, 0);
	qp->qp_num = 0;
	hca.qps--;
	return 0;
}

int ibv_modify_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask)
{
	struct hca_qp *qp = (struct hca_qp *)base;

	if (attr->qp_state == IBV_QPS_RTR && hca.rtr_error)
		return hca.rtr_error;
	if (attr->qp_state == IBV_QPS_RTR)
		hca.rtr = *attr;
	if (attr->qp_state == IBV_QPS_RTS)
		hca.rts = *attr;
	if (attr->qp_state == IBV_QPS_RESET)
		qp->n = 0;
	if (mask & IBV_QP_DEST_QPN)
		qp->dest = attr->dest_qp_num;
	if (mask & IBV_QP_ACCESS_FLAGS)
		qp->access = hca.flags = attr->qp_access_flags;
	qp->state = attr->qp_state;
	hca_go();
	return 0;
}

int ibv_query_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init)
{
	(void)mask;
	memset(attr, 0, sizeof(*attr));
	memset(init, 0, sizeof(*init));
	attr->qp_state = ((struct hca_qp *)base)->state;
	attr->rq_psn = 77;
	return hca.query_qp_error;
}

static inline void hca_set_gid(int index, enum ibv_gid_type type, const char *raw)
{
	hca.gids[index].gid_type = type;
	memcpy(hca.gids[index].gid.raw, raw, 16);
}

/* A device like soft-RoCE; GIDs are those of the link, of RoCE v1, IPv6 and IPv4. */
static inline void hca_reset(const char *name)
{
	memset(&hca, 0, sizeof(hca));
	memset(hca_qps, 0, sizeof(hca_qps));
	memset(hca_mrs, 0, sizeof(hca_mrs));
	hca_next_qp = 16;
	hca_next_mr = 0;
	hca.name = name;
	hca_device.transport_type = IBV_TRANSPORT_IB;
	hca.attr = (struct ibv_device_attr){
		.max_qp_wr = 1000,
		.max_srq_wr = 500,
		.max_cqe = 400,
		.max_sge = 40,
		.max_srq_sge = 27,
		.max_qp_rd_atom = 128,
		.max_qp_init_rd_atom = 16,
		.atomic_cap = IBV_ATOMIC_HCA,
	};
	hca.port = (struct ibv_port_attr){
		.link_layer = IBV_LINK_LAYER_ETHERNET,
		.active_mtu = IBV_MTU_1024,
		.max_msg_sz = 1 << 20,
		.gid_tbl_len = HCA_GIDS,
	};
	for (int i = 0; i < HCA_GIDS; i++)
		hca.gids[i] = (struct ibv_gid_entry){ .gid_index = i, .port_num = 1 };
	hca_set_gid(0, IBV_GID_TYPE_ROCE_V2, "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1");
	hca_set_gid(1, IBV_GID_TYPE_ROCE_V1, "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\1");
	hca_set_gid(2, IBV_GID_TYPE_ROCE_V2, "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1");
	hca_set_gid(3, IBV_GID_TYPE_ROCE_V2, "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\1");
}

#endif /* DOCA_TESTS_FAKE_HCA_OBJECTS_H */
