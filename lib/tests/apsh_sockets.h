/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Sockets and interfaces in a namespace of apsh_net.h. */
#ifndef DOCA_TESTS_APSH_SOCKETS_H
#define DOCA_TESTS_APSH_SOCKETS_H

#include <arpa/inet.h>
#include <sys/socket.h>

#include "apsh_stage.h"

static u64 *node_of(u64 sk)
{
	return at_va(field_va(sk, F_SKC_NODE));
}

/* Insert at the head of a list. */
static u64 hash_in(u64 head, u64 sk)
{
	u64 *h = at_va(head), *n = node_of(sk);

	n[0] = *h;
	n[1] = head;
	if (*h && !(*h & 1))
		((u64 *)at_va(*h))[1] = field_va(sk, F_SKC_NODE);
	*h = field_va(sk, F_SKC_NODE);
	return sk;
}

static u64 new_sock(u32 family, u32 type, u32 protocol, u32 state)
{
	u64 sk = object(1024, 64);

	set(sk, F_SKC_FAMILY, family);
	set(sk, F_SKC_STATE, state);
	set(sk, F_SKC_NET, net_.ns);
	set(sk, F_SK_TYPE, type);
	set(sk, F_SK_PROTOCOL, protocol);
	return sk;
}

static void set_ports(u64 sk, u32 local, u32 remote)
{
	set(sk, F_SKC_LOCAL_PORT, local);
	set(sk, F_SKC_REMOTE_PORT, htons((u16)remote));
}

static void set_addresses(u64 sk, const char *local, const char *remote)
{
	bool six = strchr(local, ':');
	int family = six ? AF_INET6 : AF_INET;

	if (inet_pton(family, local, at_va(field_va(sk, six ? F_SKC_LOCAL6 : F_SKC_LOCAL))) != 1 ||
	    inet_pton(family, remote, at_va(field_va(sk, six ? F_SKC_REMOTE6 : F_SKC_REMOTE))) != 1)
		abort();
}

static u64 new_tcp(u64 head, u32 state, u32 local, u32 remote)
{
	u64 sk = new_sock(AF_INET, SOCK_STREAM, IPPROTO_TCP, state);

	set_addresses(sk, "127.0.0.1", "127.0.0.2");
	set_ports(sk, local, remote);
	return hash_in(head, sk);
}

static inline u64 new_socket_file(u64 sk)
{
	u64 file = new_file(new_dentry(root_dentry, "s"), 0140777);
	u64 socket = object(128, 64);

	set(file, F_FILE_OPS, symbol(S_socket_file_ops));
	set(file, F_FILE_PRIVATE, socket);
	set(socket, F_SOCKET_SK, sk);
	return file;
}

static inline u64 new_netif(const char *name, u32 index, u32 type, const char *mac)
{
	u64 dev = object(512, 64), in6 = object(64, 64), at = object(32, 8);

	set_text(field_va(dev, F_DEV_NAME), name);
	set(dev, F_DEV_INDEX, index);
	set(dev, F_DEV_TYPE, type);
	set(dev, F_DEV_MAC, at);
	set(dev, F_DEV_MAC_LEN, 6);
	memcpy(at_va(at), mac, 6);
	set(dev, F_DEV_IP6, in6);
	list_init(field_va(in6, F_IN6_ADDRS));
	link_before(field_va(net_.ns, F_NET_DEVICES), field_va(dev, F_DEV_LIST));
	return dev;
}

static inline u64 new_ipv4(const char *text, u32 prefix, u64 next)
{
	u64 ifa = object(64, 64);

	set(ifa, F_IFA_NEXT, next);
	set(ifa, F_IFA_PREFIX, prefix);
	if (inet_pton(AF_INET, text, at_va(field_va(ifa, F_IFA_LOCAL))) != 1)
		abort();
	return ifa;
}

static inline void add_ipv4(u64 dev, u64 ifa)
{
	u64 in = object(64, 64);

	set(dev, F_DEV_IP, in);
	set(in, F_IN_ADDRS, ifa);
}

static inline u64 add_ipv6(u64 dev, const char *text, u32 prefix)
{
	u64 ifa = object(64, 64);
	u64 in6 = *(u64 *)at_va(field_va(dev, F_DEV_IP6));

	if (inet_pton(AF_INET6, text, at_va(field_va(ifa, F_IFA6_ADDR))) != 1)
		abort();
	set(ifa, F_IFA6_PREFIX, prefix);
	link_before(field_va(in6, F_IN6_ADDRS), field_va(ifa, F_IFA6_LIST));
	return ifa;
}

#endif /* DOCA_TESTS_APSH_SOCKETS_H */
