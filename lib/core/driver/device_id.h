/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Device ids, for those libraries of ours that call the driver themselves. */
#ifndef DOCA_CORE_DEVICE_ID_H
#define DOCA_CORE_DEVICE_ID_H

#include <stdint.h>

#include <doca_compat.h>

/*
 * Get the kernel's id of the RDMA device @name. Returns -ENODEV if the driver
 * does not know it, or the error of listing devices.
 */
DOCA_STABLE int doca_priv_device_id(const char *name, uint32_t *id);

#endif /* DOCA_CORE_DEVICE_ID_H */
