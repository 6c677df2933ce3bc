/* SPDX-License-Identifier: GPL-2.0 */
/* The generic netlink family: which devices there are. */
#ifndef DOCA_NETLINK_H
#define DOCA_NETLINK_H

#include "device.h"

int doca_netlink_init(void);
void doca_netlink_exit(void);

/*
 * Tell the network namespaces in which the device is seen that it appeared or
 * got a new name (DOCA_GENL_CMD_DEV_ADD) or that it is gone
 * (DOCA_GENL_CMD_DEV_DEL). For the provider of the device, after it has
 * registered or unregistered it.
 */
void doca_netlink_notify(const struct doca_device *dev, enum doca_genl_cmd cmd);

#endif /* DOCA_NETLINK_H */
