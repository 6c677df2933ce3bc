// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Ports of DPDK for devices. Nothing is stored: the port of a device has the name that
 * DPDK gives to its own device, which follows from DOCA's.
 *
 * DPDK drives an RDMA device on PCI by a driver for its PCI function, which shares it
 * with the kernel's. Soft-RoCE is on a network interface that the kernel must keep, and
 * so is a software device, if it has one: its port is an AF_PACKET socket on that
 * interface.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <rte_dev.h>
#include <rte_ethdev.h>
#include <rte_pci.h>

#include <doca_dpdk.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/device/iface.h"
#include "core/objects.h"

LOG_SOURCE("DPDK_BRIDGE");

#define ON_INTERFACE "net_af_packet_doca" /* followed by the device's id */

/* Other devices may have a fake address, or that of the engine which copies for them. */
static bool is_on_pci(const struct doca_devinfo *info)
{
	return info->type == DOCA_DEV_RDMA && info->pci[0];
}

/* Make DPDK's name for the device, if there is one. */
static void name_of(const struct doca_devinfo *info,
		    char name[RTE_DEV_NAME_MAX_LEN])
{
	if (is_on_pci(info))
		snprintf(name, RTE_DEV_NAME_MAX_LEN, "%s", info->pci);
	else
		snprintf(name, RTE_DEV_NAME_MAX_LEN, ON_INTERFACE "%u",
			 info->id);
}

static bool has_name(const struct doca_devinfo *info, const void *arg)
{
	char name[RTE_DEV_NAME_MAX_LEN];

	name_of(info, name);
	return strcasecmp(name, arg) == 0;
}

/* Return true if one of the comma-separated arguments names a PCI function. */
static bool names_pci(const char *devargs)
{
	char arg[RTE_DEV_NAME_MAX_LEN];
	struct rte_pci_addr addr;
	size_t len;

	for (; *devargs; devargs += len + (devargs[len] == ',')) {
		len = strcspn(devargs, ",");
		if (len >= sizeof(arg))
			continue;
		memcpy(arg, devargs, len);
		arg[len] = '\0';
		if (!rte_pci_addr_parse(arg, &addr))
			return true;
	}
	return false;
}

/* The interface comes last, so that it wins. */
static doca_error_t probe_interface(struct doca_devinfo *info, const char *name,
				    const char *devargs, int *err)
{
	char args[1024], text[IFACE_NONE];
	struct netdev netdev;
	int len;

	if (doca_priv_iface_find(info, &netdev))
		return FAIL(INVALID_VALUE, "cannot probe a port: device %s",
			    doca_priv_iface_none(info, text));
	len = snprintf(args, sizeof(args), "%s%siface=%s", devargs,
		       *devargs ? "," : "", netdev.name);
	if (refused(len >= (int)sizeof(args)))
		return DOCA_ERROR_INVALID_VALUE;
	*err = rte_eal_hotplug_add("vdev", name, args);
	return DOCA_SUCCESS;
}

doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs)
{
	char name[RTE_DEV_NAME_MAX_LEN];
	struct doca_devinfo *info;
	doca_error_t res = DOCA_SUCCESS;
	int err = 0;

	if (!valid(dev) || !given(devargs) || refused(names_pci(devargs)))
		return DOCA_ERROR_INVALID_VALUE;
	info = doca_dev_as_devinfo(dev);
	if (!given(info))
		return DOCA_ERROR_INVALID_VALUE;
	name_of(info, name);
	if (is_on_pci(info))
		err = rte_eal_hotplug_add("pci", name, devargs);
	else
		res = probe_interface(info, name, devargs, &err);
	if (res != DOCA_SUCCESS || !err)
		return res;
	LOG_ERR("cannot probe a port of %s as %s: %s", info->name, name,
		errno_text(err));
	return err == -ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_DRIVER;
}

/* NULL if there is no such port. */
static const char *port_name(uint16_t port_id)
{
	struct rte_eth_dev_info info;

	if (rte_eth_dev_info_get(port_id, &info) || !info.device)
		return NULL;
	return rte_dev_name(info.device);
}

doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev,
					 uint16_t *port_id)
{
	const struct doca_devinfo *info;
	const char *name;
	uint16_t id;

	if (!valid(dev) || !given(port_id))
		return DOCA_ERROR_INVALID_VALUE;
	info = doca_dev_as_devinfo(dev);
	if (!given(info))
		return DOCA_ERROR_INVALID_VALUE;
	RTE_ETH_FOREACH_DEV(id)
	{
		name = port_name(id);
		if (name && has_name(info, name)) {
			*port_id = id;
			return DOCA_SUCCESS;
		}
	}
	return ANSWER(NOT_FOUND, "no port of DPDK is that of %s", info->name);
}

doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev)
{
	struct doca_dev *found;
	const char *name;

	if (!given(dev))
		return DOCA_ERROR_INVALID_VALUE;
	if (!rte_eth_dev_is_valid_port(port_id))
		return ANSWER(NOT_FOUND, "DPDK has no port %u", port_id);
	name = port_name(port_id);
	found = name ? doca_priv_dev_find(has_name, name) : NULL;
	if (!found)
		return ANSWER(NOT_FOUND, "port %u is of no device that is open",
			      port_id);
	*dev = found;
	return DOCA_SUCCESS;
}
