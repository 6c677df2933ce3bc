/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory mapped for a DMA engine: one map for each memory and engine. All mappings of the
 * memory for the engine's device share it, imported ones too. It is made with the first of
 * them; if that fails, the CPU does the engine's work. Only memory of a process's own pages
 * has any.
 *
 * Maps are made and ended by works and by administrators alone. The owner of the memory, and
 * an administrator who removes the engine, wait for that, and must not wait for a thread of a
 * user, which may get no CPU.
 */
#ifndef DOCA_DMA_MAP_H
#define DOCA_DMA_MAP_H

#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/types.h>

#include "chunks.h"

struct doca_device;
struct doca_dmamap;
struct doca_engine;
struct doca_memory;
struct sg_table;

#if IS_ENABLED(CONFIG_DMA_ENGINE)
#include <linux/dma-direction.h>

/**
 * enum doca_dmamap_state - whether the engine may reach the memory
 * @DOCA_DMAMAP_LIVE: the engine may reach it
 * @DOCA_DMAMAP_DYING: a thread unmaps it
 * @DOCA_DMAMAP_GONE: it is unmapped
 * @DOCA_DMAMAP_LOST: a DEAD engine may write to it for ever, because no IOMMU confines it
 */
enum doca_dmamap_state {
	DOCA_DMAMAP_LIVE,
	DOCA_DMAMAP_DYING,
	DOCA_DMAMAP_GONE,
	DOCA_DMAMAP_LOST,
};

/**
 * struct doca_dmamap - a memory, mapped for an engine
 * @ref: held by each mapping that has it, and once until it is GONE
 * @users: number of mappings that have not ended; under the memory's lock
 * @engine: reference
 * @memory: reference, until it is GONE
 * @memory_node: in doca_memory.dmamaps; under the memory's lock
 * @engine_node: in doca_engine.maps, unless it is LOST; under the engine's lock
 * @state: &enum doca_dmamap_state; under the engine's lock, read anywhere
 * @gone: completed when it is GONE
 * @direction: allowed transfers
 * @sgt: the mapped pages
 * @chunks: the engine's addresses of its pages, by addresses of the process; constant,
 *	valid until it is GONE
 * @bytes: bytes that the memory's user is charged
 *
 * It is unmapped when the last of its mappings has ended, so nothing is in flight with
 * it; when the memory is to be unpinned; and with the engine. The first caller unmaps it;
 * others wait for that, as long as the DMA API takes.
 *
 * The memory of a map that is LOST is never unpinned, and stays charged.
 */
struct doca_dmamap {
	struct kref ref;
	unsigned int users;
	struct doca_engine *engine;
	struct doca_memory *memory;
	struct list_head memory_node;
	struct list_head engine_node;
	u8 state;
	struct completion gone;
	enum dma_data_direction direction;
	struct sg_table *sgt;
	struct doca_chunks chunks;
	u64 bytes;
};

/*
 * Get a map for a mapping of the memory for a device. NULL if the device has no engine,
 * or the map cannot be made, or the caller was killed meanwhile. It may take long.
 */
struct doca_dmamap *doca_dmamap_get(struct doca_memory *memory,
				    struct doca_device *device);
/* The mapping has ended: if it was the last, unmap. For works. */
void doca_dmamap_leave(struct doca_dmamap *map);
/* The mapping is freed. */
void doca_dmamap_put(struct doca_dmamap *map);
/*
 * Unmap everything of a DYING or DEAD engine for which no maps are searched any more.
 * None is left when this returns.
 */
void doca_engine_unmap_all(struct doca_engine *engine);
/* Make all maps LOST, and return the bytes of their memories. */
u64 doca_engine_lose_maps(struct doca_engine *engine);

int doca_dmamaps_init(void);
/* No engine is left: wait for works whose callers were killed. */
void doca_dmamaps_exit(void);

/* Return true if an engine may reach the memory. A hint; that may end at once. */
static inline bool doca_dmamap_is_live(const struct doca_dmamap *map)
{
	return map && READ_ONCE(map->state) == DOCA_DMAMAP_LIVE;
}

/*
 * Return true if this engine may reach the memory. A mapping may be older than its device's
 * engine.
 */
static inline bool doca_dmamap_is_for(const struct doca_dmamap *map,
				      const struct doca_engine *engine)
{
	return doca_dmamap_is_live(map) && map->engine == engine;
}
#else
static inline struct doca_dmamap *doca_dmamap_get(struct doca_memory *memory,
						  struct doca_device *device)
{
	return NULL;
}

static inline void doca_dmamap_leave(struct doca_dmamap *map)
{
}

static inline void doca_dmamap_put(struct doca_dmamap *map)
{
}

static inline bool doca_dmamap_is_live(const struct doca_dmamap *map)
{
	return false;
}
#endif

#endif
