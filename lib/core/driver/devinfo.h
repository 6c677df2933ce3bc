/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A device as the driver listed it. */
#ifndef DOCA_CORE_DEVINFO_H
#define DOCA_CORE_DEVINFO_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/doca_netlink.h>

#include <doca_dev.h>
#include <open_doca.h>

struct doca_devinfo {
	uint32_t id; /* the kernel's id; never used again for another device */
	enum doca_dev_type type;
	uint64_t guid;
	uint32_t nr_ports;
	int32_t numa_node;
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	/* empty if the kernel knows none; then the network interface's address is used */
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	bool placed; /* an administrator has set the address */
	/* the engine that copies for the device; empty if the CPU does */
	char engine[OPEN_DOCA_ENGINE_NAME_SIZE];
	/* the network interface of a software device; may be empty */
	char iface[16];
	bool iface_made_up; /* an interface of this name is another one */
};

/* The kernel's id, for calls of the driver. */
static inline uint32_t doca_priv_devinfo_id(const struct doca_devinfo *info)
{
	return info->id;
}

#endif /* DOCA_CORE_DEVINFO_H */
