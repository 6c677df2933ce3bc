// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Capabilities of devices: the same for every network interface. */
#include <errno.h>
#include <string.h>

#include <doca_error.h>
#include <doca_eth_rxq.h>
#include <doca_eth_txq.h>

#include "eth.h"

LOG_SOURCE("ETH");

bool eth_devinfo_is(const struct doca_devinfo *devinfo, const void *out,
		    const struct log_site *site)
{
	return given_at(devinfo, "devinfo", site) &&
	       (!doca_priv_debug ||
		doca_priv_debug_valid(devinfo, &doca_priv_devinfo_object, true,
				      site->func)) &&
	       given_at(out, "the place for the answer", site);
}

doca_error_t eth_ifname(const struct doca_devinfo *devinfo,
			char ifname[ETH_IFNAME])
{
	struct netdev netdev;

	if (doca_priv_iface_find(devinfo, &netdev))
		return DOCA_ERROR_NOT_SUPPORTED;
	strcpy(ifname, netdev.name);
	return DOCA_SUCCESS;
}

doca_error_t doca_priv_eth_has_interface(const struct doca_dev *dev,
					 const struct log_site *site)
{
	char ifname[ETH_IFNAME], text[IFACE_NONE];

	if (eth_ifname(&dev->info, ifname) == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	return FAIL_AT(site, NOT_SUPPORTED, "%s(): device %s", site->func,
		       doca_priv_iface_none(&dev->info, text));
}

doca_error_t eth_ask(const struct doca_devinfo *devinfo,
		     struct task_limits *limits)
{
	char ifname[ETH_IFNAME];

	limits->tasks = ETH_MAX_BURST;
	limits->list_len = ETH_MAX_SEND_LIST;
	limits->length = ETH_MAX_LSO_MESSAGE;
	return devinfo ? eth_ifname(devinfo, ifname) : DOCA_SUCCESS;
}

static doca_error_t no_interface(const struct doca_devinfo *devinfo,
				 const struct log_site *site)
{
	char text[IFACE_NONE];

	return ANSWER_AT(site, NOT_SUPPORTED, "device %s",
			 doca_priv_iface_none(devinfo, text));
}

doca_error_t eth_cap(const struct doca_devinfo *devinfo, void *value,
		     size_t size, uint32_t number, const struct log_site *site)
{
	char ifname[ETH_IFNAME];

	if (!eth_devinfo_is(devinfo, value, site))
		return DOCA_ERROR_INVALID_VALUE;
	if (eth_ifname(devinfo, ifname) != DOCA_SUCCESS)
		return no_interface(devinfo, site);
	if (size == 1)
		*(uint8_t *)value = number;
	else if (size == 2)
		*(uint16_t *)value = number;
	else
		*(uint32_t *)value = number;
	return DOCA_SUCCESS;
}

ETH_CAP(doca_eth_rxq_cap_get_max_burst_size, uint32_t, max_burst_size,
	ETH_MAX_BURST)
ETH_CAP(doca_eth_rxq_cap_get_max_packet_size, uint32_t, max_packet_size,
	ETH_MAX_PACKET)
ETH_CAP(doca_eth_rxq_cap_get_max_packet_headroom, uint16_t, max_packet_headroom,
	ETH_MAX_HEADROOM)
ETH_CAP(doca_eth_rxq_cap_get_max_packet_tailroom, uint16_t, max_packet_tailroom,
	ETH_MAX_TAILROOM)
ETH_CAP(doca_eth_rxq_cap_get_max_recv_buf_list_len, uint32_t,
	max_recv_buf_list_len, 1)
ETH_CAP(doca_eth_rxq_cap_get_max_metadata_num, uint8_t, max_metadata_num,
	ETH_MAX_METADATA)
ETH_CAP(doca_eth_txq_cap_get_max_send_buf_list_len, uint32_t,
	max_send_buf_list_len, ETH_MAX_SEND_LIST)
ETH_CAP(doca_eth_txq_cap_get_max_lso_header_size, uint16_t, max_lso_header_size,
	ETH_MAX_LSO_HEADER)
ETH_CAP(doca_eth_txq_cap_get_max_lso_msg_size, uint32_t, max_lso_msg_size,
	ETH_MAX_LSO_MESSAGE)
ETH_CAP(doca_eth_txq_cap_get_max_metadata_num, uint8_t, max_metadata_num,
	ETH_MAX_METADATA)

doca_error_t doca_eth_txq_cap_get_max_burst_size(
	const struct doca_devinfo *devinfo, uint32_t max_send_buf_list_len,
	uint16_t max_lso_header_size, uint32_t *max_burst_size)
{
	static const struct log_site site = LOG_SITE;

	if (!eth_devinfo_is(devinfo, max_burst_size, &site) ||
	    refused(max_send_buf_list_len > ETH_MAX_SEND_LIST) ||
	    refused(max_lso_header_size > ETH_MAX_LSO_HEADER))
		return DOCA_ERROR_INVALID_VALUE;
	return eth_cap(devinfo, max_burst_size, sizeof(*max_burst_size),
		       ETH_MAX_BURST, &site);
}

doca_error_t doca_eth_txq_cap_get_wait_on_time_offload_supported(
	const struct doca_devinfo *devinfo,
	enum doca_eth_wait_on_time_type *wait_on_time_mode)
{
	static const struct log_site site = LOG_SITE;

	return eth_cap(devinfo, wait_on_time_mode, sizeof(*wait_on_time_mode),
		       DOCA_ETH_WAIT_ON_TIME_TYPE_NONE, &site);
}

static doca_error_t eth_can(const struct doca_devinfo *devinfo, bool can,
			    const char *why, const struct log_site *site)
{
	char ifname[ETH_IFNAME];

	if (!eth_devinfo_is(devinfo, devinfo, site))
		return DOCA_ERROR_INVALID_VALUE;
	if (eth_ifname(devinfo, ifname) != DOCA_SUCCESS)
		return no_interface(devinfo, site);
	if (!can)
		return ANSWER_AT(site, NOT_SUPPORTED, "%s: %s", ifname, why);
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_txq_cap_is_l3_chksum_offload_supported(
	const struct doca_devinfo *devinfo)
{
	static const struct log_site site = LOG_SITE;

	return eth_can(devinfo, true, NULL, &site);
}

doca_error_t doca_eth_txq_cap_is_l4_chksum_offload_supported(
	const struct doca_devinfo *devinfo)
{
	static const struct log_site site = LOG_SITE;

	return eth_can(devinfo, true, NULL, &site);
}

doca_error_t doca_eth_rxq_cap_is_type_supported(
	const struct doca_devinfo *devinfo, enum doca_eth_rxq_type type,
	enum doca_eth_rxq_data_path_type data_path_type)
{
	static const struct log_site site = LOG_SITE;

	if (!eth_devinfo_is(devinfo, devinfo, &site) ||
	    refused((unsigned int)type > DOCA_ETH_RXQ_TYPE_REGULAR) ||
	    refused((unsigned int)data_path_type >
		    DOCA_ETH_RXQ_DATA_PATH_TYPE_GPU))
		return DOCA_ERROR_INVALID_VALUE;
	if (!xsk_is_built())
		return eth_can(devinfo, false,
			       "the library was built without libxdp-dev, "
			       "libbpf-dev and clang, which receiving takes",
			       &site);
	return eth_can(
		devinfo,
		type != DOCA_ETH_RXQ_TYPE_CYCLIC &&
			data_path_type == DOCA_ETH_RXQ_DATA_PATH_TYPE_CPU,
		"queues are regular or of a managed pool, on the CPU", &site);
}

doca_error_t doca_eth_txq_cap_is_type_supported(
	const struct doca_devinfo *devinfo, enum doca_eth_txq_type type,
	enum doca_eth_txq_data_path_type data_path_type)
{
	static const struct log_site site = LOG_SITE;

	if (!eth_devinfo_is(devinfo, devinfo, &site) ||
	    refused((unsigned int)type > DOCA_ETH_TXQ_TYPE_REGULAR) ||
	    refused((unsigned int)data_path_type >
		    DOCA_ETH_TXQ_DATA_PATH_TYPE_GPU))
		return DOCA_ERROR_INVALID_VALUE;
	return eth_can(devinfo,
		       data_path_type == DOCA_ETH_TXQ_DATA_PATH_TYPE_CPU,
		       "queues are on the CPU", &site);
}

doca_error_t eth_error(const struct xsk_why *why)
{
	switch (why->err) {
	case -EPERM:
	case -EACCES:
	case -ENOBUFS:
		return DOCA_ERROR_NOT_PERMITTED;
	case -EBUSY:
		return DOCA_ERROR_IN_USE;
	case -EOPNOTSUPP:
		return DOCA_ERROR_NOT_SUPPORTED;
	default:
		return DOCA_ERROR_INITIALIZATION;
	}
}

doca_error_t eth_start_refused(const struct doca_ctx *ctx,
			       const struct xsk_why *why)
{
	LOG_ERR("cannot start %s: %s", ctx->type->name, why->text);
	return eth_error(why);
}

doca_error_t eth_start_without(const struct doca_ctx *ctx)
{
	char text[IFACE_NONE];

	return FAIL(NOT_SUPPORTED, "cannot start %s: device %s",
		    ctx->type->name,
		    doca_priv_iface_none(&ctx->dev->info, text));
}

doca_error_t eth_may_set(const struct doca_ctx *ctx,
			 const struct object_type *object,
			 const struct log_site *site)
{
	if (!ctx_is(ctx, object, site))
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_priv_ctx_idle(ctx))
		return DOCA_SUCCESS;
	return FAIL_AT(site, BAD_STATE, "%s(): %s %p is started", site->func,
		       ctx->type->name, (const void *)ctx);
}

/* An import has addresses of another process, a dma-buf perhaps none at all. */
bool eth_is_local(const struct doca_buf *buf)
{
	return !buf->mmap->from_export && buf->mmap->dmabuf_fd < 0;
}
