/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The DMA engine that copies for a device. An engine's own device always has that engine.
 * Any other device has the one that an administrator has attached, for memory that is
 * mapped, and queues that are made, from then on.
 */
#ifndef DOCA_DMA_ATTACH_H
#define DOCA_DMA_ATTACH_H

#include <linux/kconfig.h>
#include <linux/types.h>

struct doca_device;
struct doca_engine;

#if IS_ENABLED(CONFIG_DMA_ENGINE)
/* Return the engine with a reference; NULL if the CPU copies. */
struct doca_engine *doca_device_engine(const struct doca_device *device);
void doca_engine_put(struct doca_engine *engine); /* may sleep */
const char *doca_engine_name(const struct doca_engine *engine);

/*
 * Attach an engine to a device, or detach it. On failure, they set @why to a text. Errors
 * are those of DOCA_GENL_CMD_ENGINE_ATTACH and DETACH, and -ENOMEM.
 */
int doca_engine_attach(struct doca_engine *engine, struct doca_device *device,
		       const char **why);
int doca_engine_detach(struct doca_device *device, const char **why);

/*
 * Detach the engine from the next device, and return that with a reference; NULL if there
 * is none. The engine is DYING, and its provider's lock is held, so no more will follow.
 */
struct doca_device *doca_engine_detach_next(struct doca_engine *engine);
#else
static inline struct doca_engine *
doca_device_engine(const struct doca_device *device)
{
	return NULL;
}

static inline void doca_engine_put(struct doca_engine *engine)
{
}

static inline const char *doca_engine_name(const struct doca_engine *engine)
{
	return "";
}
#endif

#endif
