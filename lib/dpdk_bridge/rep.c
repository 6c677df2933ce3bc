// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Ports of representors: the existing representors stand for no port. */
#include <stddef.h>

#include <doca_dpdk.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/objects.h"

LOG_SOURCE("DPDK_BRIDGE");

/* A machine that is inspected has no port. */
static doca_error_t none(const struct doca_devinfo_rep *rep)
{
	return FAIL(NOT_SUPPORTED,
		    "%p stands for no port: see "
		    "doca_dpdk_cap_is_rep_port_supported()",
		    (const void *)rep);
}

doca_error_t
doca_dpdk_cap_is_rep_port_supported(const struct doca_devinfo *devinfo,
				    uint8_t *is_rep_port_supported)
{
	if (!valid(devinfo) || !given(is_rep_port_supported))
		return DOCA_ERROR_INVALID_VALUE;
	*is_rep_port_supported = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpdk_open_dev_rep_by_port_id(uint16_t port_id,
					       struct doca_dev *dev,
					       struct doca_dev_rep **rep)
{
	if (!valid(dev) || !given(rep))
		return DOCA_ERROR_INVALID_VALUE;
	LOG_ERR("port %u is no representor's: %s has none; ask with "
		"doca_dpdk_cap_is_rep_port_supported() first",
		port_id, dev->info.name);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_dpdk_get_rep_vf_index(const struct doca_devinfo_rep *rep,
					uint16_t *vf_idx)
{
	if (!valid(rep) || !given(vf_idx))
		return DOCA_ERROR_INVALID_VALUE;
	return none(rep);
}

doca_error_t doca_dpdk_get_rep_sf_num(const struct doca_devinfo_rep *rep,
				      uint16_t *sf_num)
{
	if (!valid(rep) || !given(sf_num))
		return DOCA_ERROR_INVALID_VALUE;
	return none(rep);
}
