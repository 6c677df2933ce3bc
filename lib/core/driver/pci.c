// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pci.h"

const char *pci_sysfs = "/sys";

static bool there_is(const char *folder, const char *name, const char *what)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/%s/%s", pci_sysfs, folder, name,
		 what);
	return access(path, F_OK) == 0;
}

bool pci_is_vf(const char *pci)
{
	return there_is("bus/pci/devices", pci, "physfn");
}

bool pci_has_ibdev(const char *ibdev)
{
	return there_is("class/infiniband", ibdev, "");
}

/* Subfunctions are on the auxiliary bus; their drivers show the number in sysfs. */
int pci_get_sf(const char *ibdev, uint32_t *number)
{
	char path[PATH_MAX];
	unsigned int value;
	FILE *file;
	int found;

	snprintf(path, sizeof(path), "%s/class/infiniband/%s/device/sfnum",
		 pci_sysfs, ibdev);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	found = fscanf(file, "%u", &value);
	fclose(file);
	if (found != 1)
		return -EIO;
	*number = value;
	return 0;
}
