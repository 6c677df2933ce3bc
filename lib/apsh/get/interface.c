// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Network interfaces of all namespaces. */
#include <stdlib.h>

#include "net.h"

LOG_SOURCE("APSH");

struct doca_apsh_interface {
	struct object object;
	struct netif netif;
};

static void fill(struct call *c)
{
	struct view *v = &c->view;
	struct nodes namespaces = { 0 };
	struct netif *list = NULL;
	u32 nr = 0;

	if (net_known(c) && namespaces_get(c, &namespaces))
		netifs_get(c, &namespaces, &list, &nr);
	for (u32 i = 0; i < nr && !v->error; i++) {
		struct doca_apsh_interface *o =
			snapshot_add(c->snap, sizeof(*o));

		if (!o)
			break;
		o->netif = list[i];
		view_identity(v, list[i].dev + offset_of_field(v, F_DEV_NAME),
			      16, &o->object);
	}
	free(list);
	nodes_free(&namespaces);
}

static const struct getter interfaces_getter = {
	.what = "interfaces",
	.object = &apsh_interface_object,
	.limit = -1,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_apsh_interfaces_get, doca_apsh_interface, interfaces,
		  interfaces_size, &interfaces_getter)
DEFINE_FREE(doca_apsh_interfaces_free, doca_apsh_interface, interfaces)

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_LINUX_INTERFACE_NAME, doca_apsh_interface, netif.name),
	ATTR(DOCA_APSH_LINUX_INTERFACE_IPV4_ARR, doca_apsh_interface,
	     netif.ipv4),
	ATTR(DOCA_APSH_LINUX_INTERFACE_IPV4_PREFIX_LEN_ARR, doca_apsh_interface,
	     netif.prefix4),
	ATTR(DOCA_APSH_LINUX_INTERFACE_IPV4_ARR_SIZE, doca_apsh_interface,
	     netif.nr4),
	ATTR(DOCA_APSH_LINUX_INTERFACE_MAC_ARR, doca_apsh_interface, netif.mac),
	ATTR(DOCA_APSH_LINUX_INTERFACE_MAC_ARR_SIZE, doca_apsh_interface,
	     netif.nr_mac),
	ATTR(DOCA_APSH_LINUX_INTERFACE_IPV6_ARR, doca_apsh_interface,
	     netif.ipv6),
	ATTR(DOCA_APSH_LINUX_INTERFACE_IPV6_PREFIX_LEN_ARR, doca_apsh_interface,
	     netif.prefix6),
	ATTR(DOCA_APSH_LINUX_INTERFACE_IPV6_ARR_SIZE, doca_apsh_interface,
	     netif.nr6),
	ATTR(DOCA_APSH_LINUX_INTERFACE_NAMESPACE, doca_apsh_interface,
	     netif.inum),
};

DEFINE_INFO_GET(__doca_apsh_interface_info_get, doca_apsh_interface,
		doca_apsh_interface_attr, attrs, interface)
