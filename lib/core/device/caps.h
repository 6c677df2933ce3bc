/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What the driver can do, for capability queries of the libraries. */
#ifndef DOCA_CORE_CAPS_H
#define DOCA_CORE_CAPS_H

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#include <linux/doca.h>

struct doca_devinfo;

/*
 * What the driver can do, and how it executes an operation for a device, NULL for any.
 * Needs no open device. NOT_SUPPORTED, without a line in the log, if it does not; DRIVER if
 * it cannot be asked, and why is logged.
 */
DOCA_STABLE doca_error_t doca_priv_caps(const struct doca_devinfo *devinfo,
					uint16_t opcode,
					struct doca_query *caps,
					struct doca_device_query *op);

#endif /* DOCA_CORE_CAPS_H */
