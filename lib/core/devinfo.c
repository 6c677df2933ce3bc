// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What there is and what is known of it. Properties that may change are asked for
 * when the program asks; a property that a device does not have is an error code
 * and no line in the log, since programs look through all devices.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "dev.h"
#include "driver.h"
#include "log.h"
#include "netdev.h"
#include "netlink.h"
#include "pci.h"
#include "verbs.h"

LOG_SOURCE("COMMON::DEV");

/* One block, pointers first: a list is freed without knowing its length. */
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
	return list;
}

/* Without a driver that can be opened, devices would be of no use. */
static int list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	int err;

	*infos = NULL;
	*n = 0;
	err = driver_get();
	if (err) {
		LOG_ERR("no devices: %s", dev_driver_reason(err));
		return 0;
	}
	err = netlink_list_devices(infos, n);
	driver_put();
	if (err == -ENOENT) {
		LOG_ERR("no devices: %s", dev_driver_reason(err));
		return 0;
	}
	if (err)
		LOG_ERR("cannot list devices: %s", strerror(-err));
	return err;
}

doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list,
				      uint32_t *nb_devs)
{
	struct doca_devinfo **list;
	struct doca_devinfo *infos;
	uint32_t n;
	int err;

	if (!dev_list || !nb_devs)
		return DOCA_ERROR_INVALID_VALUE;
	err = list_devices(&infos, &n);
	if (err)
		return err == -ENOMEM ? DOCA_ERROR_NO_MEMORY :
					DOCA_ERROR_NOT_FOUND;
	list = make_list(infos, n);
	free(infos);
	if (!list)
		return DOCA_ERROR_NO_MEMORY;
	*dev_list = list;
	*nb_devs = n;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list)
{
	if (!dev_list)
		return DOCA_ERROR_INVALID_VALUE;
	free(dev_list);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo,
					 char *ibdev_name, uint32_t size)
{
	if (!devinfo || !ibdev_name || size < DOCA_DEVINFO_IBDEV_NAME_SIZE)
		return DOCA_ERROR_INVALID_VALUE;
	snprintf(ibdev_name, size, "%s", devinfo->name);
	return DOCA_SUCCESS;
}

/* ENODEV if the device has no network interface. */
static int find_netdev(const struct doca_devinfo *devinfo,
		       struct netdev *netdev)
{
	if (devinfo->type != DOCA_DEV_RDMA)
		return -ENODEV;
	return netdev_find(devinfo->name, netdev);
}

doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo,
					 char *iface_name, uint32_t size)
{
	struct netdev netdev;

	if (!devinfo || !iface_name || size < DOCA_DEVINFO_IFACE_NAME_SIZE)
		return DOCA_ERROR_INVALID_VALUE;
	if (find_netdev(devinfo, &netdev))
		return DOCA_ERROR_OPERATING_SYSTEM;
	snprintf(iface_name, size, "%s", netdev.name);
	return DOCA_SUCCESS;
}

static doca_error_t get_ip(const struct doca_devinfo *devinfo, int family,
			   void *addr, size_t size)
{
	struct netdev netdev;

	if (find_netdev(devinfo, &netdev) ||
	    netdev_get_addr(&netdev, family, addr, size))
		return DOCA_ERROR_OPERATING_SYSTEM;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo,
					uint8_t *ipv4_addr, uint32_t size)
{
	if (!devinfo || !ipv4_addr || size < DOCA_DEVINFO_IPV4_ADDR_SIZE)
		return DOCA_ERROR_INVALID_VALUE;
	return get_ip(devinfo, AF_INET, ipv4_addr, DOCA_DEVINFO_IPV4_ADDR_SIZE);
}

doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo,
					uint8_t *ipv6_addr, uint32_t size)
{
	if (!devinfo || !ipv6_addr || size < DOCA_DEVINFO_IPV6_ADDR_SIZE)
		return DOCA_ERROR_INVALID_VALUE;
	return get_ip(devinfo, AF_INET6, ipv6_addr,
		      DOCA_DEVINFO_IPV6_ADDR_SIZE);
}

doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo,
				       uint8_t *mac_addr, uint32_t size)
{
	struct netdev netdev;

	if (!devinfo || !mac_addr || size < DOCA_DEVINFO_MAC_ADDR_SIZE)
		return DOCA_ERROR_INVALID_VALUE;
	if (find_netdev(devinfo, &netdev) ||
	    netdev_get_mac(&netdev, mac_addr, DOCA_DEVINFO_MAC_ADDR_SIZE))
		return DOCA_ERROR_NOT_SUPPORTED;
	return DOCA_SUCCESS;
}

static doca_error_t query_port(const struct doca_devinfo *devinfo,
			       struct verbs_port *port)
{
	int err;

	if (devinfo->type != DOCA_DEV_RDMA)
		return DOCA_ERROR_NOT_SUPPORTED;
	err = verbs_query_port(devinfo->name, port);
	if (err) {
		LOG_ERR("cannot query the port of %s: %s", devinfo->name,
			strerror(-err));
		return DOCA_ERROR_DRIVER;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo,
				  uint16_t *lid)
{
	struct verbs_port port;
	doca_error_t res;

	if (!devinfo || !lid)
		return DOCA_ERROR_INVALID_VALUE;
	res = query_port(devinfo, &port);
	if (res != DOCA_SUCCESS)
		return res;
	if (!port.infiniband)
		return DOCA_ERROR_NOT_SUPPORTED;
	*lid = port.lid;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
					  uint64_t *active_rate)
{
	struct verbs_port port;
	doca_error_t res;

	if (!devinfo || !active_rate)
		return DOCA_ERROR_INVALID_VALUE;
	res = query_port(devinfo, &port);
	if (res == DOCA_SUCCESS)
		*active_rate = port.rate;
	return res;
}

/* ENODEV or ENOENT if it has none. */
static int find_pci(const struct doca_devinfo *devinfo,
		    char pci[DOCA_DEVINFO_PCI_ADDR_SIZE])
{
	struct netdev netdev;
	int err;

	if (devinfo->pci[0]) {
		strcpy(pci, devinfo->pci);
		return 0;
	}
	err = find_netdev(devinfo, &netdev);
	return err ? err : netdev_get_pci(&netdev, pci);
}

doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo,
					   char *pci_addr_str)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	if (!devinfo || !pci_addr_str)
		return DOCA_ERROR_INVALID_VALUE;
	if (find_pci(devinfo, pci))
		return DOCA_ERROR_OPERATING_SYSTEM;
	strcpy(pci_addr_str, pci);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
					    const char *pci_addr_str,
					    uint8_t *is_equal)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	const char *compare = pci;
	int err;

	if (!devinfo || !pci_addr_str || !is_equal)
		return DOCA_ERROR_INVALID_VALUE;
	if (pci_has_form(pci_addr_str, PCI_BDF_FORM))
		compare = pci + DOCA_DEVINFO_PCI_ADDR_SIZE -
			  DOCA_DEVINFO_PCI_BDF_SIZE;
	else if (!pci_has_form(pci_addr_str, PCI_ADDR_FORM))
		return DOCA_ERROR_INVALID_VALUE;
	err = find_pci(devinfo, pci);
	if (err && err != -ENODEV && err != -ENOENT)
		return DOCA_ERROR_OPERATING_SYSTEM;
	*is_equal = !err && strcasecmp(compare, pci_addr_str) == 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo,
				      uint16_t *vhca_id)
{
	if (!devinfo || !vhca_id)
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(
	const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)
{
	if (!devinfo || !is_hotplug_manager)
		return DOCA_ERROR_INVALID_VALUE;
	*is_hotplug_manager = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
	const struct doca_devinfo *devinfo,
	uint8_t *is_notification_moderation_supported)
{
	if (!devinfo || !is_notification_moderation_supported)
		return DOCA_ERROR_INVALID_VALUE;
	*is_notification_moderation_supported = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
	const struct doca_devinfo *devinfo,
	uint8_t *is_accelerate_resource_reclaim)
{
	if (!devinfo || !is_accelerate_resource_reclaim)
		return DOCA_ERROR_INVALID_VALUE;
	*is_accelerate_resource_reclaim = 0;
	return DOCA_SUCCESS;
}
