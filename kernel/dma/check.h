/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* What an engine must be like, and what it must have shown, before it is used. */
#ifndef DOCA_DMA_CHECK_H
#define DOCA_DMA_CHECK_H

#include <linux/types.h>

struct device;
struct doca_engine;

/* &enum doca_engine_iommu */
u8 doca_engine_iommu(struct device *dev);

/*
 * Both set @why to words that name the remedy if they refuse. The engine has
 * its channel and its device, and nobody else has the engine.
 */

/* Look at what it is: 0 or -EOPNOTSUPP. */
int doca_engine_check(const struct doca_engine *engine, const char **why);

/*
 * Have it copy, and find out from what length on that is worth it: 0, -ENOMEM,
 * -EIO, -ETIMEDOUT, or -EOPNOTSUPP for what shows only then. Takes a few times
 * engine_timeout_ms at most.
 */
int doca_engine_selftest(struct doca_engine *engine, const char **why);

#endif
