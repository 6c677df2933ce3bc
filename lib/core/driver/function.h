/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A pair of devices, as the driver lists it. */
#ifndef DOCA_CORE_FUNCTION_H
#define DOCA_CORE_FUNCTION_H

#include <stdint.h>

#include <doca_dev.h>

struct driver_function {
	uint32_t id; /* never reused */
	uint32_t dpu; /* id of the DPU's device */
	uint32_t host; /* id of the host's, which it represents */
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
};

#endif /* DOCA_CORE_FUNCTION_H */
