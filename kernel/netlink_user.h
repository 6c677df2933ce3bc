/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The listing of users, for the table of commands in netlink_dump.c. */
#ifndef DOCA_NETLINK_USER_H
#define DOCA_NETLINK_USER_H

struct netlink_callback;
struct sk_buff;

int doca_nl_user_start(struct netlink_callback *cb);
int doca_nl_user_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

#endif
