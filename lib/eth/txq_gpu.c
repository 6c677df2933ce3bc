// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Functions for programs on GPUs, which are not supported. */
#include <doca_error.h>
#include <doca_eth_txq_gpu_data_path.h>

#include "txq.h"

LOG_SOURCE("ETH::TXQ");

static const char on_cpu[] = "a send queue has nothing of a GPU: its data path "
			     "is on the CPU";

doca_error_t doca_eth_txq_get_gpu_handle(const struct doca_eth_txq *eth_txq,
					 struct doca_gpu_eth_txq **eth_txq_ext)
{
	if (!valid_ctx(eth_txq, doca_eth_txq) || !given(eth_txq_ext))
		return DOCA_ERROR_INVALID_VALUE;
	return FAIL(NOT_SUPPORTED, "%s", on_cpu);
}

doca_error_t
doca_eth_txq_gpu_set_completion_on_gpu(struct doca_eth_txq *eth_txq)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret =
		eth_may_set(CTX_OF(eth_txq), &doca_eth_txq_object, &site);

	return ret == DOCA_SUCCESS ? FAIL(NOT_SUPPORTED, "%s", on_cpu) : ret;
}

doca_error_t doca_eth_txq_gpu_event_error_send_packet_register(
	struct doca_eth_txq *eth_txq,
	doca_eth_txq_gpu_event_error_send_packet_cb_t event_error_send_packet_cb,
	union doca_data event_user_data)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret =
		eth_may_set(CTX_OF(eth_txq), &doca_eth_txq_object, &site);

	(void)event_user_data;
	if (ret != DOCA_SUCCESS || !given(event_error_send_packet_cb))
		return ret != DOCA_SUCCESS ? ret : DOCA_ERROR_INVALID_VALUE;
	return FAIL(NOT_SUPPORTED, "%s", on_cpu);
}

doca_error_t doca_eth_txq_gpu_event_notify_send_packet_register(
	struct doca_eth_txq *eth_txq,
	doca_eth_txq_gpu_event_notify_send_packet_cb_t
		event_notify_send_packet_cb,
	union doca_data event_user_data)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret =
		eth_may_set(CTX_OF(eth_txq), &doca_eth_txq_object, &site);

	(void)event_user_data;
	if (ret != DOCA_SUCCESS || !given(event_notify_send_packet_cb))
		return ret != DOCA_SUCCESS ? ret : DOCA_ERROR_INVALID_VALUE;
	return FAIL(NOT_SUPPORTED, "%s", on_cpu);
}

/* There are no such events, so any argument is wrong. */
#define EVENT_GET(name, event_t, event, value_t, out)                \
	doca_error_t name(const struct event_t *event, value_t *out) \
	{                                                            \
		if (!given(event) || !given(out))                    \
			return DOCA_ERROR_INVALID_VALUE;             \
		return FAIL(NOT_SUPPORTED, "%s", on_cpu);            \
	}

EVENT_GET(doca_eth_txq_gpu_event_error_send_packet_get_position,
	  doca_eth_txq_gpu_event_error_send_packet, event_error, uint16_t,
	  packet_index)
EVENT_GET(doca_eth_txq_gpu_event_notify_send_packet_get_position,
	  doca_eth_txq_gpu_event_notify_send_packet, event_notify, uint16_t,
	  packet_index)
EVENT_GET(doca_eth_txq_gpu_event_notify_send_packet_get_timestamp,
	  doca_eth_txq_gpu_event_notify_send_packet, event_notify, uint64_t,
	  packet_timestamp)
