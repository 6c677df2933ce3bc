/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * DMA engines: channels of dmaengine providers that copy in place of the CPU.
 *
 * "Engine" is a DMA engine here; nothing of this folder is in the in-process
 * build. An engine is published as a device of its own, of type
 * DOCA_DEV_ENGINE. What it can do the CPU can do as well, so nobody is harmed
 * when it goes.
 *
 * engine.c has the object and the registry, state.c its end, param.c the module's
 * parameters, check.c what is refused, selftest.c what is tried before anybody uses it,
 * claim.c how an engine comes and goes, discover.c which, attach.c which other devices
 * they copy for, suspend.c what they do while the system sleeps. Maps of memory are in
 * map.c, what is in flight in channel.c.
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
 * @ref: of the registry, of its own device, of each map, and of each queue that
 *	is bound to it; the last one frees memory only
 * @node: in the registry, until it is removed; under the registry's lock
 * @name: of its provider's device, as "0000:00:04.0"; constant
 * @driver: name of the provider's driver; constant
 * @provider: the device whose driver has registered the channel; reference. Its
 *	lock, which a driver's unbinding takes, is held to claim or remove.
 * @dev: the device to map for, of dmaengine_get_dma_device(); reference; to be
 *	used with the DMA API until doca_engine_unmap_all() has returned
 * @chan: its channel; NULL after removal
 * @device: its own device, the provider's reference; NULL after removal;
 *	changed under @lock
 * @id: of that; constant
 * @state: &enum doca_engine_state; only grows but for SUSPECT, which may become
 *	LIVE again; changed under @lock, read anywhere
 * @iommu: &enum doca_engine_iommu
 * @coherent: the CPU's caches need not be synchronized
 * @translated: behind an IOMMU that keeps it to its maps
 * @no_order: copies may complete in another order than they were submitted
 * @terminates: dmaengine_terminate_sync() works
 * @quarantined: it is DEAD, no IOMMU keeps it from memory, and the module is held
 *	until its driver is unbound; set once
 * @align: log2 of what addresses and lengths must be multiples of
 * @mask: addresses that it reaches
 * @min_length: copies below go by CPU
 * @max_seg: of one descriptor, in bytes
 * @lock: protects @state, @maps and @nr_maps; interrupts off
 * @maps: maps of map.c, no references
 * @nr_maps: how many
 * @attachments: devices that it copies for beside its own, no references; of attach.c
 * @channel: what is in flight; of channel.c
 * @stats: bytes and operations done by it, descriptors submitted, pieces that
 *	were redone by CPU, timeouts
 * @dead_work: tells of its death
 *
 * @iommu to @max_seg are constant from its claim on.
 *
 * It is removed when its provider's driver is unbound, by an administrator, and
 * with the module: DYING first, then its own device goes and others are left to the
 * CPU, then the channel is emptied, all maps are unmapped and the channel is released.
 * That waits for hardware, not longer than engine_timeout_ms a channel, and for no user.
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
	bool quarantined;
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

/* param.c; those that can be changed are read with READ_ONCE(). */
extern bool doca_engines_unsafe;
extern unsigned int doca_engine_timeout_ms;
extern unsigned int doca_engine_min;
extern unsigned int doca_engine_window;
extern unsigned long doca_max_dmamap_bytes; /* a user; 0: a share of the mask */

#if IS_ENABLED(CONFIG_DMA_ENGINE)
struct doca_engine *doca_engine_alloc(struct device *provider);
bool doca_engine_was_made(void); /* any, since the module was loaded */

/* state.c */

/* One that is new is LIVE. */
void doca_engine_live(struct doca_engine *engine);

/*
 * Mark an engine dead: nothing is given to it any more, listings say so and a
 * notification is sent. In any context.
 */
void doca_engine_dead(struct doca_engine *engine);

/* From now on it is given nothing new; waits for what tells of its death. */
void doca_engine_dying(struct doca_engine *engine);

/* engine.c */

/*
 * The registry. doca_engine_add() is called with the provider's lock, after the
 * own device was registered; it does not fail. doca_engine_next() goes through
 * them by the id of their own devices, from behind one, 0 to begin. What is
 * found comes with a reference, and may be DYING.
 */
void doca_engine_add(struct doca_engine *engine);
void doca_engine_del(struct doca_engine *engine);
struct doca_engine *doca_engine_find(const char *name);
struct doca_engine *doca_engine_of(const struct device *provider);
struct doca_engine *doca_engine_next(u32 id);

/*
 * discover.c. After the netlink family, by which engines are announced, and
 * before its end. Engines may appear and go before doca_engine_init() returns;
 * all are gone when doca_engine_exit() does.
 */
int doca_engine_init(void);
void doca_engine_exit(void);

static inline void doca_engine_get(struct doca_engine *engine)
{
	kref_get(&engine->ref);
}

/* May it be given work and maps? A hint; what counts is looked at under @lock. */
static inline bool doca_engine_is_live(const struct doca_engine *engine)
{
	return READ_ONCE(engine->state) == DOCA_ENGINE_LIVE;
}

/* The system is about to be suspended, or is; claim.c changes it. */
extern bool doca_engines_paused;

/* May it be given work now? A hint; what counts is looked at under the channel's lock. */
static inline bool doca_engine_is_ready(const struct doca_engine *engine)
{
	return doca_engine_is_live(engine) && !READ_ONCE(doca_engines_paused);
}

/*
 * Was this address, of whole pages, given for a copy of them? Behind an IOMMU
 * that is so for untrusted devices only, which are refused; and 6.1 says of all
 * its addresses that they need to be synchronized. Of an engine that does not see
 * the CPU's caches nothing can be said.
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
