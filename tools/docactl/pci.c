// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The driver knows the address of a card. A soft RDMA device has the address of its
 * network interface, which the library finds.
 */
#include <stdbool.h>
#include <string.h>

#include <doca_log.h>

#include "pci.h"

static bool is_named(const struct doca_devinfo *info, const char *name)
{
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE];

	return doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev)) ==
		       DOCA_SUCCESS &&
	       !strcmp(ibdev, name);
}

void pci_of(const char *name, char pci[DOCA_DEVINFO_PCI_ADDR_SIZE])
{
	struct doca_devinfo **list;
	uint32_t i, n;

	pci[0] = '\0';
	/* A device without an address is not a failure here. */
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE);
	if (doca_devinfo_create_list(&list, &n) != DOCA_SUCCESS)
		return;
	for (i = 0; i < n; i++)
		if (is_named(list[i], name) &&
		    doca_devinfo_get_pci_addr_str(list[i], pci) != DOCA_SUCCESS)
			pci[0] = '\0';
	doca_devinfo_destroy_list(list);
}
