/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Which devices could be DMA engines, and which shall be. */
#ifndef DOCA_DMA_DISCOVER_H
#define DOCA_DMA_DISCOVER_H

#include "device.h"

#define DOCA_SPARES_MAX 64

/**
 * struct doca_spare - a device that has a channel that nobody uses
 * @dev: reference
 * @driver: its driver then
 */
struct doca_spare {
	struct device *dev;
	char driver[DOCA_DEVICE_NAME_MAX];
};

struct doca_spares {
	unsigned int nr;
	struct doca_spare all[DOCA_SPARES_MAX];
};

/* NULL if there is no memory. */
struct doca_spares *doca_spares_find(void);
void doca_spares_free(struct doca_spares *spares);

/* By name, for the administrator; errors and words as doca_engine_claim(). */
int doca_engine_add_name(const char *name, const char **why);
int doca_engine_del_name(const char *name, const char **why);

#endif
