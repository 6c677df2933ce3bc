/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Network namespaces and interfaces, which sockets are of. */
#ifndef DOCA_APSH_NET_H
#define DOCA_APSH_NET_H

#include "../walk/walk.h"
#include "group.h"

enum { MAX_NET_OBJECTS = 1 << 20 };

/* Strings are the snapshot's. */
struct netif {
	u64 dev, ns;
	u32 inum; /* of its namespace */
	u32 index;
	const char *name;
	char **ipv4, **ipv6, **mac;
	u8 *prefix4;
	u32 *prefix6;
	u32 nr4, nr6, nr_mac;
};

/* Has the map what sockets and interfaces need? Else the call fails, logged. */
bool net_known(struct call *c);

/* Addresses of struct net; false if the list is not sound, logged. */
bool namespaces_get(struct call *c, struct nodes *out);

/* Interfaces of all of them, freed by the caller. */
bool netifs_get(struct call *c, const struct nodes *namespaces,
		struct netif **list, u32 *nr);

/* As inet_ntop(); family is AF_INET or AF_INET6. */
const char *address_text(struct call *c, int family, const void *address);

#endif /* DOCA_APSH_NET_H */
