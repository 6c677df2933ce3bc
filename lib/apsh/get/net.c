// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

enum { MAX_MAC = 32, ARPHRD_LOOPBACK = 772 };

bool net_known(struct call *c)
{
	const struct map *map = &c->view.kernel->map;

	for (int f = F_FILE_OPS; f <= F_IFA6_PREFIX; f++) {
		/* before 6.2 the table is global; before 4.19 nobody counts */
		if (map->fields[f].there || f == F_NET_UDP || f == F_TCP_SENT)
			continue;
		c->error = FAIL_AT(c->site, INITIALIZATION,
				   "the map has no struct %s, %s: the kernel "
				   "has no network, or the map was cut down",
				   field_specs[f].type, field_specs[f].path);
		return false;
	}
	if (map->symbols[S_net_namespace_list] &&
	    map->symbols[S_socket_file_ops])
		return true;
	c->error = FAIL_AT(c->site, INITIALIZATION,
			   "the map has no net_namespace_list, or no "
			   "socket_file_ops");
	return false;
}

bool namespaces_get(struct call *c, struct nodes *out)
{
	struct view *v = &c->view;

	if (walk_list(v, kernel_symbol(v->kernel, S_net_namespace_list),
		      offset_of_field(v, F_NET_LIST), MAX_NET_OBJECTS, out))
		return true;
	call_without_root(c, "the list of network namespaces is not");
	return false;
}

const char *address_text(struct call *c, int family, const void *address)
{
	char text[INET6_ADDRSTRLEN];

	return snapshot_string(c->snap,
			       inet_ntop(family, address, text, sizeof(text)));
}

/* Make two arrays of @nr elements; false if there is none, or no memory. */
static bool make_arrays(struct call *c, u32 nr, char ***texts, void **prefixes,
			size_t size)
{
	if (!nr)
		return false;
	*texts = snapshot_alloc(c->snap, nr * sizeof(char *));
	*prefixes = snapshot_alloc(c->snap, nr * size);
	return *texts && *prefixes;
}

static void add_ipv4(struct call *c, struct netif *n)
{
	struct view *v = &c->view;
	u64 in = view_field(v, n->dev, F_DEV_IP), at;
	struct nodes found = { 0 };
	u32 address;

	for (at = in ? view_field(v, in, F_IN_ADDRS) : 0;
	     at && !v->error && found.nr < MAX_NET_OBJECTS;
	     at = view_field(v, at, F_IFA_NEXT))
		if (!nodes_add(v, &found, at, 0)) {
			view_broken(v, v->misses, "a list of addresses", at);
			break;
		}
	if (make_arrays(c, found.nr, &n->ipv4, (void **)&n->prefix4, 1))
		n->nr4 = found.nr;
	for (u32 i = 0; n->ipv4 && n->prefix4 && i < found.nr; i++) {
		address = (u32)view_field(v, found.list[i], F_IFA_LOCAL);
		n->ipv4[i] = (char *)address_text(c, AF_INET, &address);
		n->prefix4[i] = (u8)view_field(v, found.list[i], F_IFA_PREFIX);
	}
	nodes_free(&found);
}

static void add_ipv6(struct call *c, struct netif *n)
{
	struct view *v = &c->view;
	u64 in6 = view_field(v, n->dev, F_DEV_IP6);
	struct nodes found = { 0 };
	u8 address[16];

	if (in6)
		walk_list(v, in6 + offset_of_field(v, F_IN6_ADDRS),
			  offset_of_field(v, F_IFA6_LIST), MAX_NET_OBJECTS,
			  &found);
	if (make_arrays(c, found.nr, &n->ipv6, (void **)&n->prefix6, 4))
		n->nr6 = found.nr;
	for (u32 i = 0; n->ipv6 && n->prefix6 && i < found.nr; i++) {
		view_read_field(v, found.list[i], F_IFA6_ADDR, address, 16);
		n->ipv6[i] = (char *)address_text(c, AF_INET6, address);
		n->prefix6[i] =
			(u32)view_field(v, found.list[i], F_IFA6_PREFIX);
	}
	nodes_free(&found);
}

/* The address of loopback, all zeros, does not count. */
static void add_mac(struct call *c, struct netif *n)
{
	static const u8 none[MAX_MAC];
	struct view *v = &c->view;
	u64 len = view_field(v, n->dev, F_DEV_MAC_LEN);
	char text[3 * MAX_MAC] = "";
	u8 mac[MAX_MAC];

	if (!len || len > MAX_MAC ||
	    !view_read(v, NULL, view_field(v, n->dev, F_DEV_MAC), mac, len) ||
	    (view_field(v, n->dev, F_DEV_TYPE) == ARPHRD_LOOPBACK &&
	     !memcmp(mac, none, len)))
		return;
	for (u32 i = 0; i < len; i++)
		snprintf(text + 3 * i - (i ? 1 : 0), 4, i ? ":%02x" : "%02x",
			 mac[i]);
	n->mac = snapshot_alloc(c->snap, sizeof(char *));
	if (!n->mac)
		return;
	n->mac[0] = (char *)snapshot_string(c->snap, text);
	n->nr_mac = 1;
}

static void want_devices(struct view *v, const struct nodes *devices)
{
	for (u32 i = 0; i < devices->nr; i++)
		for (int f = F_DEV_LIST; f <= F_DEV_IP6; f++)
			view_want_field(v, devices->list[i], (enum field)f);
	view_flush(v);
}

static void fill_netif(struct call *c, u64 ns, u64 dev, struct netif *n)
{
	struct view *v = &c->view;
	char name[17] = "";

	view_read_field(v, dev, F_DEV_NAME, name, 16);
	n->dev = dev;
	n->ns = ns;
	n->inum = (u32)view_field(v, ns, F_NET_INUM);
	n->index = (u32)view_field(v, dev, F_DEV_INDEX);
	n->name = snapshot_string(c->snap, name);
	add_ipv4(c, n);
	add_ipv6(c, n);
	add_mac(c, n);
}

static bool add_of_namespace(struct call *c, u64 ns, struct netif **list,
			     u32 *nr)
{
	struct view *v = &c->view;
	struct nodes devices = { 0 };
	u64 misses = v->misses;
	struct netif *more;
	bool ok;

	ok = walk_list(v, ns + offset_of_field(v, F_NET_DEVICES),
		       offset_of_field(v, F_DEV_LIST), MAX_NET_OBJECTS - *nr,
		       &devices);
	if (!ok && !v->error)
		view_broken(v, misses, "a list of interfaces", ns);
	want_devices(v, &devices);
	more = reallocarray(*list, (size_t)*nr + devices.nr + 1, sizeof(*more));
	if (more) {
		*list = more;
		memset(more + *nr, 0, devices.nr * sizeof(*more));
	} else {
		v->error = VIEW_NO_MEMORY;
	}
	for (u32 i = 0; i < devices.nr && !v->error; i++)
		fill_netif(c, ns, devices.list[i], &(*list)[(*nr)++]);
	nodes_free(&devices);
	return !v->error;
}

bool netifs_get(struct call *c, const struct nodes *namespaces,
		struct netif **list, u32 *nr)
{
	*list = NULL;
	*nr = 0;
	for (u32 i = 0; i < namespaces->nr; i++)
		if (!add_of_namespace(c, namespaces->list[i], list, nr)) {
			free(*list);
			*list = NULL;
			return false;
		}
	return true;
}
