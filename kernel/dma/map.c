// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Maps of memory for DMA engines. They cover whole pages, so that nothing at their edges
 * is bounced; the engine gets no address outside of what a key names.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rwsem.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "engine.h"
#include "map.h"
#include "memory.h"
#include "trace.h"
#include "user.h"

/* Limit of a run for all engines. */
#define DOCA_DMAMAP_MAX_RUN SZ_1G

static void doca_dmamap_free(struct kref *ref)
{
	struct doca_dmamap *map = container_of(ref, struct doca_dmamap, ref);

	doca_engine_put(map->engine);
	kfree(map);
}

static unsigned long doca_dmamap_max_run(const struct doca_engine *engine)
{
	unsigned long max = min_t(unsigned long, engine->max_seg,
				  DOCA_DMAMAP_MAX_RUN);

	return max(max & PAGE_MASK, PAGE_SIZE);
}

/*
 * Return true if the map is bounced: the engine then uses copies, in memory that all
 * drivers share.
 */
static bool doca_dmamap_is_bounced(struct doca_dmamap *map)
{
	struct scatterlist *sg;
	unsigned int i;

	for_each_sgtable_dma_sg(map->mapped.sgt, sg, i)
		if (doca_engine_bounces(map->engine, sg_dma_address(sg)))
			return true;
	return false;
}

/* Record the engine's addresses of the memory's pages, from @addr on. */
static int doca_dmamap_add(struct doca_dmamap *map, unsigned long addr,
			   unsigned long left)
{
	u64 skip = map->mapped.skip;
	struct scatterlist *sg;
	unsigned int i;
	int rc;

	for_each_sgtable_dma_sg(map->mapped.sgt, sg, i) {
		u64 before = min_t(u64, skip, sg_dma_len(sg));
		unsigned long len = min_t(u64, left, sg_dma_len(sg) - before);
		unsigned long at = sg_dma_address(sg) + before;

		skip -= before;
		if (!PAGE_ALIGNED(at | len))
			return -EIO;
		if (!len)
			continue;
		rc = doca_chunks_add(&map->chunks, addr, len, (void *)at);
		if (rc)
			return rc;
		addr += len;
		left -= len;
		cond_resched();
	}
	/* The exporter may have mapped less than there is. */
	return left ? -EIO : 0;
}

static int doca_dmamap_fill(struct doca_dmamap *map)
{
	const struct doca_chunks *memory = &map->memory->pin.chunks;
	unsigned long addr = memory->start & PAGE_MASK;
	unsigned long length = (memory->last | ~PAGE_MASK) - addr + 1;
	int rc;

	rc = doca_chunks_init(&map->chunks, addr, length);
	if (rc)
		return rc;
	rc = doca_dmamap_add(map, addr, length);
	if (rc)
		doca_chunks_free(&map->chunks);
	return rc;
}

static void doca_dmamap_unmap_memory(struct doca_dmamap *map)
{
	map->memory->ops->unmap_dma(map->memory, &map->mapped);
}

static int doca_dmamap_map_memory(struct doca_dmamap *map)
{
	struct doca_memory *memory = map->memory;
	int rc;

	rc = memory->ops->map_dma(memory, &map->mapped);
	if (rc)
		return rc;
	rc = doca_dmamap_is_bounced(map) ? -EIO : doca_dmamap_fill(map);
	if (rc)
		doca_dmamap_unmap_memory(map);
	return rc;
}

/*
 * Return what it takes of the engine's addresses and of the kernel's memory, at worst
 * with an entry for each page in all tables. A dma-buf is mapped as a whole.
 */
static u64 doca_dmamap_bytes(const struct doca_memory *memory)
{
	const size_t entry = sizeof(struct scatterlist) + sizeof(unsigned long);

	return (u64)memory->pin.npages * (PAGE_SIZE + entry) +
	       doca_user_bytes(sizeof(struct doca_dmamap));
}

/* All engines may share one address space, so a user's maps for all of them count. */
static int doca_dmamap_charge(struct doca_memory *memory,
			      const struct doca_engine *engine, u64 bytes)
{
	u64 limit = READ_ONCE(doca_max_dmamap_bytes) ?: engine->mask / 4;

	return doca_user_charge_below(memory->user, DOCA_QUOTA_DMAMAP_BYTES,
				      bytes, limit);
}

static void doca_dmamap_uncharge(struct doca_memory *memory, u64 bytes)
{
	doca_user_uncharge(memory->user, DOCA_QUOTA_DMAMAP_BYTES, bytes, 0);
}

static struct doca_dmamap *doca_dmamap_alloc(struct doca_memory *memory,
					     struct doca_engine *engine)
{
	struct doca_dmamap *map = kzalloc(sizeof(*map), GFP_KERNEL_ACCOUNT);

	if (!map)
		return NULL;
	kref_init(&map->ref);
	doca_engine_get(engine);
	map->engine = engine;
	map->memory = memory;
	init_completion(&map->gone);
	map->mapped = (struct doca_mapped){
		.dev = engine->dev,
		.direction = memory->pin.writable ? DMA_BIDIRECTIONAL :
						    DMA_TO_DEVICE,
		.max_run = doca_dmamap_max_run(engine),
	};
	return map;
}

/* Make a map that nobody knows yet; NULL on failure. */
static struct doca_dmamap *doca_dmamap_create(struct doca_memory *memory,
					      struct doca_engine *engine)
{
	u64 bytes = doca_dmamap_bytes(memory);
	struct doca_dmamap *map;

	if (doca_dmamap_charge(memory, engine, bytes))
		return NULL;
	map = doca_dmamap_alloc(memory, engine);
	if (map && !doca_dmamap_map_memory(map)) {
		map->bytes = bytes;
		return map;
	}
	if (map)
		kref_put(&map->ref, doca_dmamap_free);
	doca_dmamap_uncharge(memory, bytes);
	return NULL;
}

/* Take it off its lists, and free what it has. Called by the thread that made it DYING. */
static void doca_dmamap_end(struct doca_dmamap *map)
{
	struct doca_engine *engine = map->engine;
	struct doca_memory *memory = map->memory;
	bool parked;

	trace_doca_engine_unmap(engine->id, memory->obj.id, map->bytes);
	doca_dmamap_unmap_memory(map);
	doca_chunks_free(&map->chunks);
	doca_dmamap_uncharge(memory, map->bytes);
	spin_lock(&memory->lock);
	list_del(&map->memory_node);
	spin_unlock(&memory->lock);
	spin_lock_irq(&engine->lock);
	list_del(&map->engine_node);
	engine->nr_maps--;
	WRITE_ONCE(map->state, DOCA_DMAMAP_GONE);
	parked = map->parked;
	spin_unlock_irq(&engine->lock);
	complete_all(&map->gone);
	/* The work has its own reference. */
	if (parked)
		queue_work(doca_unpin_wq, &memory->unpin);
	doca_object_put(&memory->obj);
	kref_put(&map->ref, doca_dmamap_free);
}

/* Return true if the engine may still write, and nothing prevents that. */
static bool doca_dmamap_is_quarantined(const struct doca_dmamap *map)
{
	const struct doca_engine *engine = map->engine;

	return engine->state == DOCA_ENGINE_DEAD && !engine->translated;
}

/*
 * Unmap it. It is GONE if this returns true. Only a caller that @parks leaves an engine
 * alone that may still write. The caller has a reference.
 */
static bool doca_dmamap_unmap(struct doca_dmamap *map, bool force, bool park)
{
	struct doca_engine *engine = map->engine;
	bool mine = false, stays = false;

	spin_lock_irq(&engine->lock);
	if (map->state == DOCA_DMAMAP_LIVE) {
		stays = !force && doca_dmamap_is_quarantined(map);
		mine = !stays;
		if (mine)
			WRITE_ONCE(map->state, DOCA_DMAMAP_DYING);
		else
			map->parked |= park;
	}
	spin_unlock_irq(&engine->lock);
	if (mine)
		doca_dmamap_end(map);
	else if (!stays)
		wait_for_completion(&map->gone);
	return !stays;
}

/* The unmap function of the memory. */
static bool doca_memory_unmap_dma(struct doca_memory *memory)
{
	struct doca_dmamap *map;
	bool gone = true;

	while (gone) {
		spin_lock(&memory->lock);
		map = list_first_entry_or_null(&memory->dmamaps,
					       struct doca_dmamap, memory_node);
		if (map)
			kref_get(&map->ref);
		spin_unlock(&memory->lock);
		if (!map)
			break;
		gone = doca_dmamap_unmap(map, false, true);
		kref_put(&map->ref, doca_dmamap_free);
	}
	return gone;
}

/* Find the map for another mapping. Call it under the memory's lock. */
static struct doca_dmamap *doca_dmamap_find(struct doca_memory *memory,
					    struct doca_engine *engine)
{
	struct doca_dmamap *map;

	list_for_each_entry(map, &memory->dmamaps, memory_node) {
		if (!map->users || !doca_dmamap_is_for(map, engine))
			continue;
		map->users++;
		kref_get(&map->ref);
		return map;
	}
	return NULL;
}

/* Let it be found, also by the engine's removal, which waits for this. */
static void doca_dmamap_publish(struct doca_dmamap *map)
{
	struct doca_engine *engine = map->engine;
	struct doca_memory *memory = map->memory;

	trace_doca_engine_map(engine->id, memory->obj.id, map->bytes);
	map->users = 1;
	kref_get(&map->ref);
	kref_get(&memory->obj.ref);
	spin_lock(&memory->lock);
	list_add_tail(&map->memory_node, &memory->dmamaps);
	memory->unmap = doca_memory_unmap_dma;
	spin_unlock(&memory->lock);
	spin_lock_irq(&engine->lock);
	list_add_tail(&map->engine_node, &engine->maps);
	engine->nr_maps++;
	spin_unlock_irq(&engine->lock);
}

/* The memory is held. Two concurrent callers get one each, which does no harm. */
static struct doca_dmamap *doca_dmamap_make(struct doca_memory *memory,
					    struct doca_engine *engine)
{
	struct doca_dmamap *map;

	spin_lock(&memory->lock);
	map = doca_dmamap_find(memory, engine);
	spin_unlock(&memory->lock);
	if (map)
		return map;
	down_read(&engine->channel.mapping);
	if (doca_engine_is_live(engine))
		map = doca_dmamap_create(memory, engine);
	if (map)
		doca_dmamap_publish(map);
	up_read(&engine->channel.mapping);
	return map;
}

struct doca_dmamap *doca_dmamap_get(struct doca_memory *memory,
				    struct doca_device *device)
{
	struct doca_engine *engine = doca_device_engine(device);
	struct doca_dmamap *map = NULL;

	if (!engine)
		return NULL;
	if (memory->ops->map_dma && doca_memory_hold(memory)) {
		map = doca_dmamap_make(memory, engine);
		doca_memory_unhold(memory);
	}
	doca_engine_put(engine);
	return map;
}

void doca_dmamap_leave(struct doca_dmamap *map)
{
	struct doca_memory *memory = map->memory;
	bool last;

	/* The mapping has its own reference to the memory. */
	spin_lock(&memory->lock);
	last = !--map->users;
	spin_unlock(&memory->lock);
	if (last)
		doca_dmamap_unmap(map, false, false);
}

void doca_dmamap_put(struct doca_dmamap *map)
{
	kref_put(&map->ref, doca_dmamap_free);
}

void doca_engine_unmap_all(struct doca_engine *engine)
{
	struct doca_dmamap *map;

	/* Threads that were making a map have finished; later ones make none. */
	down_write(&engine->channel.mapping);
	up_write(&engine->channel.mapping);
	for (;;) {
		spin_lock_irq(&engine->lock);
		map = list_first_entry_or_null(&engine->maps, struct doca_dmamap,
					       engine_node);
		if (map)
			kref_get(&map->ref);
		spin_unlock_irq(&engine->lock);
		if (!map)
			break;
		doca_dmamap_unmap(map, true, false);
		kref_put(&map->ref, doca_dmamap_free);
		cond_resched();
	}
}
