/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Devices that could be DMA engines, and those that shall be. */
#ifndef DOCA_DMA_DISCOVER_H
#define DOCA_DMA_DISCOVER_H

#include "device.h"

#define DOCA_SPARES_MAX 64

/**
 * struct doca_spare - a device with an unused channel
 * @dev: reference
 * @driver: name of its driver at that time
 */
struct doca_spare {
	struct device *dev;
	char driver[DOCA_DEVICE_NAME_MAX];
};

struct doca_spares {
	unsigned int nr;
	struct doca_spare all[DOCA_SPARES_MAX];
};

/* Returns NULL if out of memory. */
struct doca_spares *doca_spares_find(void);
void doca_spares_free(struct doca_spares *spares);

/* Claim and release by name, for the administrator. Errors and @why as for doca_engine_claim(). */
int doca_engine_add_name(const char *name, const char **why);
int doca_engine_del_name(const char *name, const char **why);

#endif
