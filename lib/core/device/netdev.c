// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/driver/pci.h"
#include "core/verbs/table.h"
#include "verbs_load.h"

int netdev_named(const char *name, struct netdev *netdev)
{
	unsigned int index = if_nametoindex(name);

	if (!index || !if_indextoname(index, netdev->name))
		return errno == ENXIO ? -ENODEV : -errno;
	netdev->index = index;
	return 0;
}

/* sysfs shows the interfaces of the namespace that it was mounted for. */
static bool is_in_sysfs(const struct netdev *netdev)
{
	char path[PATH_MAX];
	int index = 0, found;
	FILE *file;

	snprintf(path, sizeof(path), "%s/class/net/%s/ifindex", pci_sysfs,
		 netdev->name);
	file = fopen(path, "re");
	if (!file)
		return false;
	found = fscanf(file, "%d", &index);
	fclose(file);
	return found == 1 && index == netdev->index;
}

/*
 * The interface's device may be on a bus of its own, such as virtio. Its PCI
 * function is the nearest one above. The address must fit.
 */
int netdev_get_pci(const struct netdev *netdev, char pci[13])
{
	char link[PATH_MAX];
	char *path;
	char *name;
	int err = -ENOENT;

	if (!is_in_sysfs(netdev))
		return -ENOENT;
	snprintf(link, sizeof(link), "%s/class/net/%s/device", pci_sysfs,
		 netdev->name);
	path = realpath(link, NULL);
	if (!path)
		return errno == ENOMEM ? -ENOMEM : -ENOENT;
	while ((name = strrchr(path, '/')) && !pci_is_function(name + 1))
		*name = '\0';
	if (name && pci_has_form(name + 1, PCI_ADDR_FORM)) {
		strcpy(pci, name + 1);
		err = 0;
	}
	free(path);
	return err;
}

int netdev_find(const char *ibdev, struct netdev *netdev)
{
	const struct verbs_table *table;
	int err = verbs_load(&table);

	return err ? err : table->find(ibdev, netdev);
}

int netdev_get_addr(const struct netdev *netdev, int family, void *addr,
		    size_t size)
{
	const struct verbs_table *table;
	int err = verbs_load(&table);

	return err ? err : table->get_addr(netdev, family, addr, size);
}

int netdev_get_mac(const struct netdev *netdev, void *addr, size_t size)
{
	const struct verbs_table *table;
	int err = verbs_load(&table);

	return err ? err : table->get_mac(netdev, addr, size);
}
