/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A network namespace, without sockets and interfaces. */
#ifndef DOCA_TESTS_APSH_NET_H
#define DOCA_TESTS_APSH_NET_H

#include "apsh_user.h"

enum { NET_INUM = 4026531840U };

static struct {
	u64 ns, info, socks, listeners, udp, slots;
} net_;

static void set_up_net(void)
{
	net_.ns = object(512, 64);
	net_.info = object(512, 64);
	net_.socks = object(4 * 8, 64);
	net_.listeners = object(2 * 8, 64);
	net_.udp = object(64, 64);
	net_.slots = object(4 * 8, 64);
	list_init(symbol(S_net_namespace_list));
	link_before(symbol(S_net_namespace_list), field_va(net_.ns, F_NET_LIST));
	list_init(field_va(net_.ns, F_NET_DEVICES));
	set(net_.ns, F_NET_INUM, NET_INUM);
	set(net_.ns, F_NET_UDP, net_.udp);
	set(field_va(net_.ns, F_NET_DEATH_ROW), F_DEATH_ROW_HASH, net_.info);
	set(net_.info, F_HASH_SOCKS, net_.socks);
	set(net_.info, F_HASH_MASK, 3);
	set(net_.info, F_HASH_LISTENERS, net_.listeners);
	set(net_.info, F_HASH_LISTEN_MASK, 1);
	set(net_.udp, F_UDP_SLOTS, net_.slots);
	set(net_.udp, F_UDP_MASK, 3);
	for (u64 i = 0; i < 4; i++)
		((u64 *)at_va(net_.socks))[i] = i << 1 | 1;
	for (u64 i = 0; i < 2; i++)
		((u64 *)at_va(net_.listeners))[i] = i << 1 | 1;
}

#endif /* DOCA_TESTS_APSH_NET_H */
