/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The driver's netlink family: devices, and pairs of them. */
#ifndef DOCA_CORE_NETLINK_H
#define DOCA_CORE_NETLINK_H

#include <stdint.h>

struct doca_devinfo;
struct driver_function;

/*
 * List all devices, the most capable first, as an array for free(). Returns
 * -ENOENT if there is no such family, so the module is not loaded.
 */
int netlink_list_devices(struct doca_devinfo **infos, uint32_t *n);

/* List all functions, likewise. */
int netlink_list_functions(struct driver_function **functions, uint32_t *n);

/* Return -ENODEV if the device was removed since it was listed. */
int netlink_check_device(uint32_t id);

#endif /* DOCA_CORE_NETLINK_H */
