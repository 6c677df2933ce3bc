// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "core/base/log.h"
#include "core/driver/pci.h"
#include "core/driver/profile.h"
#include "iface.h"
#include "names.h"

LOG_SOURCE("COMMON::PROFILE");

/* Log only once, for lists are made often. */
static bool is_first(void)
{
	static bool told; /* a part of the profile was not used; logged */

	return !__atomic_exchange_n(&told, true, __ATOMIC_RELAXED);
}

static bool is_at(const struct doca_devinfo *info, const char *address)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	return !iface_find_pci(info, pci) && !strcasecmp(pci, address);
}

/* There may be RDMA devices that are not listed, as the process may not open them. */
static bool is_taken(const struct doca_devinfo *infos, uint32_t n,
		     const struct profile_device *device)
{
	for (uint32_t i = 0; i < n; i++) {
		if (infos[i].type != DOCA_DEV_RDMA && !infos[i].placed)
			continue;
		if (*device->ibdev && !strcasecmp(device->ibdev, infos[i].name))
			return true;
		if (*device->pci && is_at(&infos[i], device->pci))
			return true;
	}
	return *device->ibdev && pci_has_ibdev(device->ibdev);
}

static void name_device(struct doca_devinfo *info,
			const struct profile_device *device)
{
	if (*device->ibdev)
		strcpy(info->name, device->ibdev);
	if (*device->pci)
		strcpy(info->pci, device->pci);
	if (*device->iface) {
		strcpy(info->iface, device->iface);
		info->iface_made_up = false;
	}
}

void names_apply(struct doca_devinfo *infos, uint32_t n)
{
	const struct profile_device *devices;
	uint32_t i, nr, used = 0;

	devices = profile_devices(&nr);
	for (i = 0; i < n && used < nr; i++) {
		const struct profile_device *device = &devices[used];

		if (infos[i].type != DOCA_DEV_SOFTWARE || infos[i].placed)
			continue;
		used++;
		if (!is_taken(infos, n, device))
			name_device(&infos[i], device);
		else if (is_first())
			LOG_WARN("the machine has a device %s or %s of its "
				 "own, which a profile cannot name",
				 device->ibdev, device->pci);
	}
	if (used < nr && is_first())
		LOG_WARN("the profile names %u devices, and there are %u "
			 "software devices: the others are left out",
			 nr, used);
}
