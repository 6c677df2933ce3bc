/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Requirements on an engine, by its properties and by tests, before it is used. */
#ifndef DOCA_DMA_CHECK_H
#define DOCA_DMA_CHECK_H

#include <linux/types.h>

struct device;
struct doca_engine;

/* &enum doca_engine_iommu */
u8 doca_engine_iommu(struct device *dev);

/*
 * Both set @why to a text that names the remedy if they refuse. The engine has its
 * channel and its device, and nobody else has the engine.
 */

/* Check the properties. Returns 0 or -EOPNOTSUPP. */
int doca_engine_check(const struct doca_engine *engine, const char **why);

/*
 * Test copies, and find out the length from which on they pay. Returns 0, -ENOMEM, -EIO,
 * -ETIMEDOUT, or -EOPNOTSUPP for a limitation that only shows now. Takes a few times
 * engine_timeout_ms at most.
 */
int doca_engine_selftest(struct doca_engine *engine, const char **why);

#endif
