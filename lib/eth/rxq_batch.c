// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A batch of packets: its properties, in arrays that are filled when they are asked for. */
#include <doca_error.h>

#include "rxq.h"

LOG_SOURCE("ETH::RXQ");

/* Each queue has one, for callbacks. */
typedef struct doca_eth_rxq_event_batch_managed_recv rx_batch;

struct doca_ctx *doca_eth_rxq_event_batch_managed_recv_get_ctx(
	const struct doca_eth_rxq_event_batch_managed_recv
		*event_batch_managed_recv)
{
	if (!valid(event_batch_managed_recv))
		return NULL;
	return &event_batch_managed_recv->rxq->ctx;
}

/* NAME(batch, &array): @value of each packet, in @member */
#define BATCH_GET(name, value_t, out, wanted, member, value)                \
	doca_error_t name(const rx_batch *event_batch_managed_recv,         \
			  const value_t **out)                              \
	{                                                                   \
		rx_batch *batch = (rx_batch *)event_batch_managed_recv;     \
		uint16_t i;                                                 \
                                                                            \
		if (!valid(event_batch_managed_recv) || !given(out))        \
			return DOCA_ERROR_INVALID_VALUE;                    \
		if (!(wanted))                                              \
			return FAIL(BAD_STATE,                              \
				    "%s(): the queue was not told to have " \
				    "it, before it was started",            \
				    __func__);                              \
		for (i = 0; i < batch->given; i++)                          \
			batch->member[i] = value;                           \
		*out = batch->member;                                       \
		return DOCA_SUCCESS;                                        \
	}

#define PACKET batch->packets[i]

BATCH_GET(doca_eth_rxq_event_batch_managed_recv_get_flow_tag_array, uint32_t,
	  flow_tag_array, batch->rxq->wants_tag, flow_tag, PACKET.tags.flow_tag)
BATCH_GET(doca_eth_rxq_event_batch_managed_recv_get_metadata_array, uint32_t,
	  metadata_array, batch->rxq->metadata_num, metadata,
	  PACKET.tags.metadata)
BATCH_GET(doca_eth_rxq_event_batch_managed_recv_get_rx_hash_array, uint32_t,
	  rx_hash_array, batch->rxq->wants_hash, hash, PACKET.hash)
BATCH_GET(doca_eth_rxq_event_batch_managed_recv_get_timestamp_array, uint64_t,
	  timestamp_array, batch->rxq->wants_timestamp, timestamp,
	  PACKET.timestamp)
BATCH_GET(doca_eth_rxq_event_batch_managed_recv_get_l3_ok_array, uint8_t,
	  l3_ok_array, true, l3_ok, rx_l3_ok(&PACKET))
BATCH_GET(doca_eth_rxq_event_batch_managed_recv_get_l4_ok_array, uint8_t,
	  l4_ok_array, true, l4_ok, rx_l4_ok(&PACKET))

/* Release all packets; the program must not have released any of them itself. */
void doca_eth_rxq_event_batch_managed_recv_pkt_array_free(
	struct doca_buf **pkt_array)
{
	struct rx_array *array;
	uint16_t i;

	if (!given(pkt_array))
		return;
	array = list_entry(pkt_array, struct rx_array, bufs);
	if (!valid(array))
		return;
	for (i = 0; i < array->given; i++)
		doca_buf_dec_refcount(array->bufs[i], NULL);
	array->given = 0;
}
