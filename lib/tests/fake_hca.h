/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * An RDMA device for tests: the functions of libibverbs, for queue pairs that are connected with
 * each other in this process. What a request does is done when it is posted or, if a test holds the
 * device, by hca_run(); it fails where a test wants it. Memory is checked by its keys.
 */
#ifndef DOCA_TESTS_FAKE_HCA_H
#define DOCA_TESTS_FAKE_HCA_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "ktap.h"

#define HCA_OBJECTS 128
#define HCA_QUEUE 256
#define HCA_SGES 32
#define HCA_GIDS 5

static struct hca {
	/* Set by tests: */
	struct ibv_device_attr attr;
	struct ibv_port_attr port;
	struct ibv_gid_entry gids[HCA_GIDS]; /* those with an index that is theirs */
	const char *name;
	int open_error, query_error, port_error, gid_error;
	int channel_error, cq_error, srq_error, qp_error, mr_error;
	int rtr_error; /* fails the next queue pairs that are to receive */
	int query_qp_error;
	bool no_inline; /* no queue pair has data in its entries */
	bool holds; /* requests wait for hca_run() */
	bool keeps; /* a queue pair that has failed gives nothing back */
	int post_error; /* fails a request */
	unsigned int post_good; /* number of requests before that */
	int doorbell_error; /* the requests are there, but the call fails */
	int receive_error;
	int poll_error;
	bool late; /* polls find nothing yet */
	enum ibv_wc_status status; /* status of the next request, which is not executed */
	bool stray; /* the next poll has a completion that is of no task */
	void (*at_srq)(void); /* called while a queue for receives is made */

	/* Read by tests: */
	int contexts, pds, channels, cqs, srqs, qps, mrs; /* existing ones */
	int unacknowledged; /* events that were read */
	unsigned int posts; /* calls */
	unsigned int posted; /* requests */
	unsigned int inlined; /* number of these with their data */
	unsigned int armed;
	int flags; /* access of the last queue pair */
	struct ibv_qp_attr rtr, rts; /* the last ones */
} hca;

struct hca_cq {
	struct ibv_cq cq;
	struct ibv_wc wcs[4 * HCA_QUEUE];
	unsigned int n;
	int size;
	bool armed;
};

struct hca_receive {
	uint64_t id;
	struct ibv_sge sges[HCA_SGES];
	int n;
};

struct hca_srq {
	struct ibv_srq srq;
	struct hca_receive queue[HCA_QUEUE];
	unsigned int n;
};

struct hca_send {
	struct ibv_send_wr wr;
	struct ibv_sge sges[HCA_SGES];
	char data[256]; /* if it is inline */
};

static struct hca_qp {
	struct ibv_qp qp; /* its number is 0 if it does not exist */
	struct hca_cq *cq;
	struct hca_srq *srq;
	enum ibv_qp_state state;
	uint32_t dest;
	int access;
	uint32_t size;
	struct hca_send queue[HCA_QUEUE];
	unsigned int n;
} hca_qps[HCA_OBJECTS];

static struct ibv_mr hca_mrs[HCA_OBJECTS];
static int hca_access[HCA_OBJECTS];
static uint32_t hca_next_qp, hca_next_mr;

static struct ibv_device hca_device;
static struct verbs_context hca_context;
static int hca_events[2]; /* a pipe, while there is a context */

/* Let the device tell of something; @object is what the type says. */
static inline void hca_tell(enum ibv_event_type type, void *object)
{
	struct ibv_async_event event = { .event_type = type };

	event.element.qp = object;
	EXPECT_EQ(write(hca_events[1], &event, sizeof(event)), sizeof(event));
}

static inline void hca_complete(struct hca_cq *cq, struct ibv_wc wc)
{
	EXPECT(cq->n < (unsigned int)cq->size);
	cq->wcs[cq->n++] = wc;
	if (cq->armed)
		eventfd_write(cq->cq.channel->fd, 1);
	cq->armed = false;
}

/* Return the memory, or NULL if the key does not allow that. */
static inline char *hca_reach(uint32_t key, bool remote, uint64_t addr, uint64_t len, int access)
{
	uint32_t i = key - (remote ? 1000 : 100);

	if (i >= HCA_OBJECTS || !hca_mrs[i].context || (access & ~hca_access[i]))
		return NULL;
	if (addr < (uintptr_t)hca_mrs[i].addr ||
	    addr + len > (uintptr_t)hca_mrs[i].addr + hca_mrs[i].length)
		return NULL;
	return (char *)(uintptr_t)addr;
}

/* Copy between a flat buffer and local memory. Return -1 if a key is bad. */
static inline int hca_copy(const struct ibv_sge *sges, int n, char *flat, size_t len, bool write)
{
	for (int i = 0; i < n && len; i++) {
		size_t part = sges[i].length < len ? sges[i].length : len;
		char *at = hca_reach(sges[i].lkey, false, sges[i].addr, sges[i].length,
				     write ? IBV_ACCESS_LOCAL_WRITE : 0);

		if (!at)
			return -1;
		memcpy(write ? at : flat, write ? flat : at, part);
		flat += part;
		len -= part;
	}
	return 0;
}

static inline size_t hca_length(const struct ibv_sge *sges, int n)
{
	size_t len = 0;

	while (n--)
		len += sges[n].length;
	return len;
}

static inline struct hca_qp *hca_find(uint32_t number)
{
	for (int i = 0; i < HCA_OBJECTS; i++)
		if (hca_qps[i].qp.qp_num && hca_qps[i].qp.qp_num == number)
			return &hca_qps[i];
	return NULL;
}

/* Take a message in. Return the status for its sender. */
static inline enum ibv_wc_status hca_receive(struct hca_qp *to, const struct hca_send *send,
					     char *data, size_t len)
{
	bool imm = send->wr.opcode == IBV_WR_SEND_WITH_IMM ||
		   send->wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
	bool write = send->wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
	struct hca_receive *receive = to->srq->queue;
	struct ibv_wc wc = {
		.wr_id = receive->id,
		.opcode = write ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV,
		.wc_flags = imm ? IBV_WC_WITH_IMM : 0,
		.imm_data = send->wr.imm_data,
		.qp_num = to->qp.qp_num,
		.byte_len = len,
	};

	if (!write && len > hca_length(receive->sges, receive->n))
		wc.status = IBV_WC_LOC_QP_OP_ERR;
	else if (!write && hca_copy(receive->sges, receive->n, data, len, true))
		wc.status = IBV_WC_LOC_PROT_ERR;
	memmove(receive, receive + 1, --to->srq->n * sizeof(*receive));
	hca_complete(to->cq, wc);
	if (wc.status != IBV_WC_SUCCESS)
		to->state = IBV_QPS_ERR;
	return wc.status == IBV_WC_SUCCESS ? IBV_WC_SUCCESS : IBV_WC_REM_OP_ERR;
}

static inline enum ibv_wc_status hca_atomic(const struct hca_send *send, char *at)
{
	uint64_t old, new;

	memcpy(&old, at, sizeof(old));
	new = old;
	if (send->wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
		new += send->wr.wr.atomic.compare_add;
	else if (old == send->wr.wr.atomic.compare_add)
		new = send->wr.wr.atomic.swap;
	memcpy(at, &new, sizeof(new));
	return hca_copy(send->sges, send->wr.num_sge, (char *)&old, sizeof(old), true) ?
		       IBV_WC_LOC_PROT_ERR :
		       IBV_WC_SUCCESS;
}

/* Move the data of a request over. */
static inline enum ibv_wc_status hca_move(struct hca_qp *to, struct hca_send *send)
{
	size_t len = hca_length(send->sges, send->wr.num_sge);
	enum ibv_wr_opcode opcode = send->wr.opcode;
	char *data = malloc(len + 1), *at = NULL;
	enum ibv_wc_status status = IBV_WC_SUCCESS;
	uint32_t key = send->wr.wr.rdma.rkey;
	int access = 0;

	if (opcode == IBV_WR_RDMA_WRITE || opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
		access = IBV_ACCESS_REMOTE_WRITE;
	else if (opcode == IBV_WR_RDMA_READ)
		access = IBV_ACCESS_REMOTE_READ;
	else if (opcode != IBV_WR_SEND && opcode != IBV_WR_SEND_WITH_IMM)
		access = IBV_ACCESS_REMOTE_ATOMIC;
	if (access == IBV_ACCESS_REMOTE_ATOMIC)
		key = send->wr.wr.atomic.rkey;
	if (access && len)
		at = hca_reach(key, true, send->wr.wr.rdma.remote_addr, len, access);
	if (access & ~to->access)
		status = IBV_WC_REM_INV_REQ_ERR;
	else if (access && len && !at)
		status = IBV_WC_REM_ACCESS_ERR;
	else if (access == IBV_ACCESS_REMOTE_ATOMIC)
		status = hca_atomic(send, at);
	else if (opcode == IBV_WR_RDMA_READ)
		status = hca_copy(send->sges, send->wr.num_sge, at, len, true) ?
				 IBV_WC_LOC_PROT_ERR :
				 IBV_WC_SUCCESS;
	else if (send->wr.send_flags & IBV_SEND_INLINE)
		memcpy(data, send->data, len);
	else if (hca_copy(send->sges, send->wr.num_sge, data, len, false))
		status = IBV_WC_LOC_PROT_ERR;
	if (!status && access == IBV_ACCESS_REMOTE_WRITE && len)
		memcpy(at, data, len);
	if (!status && (!access || opcode == IBV_WR_RDMA_WRITE_WITH_IMM))
		status = hca_receive(to, send, data, len);
	if (status != IBV_WC_SUCCESS && status != IBV_WC_LOC_PROT_ERR)
		to->state = IBV_QPS_ERR;
	free(data);
	return status;
}

static inline bool hca_needs_receive(const struct hca_send *send)
{
	return send->wr.opcode == IBV_WR_SEND || send->wr.opcode == IBV_WR_SEND_WITH_IMM ||
	       send->wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

/* Execute the first request of a queue pair. Return false if it has none, or waits. */
static inline bool hca_step(struct hca_qp *qp)
{
	struct hca_send *send = qp->queue;
	struct hca_qp *to = hca_find(qp->dest);
	struct ibv_wc wc = { .wr_id = send->wr.wr_id, .qp_num = qp->qp.qp_num };

	if (!qp->n || (qp->state == IBV_QPS_ERR && hca.keeps))
		return false;
	if (qp->state == IBV_QPS_ERR)
		wc.status = IBV_WC_WR_FLUSH_ERR;
	else if (hca.status != IBV_WC_SUCCESS)
		wc.status = hca.status;
	else if (!to || (to->state != IBV_QPS_RTS && to->state != IBV_QPS_RTR))
		wc.status = IBV_WC_RETRY_EXC_ERR;
	else if (hca_needs_receive(send) && !to->srq->n)
		return false;
	else
		wc.status = hca_move(to, send);
	if (qp->state != IBV_QPS_ERR)
		hca.status = IBV_WC_SUCCESS;
	if (wc.status != IBV_WC_SUCCESS)
		qp->state = IBV_QPS_ERR;
	memmove(send, send + 1, --qp->n * sizeof(*send));
	hca_complete(qp->cq, wc);
	return true;
}

/* Execute up to @n requests of each queue pair. Return their number. */
static inline unsigned int hca_run(unsigned int n)
{
	unsigned int done = 0;

	for (int i = 0; i < HCA_OBJECTS; i++)
		for (unsigned int k = 0; k < n && hca_qps[i].qp.qp_num; k++)
			done += hca_step(&hca_qps[i]);
	return done;
}

static inline void hca_go(void)
{
	if (!hca.holds)
		while (hca_run(HCA_QUEUE))
			;
}

static int hca_post_send(struct ibv_qp *base, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct hca_qp *qp = (struct hca_qp *)base;
	struct hca_send *send;
	char *at;

	hca.posts++;
	for (; wr; wr = wr->next) {
		*bad = wr;
		if (hca.post_error && !hca.post_good--) {
			hca_go();
			return hca.post_error;
		}
		EXPECT(qp->n < qp->size && qp->n < HCA_QUEUE);
		EXPECT(wr->num_sge <= HCA_SGES && wr->send_flags & IBV_SEND_SIGNALED);
		send = &qp->queue[qp->n++];
		send->wr = *wr;
		memcpy(send->sges, wr->sg_list, wr->num_sge * sizeof(*wr->sg_list));
		hca.posted++;
		if (!(wr->send_flags & IBV_SEND_INLINE))
			continue;
		hca.inlined++;
		at = send->data;
		for (int i = 0; i < wr->num_sge; at += wr->sg_list[i++].length)
			memcpy(at, (char *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
	}
	*bad = NULL;
	hca_go();
	return hca.doorbell_error;
}

static int hca_post_receive(struct ibv_srq *base, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct hca_srq *srq = (struct hca_srq *)base;
	struct hca_receive *receive;

	for (; wr; wr = wr->next) {
		*bad = wr;
		if (hca.receive_error)
			return hca.receive_error;
		EXPECT(srq->n < HCA_QUEUE);
		receive = &srq->queue[srq->n++];
		receive->id = wr->wr_id;
		receive->n = wr->num_sge;
		memcpy(receive->sges, wr->sg_list, wr->num_sge * sizeof(*wr->sg_list));
	}
	hca_go();
	return 0;
}

static int hca_poll(struct ibv_cq *base, int max, struct ibv_wc *wc)
{
	struct hca_cq *cq = (struct hca_cq *)base;
	int n = cq->n < (unsigned int)max ? (int)cq->n : max;

	if (hca.poll_error)
		return -1;
	if (hca.late)
		return 0;
	if (hca.stray) {
		*wc = (struct ibv_wc){ .wr_id = 1000000 };
		hca.stray = false;
		return 1;
	}
	memcpy(wc, cq->wcs, n * sizeof(*wc));
	cq->n -= n;
	memmove(cq->wcs, cq->wcs + n, cq->n * sizeof(*wc));
	return n;
}

static int hca_arm(struct ibv_cq *base, int solicited)
{
	EXPECT(!solicited);
	((struct hca_cq *)base)->armed = true;
	hca.armed++;
	return 0;
}

#include "fake_hca_objects.h"

#endif /* DOCA_TESTS_FAKE_HCA_H */
