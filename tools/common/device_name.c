// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdint.h>
#include <string.h>

#include "device_name.h"

bool device_is_named(const struct doca_devinfo *info, const char *name)
{
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint8_t equal = 0;

	if (doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev)) ==
		    DOCA_SUCCESS &&
	    !strcmp(ibdev, name))
		return true;
	/* The library logs an error for a text that is no address at all. */
	return strchr(name, ':') &&
	       doca_devinfo_is_equal_pci_addr(info, name, &equal) ==
		       DOCA_SUCCESS &&
	       equal;
}
