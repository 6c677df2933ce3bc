// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The receive task of regular queues: it copies the next frame behind its buffer's data. */
#include <string.h>

#include <doca_error.h>

#include "core/exec/task_bufs.h"
#include "rxq.h"

LOG_SOURCE("ETH::RXQ");

static doca_error_t recv_validate(const struct doca_task *task)
{
	struct task_bytes bytes;
	doca_error_t ret;

	if (rxq_is_managed(rxq_of(task->ctx)))
		return FAIL(INVALID_VALUE,
			    "receive task %p: its queue has a managed pool, "
			    "whose packets come as events",
			    (const void *)task);
	ret = doca_priv_task_check(task, &bytes);
	if (ret == DOCA_SUCCESS && !eth_is_local(task->dst))
		ret = FAIL(INVALID_VALUE,
			   "receive task %p: its buffer is not memory of this "
			   "process",
			   (const void *)task);
	return ret;
}

static void recv_finish(struct doca_task *task, uint32_t length,
			const uint64_t *result)
{
	(void)result;
	if (task->status == DOCA_SUCCESS)
		doca_priv_buf_append(task->dst, length);
	task_unhold_bufs(task);
}

DEFINE_TASK(doca_eth_rxq_task_recv)

const struct task_type eth_rxq_recv = {
	TASK_OBJECT(doca_eth_rxq_task_recv),
	.name = "receive",
	.dst = { .name = "packet", .writes = true },
	.ask = eth_ask,
	.validate = recv_validate,
	.finish = recv_finish,
};

void eth_rxq_recv_begin(struct doca_task *task)
{
	struct doca_eth_rxq_task_recv *recv =
		list_entry(task, struct doca_eth_rxq_task_recv, task);

	recv->packet = (struct rx_packet){ 0 };
	task_hold_dst(task);
	recv->fault = recv_validate(task);
}

doca_error_t eth_rxq_recv_copy(struct doca_eth_rxq_task_recv *recv,
			       const struct xsk_frame *frame)
{
	struct doca_buf *buf = recv->task.dst;
	struct doca_eth_rxq *rxq = rxq_of(recv->task.ctx);

	if (frame->length > doca_priv_buf_tailroom(buf)) {
		if (!rxq->told_small)
			LOG_ERR("%s %p: a packet of %u bytes is lost: the "
				"buffer of its task has room for %zu; this is "
				"said once",
				rxq->ctx.type->name, (void *)rxq, frame->length,
				doca_priv_buf_tailroom(buf));
		rxq->told_small = true;
		recv->packet = (struct rx_packet){ 0 };
		return DOCA_ERROR_TOO_BIG;
	}
	recv->packet.data = (uint8_t *)doca_priv_buf_tail(buf);
	memcpy((void *)doca_priv_buf_tail(buf), frame->data, frame->length);
	return DOCA_SUCCESS;
}

DEFINE_SET_CONF(doca_eth_rxq_task_recv_set_conf, doca_eth_rxq, RXQ_RECV,
		doca_eth_rxq_task_recv)
DEFINE_ALLOC(doca_eth_rxq, RXQ_RECV, doca_eth_rxq_task_recv)
DEFINE_AS_TASK(doca_eth_rxq_task_recv_as_doca_task, doca_eth_rxq_task_recv)
DEFINE_SET_BUF(doca_eth_rxq_task_recv_set_pkt, doca_eth_rxq_task_recv,
	       struct doca_buf, dst)

doca_error_t doca_eth_rxq_task_recv_allocate_init(
	struct doca_eth_rxq *eth_rxq, struct doca_buf *pkt,
	union doca_data user_data, struct doca_eth_rxq_task_recv **task_recv)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_or_null(pkt))
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_eth_rxq_task_recv_alloc_(eth_rxq, user_data, task_recv,
					    &site);
	if (ret == DOCA_SUCCESS) {
		task_set_dst(&(*task_recv)->task, pkt);
		(*task_recv)->packet = (struct rx_packet){ 0 };
	}
	return ret;
}

doca_error_t
doca_eth_rxq_task_recv_get_pkt(const struct doca_eth_rxq_task_recv *task_recv,
			       struct doca_buf **pkt)
{
	static const struct log_site site = LOG_SITE;

	if (!task_is(TASK_OF(task_recv), &doca_eth_rxq_task_recv_object_,
		     &site) ||
	    !given(pkt))
		return DOCA_ERROR_INVALID_VALUE;
	*pkt = task_dst(&task_recv->task);
	return DOCA_SUCCESS;
}

/* NAME(task, &value): a property of the packet, which must have been asked for */
#define RECV_GET(name, value_t, out, wanted, value)                         \
	doca_error_t name(const struct doca_eth_rxq_task_recv *task_recv,   \
			  value_t *out)                                     \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
                                                                            \
		if (!task_is(TASK_OF(task_recv),                            \
			     &doca_eth_rxq_task_recv_object_, &site) ||     \
		    !given(out))                                            \
			return DOCA_ERROR_INVALID_VALUE;                    \
		if (!(wanted))                                              \
			return FAIL(BAD_STATE,                              \
				    "%s(): the queue was not told to have " \
				    "it, before it was started",            \
				    site.func);                             \
		*out = value;                                               \
		return DOCA_SUCCESS;                                        \
	}

#define RXQ rxq_of(task_recv->task.ctx)

RECV_GET(doca_eth_rxq_task_recv_get_flow_tag, uint32_t, flow_tag,
	 RXQ->wants_tag, task_recv->packet.tags.flow_tag)
RECV_GET(doca_eth_rxq_task_recv_get_rx_hash, uint32_t, rx_hash, RXQ->wants_hash,
	 task_recv->packet.hash)
RECV_GET(doca_eth_rxq_task_recv_get_timestamp, uint64_t, timestamp,
	 RXQ->wants_timestamp, task_recv->packet.timestamp)
RECV_GET(doca_eth_rxq_task_recv_get_metadata_array, const uint32_t *,
	 metadata_array, RXQ->metadata_num, &task_recv->packet.tags.metadata)
RECV_GET(doca_eth_rxq_task_recv_get_l3_ok, uint8_t, l3_ok, true,
	 rx_l3_ok(&task_recv->packet))
RECV_GET(doca_eth_rxq_task_recv_get_l4_ok, uint8_t, l4_ok, true,
	 rx_l4_ok(&task_recv->packet))
