// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Lists of devices, and their properties. Properties that may change are read when
 * the program asks. A missing property is an answer, not a failure, because
 * programs look through all devices.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "alias.h"
#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/out_of.h"
#include "core/driver/driver.h"
#include "core/driver/driver_choice.h"
#include "core/driver/pci.h"
#include "core/driver/profile.h"
#include "core/objects.h"
#include "dev.h"
#include "iface.h"
#include "verbs.h"

LOG_SOURCE("COMMON::DEV");

/* Allocate one block, pointers first, so that a list is freed without knowing its length. */
static struct doca_devinfo **make_list(const struct doca_devinfo *infos,
				       uint32_t n)
{
	struct doca_devinfo **list;
	struct doca_devinfo *copy;
	uint32_t i;

	list = malloc((n + 1) * sizeof(*list) + n * sizeof(*copy));
	if (!list)
		return NULL;
	copy = (struct doca_devinfo *)(list + n + 1);
	for (i = 0; i < n; i++) {
		copy[i] = infos[i];
		list[i] = &copy[i];
	}
	list[n] = NULL;
	doca_priv_debug_add(list, &doca_priv_devinfo_list_object,
			    (n + 1) * sizeof(*list), 1);
	if (n)
		doca_priv_debug_add(copy, &doca_priv_devinfo_object,
				    sizeof(*copy), n);
	return list;
}

/* Without a driver that can be opened, the list is empty: its devices would be useless. */
static int list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	int err;

	*infos = NULL;
	*n = 0;
	err = driver_get();
	if (is_out_of(err) || err == -DRIVER_WORD_ERROR ||
	    err == -PROFILE_ERROR) {
		LOG_ERR("cannot list devices: %s", dev_driver_reason(err));
		return err;
	}
	if (err) {
		LOG_ERR("no devices: %s", dev_driver_reason(err));
		return 0;
	}
	err = alias_list_devices(infos, n);
	driver_put();
	if (err == -ENOENT) {
		LOG_ERR("no devices: %s", dev_driver_reason(err));
		return 0;
	}
	if (err)
		LOG_ERR("cannot list devices: %s", dev_driver_reason(err));
	return err;
}

doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list,
				      uint32_t *nb_devs)
{
	struct doca_devinfo **list;
	struct doca_devinfo *infos;
	uint32_t n;
	int err;

	if (!given(dev_list) || !given(nb_devs))
		return DOCA_ERROR_INVALID_VALUE;
	err = list_devices(&infos, &n);
	if (err == -ENOMEM)
		return DOCA_ERROR_NO_MEMORY;
	if (err)
		return err == -DRIVER_WORD_ERROR ? DOCA_ERROR_NOT_CONNECTED :
						   DOCA_ERROR_NOT_FOUND;
	list = make_list(infos, n);
	free(infos);
	if (!list)
		return OUT_OF_MEMORY("the list of devices");
	LOG_DBG("there are %u devices", n);
	*dev_list = list;
	*nb_devs = n;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list)
{
	if (!valid(dev_list))
		return DOCA_ERROR_INVALID_VALUE;
	if (*dev_list)
		doca_priv_debug_del(*dev_list);
	doca_priv_debug_free(dev_list);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo,
					 char *ibdev_name, uint32_t size)
{
	if (!valid(devinfo) || !given(ibdev_name) ||
	    refused(size < DOCA_DEVINFO_IBDEV_NAME_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	snprintf(ibdev_name, size, "%s", devinfo->name);
	return DOCA_SUCCESS;
}

doca_error_t open_doca_devinfo_get_engine(const struct doca_devinfo *devinfo,
					  char *engine, uint32_t size)
{
	if (!valid(devinfo) || !given(engine) ||
	    refused(size < OPEN_DOCA_ENGINE_NAME_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	snprintf(engine, size, "%s", devinfo->engine);
	return DOCA_SUCCESS;
}

static doca_error_t no_iface(const struct doca_devinfo *devinfo)
{
	char text[IFACE_NONE];

	return ANSWER(OPERATING_SYSTEM, "%s",
		      doca_priv_iface_none(devinfo, text));
}

doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo,
					 char *iface_name, uint32_t size)
{
	if (!valid(devinfo) || !given(iface_name) ||
	    refused(size < DOCA_DEVINFO_IFACE_NAME_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	if (iface_get_name(devinfo, iface_name, size))
		return no_iface(devinfo);
	return DOCA_SUCCESS;
}

static doca_error_t get_ip(const struct doca_devinfo *devinfo, int family,
			   void *addr, size_t size)
{
	struct netdev netdev;

	if (doca_priv_iface_find(devinfo, &netdev) ||
	    netdev_get_addr(&netdev, family, addr, size))
		return ANSWER(
			OPERATING_SYSTEM,
			"%s has no network interface with such an address",
			devinfo->name);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo,
					uint8_t *ipv4_addr, uint32_t size)
{
	if (!valid(devinfo) || !given(ipv4_addr) ||
	    refused(size < DOCA_DEVINFO_IPV4_ADDR_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	return get_ip(devinfo, AF_INET, ipv4_addr, DOCA_DEVINFO_IPV4_ADDR_SIZE);
}

doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo,
					uint8_t *ipv6_addr, uint32_t size)
{
	if (!valid(devinfo) || !given(ipv6_addr) ||
	    refused(size < DOCA_DEVINFO_IPV6_ADDR_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	return get_ip(devinfo, AF_INET6, ipv6_addr,
		      DOCA_DEVINFO_IPV6_ADDR_SIZE);
}

doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo,
				       uint8_t *mac_addr, uint32_t size)
{
	struct netdev netdev;

	if (!valid(devinfo) || !given(mac_addr) ||
	    refused(size < DOCA_DEVINFO_MAC_ADDR_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_priv_iface_find(devinfo, &netdev) ||
	    netdev_get_mac(&netdev, mac_addr, DOCA_DEVINFO_MAC_ADDR_SIZE))
		return ANSWER(NOT_SUPPORTED,
			      "%s has no network interface with a MAC address",
			      devinfo->name);
	return DOCA_SUCCESS;
}

static doca_error_t query_port(const struct doca_devinfo *devinfo,
			       struct verbs_port *port)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	int err;

	if (devinfo->type != DOCA_DEV_RDMA)
		return ANSWER(NOT_SUPPORTED,
			      "%s is no RDMA device, so it has "
			      "no port",
			      devinfo->name);
	err = dev_name_by_now(devinfo, name);
	if (!err)
		err = verbs_query_port(name, port);
	if (err) {
		LOG_ERR("cannot query the port of %s: %s", devinfo->name,
			errno_text(err));
		return DOCA_ERROR_DRIVER;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo,
				  uint16_t *lid)
{
	struct verbs_port port;
	doca_error_t res;

	if (!valid(devinfo) || !given(lid))
		return DOCA_ERROR_INVALID_VALUE;
	res = query_port(devinfo, &port);
	if (res != DOCA_SUCCESS)
		return res;
	if (!port.infiniband)
		return ANSWER(NOT_SUPPORTED,
			      "the port of %s is not of InfiniBand",
			      devinfo->name);
	*lid = port.lid;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
					  uint64_t *active_rate)
{
	struct verbs_port port;
	doca_error_t res;

	if (!valid(devinfo) || !given(active_rate))
		return DOCA_ERROR_INVALID_VALUE;
	res = query_port(devinfo, &port);
	if (res == DOCA_SUCCESS)
		*active_rate = port.rate;
	return res;
}

doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo,
					   char *pci_addr_str)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	if (!valid(devinfo) || !given(pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	if (iface_find_pci(devinfo, pci))
		return ANSWER(OPERATING_SYSTEM, "%s has no PCI address",
			      devinfo->name);
	strcpy(pci_addr_str, pci);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
					    const char *pci_addr_str,
					    uint8_t *is_equal)
{
	if (!valid(devinfo) || !given(pci_addr_str) || !given(is_equal))
		return DOCA_ERROR_INVALID_VALUE;
	return iface_is_at(devinfo, pci_addr_str, is_equal);
}

/* The machine has something else at that address. */
static bool has_made_up_pci(const struct doca_devinfo *devinfo)
{
	return devinfo->type == DOCA_DEV_SOFTWARE && devinfo->pci[0];
}

/* Returns -ENOENT if it is not on a subfunction. */
static int find_sf(const struct doca_devinfo *devinfo, uint32_t *number)
{
	if (devinfo->type != DOCA_DEV_RDMA)
		return -ENOENT;
	return pci_get_sf(devinfo->name, number);
}

doca_error_t
doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo,
			       enum doca_pci_func_type *pci_func_type)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	uint32_t number;

	if (!valid(devinfo) || !given(pci_func_type))
		return DOCA_ERROR_INVALID_VALUE;
	/* A subfunction whose number cannot be read counts as well. */
	if (find_sf(devinfo, &number) != -ENOENT) {
		*pci_func_type = DOCA_PCI_FUNC_TYPE_SF;
		return DOCA_SUCCESS;
	}
	if (iface_find_pci(devinfo, pci))
		return ANSWER(NOT_SUPPORTED, "%s is on no PCI function",
			      devinfo->name);
	*pci_func_type = !has_made_up_pci(devinfo) && pci_is_vf(pci) ?
				 DOCA_PCI_FUNC_TYPE_VF :
				 DOCA_PCI_FUNC_TYPE_PF;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo,
				       uint32_t *sf_index)
{
	int err;

	if (!valid(devinfo) || !given(sf_index))
		return DOCA_ERROR_INVALID_VALUE;
	err = find_sf(devinfo, sf_index);
	if (err == -ENOENT)
		return ANSWER(NOT_SUPPORTED, "%s is on no subfunction",
			      devinfo->name);
	if (err)
		return FAIL(
			OPERATING_SYSTEM,
			"cannot read the number of the subfunction of %s: %s",
			devinfo->name, errno_text(err));
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo,
				      uint16_t *vhca_id)
{
	if (!valid(devinfo) || !given(vhca_id))
		return DOCA_ERROR_INVALID_VALUE;
	return ANSWER(NOT_SUPPORTED, "%s has no VHCA", devinfo->name);
}

doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(
	const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)
{
	if (!valid(devinfo) || !given(is_hotplug_manager))
		return DOCA_ERROR_INVALID_VALUE;
	*is_hotplug_manager = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
	const struct doca_devinfo *devinfo,
	uint8_t *is_notification_moderation_supported)
{
	if (!valid(devinfo) || !given(is_notification_moderation_supported))
		return DOCA_ERROR_INVALID_VALUE;
	*is_notification_moderation_supported = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
	const struct doca_devinfo *devinfo,
	uint8_t *is_accelerate_resource_reclaim)
{
	if (!valid(devinfo) || !given(is_accelerate_resource_reclaim))
		return DOCA_ERROR_INVALID_VALUE;
	*is_accelerate_resource_reclaim = 0;
	return DOCA_SUCCESS;
}
