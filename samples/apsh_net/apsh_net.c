// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The network of a target: interfaces with their addresses, and connections. */
#include <inttypes.h>
#include <stdio.h>

#include "../common/target.h"

#define NETIF(attr) \
	doca_apsh_interface_info_get(list[i], DOCA_APSH_LINUX_INTERFACE_##attr)
#define SOCKET(attr) \
	doca_apsh_netscan_info_get(list[i], DOCA_APSH_NETSCAN_##attr)

static void show_interfaces(struct doca_apsh_system *system)
{
	struct doca_apsh_interface **list;
	int nr;

	check(doca_apsh_interfaces_get(system, &list, &nr), "interfaces");
	for (int i = 0; i < nr; i++) {
		printf("%u %s", NETIF(NAMESPACE), NETIF(NAME));
		for (uint32_t k = 0; k < NETIF(MAC_ARR_SIZE); k++)
			printf(" %s", NETIF(MAC_ARR)[k]);
		for (uint32_t k = 0; k < NETIF(IPV4_ARR_SIZE); k++)
			printf(" %s/%u", NETIF(IPV4_ARR)[k],
			       NETIF(IPV4_PREFIX_LEN_ARR)[k]);
		for (uint32_t k = 0; k < NETIF(IPV6_ARR_SIZE); k++)
			printf(" %s/%u", NETIF(IPV6_ARR)[k],
			       NETIF(IPV6_PREFIX_LEN_ARR)[k]);
		puts("");
	}
	printf("%d interfaces\n", nr);
	doca_apsh_interfaces_free(list);
}

static void show_sockets(struct doca_apsh_system *system)
{
	struct doca_apsh_netscan **list;
	int nr;

	check(doca_apsh_netscan_get(system, &list, &nr), "sockets");
	for (int i = 0; i < nr; i++)
		printf("%-8s %-11s %s:%" PRIu64 " %s:%" PRIu64 " %u %s\n",
		       SOCKET(PROTOCOL), SOCKET(STATE), SOCKET(LOCAL_ADDR),
		       SOCKET(LOCAL_PORT), SOCKET(REMOTE_ADDR),
		       SOCKET(REMOTE_PORT), SOCKET(PID), SOCKET(COMM));
	printf("%d sockets\n", nr);
	doca_apsh_netscan_free(list);
}

int main(int argc, char **argv)
{
	struct target target;

	target_start(&target, "apsh_net", argc, argv, NULL);
	show_interfaces(target.system);
	show_sockets(target.system);
	target_end(&target);
	return 0;
}
