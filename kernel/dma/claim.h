/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* How a DMA engine comes and goes. */
#ifndef DOCA_DMA_CLAIM_H
#define DOCA_DMA_CLAIM_H

#include <linux/types.h>

#include "engine.h"

/*
 * Make an engine of a device, unless claims are closed. Sets @why, to words, if
 * it fails. Errors are those of DOCA_GENL_CMD_ENGINE_ADD, -ENOMEM, and -EINTR
 * where a signal that kills came before its turn.
 */
int doca_engine_claim(struct device *provider, const char **why);

/* With the provider's lock, in this order: its driver is about to be unbound ... */
void doca_engine_unbind(struct doca_engine *engine);
/* ... and has let go of it. Until then one that is in quarantine is found. */
void doca_engine_unbound(struct doca_engine *engine);
/* Without it; -ENODEV if somebody else has removed it, -EBUSY in quarantine. */
int doca_engine_release(struct doca_engine *engine);

/*
 * Nothing new is given to any engine; those that are claimed from now on have nothing
 * either, and all others are in the registry when it returns.
 */
void doca_engines_pause(void);
void doca_engines_go_on(void);

/* No claim is under way when it returns, and none will be. */
void doca_claims_close(void);

#endif
