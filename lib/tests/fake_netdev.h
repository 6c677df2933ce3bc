/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Fake network interfaces: eth0 of every RDMA device, and one of any name. They fail where
 * a test wants it. One file of a program includes it, in place of netdev.c.
 */
#ifndef DOCA_TESTS_FAKE_NETDEV_H
#define DOCA_TESTS_FAKE_NETDEV_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/device/netdev.h"

/* Negative errnos of calls that shall fail. */
static struct {
	int find_err;
	int named_err;
	int addr_err;
	int mac_err;
	int pci_err;
} netdev_fails;

int netdev_find(const char *ibdev, struct netdev *netdev)
{
	(void)ibdev;
	netdev->index = 2;
	strcpy(netdev->name, "eth0");
	return netdev_fails.find_err;
}

int netdev_named(const char *name, struct netdev *netdev)
{
	netdev->index = 2;
	snprintf(netdev->name, sizeof(netdev->name), "%s", name);
	return netdev_fails.named_err;
}

int netdev_get_addr(const struct netdev *netdev, int family, void *addr, size_t size)
{
	memset(addr, family, size);
	return netdev->index == 2 ? netdev_fails.addr_err : -ENODEV;
}

int netdev_get_mac(const struct netdev *netdev, void *addr, size_t size)
{
	memset(addr, 0xa, size);
	return netdev->index == 2 ? netdev_fails.mac_err : -ENODEV;
}

int netdev_get_pci(const struct netdev *netdev, char pci[13])
{
	strcpy(pci, "0000:03:00.0");
	return netdev->index == 2 ? netdev_fails.pci_err : -ENODEV;
}

#endif /* DOCA_TESTS_FAKE_NETDEV_H */
