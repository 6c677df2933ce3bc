// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_eth_rxq.h>
#include <doca_eth_txq.h>

#include "lib.h"

#define RXQ_TYPE(name, type)                                          \
	static doca_error_t name(const struct doca_devinfo *info)     \
	{                                                             \
		return doca_eth_rxq_cap_is_type_supported(            \
			info, type, DOCA_ETH_RXQ_DATA_PATH_TYPE_CPU); \
	}

RXQ_TYPE(rxq_regular, DOCA_ETH_RXQ_TYPE_REGULAR)
RXQ_TYPE(rxq_managed, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL)
RXQ_TYPE(rxq_cyclic, DOCA_ETH_RXQ_TYPE_CYCLIC)

static doca_error_t txq_regular(const struct doca_devinfo *info)
{
	return doca_eth_txq_cap_is_type_supported(
		info, DOCA_ETH_TXQ_TYPE_REGULAR,
		DOCA_ETH_TXQ_DATA_PATH_TYPE_CPU);
}

static doca_error_t txq_burst(const struct doca_devinfo *info, uint32_t *value)
{
	return doca_eth_txq_cap_get_max_burst_size(info, 1, 1, value);
}

static doca_error_t lso_header(const struct doca_devinfo *info, uint32_t *value)
{
	uint16_t size = 0;
	doca_error_t ret;

	ret = doca_eth_txq_cap_get_max_lso_header_size(info, &size);
	*value = size;
	return ret;
}

const struct cap eth_caps[] = {
	{ .name = "rxq_regular", .is_supported = rxq_regular },
	{ .name = "rxq_managed_mempool", .is_supported = rxq_managed },
	{ .name = "rxq_cyclic", .is_supported = rxq_cyclic },
	{ .name = "rxq_max_burst_size",
	  .get_u32 = doca_eth_rxq_cap_get_max_burst_size },
	{ .name = "rxq_max_packet_size",
	  .get_u32 = doca_eth_rxq_cap_get_max_packet_size },
	{ .name = "txq_regular", .is_supported = txq_regular },
	{ .name = "txq_max_burst_size", .get_u32 = txq_burst },
	{ .name = "txq_max_send_buf_list_len",
	  .get_u32 = doca_eth_txq_cap_get_max_send_buf_list_len },
	{ .name = "txq_max_lso_header_size", .get_u32 = lso_header },
	{ .name = "txq_max_lso_msg_size",
	  .get_u32 = doca_eth_txq_cap_get_max_lso_msg_size },
	{},
};
