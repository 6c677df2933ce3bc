/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The generic netlink family. Devices are in netlink.c, which providers of devices
 * use; functions are in netlink_function.c, users in netlink_user.c, objects in netlink_put.c
 * and netlink_dump.c, which know all kinds of them, and which nothing else uses.
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
/*
 * Notify that another engine copies for the device, or none. Anyone may call it, and the
 * device may be gone.
 */
void doca_netlink_notify_change(const struct doca_device *dev);

/* netlink.c, for the table of commands in netlink_dump.c */
extern struct genl_family doca_nl_family;
extern const struct nla_policy doca_nl_device_policy[DOCA_GENL_A_DEV_ID + 1];
int doca_nl_device_doit(struct sk_buff *skb, struct genl_info *info);
int doca_nl_device_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

/* Start a dump that takes no attributes. */
int doca_nl_start_plain(struct netlink_callback *cb);

/* Append a message, or append nothing and return -EMSGSIZE. */
typedef int (*doca_nl_put_t)(struct sk_buff *skb, const void *what,
			     enum doca_genl_cmd cmd);

/* Notify a network namespace; net_rwsem must be held, which keeps it alive. */
void doca_nl_tell(struct net *net, doca_nl_put_t put, const void *what,
		  enum doca_genl_cmd cmd);

/* Return @rc; if it is an error, explain it by a text that lasts for ever. */
int doca_nl_say(struct genl_info *info, int rc, const char *why);

#endif /* DOCA_NETLINK_H */
