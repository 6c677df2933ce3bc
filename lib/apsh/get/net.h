/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Network namespaces and interfaces, to which sockets belong. */
#ifndef DOCA_APSH_NET_H
#define DOCA_APSH_NET_H

#include "../walk/walk.h"
#include "group.h"

enum { MAX_NET_OBJECTS = 1 << 20 };

/* The strings belong to the snapshot. */
struct netif {
	u64 dev, ns;
	u32 inum; /* number of its namespace */
	u32 index;
	const char *name;
	char **ipv4, **ipv6, **mac;
	u8 *prefix4;
	u32 *prefix6;
	u32 nr4, nr6, nr_mac;
};

/*
 * Return true if the map has the fields that sockets and interfaces need; else
 * the call fails, logged.
 */
bool net_known(struct call *c);

/* Collect the addresses of all struct net; false if the list is broken, logged. */
bool namespaces_get(struct call *c, struct nodes *out);

/* Collect the interfaces of all these namespaces; the caller frees the list. */
bool netifs_get(struct call *c, const struct nodes *namespaces,
		struct netif **list, u32 *nr);

/* Like inet_ntop(); family is AF_INET or AF_INET6. */
const char *address_text(struct call *c, int family, const void *address);

#endif /* DOCA_APSH_NET_H */
