// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Events for the packets of a managed pool: one for each packet, or for batches. */
#include <string.h>

#include <doca_error.h>

#include "core/base/clock.h"
#include "rxq.h"

LOG_SOURCE("ETH::RXQ");

#define BATCH_NS 100000 /* limit of a batch's wait after its first packet */
#define RECLAIM 32 /* packets at a time, while there are frames */

static struct doca_buf *take_buf(struct doca_eth_rxq *rxq,
				 struct rx_packet *packet)
{
	struct xsk_frame frame;

	if (rxq->stock.nr_free >= RECLAIM)
		rx_reclaim(rxq);
	if (!rx_take(rxq, &frame, packet)) {
		rx_reclaim(rxq);
		return NULL;
	}
	return rx_packet_buf(rxq, &frame);
}

static enum lane_turn deliver_one(struct doca_eth_rxq *rxq)
{
	struct doca_buf *buf = take_buf(rxq, &rxq->event.packet);

	if (!buf)
		return LANE_IDLE;
	/* As long as nothing else is to be done, the next one has a short turn. */
	ctx_open(&rxq->ctx);
	rxq->event_cb(&rxq->event, buf, rxq->event_data);
	return LANE_CALLED;
}

/* Frames of regular queues are for tasks, whatever is registered. */
static bool has_events_only(const struct doca_eth_rxq *rxq)
{
	return rxq_is_managed(rxq) && rxq->event_cb && !rxq->first &&
	       !rxq->canceled;
}

enum lane_turn rx_reap(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);
	enum lane_turn turn;

	if (!has_events_only(rxq) || !driver_current(rxq->generation))
		return LANE_AGAIN;
	turn = deliver_one(rxq);
	/* The interface may be gone. */
	return turn == LANE_IDLE && ctx->failing ? LANE_AGAIN : turn;
}

static struct rx_array *array_of(const struct doca_eth_rxq *rxq,
				 const struct doca_buf *first)
{
	return (struct rx_array *)(rxq->arrays +
				   (first - rxq->bufs) * rx_array_size(rxq));
}

static void gather_batch(struct doca_eth_rxq *rxq)
{
	struct doca_buf *buf;

	while (rxq->batched < rxq->batch_max) {
		buf = take_buf(rxq, &rxq->batch.packets[rxq->batched]);
		if (!buf)
			return;
		if (!rxq->batched) {
			rxq->filling = array_of(rxq, buf);
			ctx_set_deadline(&rxq->ctx, clock_ns() + BATCH_NS);
		}
		rxq->filling->bufs[rxq->batched++] = buf;
	}
}

static enum lane_turn deliver_batch(struct doca_eth_rxq *rxq)
{
	struct doca_eth_rxq_event_batch_managed_recv *batch = &rxq->batch;

	gather_batch(rxq);
	if (!rxq->batched ||
	    (rxq->batched < rxq->batch_min && clock_ns() < rxq->ctx.deadline))
		return LANE_IDLE;
	ctx_set_deadline(&rxq->ctx, 0);
	batch->given = rxq->batched;
	rxq->filling->given = rxq->batched;
	rxq->batched = 0;
	rxq->batch_cb(batch, batch->given, rxq->event_data, DOCA_SUCCESS,
		      rxq->filling->bufs);
	return LANE_CALLED;
}

enum lane_turn rx_deliver(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);

	if (!rxq_is_managed(rxq) || rxq->canceled)
		return LANE_IDLE;
	return rxq->batch_cb ? deliver_batch(rxq) : deliver_one(rxq);
}

void rx_drop_batch(struct doca_eth_rxq *rxq)
{
	while (rxq->batched)
		doca_buf_dec_refcount(rxq->filling->bufs[--rxq->batched], NULL);
}

static doca_error_t may_register(struct doca_eth_rxq *eth_rxq,
				 const struct log_site *site)
{
	doca_error_t ret =
		eth_may_set(CTX_OF(eth_rxq), &doca_eth_rxq_object, site);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (eth_rxq->event_cb || eth_rxq->batch_cb)
		return FAIL_AT(site, ALREADY_EXIST,
			       "%s(): an event of managed receive is "
			       "registered already",
			       site->func);
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_rxq_event_managed_recv_register(
	struct doca_eth_rxq *eth_rxq, union doca_data user_data,
	doca_eth_rxq_event_managed_recv_handler_cb_t success_event_handler,
	doca_eth_rxq_event_managed_recv_handler_cb_t error_event_handler)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!given(success_event_handler) || !given(error_event_handler))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_register(eth_rxq, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	eth_rxq->event_data = user_data;
	eth_rxq->event_cb = success_event_handler;
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_rxq_event_batch_managed_recv_register(
	struct doca_eth_rxq *eth_rxq,
	enum doca_event_batch_events_number events_number_max,
	enum doca_event_batch_events_number events_number_min,
	union doca_data user_data,
	doca_eth_rxq_event_batch_managed_recv_handler_cb_t
		success_event_batch_handler,
	doca_eth_rxq_event_batch_managed_recv_handler_cb_t
		error_event_batch_handler)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!given(success_event_batch_handler) ||
	    !given(error_event_batch_handler) ||
	    refused((unsigned int)events_number_max >
		    DOCA_EVENT_BATCH_EVENTS_NUMBER_128) ||
	    refused((unsigned int)events_number_min > events_number_max))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_register(eth_rxq, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	eth_rxq->event_data = user_data;
	eth_rxq->batch_cb = success_event_batch_handler;
	eth_rxq->batch_max = 1u << events_number_max;
	eth_rxq->batch_min = 1u << events_number_min;
	return DOCA_SUCCESS;
}

/* A queue has one event of each kind, so without an event there is no queue. */
struct doca_ctx *doca_eth_rxq_event_managed_recv_get_ctx(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv)
{
	if (!valid(event_managed_recv))
		return NULL;
	return &event_managed_recv->rxq->ctx;
}

/* Events only report successes. */
doca_error_t doca_eth_rxq_event_managed_recv_get_status(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv)
{
	if (!valid(event_managed_recv))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

/* NAME(event, &value), if the queue was set up for it */
#define EVENT_GET(name, value_t, out, wanted, value)                        \
	doca_error_t name(const struct doca_eth_rxq_event_managed_recv      \
				  *event_managed_recv,                      \
			  value_t *out)                                     \
	{                                                                   \
		if (!valid(event_managed_recv) || !given(out))              \
			return DOCA_ERROR_INVALID_VALUE;                    \
		if (!(wanted))                                              \
			return FAIL(BAD_STATE,                              \
				    "%s(): the queue was not told to have " \
				    "it, before it was started",            \
				    __func__);                              \
		*out = value;                                               \
		return DOCA_SUCCESS;                                        \
	}

#define RXQ event_managed_recv->rxq
#define PACKET event_managed_recv->packet

EVENT_GET(doca_eth_rxq_event_managed_recv_get_flow_tag, uint32_t, flow_tag,
	  RXQ->wants_tag, PACKET.tags.flow_tag)
EVENT_GET(doca_eth_rxq_event_managed_recv_get_rx_hash, uint32_t, rx_hash,
	  RXQ->wants_hash, PACKET.hash)
EVENT_GET(doca_eth_rxq_event_managed_recv_get_timestamp, uint64_t, timestamp,
	  RXQ->wants_timestamp, PACKET.timestamp)
EVENT_GET(doca_eth_rxq_event_managed_recv_get_metadata_array, const uint32_t *,
	  metadata_array, RXQ->metadata_num, &PACKET.tags.metadata)
EVENT_GET(doca_eth_rxq_event_managed_recv_get_l3_ok, uint8_t, l3_ok, true,
	  rx_l3_ok(&PACKET))
EVENT_GET(doca_eth_rxq_event_managed_recv_get_l4_ok, uint8_t, l4_ok, true,
	  rx_l4_ok(&PACKET))
