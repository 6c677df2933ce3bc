/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Network interfaces of devices. An RDMA device has the interface of its port. A software
 * device has one if a profile names it (driver/profile.h); otherwise its name is made up, and
 * never means an interface that happens to have it. Every call looks anew, so renamed, removed
 * and new interfaces are noticed.
 */
#ifndef DOCA_CORE_IFACE_H
#define DOCA_CORE_IFACE_H

#include "dev.h"
#include "netdev.h"

#define IFACE_NONE 256

/*
 * Find a device's interface. Returns -ENODEV if it has none in this network
 * namespace, or another negative errno.
 */
DOCA_STABLE int doca_priv_iface_find(const struct doca_devinfo *devinfo,
				     struct netdev *netdev);

/* Get its PCI address; ENODEV or ENOENT if it has none, or another negative errno. */
int iface_find_pci(const struct doca_devinfo *devinfo,
		   char pci[DOCA_DEVINFO_PCI_ADDR_SIZE]);

/*
 * Return true if it has this address, in either form. @devinfo may be NULL. Like
 * doca_devinfo_is_equal_pci_addr().
 */
doca_error_t iface_is_at(const struct doca_devinfo *devinfo, const char *pci,
			 uint8_t *is_equal);

/* Get the name of its interface; also a fake one, if no interface has that name. */
int iface_get_name(const struct doca_devinfo *devinfo, char *name, size_t size);

/*
 * Describe the device and why it has no interface, for a line of the log. Fills and returns
 * @text; looks for the interface once more.
 */
DOCA_STABLE const char *doca_priv_iface_none(const struct doca_devinfo *devinfo,
					     char text[IFACE_NONE]);

#endif /* DOCA_CORE_IFACE_H */
