// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Send queues: settings before the start. */
#include <doca_error.h>

#include "txq.h"

LOG_SOURCE("ETH::TXQ");

#define DEFAULT_BURST 64

static const struct task_type *const tasks[TXQ_TASKS] = {
	[TXQ_SEND] = &eth_txq_send,
	[TXQ_LSO] = &eth_txq_lso,
	[TXQ_BATCH_SEND] = &eth_txq_send,
	[TXQ_BATCH_LSO] = &eth_txq_lso,
};

static doca_error_t txq_init(struct doca_ctx *ctx)
{
	struct doca_eth_txq *txq = txq_of(ctx);

	txq->max_burst = DEFAULT_BURST;
	txq->max_list = ETH_MAX_SEND_LIST;
	txq->max_header = ETH_MAX_LSO_HEADER;
	return DOCA_SUCCESS;
}

static doca_error_t txq_check(const struct doca_ctx *ctx)
{
	if (!txq_of(ctx)->has_type)
		return FAIL(BAD_STATE,
			    "cannot start %s %p: it has no type; call "
			    "doca_eth_txq_set_type()",
			    ctx->type->name, (const void *)ctx);
	return DOCA_SUCCESS;
}

static doca_error_t txq_start(struct doca_ctx *ctx)
{
	return tx_batches_start(txq_of(ctx));
}

static void txq_stop(struct doca_ctx *ctx)
{
	tx_batches_stop(txq_of(ctx));
}

const struct ctx_type doca_eth_txq_type = {
	CTX_OBJECT(doca_eth_txq, tasks),
	.name = "Ethernet send queue",
	.lane = &eth_tx_lane,
	.init = txq_init,
	.check = txq_check,
	.start = txq_start,
	.stop = txq_stop,
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

doca_error_t doca_eth_txq_create(struct doca_dev *dev, uint32_t max_burst_size,
				 struct doca_eth_txq **eth_txq)
{
	static const struct log_site site = LOG_SITE;
	struct doca_eth_txq *txq;
	struct doca_ctx *ctx;
	doca_error_t ret;

	if (!valid(dev) || !given(eth_txq) ||
	    burst_fits(max_burst_size, &site) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_priv_eth_has_interface(dev, &site);
	if (ret == DOCA_SUCCESS)
		ret = doca_priv_ctx_new(&doca_eth_txq_type, dev, &ctx, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	txq = txq_of(ctx);
	txq->max_burst = max_burst_size;
	*eth_txq = txq;
	return DOCA_SUCCESS;
}

DEFINE_DESTROY(doca_eth_txq_destroy, doca_eth_txq)
DEFINE_AS_CTX(doca_eth_txq_as_doca_ctx, doca_eth_txq)

/* Check that it may be set, and that the value is in its range. */
static doca_error_t may_set(const struct doca_eth_txq *txq, uint32_t value,
			    uint32_t min, uint32_t max,
			    const struct log_site *site)
{
	doca_error_t ret = eth_may_set(CTX_OF(txq), &doca_eth_txq_object, site);

	if (ret != DOCA_SUCCESS || (value >= min && value <= max))
		return ret;
	return FAIL_AT(site, INVALID_VALUE,
		       "%s(): invalid argument: the value may be %u to %u, "
		       "not %u",
		       site->func, min, max, value);
}

/* NAME(txq, value) */
#define TXQ_SET(name, value_t, what, min, max, member)                \
	doca_error_t name(struct doca_eth_txq *eth_txq, value_t what) \
	{                                                             \
		static const struct log_site site = LOG_SITE;         \
		doca_error_t ret;                                     \
                                                                      \
		ret = may_set(eth_txq, what, min, max, &site);        \
		if (ret == DOCA_SUCCESS)                              \
			eth_txq->member = what;                       \
		return ret;                                           \
	}

TXQ_SET(doca_eth_txq_set_l3_chksum_offload, uint8_t, enable_l3_chksum, 0, 1,
	l3_offload)
TXQ_SET(doca_eth_txq_set_l4_chksum_offload, uint8_t, enable_l4_chksum, 0, 1,
	l4_offload)
TXQ_SET(doca_eth_txq_set_max_burst_size, uint32_t, max_burst_size, 1,
	ETH_MAX_BURST, max_burst)
TXQ_SET(doca_eth_txq_set_max_send_buf_list_len, uint32_t, max_send_buf_list_len,
	1, ETH_MAX_SEND_LIST, max_list)
TXQ_SET(doca_eth_txq_set_max_lso_header_size, uint16_t, max_lso_header_size, 1,
	ETH_MAX_LSO_HEADER, max_header)
TXQ_SET(doca_eth_txq_set_metadata_num, uint8_t, metadata_num, 0,
	ETH_MAX_METADATA, metadata_num)
TXQ_SET(doca_eth_txq_set_mss, uint16_t, mss, 1, UINT16_MAX, mss)

doca_error_t doca_eth_txq_set_type(struct doca_eth_txq *eth_txq,
				   enum doca_eth_txq_type type)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = eth_may_set(CTX_OF(eth_txq), &doca_eth_txq_object, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (refused(type != DOCA_ETH_TXQ_TYPE_REGULAR))
		return DOCA_ERROR_INVALID_VALUE;
	eth_txq->has_type = true;
	return DOCA_SUCCESS;
}

static const char no_clock[] =
	"packets are sent when their task is submitted: no device here waits "
	"for a time";

doca_error_t doca_eth_txq_set_wait_on_time_offload(struct doca_eth_txq *eth_txq)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = eth_may_set(CTX_OF(eth_txq), &doca_eth_txq_object, &site);
	return ret == DOCA_SUCCESS ? FAIL(NOT_SUPPORTED, "%s", no_clock) : ret;
}

doca_error_t doca_eth_txq_calculate_timestamp(struct doca_eth_txq *eth_txq,
					      uint64_t timestamp_ns,
					      uint64_t *wait_on_time_value)
{
	(void)timestamp_ns;
	if (!valid_ctx(eth_txq, doca_eth_txq) || !given(wait_on_time_value))
		return DOCA_ERROR_INVALID_VALUE;
	return FAIL(NOT_SUPPORTED, "%s", no_clock);
}

doca_error_t doca_eth_txq_get_flow_queue_id(struct doca_eth_txq *eth_txq,
					    uint16_t *flow_queue_id)
{
	if (!valid_ctx(eth_txq, doca_eth_txq) || !given(flow_queue_id))
		return DOCA_ERROR_INVALID_VALUE;
	*flow_queue_id = eth_txq->flow_id;
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_txq_apply_queue_id(struct doca_eth_txq *eth_txq,
					 uint16_t queue_id)
{
	if (!valid_ctx(eth_txq, doca_eth_txq))
		return DOCA_ERROR_INVALID_VALUE;
	eth_txq->flow_id = queue_id;
	return DOCA_SUCCESS;
}
