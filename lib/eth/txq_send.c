// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The send task: the data of a list of buffers is a frame. */
#include <string.h>

#include <doca_error.h>

#include "core/exec/task_bufs.h"
#include "txq.h"

LOG_SOURCE("ETH::TXQ");

#define MIN_FRAME 14
#define ALL_OL_FLAGS \
	(DOCA_ETH_TXQ_OL_FLAGS_L3_CSUM | DOCA_ETH_TXQ_OL_FLAGS_L4_CSUM)

static doca_error_t check_buffers(const struct doca_task *task)
{
	const struct doca_eth_txq *txq = txq_of(task->ctx);
	const struct doca_buf *buf;
	uint32_t n = 0;

	for (buf = task_src(task); buf; buf = doca_priv_buf_next(buf)) {
		if (!eth_is_local(buf))
			return FAIL(INVALID_VALUE,
				    "%s task %p: buffer %p is not memory of "
				    "this process",
				    task->type->name, (const void *)task,
				    (const void *)buf);
		if (++n > txq->max_list)
			return FAIL(INVALID_VALUE,
				    "%s task %p: more than %u buffers; "
				    "doca_eth_txq_set_max_send_buf_list_len() "
				    "sets how many there may be",
				    task->type->name, (const void *)task,
				    txq->max_list);
	}
	return DOCA_SUCCESS;
}

static doca_error_t check_flags(const struct doca_task *task)
{
	const struct doca_eth_txq *txq = txq_of(task->ctx);
	uint16_t flags = tx_of(task)->ol_flags;

	if (flags & ~ALL_OL_FLAGS)
		return FAIL(INVALID_VALUE,
			    "%s task %p: unknown offload flags %#x",
			    task->type->name, (const void *)task, flags);
	if (((flags & DOCA_ETH_TXQ_OL_FLAGS_L3_CSUM) && !txq->l3_offload) ||
	    ((flags & DOCA_ETH_TXQ_OL_FLAGS_L4_CSUM) && !txq->l4_offload))
		return FAIL(INVALID_VALUE,
			    "%s task %p: the queue was not told to compute "
			    "checksums before it was started",
			    task->type->name, (const void *)task);
	return DOCA_SUCCESS;
}

doca_error_t tx_check(const struct doca_task *task, uint64_t *length)
{
	struct task_bytes bytes;
	doca_error_t ret;

	ret = doca_priv_task_check(task, &bytes);
	if (ret == DOCA_SUCCESS)
		ret = check_buffers(task);
	if (ret == DOCA_SUCCESS)
		ret = check_flags(task);
	*length = bytes.src;
	return ret;
}

static bool is_tagged(const struct doca_task *task)
{
	uint8_t type[2];

	tx_copy((char *)type, task->src, TX_TYPE_AT, sizeof(type));
	return get_be16(type) == TX_TYPE_VLAN;
}

doca_error_t tx_send_check(const struct doca_task *task)
{
	const struct doca_eth_txq *txq = txq_of(task->ctx);
	uint64_t length = 0;
	doca_error_t ret = tx_check(task, &length);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (length >= MIN_FRAME && length <= txq->packet.max_frame)
		return DOCA_SUCCESS;
	if (length >= MIN_FRAME && length <= txq->packet.max_tagged &&
	    is_tagged(task))
		return DOCA_SUCCESS;
	return FAIL(INVALID_VALUE,
		    "send task %p: a frame of %llu bytes; the interface takes "
		    "%u to %u, or %u with a VLAN tag",
		    (const void *)task, (unsigned long long)length, MIN_FRAME,
		    txq->packet.max_frame, txq->packet.max_tagged);
}

static doca_error_t send_validate(const struct doca_task *task)
{
	tx_batch_load((struct doca_task *)task);
	return tx_send_check(task);
}

static void send_finish(struct doca_task *task, uint32_t length,
			const uint64_t *result)
{
	(void)length;
	(void)result;
	task_unhold_bufs(task);
}

void tx_copy(char *to, const struct doca_buf *list, uint64_t from,
	     uint32_t length)
{
	uint64_t n;

	for (; length; list = doca_priv_buf_next(list)) {
		if (from >= list->data_len) {
			from -= list->data_len;
			continue;
		}
		n = list->data_len - from;
		if (n > length)
			n = length;
		memcpy(to, (char *)list->data + from, n);
		to += n;
		length -= n;
		from = 0;
	}
}

void tx_put_send(struct doca_eth_txq *txq, const struct doca_task *task)
{
	char *frame = packet_data(&txq->packet, 0);
	uint16_t flags = tx_of(task)->ol_flags;
	const struct doca_buf *buf;
	struct frame_view view;
	uint32_t length = 0;

	for (buf = task->src; buf; buf = doca_priv_buf_next(buf)) {
		memcpy(frame + length, buf->data, buf->data_len);
		length += buf->data_len;
	}
	packet_set_length(&txq->packet, 0, length);
	if (doca_likely(!flags))
		return;
	frame_parse((uint8_t *)frame, length, &view);
	if (flags & DOCA_ETH_TXQ_OL_FLAGS_L3_CSUM)
		frame_set_l3_sum((uint8_t *)frame, &view);
	if (flags & DOCA_ETH_TXQ_OL_FLAGS_L4_CSUM)
		frame_set_l4_sum((uint8_t *)frame, &view);
}

DEFINE_TASK(doca_eth_txq_task_send)

const struct task_type eth_txq_send = {
	TASK_OBJECT(doca_eth_txq_task_send),
	.name = "send",
	.src = { .name = "packet", .list = true, .data = true },
	.ask = eth_ask,
	.validate = send_validate,
	.finish = send_finish,
};

DEFINE_SET_CONF(doca_eth_txq_task_send_set_conf, doca_eth_txq, TXQ_SEND,
		doca_eth_txq_task_send)
DEFINE_ALLOC(doca_eth_txq, TXQ_SEND, doca_eth_txq_task_send)
DEFINE_AS_TASK(doca_eth_txq_task_send_as_doca_task, doca_eth_txq_task_send)
DEFINE_SET_BUF(doca_eth_txq_task_send_set_pkt, doca_eth_txq_task_send,
	       struct doca_buf, src)
DEFINE_TASK_SET(doca_eth_txq_task_send_set_ol_flags, doca_eth_txq_task_send,
		uint16_t, tx.ol_flags)

doca_error_t doca_eth_txq_task_send_allocate_init(
	struct doca_eth_txq *eth_txq, struct doca_buf *pkt,
	union doca_data user_data, struct doca_eth_txq_task_send **task_send)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_or_null(pkt))
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_eth_txq_task_send_alloc_(eth_txq, user_data, task_send,
					    &site);
	if (ret == DOCA_SUCCESS) {
		task_set_src(&(*task_send)->task, pkt);
		(*task_send)->tx = (struct tx_fields){ 0 };
	}
	return ret;
}

doca_error_t
doca_eth_txq_task_send_get_pkt(const struct doca_eth_txq_task_send *task_send,
			       struct doca_buf **pkt)
{
	static const struct log_site site = LOG_SITE;

	if (!task_is(TASK_OF(task_send), &doca_eth_txq_task_send_object_,
		     &site) ||
	    !given(pkt))
		return DOCA_ERROR_INVALID_VALUE;
	*pkt = task_src(&task_send->task);
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_txq_task_send_get_metadata_array(
	struct doca_eth_txq_task_send *task_send, uint32_t **metadata_array)
{
	static const struct log_site site = LOG_SITE;

	if (!task_is(TASK_OF(task_send), &doca_eth_txq_task_send_object_,
		     &site) ||
	    !given(metadata_array))
		return DOCA_ERROR_INVALID_VALUE;
	*metadata_array = task_send->tx.metadata;
	return DOCA_SUCCESS;
}
