/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The generic netlink family. Devices are in netlink.c, which providers of devices
 * use; objects are in netlink_put.c and netlink_dump.c, which know all kinds of
 * them, and which nothing else uses.
 */
#ifndef DOCA_NETLINK_H
#define DOCA_NETLINK_H

#include <net/genetlink.h>

#include "device.h"

int doca_netlink_init(void);
void doca_netlink_exit(void);

/*
 * Notify the network namespaces in which the device is visible that it appeared
 * or got a new name (DOCA_GENL_CMD_DEV_ADD) or that it is gone
 * (DOCA_GENL_CMD_DEV_DEL). For the provider of the device, after it has
 * registered or unregistered it.
 */
void doca_netlink_notify(const struct doca_device *dev, enum doca_genl_cmd cmd);
/* That another engine copies for it, or none. For anybody, and it may be gone. */
void doca_netlink_notify_change(const struct doca_device *dev);

/* netlink.c, for the table of commands in netlink_dump.c */
extern struct genl_family doca_nl_family;
extern const struct nla_policy doca_nl_device_policy[DOCA_GENL_A_DEV_ID + 1];
int doca_nl_device_doit(struct sk_buff *skb, struct genl_info *info);
int doca_nl_device_start(struct netlink_callback *cb);
int doca_nl_device_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* DOCA_NETLINK_H */
