/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * librdmacm for tests: identifiers of this process find each other by their ports, and each step
 * of one makes the event at the other that the real one makes. Steps fail where a test wants it.
 */
#ifndef DOCA_TESTS_FAKE_CM_H
#define DOCA_TESTS_FAKE_CM_H

#include <arpa/inet.h>

#include <rdma/rdma_cma.h>

#include "fake_hca.h"

#define CM_IDS 64
#define CM_EVENTS 64

static struct {
	/* Set by tests: */
	int channel_error, create_error, bind_error, listen_error;
	int resolve_error, route_error, connect_error, accept_error, establish_error, attr_error;
	int addr_status, route_status; /* the step begins, and ends so */
	unsigned int bind_good; /* number of addresses before bind_error */
	uint8_t rd_atomic; /* reads and atomic operations that a peer allows */
	uint8_t allowed; /* likewise, in its answer */
	bool silent; /* nobody answers */
	bool late; /* ESTABLISHED does not come yet */
	bool elsewhere; /* ways lead by another device */
	bool comes_elsewhere; /* requests come by another device */
	void (*in_channel)(void); /* called while one is made */

	/* Read by tests: */
	int channels, ids; /* existing ones */
	unsigned int listeners, disconnects, rejects;
	struct sockaddr_storage from, to; /* the last that were resolved */
	bool has_from;
	int timeout;
	struct rdma_conn_param param; /* the last answer */
	struct ibv_qp_attr attr; /* the last that was asked for */
} cm;

/* Each is an identifier; @peer has its other end. */
struct cm_id {
	struct rdma_cm_id id;
	struct cm_id *peer;
	uint16_t port; /* that it listens to */
	uint32_t qp_num;
	bool asked; /* a peer made it; it has no events before it was accepted */
	bool answered;
};

static struct cm_id *cm_all[CM_IDS];
static struct rdma_cm_event *cm_events[CM_EVENTS];
static unsigned int cm_nr_events, cm_unacked;

static struct ibv_device cm_other_device = { .name = "other" };
static struct ibv_context cm_other = { .device = &cm_other_device };

static inline void cm_reset(void)
{
	memset(&cm, 0, sizeof(cm));
	cm.rd_atomic = 200;
	cm.allowed = UINT8_MAX;
	memset(cm_all, 0, sizeof(cm_all));
	cm_nr_events = 0;
	cm_unacked = 0;
}

static inline struct cm_id *cm_of(struct rdma_cm_id *id)
{
	return (struct cm_id *)id;
}

static inline uint16_t cm_port(const struct sockaddr_storage *addr)
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)addr;
	const struct sockaddr_in *in = (const struct sockaddr_in *)addr;

	return ntohs(addr->ss_family == AF_INET ? in->sin_port : in6->sin6_port);
}

static inline void cm_event(struct cm_id *at, struct rdma_event_channel *channel,
			    enum rdma_cm_event_type type, int status,
			    const struct rdma_conn_param *param)
{
	struct rdma_cm_event *event = calloc(1, sizeof(*event));

	EXPECT(cm_nr_events < CM_EVENTS);
	event->id = &at->id;
	event->event = type;
	event->status = status;
	if (param)
		event->param.conn = *param;
	cm_events[cm_nr_events++] = event;
	eventfd_write(channel->fd, 1);
}

struct rdma_event_channel *rdma_create_event_channel(void)
{
	struct rdma_event_channel *channel;

	if (cm.in_channel)
		cm.in_channel();
	HCA_NEW(channel);
	errno = cm.channel_error;
	channel->fd = cm.channel_error ? -1 : eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	if (channel->fd < 0) {
		free(channel);
		return NULL;
	}
	cm.channels++;
	return channel;
}

/* Those of identifiers that exist must not be left. */
void rdma_destroy_event_channel(struct rdma_event_channel *channel)
{
	for (int i = 0; i < CM_IDS; i++)
		EXPECT(!cm_all[i] || cm_all[i]->id.channel != channel);
	close(channel->fd);
	free(channel);
	cm.channels--;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context,
		   enum rdma_port_space ps)
{
	struct cm_id *new;
	int i = 0;

	errno = cm.create_error;
	if (cm.create_error)
		return -1;
	EXPECT_EQ(ps, RDMA_PS_TCP);
	new = calloc(1, sizeof(*new));
	new->id.channel = channel;
	new->id.context = context;
	new->id.qp_type = IBV_QPT_RC;
	while (cm_all[i])
		i++;
	cm_all[i] = new;
	cm.ids++;
	*id = &new->id;
	return 0;
}

static inline void cm_forget(struct rdma_cm_id *id)
{
	eventfd_t n;

	for (unsigned int i = 0; i < cm_nr_events;) {
		if (cm_events[i]->id != id) {
			i++;
			continue;
		}
		eventfd_read(id->channel->fd, &n);
		free(cm_events[i]);
		memmove(cm_events + i, cm_events + i + 1,
			(--cm_nr_events - i) * sizeof(cm_events[0]));
	}
}

/* The other end hears of it. */
static inline void cm_part(struct cm_id *it, enum rdma_cm_event_type type)
{
	struct cm_id *peer = it->peer;

	if (!peer)
		return;
	it->peer = NULL;
	peer->peer = NULL;
	if (!peer->asked || peer->answered)
		cm_event(peer, peer->id.channel, type, 0, NULL);
}

int rdma_destroy_id(struct rdma_cm_id *id)
{
	struct cm_id *it = cm_of(id);
	bool found = false;

	/* The real one waits for it. */
	EXPECT_EQ(cm_unacked, 0);
	cm_forget(id);
	cm_part(it, it->answered ? RDMA_CM_EVENT_DISCONNECTED : RDMA_CM_EVENT_REJECTED);
	for (int i = 0; i < CM_IDS; i++) {
		found |= cm_all[i] == it;
		if (cm_all[i] == it)
			cm_all[i] = NULL;
	}
	EXPECT(found);
	cm.listeners -= it->port && 1;
	free(it);
	cm.ids--;
	return 0;
}

static inline void cm_found_device(struct rdma_cm_id *id, bool other)
{
	id->verbs = other ? &cm_other : &hca_context.context;
	id->port_num = 1;
}

static inline bool cm_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
	return !memcmp(a, b,
		       a->ss_family == AF_INET ? sizeof(struct sockaddr_in) :
						 sizeof(struct sockaddr_in6));
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr)
{
	struct sockaddr_storage *src = &id->route.addr.src_storage;

	memcpy(src, addr, sizeof(*src));
	errno = cm.bind_error;
	if (cm.bind_error && !cm.bind_good)
		return -1;
	cm.bind_good -= cm.bind_good > 0;
	errno = EADDRINUSE;
	for (int i = 0; i < CM_IDS; i++)
		if (cm_all[i] && cm_all[i]->port &&
		    cm_same(&cm_all[i]->id.route.addr.src_storage, src))
			return -1;
	cm_found_device(id, cm.elsewhere);
	return 0;
}

int rdma_listen(struct rdma_cm_id *id, int backlog)
{
	EXPECT_EQ(backlog, 128);
	errno = cm.listen_error;
	if (cm.listen_error)
		return -1;
	cm_of(id)->port = cm_port(&id->route.addr.src_storage);
	cm.listeners++;
	return 0;
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *from, struct sockaddr *to, int ms)
{
	cm.has_from = from;
	if (from)
		memcpy(&cm.from, from, sizeof(cm.from));
	memcpy(&cm.to, to, sizeof(cm.to));
	memcpy(&id->route.addr.dst_storage, to, sizeof(cm.to));
	cm.timeout = ms;
	errno = cm.resolve_error;
	if (cm.resolve_error)
		return -1;
	cm_found_device(id, cm.elsewhere);
	cm_event(cm_of(id), id->channel,
		 cm.addr_status ? RDMA_CM_EVENT_ADDR_ERROR : RDMA_CM_EVENT_ADDR_RESOLVED,
		 cm.addr_status, NULL);
	return 0;
}

int rdma_resolve_route(struct rdma_cm_id *id, int ms)
{
	EXPECT_EQ(ms, cm.timeout);
	errno = cm.route_error;
	if (cm.route_error)
		return -1;
	cm_event(cm_of(id), id->channel,
		 cm.route_status ? RDMA_CM_EVENT_ROUTE_ERROR : RDMA_CM_EVENT_ROUTE_RESOLVED,
		 cm.route_status, NULL);
	return 0;
}

/* One side may ask for as much as the other answers. */
static inline struct rdma_conn_param cm_mirror(const struct rdma_conn_param *param)
{
	struct rdma_conn_param mirror = *param;

	mirror.responder_resources = param->initiator_depth;
	mirror.initiator_depth = param->responder_resources;
	return mirror;
}

static inline struct cm_id *cm_listener(struct rdma_cm_id *id)
{
	struct sockaddr_storage *dst = &id->route.addr.dst_storage;

	for (int i = 0; i < CM_IDS; i++)
		if (cm_all[i] && cm_all[i]->port && cm_all[i]->port == cm_port(dst) &&
		    cm_all[i]->id.route.addr.src_storage.ss_family == dst->ss_family)
			return cm_all[i];
	return NULL;
}

int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *param)
{
	struct rdma_conn_param mirror = cm_mirror(param);
	struct cm_id *listener = cm_listener(id), *it = cm_of(id);
	struct sockaddr_in from = { .sin_family = AF_INET, .sin_port = htons(4000) };
	struct rdma_cm_id *new;

	errno = cm.connect_error;
	if (cm.connect_error)
		return -1;
	it->qp_num = param->qp_num;
	if (cm.silent)
		return 0;
	if (!listener) {
		cm_event(it, id->channel, RDMA_CM_EVENT_REJECTED, 8, NULL);
		return 0;
	}
	rdma_create_id(listener->id.channel, &new, listener->id.context, RDMA_PS_TCP);
	inet_pton(AF_INET, "192.0.2.9", &from.sin_addr);
	memcpy(&new->route.addr.dst_addr, &from, sizeof(from));
	cm_found_device(new, cm.comes_elsewhere);
	it->peer = cm_of(new);
	it->peer->asked = true;
	it->peer->peer = it;
	cm_event(it->peer, listener->id.channel, RDMA_CM_EVENT_CONNECT_REQUEST, 0, &mirror);
	return 0;
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *param)
{
	struct rdma_conn_param mirror = cm_mirror(param);
	struct cm_id *it = cm_of(id);

	errno = cm.accept_error;
	if (cm.accept_error)
		return -1;
	errno = EINVAL;
	if (!it->peer)
		return -1;
	cm.param = *param;
	if (mirror.initiator_depth > cm.allowed)
		mirror.initiator_depth = cm.allowed;
	it->qp_num = param->qp_num;
	it->answered = true;
	cm_event(it->peer, it->peer->id.channel, RDMA_CM_EVENT_CONNECT_RESPONSE, 0, &mirror);
	return 0;
}

int rdma_establish(struct rdma_cm_id *id)
{
	struct cm_id *it = cm_of(id);

	errno = cm.establish_error;
	if (cm.establish_error)
		return -1;
	it->answered = true;
	cm_event(it->peer, it->peer->id.channel, RDMA_CM_EVENT_ESTABLISHED, 0, NULL);
	return 0;
}

int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t len)
{
	EXPECT(!data && !len);
	cm.rejects++;
	cm_part(cm_of(id), RDMA_CM_EVENT_REJECTED);
	return 0;
}

int rdma_disconnect(struct rdma_cm_id *id)
{
	cm.disconnects++;
	cm_part(cm_of(id), RDMA_CM_EVENT_DISCONNECTED);
	return 0;
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **event)
{
	eventfd_t n;

	for (unsigned int i = 0; i < cm_nr_events; i++) {
		if (cm_events[i]->id->channel != channel ||
		    (cm.late && cm_events[i]->event == RDMA_CM_EVENT_ESTABLISHED))
			continue;
		*event = cm_events[i];
		memmove(cm_events + i, cm_events + i + 1,
			(--cm_nr_events - i) * sizeof(cm_events[0]));
		eventfd_read(channel->fd, &n);
		cm_unacked++;
		return 0;
	}
	errno = EAGAIN;
	return -1;
}

int rdma_ack_cm_event(struct rdma_cm_event *event)
{
	free(event);
	cm_unacked--;
	return 0;
}

const char *rdma_event_str(enum rdma_cm_event_type event)
{
	(void)event;
	return "an event";
}

int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *attr, int *mask)
{
	const struct cm_id *peer = cm_of(id)->peer;

	errno = cm.attr_error;
	if (cm.attr_error)
		return -1;
	*mask = IBV_QP_STATE;
	if (attr->qp_state == IBV_QPS_INIT) {
		*mask |= IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS;
		attr->port_num = 1;
		attr->qp_access_flags = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
	} else if (attr->qp_state == IBV_QPS_RTR) {
		*mask |= IBV_QP_DEST_QPN | IBV_QP_PATH_MTU | IBV_QP_MAX_DEST_RD_ATOMIC;
		attr->dest_qp_num = peer ? peer->qp_num : 0;
		attr->path_mtu = IBV_MTU_4096;
		attr->max_dest_rd_atomic = cm.rd_atomic;
	} else {
		*mask |= IBV_QP_TIMEOUT | IBV_QP_MAX_QP_RD_ATOMIC;
		attr->max_rd_atomic = cm.rd_atomic;
		attr->timeout = 19;
	}
	return 0;
}

#endif /* DOCA_TESTS_FAKE_CM_H */
