// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Receive queues: settings before the start. */
#include <unistd.h>

#include <doca_error.h>

#include "rxq.h"

LOG_SOURCE("ETH::RXQ");

#define DEFAULT_BURST 64
#define DEFAULT_PACKET 1600

static const struct task_type *const tasks[RXQ_TASKS] = { &eth_rxq_recv };

static doca_error_t rxq_init(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);

	rxq->max_burst = DEFAULT_BURST;
	rxq->max_packet = DEFAULT_PACKET;
	rxq->event.rxq = rxq;
	rxq->batch.rxq = rxq;
	doca_priv_debug_add(&rxq->event, &eth_rxq_event_object,
			    sizeof(rxq->event), 1);
	doca_priv_debug_add(&rxq->batch, &eth_rxq_batch_object,
			    sizeof(rxq->batch), 1);
	return DOCA_SUCCESS;
}

static doca_error_t rxq_fini(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);
	doca_error_t ret = rx_memory_drop(rxq);

	if (ret == DOCA_SUCCESS) {
		doca_priv_debug_del(&rxq->event);
		doca_priv_debug_del(&rxq->batch);
	}
	return ret;
}

static doca_error_t check_managed(const struct doca_eth_rxq *rxq)
{
	if (!rxq->mmap)
		return FAIL(BAD_STATE,
			    "cannot start %s %p: it has no memory; call "
			    "doca_eth_rxq_set_pkt_buf()",
			    rxq->ctx.type->name, (const void *)rxq);
	if (!rxq->event_cb && !rxq->batch_cb)
		return FAIL(BAD_STATE,
			    "cannot start %s %p: nobody hears of its packets; "
			    "register an event of managed receive",
			    rxq->ctx.type->name, (const void *)rxq);
	return DOCA_SUCCESS;
}

static doca_error_t rxq_check(const struct doca_ctx *ctx)
{
	const struct doca_eth_rxq *rxq = rxq_of(ctx);

	if (!rxq->has_type)
		return FAIL(BAD_STATE,
			    "cannot start %s %p: it has no type; call "
			    "doca_eth_rxq_set_type()",
			    ctx->type->name, (const void *)rxq);
	if (rxq_is_managed(rxq))
		return check_managed(rxq);
	if (!rxq->pools[RXQ_RECV].num)
		return FAIL(BAD_STATE,
			    "cannot start %s %p: it has no tasks; call "
			    "doca_eth_rxq_task_recv_set_conf()",
			    ctx->type->name, (const void *)rxq);
	return DOCA_SUCCESS;
}

const struct ctx_type doca_eth_rxq_type = {
	CTX_OBJECT(doca_eth_rxq, tasks),
	.name = "Ethernet receive queue",
	.lane = &eth_rx_lane,
	.init = rxq_init,
	.fini = rxq_fini,
	.check = rxq_check,
};

static doca_error_t burst_fits(uint32_t max_burst_size,
			       const struct log_site *site)
{
	if (max_burst_size && max_burst_size <= ETH_MAX_BURST)
		return DOCA_SUCCESS;
	return FAIL_AT(site, INVALID_VALUE,
		       "%s(): a burst may have 1 to %u packets, not %u",
		       site->func, ETH_MAX_BURST, max_burst_size);
}

static doca_error_t packet_fits(uint32_t max_packet_size,
				const struct log_site *site)
{
	if (max_packet_size && max_packet_size <= ETH_MAX_PACKET)
		return DOCA_SUCCESS;
	return FAIL_AT(site, INVALID_VALUE,
		       "%s(): a packet may have 1 to %u bytes, not %u",
		       site->func, ETH_MAX_PACKET, max_packet_size);
}

doca_error_t doca_eth_rxq_create(struct doca_dev *dev, uint32_t max_burst_size,
				 uint32_t max_packet_size,
				 struct doca_eth_rxq **eth_rxq)
{
	static const struct log_site site = LOG_SITE;
	struct doca_eth_rxq *rxq;
	struct doca_ctx *ctx;
	doca_error_t ret;

	if (!valid(dev) || !given(eth_rxq) ||
	    burst_fits(max_burst_size, &site) != DOCA_SUCCESS ||
	    packet_fits(max_packet_size, &site) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_priv_eth_has_interface(dev, &site);
	if (ret == DOCA_SUCCESS)
		ret = doca_priv_ctx_new(&doca_eth_rxq_type, dev, &ctx, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	rxq = rxq_of(ctx);
	rxq->max_burst = max_burst_size;
	rxq->max_packet = max_packet_size;
	*eth_rxq = rxq;
	return DOCA_SUCCESS;
}

DEFINE_DESTROY(doca_eth_rxq_destroy, doca_eth_rxq)
DEFINE_AS_CTX(doca_eth_rxq_as_doca_ctx, doca_eth_rxq)

/* NAME(rxq, value): set it if the queue is idle and the value is at most @max */
#define RXQ_SET(name, value_t, what, max, member)                        \
	doca_error_t name(struct doca_eth_rxq *eth_rxq, value_t what)    \
	{                                                                \
		static const struct log_site site = LOG_SITE;            \
		doca_error_t ret;                                        \
                                                                         \
		ret = eth_may_set(CTX_OF(eth_rxq), &doca_eth_rxq_object, \
				  &site);                                \
		if (ret != DOCA_SUCCESS)                                 \
			return ret;                                      \
		if (refused(what > (max)))                               \
			return DOCA_ERROR_INVALID_VALUE;                 \
		eth_rxq->member = what;                                  \
		return DOCA_SUCCESS;                                     \
	}

RXQ_SET(doca_eth_rxq_set_flow_tag, uint8_t, enable_flow_tag, 1, wants_tag)
RXQ_SET(doca_eth_rxq_set_rx_hash, uint8_t, enable_rx_hash, 1, wants_hash)
RXQ_SET(doca_eth_rxq_set_timestamp, uint8_t, enable_timestamp, 1,
	wants_timestamp)
RXQ_SET(doca_eth_rxq_set_metadata_num, uint8_t, metadata_num, ETH_MAX_METADATA,
	metadata_num)
RXQ_SET(doca_eth_rxq_set_packet_headroom, uint16_t, head_size, ETH_MAX_HEADROOM,
	headroom)
RXQ_SET(doca_eth_rxq_set_packet_tailroom, uint16_t, tail_size, ETH_MAX_TAILROOM,
	tailroom)

doca_error_t doca_eth_rxq_set_max_burst_size(struct doca_eth_rxq *eth_rxq,
					     uint32_t max_burst_size)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = eth_may_set(CTX_OF(eth_rxq), &doca_eth_rxq_object, &site);
	if (ret == DOCA_SUCCESS)
		ret = burst_fits(max_burst_size, &site);
	if (ret == DOCA_SUCCESS)
		eth_rxq->max_burst = max_burst_size;
	return ret;
}

doca_error_t doca_eth_rxq_set_max_packet_size(struct doca_eth_rxq *eth_rxq,
					      uint32_t max_packet_size)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = eth_may_set(CTX_OF(eth_rxq), &doca_eth_rxq_object, &site);
	if (ret == DOCA_SUCCESS)
		ret = packet_fits(max_packet_size, &site);
	if (ret == DOCA_SUCCESS)
		eth_rxq->max_packet = max_packet_size;
	return ret;
}

doca_error_t
doca_eth_rxq_set_max_recv_buf_list_len(struct doca_eth_rxq *eth_rxq,
				       uint32_t max_recv_buf_list_len)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = eth_may_set(CTX_OF(eth_rxq), &doca_eth_rxq_object, &site);
	if (ret == DOCA_SUCCESS && refused(max_recv_buf_list_len != 1))
		ret = DOCA_ERROR_INVALID_VALUE;
	return ret;
}

/* The queue never signals an event that could be put off. */
doca_error_t doca_eth_rxq_set_notification_moderation(
	struct doca_eth_rxq *eth_rxq, uint16_t period_usec, uint16_t comp_count)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	(void)period_usec;
	(void)comp_count;
	ret = eth_may_set(CTX_OF(eth_rxq), &doca_eth_rxq_object, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	return FAIL(NOT_SUPPORTED,
		    "notifications cannot be moderated: a wait ends with the "
		    "first packet; set a period with 'ethtool -C' instead");
}

doca_error_t doca_eth_rxq_set_type(struct doca_eth_rxq *eth_rxq,
				   enum doca_eth_rxq_type type)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = eth_may_set(CTX_OF(eth_rxq), &doca_eth_rxq_object, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (refused((unsigned int)type > DOCA_ETH_RXQ_TYPE_REGULAR))
		return DOCA_ERROR_INVALID_VALUE;
	if (type == DOCA_ETH_RXQ_TYPE_CYCLIC)
		return FAIL(NOT_SUPPORTED,
			    "cyclic receive queues are for programs on GPUs; "
			    "use a regular one, or one with a managed pool");
	eth_rxq->type = type;
	eth_rxq->has_type = true;
	return DOCA_SUCCESS;
}

/* Only whole pages of it can be used. */
doca_error_t doca_eth_rxq_set_pkt_buf(struct doca_eth_rxq *eth_rxq,
				      struct doca_mmap *mmap,
				      uint32_t mmap_offset, uint32_t mmap_len)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid(mmap) || !given(mmap_len))
		return DOCA_ERROR_INVALID_VALUE;
	ret = eth_may_set(CTX_OF(eth_rxq), &doca_eth_rxq_object, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	eth_rxq->mmap = mmap;
	eth_rxq->mmap_offset = mmap_offset;
	eth_rxq->mmap_len = mmap_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_rxq_get_flow_queue_id(struct doca_eth_rxq *eth_rxq,
					    uint16_t *flow_queue_id)
{
	if (!valid_ctx(eth_rxq, doca_eth_rxq) || !given(flow_queue_id))
		return DOCA_ERROR_INVALID_VALUE;
	*flow_queue_id = eth_rxq->flow_id;
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_rxq_apply_queue_id(struct doca_eth_rxq *eth_rxq,
					 uint16_t queue_id)
{
	static const struct log_site site = LOG_SITE;
	struct xsk_why why;

	if (!ctx_is(CTX_OF(eth_rxq), &doca_eth_rxq_object, &site))
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_priv_ctx_idle(&eth_rxq->ctx)) {
		eth_rxq->flow_id = queue_id;
		return DOCA_SUCCESS;
	}
	if (queue_id == eth_rxq->flow_id)
		return DOCA_SUCCESS;
	if (!eth_rxq->xsk || xsk_bind_number(eth_rxq->xsk, queue_id, &why))
		return FAIL(IN_USE, "queue id %u cannot be had", queue_id);
	eth_rxq->flow_id = queue_id;
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_rxq_get_gpu_handle(const struct doca_eth_rxq *eth_rxq,
					 struct doca_gpu_eth_rxq **eth_rxq_ext)
{
	if (!valid_ctx(eth_rxq, doca_eth_rxq) || !given(eth_rxq_ext))
		return DOCA_ERROR_INVALID_VALUE;
	return FAIL(NOT_SUPPORTED, "a receive queue has no handle for a GPU: "
				   "its data path is on the CPU");
}

/*
 * A chunk for each packet of a burst, and for each that comes while one is worked on;
 * and two pages, for the program's memory need not begin or end at a page. No packets
 * are merged (LRO), so none is longer for that.
 */
doca_error_t doca_eth_rxq_estimate_packet_buf_size(
	enum doca_eth_rxq_type type, uint32_t rate, uint16_t pkt_max_time,
	uint32_t max_packet_size, uint32_t max_burst_size,
	uint8_t log_max_lro_pkt_sz, uint16_t head_size, uint16_t tail_size,
	uint32_t *buf_size)
{
	uint64_t packets = max_burst_size, page = sysconf(_SC_PAGESIZE);

	(void)log_max_lro_pkt_sz;
	if (!given(buf_size) ||
	    refused((unsigned int)type > DOCA_ETH_RXQ_TYPE_REGULAR) ||
	    refused(!max_packet_size || max_packet_size > ETH_MAX_PACKET) ||
	    refused(!max_burst_size || max_burst_size > ETH_MAX_BURST) ||
	    refused(head_size > ETH_MAX_HEADROOM) ||
	    refused(tail_size > ETH_MAX_TAILROOM))
		return DOCA_ERROR_INVALID_VALUE;
	if (type != DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL)
		return FAIL(NOT_SUPPORTED,
			    "only a queue with a managed pool has memory of "
			    "the program's");
	/* MB/s times us are bytes */
	packets += ((uint64_t)rate * pkt_max_time + max_packet_size - 1) /
		   max_packet_size;
	if (packets < rx_min_chunks())
		packets = rx_min_chunks();
	if (packets > XSK_MAX_CHUNKS)
		packets = XSK_MAX_CHUNKS;
	*buf_size = packets * ETH_CHUNK + 2 * page;
	return DOCA_SUCCESS;
}
