/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Claims and removals of DMA engines. */
#ifndef DOCA_DMA_CLAIM_H
#define DOCA_DMA_CLAIM_H

#include <linux/types.h>

#include "engine.h"

/*
 * Make an engine of a device, unless claims are closed. Sets @why to a text if it fails.
 * Errors are those of DOCA_GENL_CMD_ENGINE_ADD, -ENOMEM, and -EINTR if the caller is
 * killed while it waits for its turn.
 */
int doca_engine_claim(struct device *provider, const char **why);

/* Call it with the provider's lock, under which the engine was found. */
void doca_engine_remove(struct doca_engine *engine);
/* Call it without the lock. -ENODEV if somebody else has removed it. */
int doca_engine_release(struct doca_engine *engine);

/*
 * Give no engine anything new. When it returns, all engines are in the registry; those
 * that are claimed later get nothing either.
 */
void doca_engines_pause(void);
void doca_engines_go_on(void);

/* When it returns no claim is in progress, and none will be. */
void doca_claims_close(void);

#endif
