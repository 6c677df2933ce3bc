/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Pairs of devices, for libraries whose contexts belong to a pair. */
#ifndef DOCA_CORE_PAIRS_H
#define DOCA_CORE_PAIRS_H

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#include "core/driver/function.h"

/*
 * Get all pairs, in an array to be freed with free(). No device need be open.
 * Return DRIVER, and log the reason, if the driver cannot be asked.
 */
DOCA_STABLE doca_error_t doca_priv_pairs(struct driver_function **functions,
					 uint32_t *n);

#endif /* DOCA_CORE_PAIRS_H */
