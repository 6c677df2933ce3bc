/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Network interfaces, and what the operating system knows of them. Nothing is kept: names and addresses may change at any time. All functions
 * return 0 or a negative errno.
 */
#ifndef DOCA_CORE_NETDEV_H
#define DOCA_CORE_NETDEV_H

#include <stddef.h>

struct netdev {
	int index;
	char name[16]; /* IFNAMSIZ */
};

/* That of an RDMA device; ENODEV: no such device, or it has none in this namespace. */
int netdev_find(const char *ibdev, struct netdev *netdev);

/* The one with this name, which may be another one of its names; ENODEV: there is none. */
int netdev_named(const char *name, struct netdev *netdev);

/* The first address of a family with the widest scope; ENOENT if it has none. */
int netdev_get_addr(const struct netdev *netdev, int family, void *addr,
		    size_t size);

/* ENOENT if its addresses are not those of Ethernet. */
int netdev_get_mac(const struct netdev *netdev, void *addr, size_t size);

/* PCI function that it is on, "dddd:bb:dd.f"; ENOENT if it is on none. */
int netdev_get_pci(const struct netdev *netdev, char pci[13]);

#endif /* DOCA_CORE_NETDEV_H */
