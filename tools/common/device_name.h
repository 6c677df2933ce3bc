/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Devices as users name them. */
#ifndef COMMON_DEVICE_NAME_H
#define COMMON_DEVICE_NAME_H

#include <stdbool.h>

#include <doca_dev.h>

/* By its RDMA name, or by its PCI address with or without the domain. */
bool device_is_named(const struct doca_devinfo *info, const char *name);

#endif /* COMMON_DEVICE_NAME_H */
