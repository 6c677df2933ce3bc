/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The driver's capabilities, for capability queries of the libraries. */
#ifndef DOCA_CORE_CAPS_H
#define DOCA_CORE_CAPS_H

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#include <linux/doca.h>

struct doca_devinfo;

/*
 * Get the driver's capabilities, and how it executes an operation for a device, NULL for
 * any. Needs no open device. Returns NOT_SUPPORTED, not logged, if it does not execute it,
 * DRIVER, logged, if the driver cannot be asked.
 */
DOCA_STABLE doca_error_t doca_priv_caps(const struct doca_devinfo *devinfo,
					uint16_t opcode,
					struct doca_query *caps,
					struct doca_device_query *op);

#endif /* DOCA_CORE_CAPS_H */
