/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef COPY_DEVICE_H
#define COPY_DEVICE_H

#include <doca_dev.h>

/* What the device must be able to do beside existing */
enum device_use {
	DEVICE_COPIES,
	DEVICE_EXPORTS,
	DEVICE_IMPORTS, /* and copies */
};

/*
 * Open the device called name, which is a PCI address or an RDMA device name,
 * or the first one that is fit for the use if name is NULL.
 */
int device_open(const char *name, enum device_use use, struct doca_dev **dev);

#endif /* COPY_DEVICE_H */
