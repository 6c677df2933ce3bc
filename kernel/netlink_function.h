/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Functions by netlink, for the table of commands in netlink_dump.c. */
#ifndef DOCA_NETLINK_FUNCTION_H
#define DOCA_NETLINK_FUNCTION_H

#include <net/genetlink.h>

#include <linux/doca_netlink.h>

extern const struct nla_policy doca_nl_function_policy[DOCA_GENL_A_HOST_PCI + 1];

int doca_nl_function_doit(struct sk_buff *skb, struct genl_info *info);
int doca_nl_function_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int doca_nl_function_add_doit(struct sk_buff *skb, struct genl_info *info);
int doca_nl_function_del_doit(struct sk_buff *skb, struct genl_info *info);

#endif
