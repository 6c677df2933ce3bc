/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * DMA engines: channels of dmaengine providers that copy in place of the CPU.
 *
 * "Engine" means a DMA engine here; nothing of this folder is in the in-process build. An
 * engine is published as a device of its own, of type DOCA_DEV_ENGINE. The CPU can do
 * everything that an engine can, so nobody is harmed when an engine goes.
 *
 * engine.c has the object and the registry, state.c its end, param.c the module's
 * parameters, check.c the reasons to refuse one, selftest.c the tests before anybody uses
 * it, claim.c claims and removals, discover.c the choice of devices, attach.c the other
 * devices they copy for, suspend.c suspend and hibernation. Maps of memory are in map.c,
 * transfers in flight in channel.c.
 */
#ifndef DOCA_DMA_ENGINE_H
#define DOCA_DMA_ENGINE_H

#include <linux/atomic.h>
#include <linux/dma-mapping.h>
#include <linux/kconfig.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "attach.h"
#include "channel.h"
#include "device.h"

struct device;
struct dma_chan;

/**
 * struct doca_engine - a DMA engine that we have claimed
 * @ref: held by the registry, by its own device, by each map, and by each queue that is
 *	bound to it; the last put only frees memory
 * @node: in the registry, until the engine is removed; under the registry's lock
 * @name: name of its provider's device, such as "0000:00:04.0"; constant
 * @driver: name of the provider's driver; constant
 * @provider: reference; the device whose driver has registered the channel. Its lock,
 *	which a driver's unbinding takes, is held to claim or remove.
 * @dev: reference; the device to map for, from dmaengine_get_dma_device(); valid for the
 *	DMA API until doca_engine_unmap_all() has returned
 * @chan: its channel; NULL after removal
 * @device: the provider's reference to its own device; NULL after removal; changed under
 *	@lock
 * @id: id of @device; constant
 * @state: &enum doca_engine_state; it only grows, but SUSPECT may become LIVE again;
 *	changed under @lock, read anywhere
 * @iommu: &enum doca_engine_iommu
 * @coherent: the CPU's caches need not be synchronized
 * @translated: an IOMMU confines it to its maps
 * @no_order: copies may complete out of order
 * @terminates: dmaengine_terminate_sync() works
 * @align: addresses and lengths must be multiples of 1 << @align
 * @mask: mask of the addresses that it reaches
 * @min_length: the CPU does shorter copies; engine_min when it was claimed
 * @max_seg: maximum bytes of a descriptor
 * @lock: protects @state, @maps and @nr_maps; interrupts off
 * @maps: maps of map.c; holds no references
 * @nr_maps: number of maps that are not GONE
 * @attachments: devices that it copies for beside its own, for attach.c; holds no
 *	references
 * @channel: transfers in flight, for channel.c
 * @stats: bytes and operations that it has done, descriptors submitted, pieces that the
 *	CPU has redone, timeouts
 * @dead_work: announces its death
 *
 * @iommu to @max_seg are constant once it is claimed.
 *
 * It is removed when its provider's driver is unbound, by an administrator, and with the
 * module. First it becomes DYING, then its own device goes and others are left to the
 * CPU, then the channel is emptied, all maps are unmapped and the channel is released.
 * That waits for hardware, at most engine_timeout_ms for a channel, and for no user.
 */
struct doca_engine {
	struct kref ref;
	struct list_head node;
	char name[DOCA_DEVICE_NAME_MAX];
	char driver[DOCA_DEVICE_NAME_MAX];
	struct device *provider;
	struct device *dev;
	struct dma_chan *chan;
	struct doca_device *device;
	u32 id;
	u8 state;
	u8 iommu;
	bool coherent;
	bool translated;
	bool no_order;
	bool terminates;
	u8 align;
	u64 mask;
	u32 min_length;
	size_t max_seg;
	spinlock_t lock; /* see above */
	struct list_head maps;
	u32 nr_maps;
	struct list_head attachments;
	struct doca_channel channel;
	struct {
		atomic64_t bytes;
		atomic64_t ops;
		atomic64_t descs;
		atomic64_t redone;
		atomic64_t timeouts;
	} stats;
	struct work_struct dead_work;
};

/* param.c; read those that can be changed with READ_ONCE(). */
extern bool doca_engines_unsafe;
extern unsigned int doca_engine_timeout_ms;
extern unsigned int doca_engine_min;
extern unsigned int doca_engine_window;

#if IS_ENABLED(CONFIG_DMA_ENGINE)
struct doca_engine *doca_engine_alloc(struct device *provider);
bool doca_engine_was_made(void); /* since the module was loaded */

/* state.c */

/* Make a new engine LIVE. */
void doca_engine_live(struct doca_engine *engine);

/*
 * Mark an engine dead: it gets nothing more, listings show it and a notification is sent.
 * Any context.
 */
void doca_engine_dead(struct doca_engine *engine);

/* Give it nothing more; waits until its death is announced. */
void doca_engine_dying(struct doca_engine *engine);

/* engine.c */

/*
 * The registry. doca_engine_add() is called with the provider's lock, when the own device has
 * its id; it publishes that, too, and does not fail. doca_engine_next() finds the first engine
 * whose own device has an id above @id. Results come with a reference, and may be DYING.
 */
void doca_engine_add(struct doca_engine *engine);
void doca_engine_del(struct doca_engine *engine);
struct doca_engine *doca_engine_find(const char *name);
struct doca_engine *doca_engine_of(const struct device *provider);
struct doca_engine *doca_engine_next(u32 id);

/*
 * discover.c. Call them while the netlink family exists, by which engines are announced.
 * Engines may appear and go before doca_engine_init() returns; all are gone when
 * doca_engine_exit() does.
 */
int doca_engine_init(void);
void doca_engine_exit(void);

static inline void doca_engine_get(struct doca_engine *engine)
{
	kref_get(&engine->ref);
}

/* Return true if it may get work and maps. A hint: the decision is made under @lock. */
static inline bool doca_engine_is_live(const struct doca_engine *engine)
{
	return READ_ONCE(engine->state) == DOCA_ENGINE_LIVE;
}

/* The system is suspended, or about to be; claim.c changes it. */
extern bool doca_engines_paused;

/* Return true if it may get work now. A hint: the decision is made under the channel's lock. */
static inline bool doca_engine_is_ready(const struct doca_engine *engine)
{
	return doca_engine_is_live(engine) && !READ_ONCE(doca_engines_paused);
}

/*
 * Return true if this address, of whole pages, belongs to a copy of them. Behind an IOMMU
 * that happens for untrusted devices only, which are refused, and 6.1 wants all addresses
 * synchronized. For an engine that does not see the CPU's caches, nothing can be said.
 */
static inline bool doca_engine_bounces(const struct doca_engine *engine,
				       dma_addr_t addr)
{
	return !engine->translated && engine->coherent &&
	       dma_need_sync(engine->dev, addr);
}

#else
static inline int doca_engine_init(void)
{
	return 0;
}

static inline void doca_engine_exit(void)
{
}
#endif

#endif /* DOCA_DMA_ENGINE_H */
