/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* For those of our libraries that speak to the driver about a device themselves. */
#ifndef DOCA_CORE_DEVICE_ID_H
#define DOCA_CORE_DEVICE_ID_H

#include <stdint.h>

#include <doca_compat.h>

/*
 * The kernel's id of the RDMA device @name. ENODEV: it does not know it; or what
 * listing devices fails with.
 */
DOCA_STABLE int doca_priv_device_id(const char *name, uint32_t *id);

#endif /* DOCA_CORE_DEVICE_ID_H */
