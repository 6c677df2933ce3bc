/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A consumer and a producer of one side of the communication channel, and their memory. */
#ifndef SELFTESTS_PROCESS_CHANNEL_FLOW_H
#define SELFTESTS_PROCESS_CHANNEL_FLOW_H

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "channel.h"

#define BUFS 64
#define HALF LEN

/* The first half of the memory is sent, buffers are in the second. */
struct flow {
	struct side *side;
	char *mem;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inv;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_ctx *in, *out;
	uint32_t id, producer_id;
	unsigned int received, recv_failed, sent, send_failed;
	doca_error_t status, recv_status;
	size_t length; /* bytes in the last buffer */
	char *data;
	uint8_t imm[32];
	uint32_t imm_length, from;
	bool mirrors; /* sends back what it receives */
};

static inline doca_error_t flow_post(struct flow *flow, size_t offset, size_t length)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;
	doca_error_t rc;

	rc = doca_buf_inventory_buf_get_by_addr(flow->inv, flow->mmap, flow->mem + HALF + offset,
						length, &buf);
	rc = rc ?: doca_comch_consumer_task_post_recv_alloc_init(flow->consumer, buf, &task);
	return rc ?: doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task));
}

static inline doca_error_t flow_put_at(struct flow *flow, char *at, size_t length, const void *imm,
				       uint32_t imm_length, uint32_t id)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf = NULL;
	doca_error_t rc = DOCA_SUCCESS;

	if (length)
		rc = doca_buf_inventory_buf_get_by_data(flow->inv, flow->mmap, at, length, &buf);
	rc = rc ?: doca_comch_producer_task_send_alloc_init(flow->producer, buf, (uint8_t *)imm,
							    imm_length, id, &task);
	return rc ?: doca_task_submit(doca_comch_producer_task_send_as_task(task));
}

static inline doca_error_t flow_put(struct flow *flow, size_t offset, size_t length,
				    const void *imm, uint32_t imm_length)
{
	return flow_put_at(flow, flow->mem + offset, length, imm, imm_length,
			   flow->side->consumer);
}

static inline void flow_received(struct doca_comch_consumer_task_post_recv *task,
				 union doca_data data, union doca_data ctx_data)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);
	const uint8_t *imm = doca_comch_consumer_task_post_recv_get_imm_data(task);
	struct flow *flow = ctx_data.ptr;
	void *at;

	(void)data;
	if (doca_task_get_status(base) == DOCA_SUCCESS) {
		flow->received++;
		flow->imm_length = doca_comch_consumer_task_post_recv_get_imm_data_len(task);
		if (imm)
			memcpy(flow->imm, imm, flow->imm_length);
		flow->from = doca_comch_consumer_task_post_recv_get_producer_id(task);
		doca_buf_get_data_len(buf, &flow->length);
		doca_buf_get_data(buf, &at);
		flow->data = at;
		if (flow->mirrors && flow_put_at(flow, flow->data, flow->length, flow->imm,
						 flow->imm_length, flow->side->consumer))
			flow->side->wrong = true;
	} else {
		flow->recv_failed++;
		flow->recv_status = doca_task_get_status(base);
	}
	doca_task_free(base);
	doca_buf_dec_refcount(buf, NULL);
}

static inline void flow_sent(struct doca_comch_producer_task_send *task, union doca_data data,
			     union doca_data ctx_data)
{
	struct doca_buf *buf = (struct doca_buf *)doca_comch_producer_task_send_get_buf(task);
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);
	struct flow *flow = ctx_data.ptr;

	(void)data;
	if (doca_task_get_status(base) == DOCA_SUCCESS) {
		flow->sent++;
	} else {
		flow->send_failed++;
		flow->status = doca_task_get_status(base);
	}
	doca_task_free(base);
	if (buf)
		doca_buf_dec_refcount(buf, NULL);
}

static inline int flow_open_consumer(struct flow *flow)
{
	union doca_data self = { .ptr = flow };

	if (doca_comch_consumer_create(flow->side->connection, flow->mmap, &flow->consumer))
		return -1;
	flow->in = doca_comch_consumer_as_ctx(flow->consumer);
	return doca_comch_consumer_set_imm_data_len(flow->consumer, 32) ||
	       doca_comch_consumer_task_post_recv_set_conf(flow->consumer, flow_received,
							   flow_received, BUFS) ||
	       doca_ctx_set_user_data(flow->in, self) ||
	       doca_pe_connect_ctx(flow->side->pe, flow->in) ||
	       doca_ctx_start(flow->in) != DOCA_ERROR_IN_PROGRESS ||
	       !SIDE_UNTIL(flow->side, state_of(flow->in) == DOCA_CTX_STATE_RUNNING) ||
	       doca_comch_consumer_get_id(flow->consumer, &flow->id);
}

static inline int flow_open_producer(struct flow *flow)
{
	union doca_data self = { .ptr = flow };

	if (doca_comch_producer_create(flow->side->connection, &flow->producer))
		return -1;
	flow->out = doca_comch_producer_as_ctx(flow->producer);
	return doca_comch_producer_task_send_set_conf(flow->producer, flow_sent, flow_sent, BUFS) ||
	       doca_ctx_set_user_data(flow->out, self) ||
	       doca_pe_connect_ctx(flow->side->pe, flow->out) || doca_ctx_start(flow->out) ||
	       doca_comch_producer_get_id(flow->producer, &flow->producer_id);
}

static inline int flow_open(struct flow *flow, struct side *side)
{
	*flow = (struct flow){ .side = side, .mem = map(2 * HALF) };
	bed_fill(flow->mem, HALF, 3);
	return bed_mmap(flow->mem, 2 * HALF, DOCA_ACCESS_FLAG_PCI_READ_WRITE, side->dev, NULL,
			&flow->mmap) ||
	       doca_buf_inventory_create(2 * BUFS, &flow->inv) ||
	       doca_buf_inventory_start(flow->inv) || flow_open_consumer(flow) ||
	       flow_open_producer(flow);
}

static inline int flow_close(struct flow *flow)
{
	doca_ctx_stop(flow->in);
	doca_ctx_stop(flow->out);
	if (!SIDE_UNTIL(flow->side, state_of(flow->in) == DOCA_CTX_STATE_IDLE &&
					    state_of(flow->out) == DOCA_CTX_STATE_IDLE) ||
	    doca_comch_consumer_destroy(flow->consumer) ||
	    doca_comch_producer_destroy(flow->producer) ||
	    doca_buf_inventory_destroy(flow->inv) || doca_mmap_destroy(flow->mmap))
		return -1;
	munmap(flow->mem, 2 * HALF);
	return 0;
}

/* Victims: they send back what they receive, into buffers of 1/8 of the memory. */
#define MIRROR_BUF (HALF / 8)

static inline int mirror(struct side *side)
{
	unsigned int posted = 0;
	struct flow flow;

	while (!side->new_consumers)
		doca_pe_progress(side->pe);
	if (flow_open(&flow, side))
		return 11;
	flow.mirrors = true;
	for (;;) {
		for (; posted < flow.sent + 1; posted++)
			if (flow_post(&flow, 0, MIRROR_BUF))
				return 12;
		doca_pe_progress(side->pe);
		if (side->shared)
			store(&side->shared->right, side->new_consumers);
		if (side->disconnects)
			return 13;
	}
}

static inline int run_mirror_server(struct shared *shared)
{
	struct side side = { .shared = shared };

	if (server_open(&side, NAME))
		return 1;
	store(&shared->ready, 1);
	while (!side.connects)
		doca_pe_progress(side.pe);
	return mirror(&side);
}

static inline int run_mirror_client(struct shared *shared)
{
	struct side side = { .shared = shared };

	if (client_make(&side, "b1:00.0", NAME) || !client_connect(&side))
		return 1;
	store(&shared->ready, 1);
	return mirror(&side);
}

#endif
