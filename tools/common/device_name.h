/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Names of devices in command lines. */
#ifndef COMMON_DEVICE_NAME_H
#define COMMON_DEVICE_NAME_H

#include <stdbool.h>

#include <doca_dev.h>

/* Compare with the RDMA name, and with the PCI address with or without its domain. */
bool device_is_named(const struct doca_devinfo *info, const char *name);

#endif /* COMMON_DEVICE_NAME_H */
