/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DATA_DEVICE_H
#define DATA_DEVICE_H

#include <stdbool.h>

#include <doca_dev.h>

/* Return whether a device can do what the program needs. */
typedef bool (*device_fits)(const struct doca_devinfo *info);

/*
 * Open a device by its PCI address or RDMA name or, if name is NULL, the first
 * one that fits.
 */
int device_open(const char *name, device_fits fits, struct doca_dev **dev);

#endif /* DATA_DEVICE_H */
