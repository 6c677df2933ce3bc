// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Claims and removals of DMA engines.
 *
 * Both are done under the lock of the provider's device, which the binding and unbinding
 * of its driver hold as well. So a provider that goes away waits until a claim has ended,
 * and one that is gone is noticed. dmaengine itself tells its clients nothing of a
 * removal. Claims, which take seconds at worst, are made one after the other; a removal
 * waits only for a claim of its own provider.
 */
#include <linux/device.h>
#include <linux/dma-map-ops.h>
#include <linux/dma-mapping.h>
#include <linux/dmaengine.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>

#include "check.h"
#include "claim.h"
#include "map.h"
#include "netlink.h"

static DEFINE_MUTEX(doca_claims); /* taken before the lock of a provider */
static bool doca_claims_closed;

static bool doca_chan_is_of(struct dma_chan *chan, void *provider)
{
	return chan->device->dev == provider &&
	       chan->device->device_prep_dma_memcpy;
}

static int doca_is_channel(struct device *dev, void *unused)
{
	return dev->class && !strcmp(dev->class->name, "dma");
}

static int doca_request_channel(struct doca_engine *engine, const char **why)
{
	struct device *provider = engine->provider;
	dma_cap_mask_t mask;

	dma_cap_zero(mask);
	dma_cap_set(DMA_MEMCPY, mask);
	engine->chan = dma_request_channel(mask, doca_chan_is_of, provider);
	if (engine->chan)
		return 0;
	if (device_for_each_child(provider, NULL, doca_is_channel)) {
		*why = "its channels are in use, or do not copy memory";
		return -EBUSY;
	}
	*why = "it has no DMA channels";
	return -ENODEV;
}

/* Set the fields that are constant from now on. */
static void doca_engine_describe(struct doca_engine *engine)
{
	struct dma_device *dma = engine->chan->device;
	struct device *dev = dmaengine_get_dma_device(engine->chan);

	engine->dev = get_device(dev);
	engine->iommu = doca_engine_iommu(dev);
	engine->translated = engine->iommu == DOCA_ENGINE_IOMMU_TRANSLATED;
	engine->coherent = dev_is_dma_coherent(dev);
	engine->no_order = dma_has_cap(DMA_COMPLETION_NO_ORDER, dma->cap_mask);
	engine->terminates = dma->device_terminate_all;
	engine->align = dma->copy_align;
	engine->mask = dma_get_mask(dev);
	engine->max_seg = dma_get_max_seg_size(dev);
	engine->min_length = READ_ONCE(doca_engine_min);
}

static void doca_own_device_release(struct doca_device *device)
{
	doca_engine_put(device->engine);
}

static int doca_own_device_make(struct doca_engine *engine)
{
	struct device *provider = engine->provider;
	struct doca_device *device;
	int rc;

	device = doca_device_alloc(DOCA_DEV_ENGINE, engine->name);
	if (IS_ERR(device))
		return PTR_ERR(device);
	device->numa_node = dev_to_node(provider);
	if (dev_is_pci(provider))
		strscpy(device->pci, dev_name(provider), sizeof(device->pci));
	doca_engine_get(engine);
	device->engine = engine;
	device->release = doca_own_device_release;
	rc = doca_device_reserve(device);
	if (rc) {
		doca_device_put(device);
		return rc;
	}
	engine->device = device;
	engine->id = device->id;
	return 0;
}

/* Do everything that can fail. The engine has its channel. */
static int doca_engine_start(struct doca_engine *engine, const char **why)
{
	int rc;

	doca_engine_describe(engine);
	rc = doca_engine_check(engine, why);
	if (!rc)
		rc = doca_engine_selftest(engine, why);
	if (rc)
		return rc;
	*why = "out of memory";
	rc = doca_channel_init(engine);
	if (rc)
		return rc;
	rc = doca_own_device_make(engine);
	if (rc) {
		/* Clean up as for an engine that was live. */
		doca_engine_dying(engine);
		doca_channel_exit(engine);
	}
	return rc;
}

static void doca_engine_announce(struct doca_engine *engine)
{
	static const char * const iommus[] = {
		[DOCA_ENGINE_IOMMU_NONE] = "none",
		[DOCA_ENGINE_IOMMU_IDENTITY] = "identity",
		[DOCA_ENGINE_IOMMU_TRANSLATED] = "translated",
	};

	dev_info(engine->provider,
		 "doca: copies of %u bytes and more, channel %s, iommu %s%s\n",
		 engine->min_length, dma_chan_name(engine->chan),
		 iommus[engine->iommu],
		 engine->translated ? "" : ": it reaches all memory");
	doca_engine_add(engine);
	doca_netlink_notify(engine->device, DOCA_GENL_CMD_DEV_ADD);
}

/* Call it with the provider's lock. */
static int doca_claim_locked(struct device *provider, const char **why)
{
	struct doca_engine *engine;
	int rc;

	if (!provider->driver) {
		*why = "it has no driver";
		return -ENODEV;
	}
	engine = doca_engine_of(provider);
	if (engine) {
		doca_engine_put(engine);
		*why = "it is an engine already";
		return -EEXIST;
	}
	*why = "out of memory";
	engine = doca_engine_alloc(provider);
	if (!engine)
		return -ENOMEM;
	doca_engine_live(engine);
	rc = doca_request_channel(engine, why);
	if (rc)
		goto out;
	rc = doca_engine_start(engine, why);
	if (!rc)
		doca_engine_announce(engine);
	else
		dma_release_channel(engine->chan);
out:
	doca_engine_put(engine);
	return rc;
}

static int doca_claim(struct device *provider, const char **why)
{
	int rc = -EBUSY;

	*why = "interrupted";
	if (mutex_lock_killable(&doca_claims))
		return -EINTR;
	*why = "the driver is being unloaded";
	if (!doca_claims_closed) {
		device_lock(provider);
		rc = doca_claim_locked(provider, why);
		device_unlock(provider);
	}
	mutex_unlock(&doca_claims);
	return rc;
}

/*
 * The module stays during a claim: memory that an engine does not give back after its
 * self-test keeps the module for ever, which is too late if the module is going already.
 */
int doca_engine_claim(struct device *provider, const char **why)
{
	int rc;

	*why = "the driver is being unloaded";
	if (!try_module_get(THIS_MODULE))
		return -EBUSY;
	rc = doca_claim(provider, why);
	module_put(THIS_MODULE);
	return rc;
}

void doca_engines_pause(void)
{
	mutex_lock(&doca_claims);
	WRITE_ONCE(doca_engines_paused, true);
	mutex_unlock(&doca_claims);
}

void doca_engines_go_on(void)
{
	WRITE_ONCE(doca_engines_paused, false);
}

void doca_claims_close(void)
{
	mutex_lock(&doca_claims);
	doca_claims_closed = true;
	mutex_unlock(&doca_claims);
}

/* Let the CPU copy for all devices that it is attached to. */
static void doca_engine_detach_all(struct doca_engine *engine)
{
	struct doca_device *device;

	while ((device = doca_engine_detach_next(engine))) {
		doca_netlink_notify_change(device);
		doca_device_put(device);
	}
}

/*
 * The engine stays in the registry until its channel is free, so that listings show what
 * is waited for.
 */
void doca_engine_remove(struct doca_engine *engine)
{
	struct doca_device *device = engine->device;
	struct dma_chan *chan = engine->chan;

	device_lock_assert(engine->provider);
	doca_engine_dying(engine);
	doca_device_unregister(device);
	doca_netlink_notify(device, DOCA_GENL_CMD_DEV_DEL);
	doca_engine_detach_all(engine);
	doca_channel_exit(engine);
	doca_engine_unmap_all(engine);

	spin_lock_irq(&engine->lock);
	engine->chan = NULL;
	engine->device = NULL;
	spin_unlock_irq(&engine->lock);
	dma_release_channel(chan);
	dev_info(engine->provider, "doca: no engine any more\n");
	doca_engine_del(engine);
	doca_device_put(device);
}

int doca_engine_release(struct doca_engine *engine)
{
	int rc = 0;

	device_lock(engine->provider);
	if (engine->chan)
		doca_engine_remove(engine);
	else
		rc = -ENODEV;
	device_unlock(engine->provider);
	return rc;
}
