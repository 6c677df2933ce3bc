/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Generic netlink family of the DOCA driver: which devices there are.
 *
 * A device is seen in the network namespaces in which its RDMA device is seen;
 * the software device is seen in all. No privilege is needed.
 */
#ifndef _UAPI_LINUX_DOCA_NETLINK_H
#define _UAPI_LINUX_DOCA_NETLINK_H

#define DOCA_GENL_NAME "doca"
#define DOCA_GENL_VERSION 1

/* Multicast group that gets DOCA_GENL_CMD_DEV_ADD and DOCA_GENL_CMD_DEV_DEL */
#define DOCA_GENL_MCGRP_DEVICE "device"

/**
 * enum doca_genl_cmd - commands of the family
 * @DOCA_GENL_CMD_UNSPEC: not a command
 * @DOCA_GENL_CMD_DEV_GET: as a dump: all devices, RDMA devices in the order of
 *	their appearance, the software device last. With DOCA_GENL_A_DEV_ID: this
 *	one, or ENODEV. Answers have the attributes below.
 * @DOCA_GENL_CMD_DEV_ADD: notification: a device has appeared, or has got another
 *	name
 * @DOCA_GENL_CMD_DEV_DEL: notification: a device is gone; only its id and name
 */
enum doca_genl_cmd {
	DOCA_GENL_CMD_UNSPEC,
	DOCA_GENL_CMD_DEV_GET,
	DOCA_GENL_CMD_DEV_ADD,
	DOCA_GENL_CMD_DEV_DEL,

	/* private: */
	__DOCA_GENL_CMD_MAX,
	DOCA_GENL_CMD_MAX = __DOCA_GENL_CMD_MAX - 1,
};

/**
 * enum doca_genl_attr - attributes of a device
 * @DOCA_GENL_A_UNSPEC: not an attribute
 * @DOCA_GENL_A_PAD: for alignment
 * @DOCA_GENL_A_DEV_ID: u32, what ioctls call it; never used again
 * @DOCA_GENL_A_DEV_TYPE: u32, &enum doca_dev_type
 * @DOCA_GENL_A_DEV_NAME: string, name of the RDMA device, or "software"
 * @DOCA_GENL_A_DEV_GUID: u64, node GUID in the CPU's byte order; 0 if none
 * @DOCA_GENL_A_DEV_PCI: string "dddd:bb:dd.f", the PCI function of the RDMA
 *	device's parent; absent if it has none, as with soft RDMA devices, whose
 *	PCI function is that of their network interface
 * @DOCA_GENL_A_DEV_NUMA_NODE: s32, -1 if none
 * @DOCA_GENL_A_DEV_PORTS: u32, number of RDMA ports
 */
enum doca_genl_attr {
	DOCA_GENL_A_UNSPEC,
	DOCA_GENL_A_PAD,
	DOCA_GENL_A_DEV_ID,
	DOCA_GENL_A_DEV_TYPE,
	DOCA_GENL_A_DEV_NAME,
	DOCA_GENL_A_DEV_GUID,
	DOCA_GENL_A_DEV_PCI,
	DOCA_GENL_A_DEV_NUMA_NODE,
	DOCA_GENL_A_DEV_PORTS,

	/* private: */
	__DOCA_GENL_A_MAX,
	DOCA_GENL_A_MAX = __DOCA_GENL_A_MAX - 1,
};

/**
 * enum doca_dev_type - &enum doca_genl_attr DOCA_GENL_A_DEV_TYPE
 * @DOCA_DEV_SOFTWARE: the device that always exists
 * @DOCA_DEV_RDMA: an RDMA device
 */
enum doca_dev_type {
	DOCA_DEV_SOFTWARE,
	DOCA_DEV_RDMA,
};

#endif /* _UAPI_LINUX_DOCA_NETLINK_H */
