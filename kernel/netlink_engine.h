/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* DMA engines by netlink, for the table of commands in netlink_dump.c. */
#ifndef DOCA_NETLINK_ENGINE_H
#define DOCA_NETLINK_ENGINE_H

#include <net/genetlink.h>

#include <linux/doca_netlink.h>

/* Policies for naming an engine, and for naming an engine and a device */
extern const struct nla_policy
	doca_nl_engine_policy[DOCA_GENL_A_ENGINE_NAME + 1];
extern const struct nla_policy
	doca_nl_attach_policy[DOCA_GENL_A_ENGINE_NAME + 1];

int doca_nl_engine_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int doca_nl_engine_add_doit(struct sk_buff *skb, struct genl_info *info);
int doca_nl_engine_del_doit(struct sk_buff *skb, struct genl_info *info);
int doca_nl_engine_attach_doit(struct sk_buff *skb, struct genl_info *info);
int doca_nl_engine_detach_doit(struct sk_buff *skb, struct genl_info *info);

#endif
