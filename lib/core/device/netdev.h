/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Network interfaces and their properties from the operating system. Nothing is cached: names and
 * addresses may change at any time. All functions return 0 or a negative errno.
 */
#ifndef DOCA_CORE_NETDEV_H
#define DOCA_CORE_NETDEV_H

#include <stddef.h>

struct netdev {
	int index;
	char name[16]; /* IFNAMSIZ */
};

/*
 * Find the interface of an RDMA device; -ENODEV: no such device, or no interface in
 * this namespace.
 */
int netdev_find(const char *ibdev, struct netdev *netdev);

/* Find an interface by any of its names. Returns -ENODEV if there is none. */
int netdev_named(const char *name, struct netdev *netdev);

/* Get the first address of a family with the widest scope. Returns -ENOENT if there is none. */
int netdev_get_addr(const struct netdev *netdev, int family, void *addr,
		    size_t size);

/* Get the Ethernet address. Returns -ENOENT if the interface has another kind. */
int netdev_get_mac(const struct netdev *netdev, void *addr, size_t size);

/* Get the interface's PCI function, "dddd:bb:dd.f". Returns -ENOENT if it is not on one. */
int netdev_get_pci(const struct netdev *netdev, char pci[13]);

#endif /* DOCA_CORE_NETDEV_H */
