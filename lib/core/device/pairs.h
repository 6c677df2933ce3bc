/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The pairs of devices, for libraries whose contexts belong to one. */
#ifndef DOCA_CORE_PAIRS_H
#define DOCA_CORE_PAIRS_H

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#include "core/driver/function.h"

/*
 * All pairs, as an array for free(). Needs no open device. DRIVER, and why is
 * logged, if the driver cannot be asked.
 */
DOCA_STABLE doca_error_t doca_priv_pairs(struct driver_function **functions,
					 uint32_t *n);

#endif /* DOCA_CORE_PAIRS_H */
