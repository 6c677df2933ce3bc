// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Representors stand for the functions of a host on its DPU. No device here has
 * any, and none can be made without a list that has one.
 */
#include "debug.h"
#include "dev.h"
#include "log.h"

LOG_SOURCE("COMMON::DEV");

#define ALL_FILTERS \
	(DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED)

/* What is given for one has come from nowhere. */
static doca_error_t none(const void *rep)
{
	return FAIL(NOT_SUPPORTED, "%p is no representor: no device has any",
		    rep);
}

doca_error_t
doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
					     uint8_t *filter_all_supported)
{
	if (!valid(devinfo) || !given(filter_all_supported))
		return DOCA_ERROR_INVALID_VALUE;
	*filter_all_supported = 0;
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
					     uint8_t *filter_net_supported)
{
	if (!valid(devinfo) || !given(filter_net_supported))
		return DOCA_ERROR_INVALID_VALUE;
	*filter_net_supported = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
	const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported)
{
	if (!valid(devinfo) || !given(filter_emulated_supported))
		return DOCA_ERROR_INVALID_VALUE;
	*filter_emulated_supported = 0;
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
			     struct doca_devinfo_rep ***dev_list_rep,
			     uint32_t *nb_devs_rep)
{
	if (!valid(dev) || refused(filter & ~ALL_FILTERS) ||
	    !given(dev_list_rep) || !given(nb_devs_rep))
		return DOCA_ERROR_INVALID_VALUE;
	return FAIL(NOT_SUPPORTED,
		    "%s has no representors; ask with "
		    "doca_devinfo_rep_cap_is_filter_all_supported() first",
		    dev->info.name);
}

doca_error_t
doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
	if (!given(dev_list_rep))
		return DOCA_ERROR_INVALID_VALUE;
	return none(dev_list_rep);
}

doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo,
			       struct doca_dev_rep **dev_rep)
{
	if (!given(devinfo) || !given(dev_rep))
		return DOCA_ERROR_INVALID_VALUE;
	return none(devinfo);
}

doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
	if (!given(dev))
		return DOCA_ERROR_INVALID_VALUE;
	return none(dev);
}

struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep)
{
	if (given(dev_rep))
		none(dev_rep);
	return NULL;
}

doca_error_t
doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep,
			  char *rep_vuid, uint32_t size)
{
	if (!given(devinfo_rep) || !given(rep_vuid) || !given(size))
		return DOCA_ERROR_INVALID_VALUE;
	return none(devinfo_rep);
}

doca_error_t
doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
				  char *pci_addr_str)
{
	if (!given(devinfo_rep) || !given(pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	return none(devinfo_rep);
}

doca_error_t
doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
				   const char *pci_addr_str, uint8_t *is_equal)
{
	if (!given(devinfo_rep) || !given(pci_addr_str) || !given(is_equal))
		return DOCA_ERROR_INVALID_VALUE;
	return none(devinfo_rep);
}

doca_error_t
doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
				   enum doca_pci_func_type *pci_func_type)
{
	if (!given(devinfo_rep) || !given(pci_func_type))
		return DOCA_ERROR_INVALID_VALUE;
	return none(devinfo_rep);
}

doca_error_t
doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep,
				uint8_t *is_hotplug)
{
	if (!given(devinfo_rep) || !given(is_hotplug))
		return DOCA_ERROR_INVALID_VALUE;
	return none(devinfo_rep);
}

doca_error_t
doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
				char *iface_name, uint32_t size)
{
	if (!given(devinfo_rep) || !given(iface_name) ||
	    refused(size < DOCA_DEVINFO_IFACE_NAME_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	return none(devinfo_rep);
}

doca_error_t
doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep,
			     uint16_t *vhca_id)
{
	if (!given(devinfo_rep) || !given(vhca_id))
		return DOCA_ERROR_INVALID_VALUE;
	return none(devinfo_rep);
}
