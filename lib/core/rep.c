// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Representors stand for the functions of a host on its DPU. No device here has
 * any, and none can be made without a list that has one.
 */
#include "dev.h"
#include "log.h"

LOG_SOURCE("COMMON::DEV");

#define ALL_FILTERS \
	(DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED)

static doca_error_t none(bool valid)
{
	return valid ? DOCA_ERROR_NOT_SUPPORTED : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t no_filter(const struct doca_devinfo *devinfo,
			      uint8_t *supported)
{
	if (!devinfo || !supported)
		return DOCA_ERROR_INVALID_VALUE;
	*supported = 0;
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
					     uint8_t *filter_all_supported)
{
	return no_filter(devinfo, filter_all_supported);
}

doca_error_t
doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
					     uint8_t *filter_net_supported)
{
	return no_filter(devinfo, filter_net_supported);
}

doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
	const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported)
{
	return no_filter(devinfo, filter_emulated_supported);
}

doca_error_t
doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
			     struct doca_devinfo_rep ***dev_list_rep,
			     uint32_t *nb_devs_rep)
{
	if (!dev || (filter & ~ALL_FILTERS) || !dev_list_rep || !nb_devs_rep)
		return DOCA_ERROR_INVALID_VALUE;
	LOG_WARN("%s has no representors; ask with "
		 "doca_devinfo_rep_cap_is_filter_all_supported() first",
		 dev->info.name);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t
doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
	return none(dev_list_rep);
}

doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo,
			       struct doca_dev_rep **dev_rep)
{
	return none(devinfo && dev_rep);
}

doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
	return none(dev);
}

struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep)
{
	(void)dev_rep;
	return NULL;
}

doca_error_t
doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep,
			  char *rep_vuid, uint32_t size)
{
	return none(devinfo_rep && rep_vuid && size);
}

doca_error_t
doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
				  char *pci_addr_str)
{
	return none(devinfo_rep && pci_addr_str);
}

doca_error_t
doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
				   const char *pci_addr_str, uint8_t *is_equal)
{
	return none(devinfo_rep && pci_addr_str && is_equal);
}

doca_error_t
doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
				   enum doca_pci_func_type *pci_func_type)
{
	return none(devinfo_rep && pci_func_type);
}

doca_error_t
doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep,
				uint8_t *is_hotplug)
{
	return none(devinfo_rep && is_hotplug);
}

doca_error_t
doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
				char *iface_name, uint32_t size)
{
	return none(devinfo_rep && iface_name &&
		    size >= DOCA_DEVINFO_IFACE_NAME_SIZE);
}

doca_error_t
doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep,
			     uint16_t *vhca_id)
{
	return none(devinfo_rep && vhca_id);
}
