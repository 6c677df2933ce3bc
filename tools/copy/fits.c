// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdint.h>

#include <doca_dma.h>
#include <doca_mmap.h>

#include "fits.h"

bool fits_copy(const struct doca_devinfo *info)
{
	return doca_dma_cap_task_memcpy_is_supported(info) == DOCA_SUCCESS;
}

bool fits_export(const struct doca_devinfo *info)
{
	uint8_t yes = 0;

	return doca_mmap_cap_is_export_pci_supported(info, &yes) ==
		       DOCA_SUCCESS &&
	       yes;
}

bool fits_import(const struct doca_devinfo *info)
{
	uint8_t yes = 0;

	return fits_copy(info) &&
	       doca_mmap_cap_is_create_from_export_pci_supported(info, &yes) ==
		       DOCA_SUCCESS &&
	       yes;
}
