// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/driver/pci.h"
#include "iface.h"

LOG_SOURCE("COMMON::DEV");

static bool has_real_name(const struct doca_devinfo *devinfo)
{
	return devinfo->iface[0] && !devinfo->iface_made_up;
}

int doca_priv_iface_find(const struct doca_devinfo *devinfo,
			 struct netdev *netdev)
{
	if (devinfo->type == DOCA_DEV_RDMA)
		return netdev_find(devinfo->name, netdev);
	if (!has_real_name(devinfo))
		return -ENODEV;
	return netdev_named(devinfo->iface, netdev);
}

const char *doca_priv_iface_none(const struct doca_devinfo *devinfo,
				 char text[IFACE_NONE])
{
	struct netdev netdev;
	int err = doca_priv_iface_find(devinfo, &netdev);

	if (err && err != -ENODEV)
		snprintf(text, IFACE_NONE,
			 "%s cannot be asked for its network interface: %s",
			 devinfo->name, errno_text(err));
	else if (has_real_name(devinfo))
		snprintf(text, IFACE_NONE,
			 "%s has no network interface: there is no %s in this "
			 "network namespace",
			 devinfo->name, devinfo->iface);
	else if (devinfo->type == DOCA_DEV_SOFTWARE)
		snprintf(text, IFACE_NONE,
			 "%s has no network interface: it is in software, and "
			 "no profile names one (DOCA_PROFILE, see doca(7))",
			 devinfo->name);
	else
		snprintf(
			text, IFACE_NONE,
			"%s has no network interface in this network namespace",
			devinfo->name);
	return text;
}

int iface_get_name(const struct doca_devinfo *devinfo, char *name, size_t size)
{
	struct netdev netdev;
	int err = 0;

	if (!devinfo->iface[0]) {
		err = doca_priv_iface_find(devinfo, &netdev);
		if (!err)
			snprintf(name, size, "%s", netdev.name);
		return err;
	}
	if (devinfo->iface_made_up && !netdev_named(devinfo->iface, &netdev))
		return -ENODEV;
	snprintf(name, size, "%s", devinfo->iface);
	return 0;
}

int iface_find_pci(const struct doca_devinfo *devinfo,
		   char pci[DOCA_DEVINFO_PCI_ADDR_SIZE])
{
	struct netdev netdev;
	int err;

	if (devinfo->pci[0]) {
		strcpy(pci, devinfo->pci);
		return 0;
	}
	err = doca_priv_iface_find(devinfo, &netdev);
	return err ? err : netdev_get_pci(&netdev, pci);
}

doca_error_t iface_is_at(const struct doca_devinfo *devinfo, const char *pci,
			 uint8_t *is_equal)
{
	char own[DOCA_DEVINFO_PCI_ADDR_SIZE];
	const char *compare = own;
	int err = -ENODEV;

	if (pci_has_form(pci, PCI_BDF_FORM))
		compare = own + DOCA_DEVINFO_PCI_ADDR_SIZE -
			  DOCA_DEVINFO_PCI_BDF_SIZE;
	else if (!pci_has_form(pci, PCI_ADDR_FORM))
		return FAIL(INVALID_VALUE,
			    "\"%s\" is no PCI address: it must be like "
			    "0000:03:00.0, or 03:00.0",
			    pci);
	if (devinfo)
		err = iface_find_pci(devinfo, own);
	if (err && err != -ENODEV && err != -ENOENT)
		return FAIL(OPERATING_SYSTEM,
			    "cannot ask for the PCI address of %s: %s",
			    devinfo->name, errno_text(err));
	*is_equal = !err && strcasecmp(compare, pci) == 0;
	return DOCA_SUCCESS;
}
