/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that is mapped for a DMA engine: one map for each memory and engine, which all
 * mappings of the memory for the engine's device share, imported ones too. It is made by
 * who makes the first of them, and where that fails the CPU does what the engine would.
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

#if IS_ENABLED(CONFIG_DMA_ENGINE)
#include "mapped.h"

/**
 * enum doca_dmamap_state - whether the engine may reach the memory
 * @DOCA_DMAMAP_LIVE: it may
 * @DOCA_DMAMAP_DYING: somebody unmaps it
 * @DOCA_DMAMAP_GONE: it is unmapped
 */
enum doca_dmamap_state {
	DOCA_DMAMAP_LIVE,
	DOCA_DMAMAP_DYING,
	DOCA_DMAMAP_GONE,
};

/**
 * struct doca_dmamap - a memory, mapped for an engine
 * @ref: of each mapping that has it, and one until it is GONE
 * @users: mappings that have not ended; under the memory's lock
 * @engine: reference
 * @memory: reference, until it is GONE
 * @memory_node: in doca_memory.dmamaps; under the memory's lock
 * @engine_node: in doca_engine.maps; under the engine's lock
 * @state: &enum doca_dmamap_state; under the engine's lock, read anywhere
 * @parked: the memory is to be unpinned when it is GONE; under the engine's lock
 * @gone: completed then
 * @mapped: how, and what
 * @chunks: where its pages are for the engine, by addresses of the process; constant, and
 *	there until it is GONE
 * @bytes: that its memory's user is charged
 *
 * It is unmapped when the last of its mappings has ended, so nothing is in flight with
 * it; when the memory is to be unpinned; and with the engine. The first caller unmaps it,
 * the others wait for that, which takes as long as the DMA API does.
 *
 * Of an engine that is DEAD, and that no IOMMU keeps from the memory, nothing is unmapped
 * before it is removed: it may write at any time. Such a memory stays pinned and charged,
 * which is what @parked is for.
 */
struct doca_dmamap {
	struct kref ref;
	unsigned int users;
	struct doca_engine *engine;
	struct doca_memory *memory;
	struct list_head memory_node;
	struct list_head engine_node;
	u8 state;
	bool parked;
	struct completion gone;
	struct doca_mapped mapped;
	struct doca_chunks chunks;
	u64 bytes;
};

/*
 * For a mapping of the memory for a device: NULL if that has no engine, or there is no
 * map, for whatever reason. It may take long.
 */
struct doca_dmamap *doca_dmamap_get(struct doca_memory *memory,
				    struct doca_device *device);
/* The mapping has ended: the last one unmaps it. */
void doca_dmamap_leave(struct doca_dmamap *map);
/* The mapping is freed. */
void doca_dmamap_put(struct doca_dmamap *map);
/*
 * The engine is DYING or DEAD, and nothing looks maps up any more: no map is left when
 * this returns.
 */
void doca_engine_unmap_all(struct doca_engine *engine);

/* May an engine reach the memory? A hint; it may have ended at once. */
static inline bool doca_dmamap_is_live(const struct doca_dmamap *map)
{
	return map && READ_ONCE(map->state) == DOCA_DMAMAP_LIVE;
}

/* May this engine reach the memory? A mapping may be older than what its device has now. */
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
