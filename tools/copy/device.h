/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef COPY_DEVICE_H
#define COPY_DEVICE_H

#include <doca_dev.h>

/* Required abilities of a device. */
enum device_use {
	DEVICE_COPIES,
	DEVICE_EXPORTS,
	DEVICE_IMPORTS, /* imports, and copies */
};

/*
 * Open a device by its PCI address or RDMA name or, if name is NULL, the first
 * one that fits the use.
 */
int device_open(const char *name, enum device_use use, struct doca_dev **dev);

#endif /* COPY_DEVICE_H */
