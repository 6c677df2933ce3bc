// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Maps of memory for DMA engines. They cover whole pages, so that nothing at their edges
 * is bounced; the engine gets no address outside of what a key names.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/memcontrol.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rwsem.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "engine.h"
#include "map.h"
#include "memory.h"
#include "pages.h"
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

	for_each_sgtable_dma_sg(map->sgt, sg, i)
		if (doca_engine_bounces(map->engine, sg_dma_address(sg)))
			return true;
	return false;
}

/* Record the engine's addresses of the memory's pages, from @addr on. */
static int doca_dmamap_add(struct doca_dmamap *map, unsigned long addr,
			   unsigned long left)
{
	struct scatterlist *sg;
	unsigned int i;
	int rc;

	for_each_sgtable_dma_sg(map->sgt, sg, i) {
		unsigned long len = sg_dma_len(sg);
		unsigned long at = sg_dma_address(sg);

		if (!PAGE_ALIGNED(at | len) || len > left)
			return -EIO;
		rc = doca_chunks_add(&map->chunks, addr, len, (void *)at);
		if (rc)
			return rc;
		addr += len;
		left -= len;
		cond_resched();
	}
	return left ? -EIO : 0;
}

static int doca_dmamap_fill(struct doca_dmamap *map)
{
	const struct doca_chunks *memory = &map->memory->pin.chunks;
	unsigned long length = memory->last - memory->start + 1;
	int rc;

	rc = doca_chunks_init(&map->chunks, memory->start, length);
	if (rc)
		return rc;
	rc = doca_dmamap_add(map, memory->start, length);
	if (rc)
		doca_chunks_free(&map->chunks);
	return rc;
}

static void doca_dmamap_unmap_memory(struct doca_dmamap *map)
{
	doca_pages_unmap(map->sgt, map->engine->dev, map->direction);
}

static int doca_dmamap_map_memory(struct doca_dmamap *map)
{
	const struct doca_engine *engine = map->engine;
	int rc;

	map->sgt = doca_pages_map(&map->memory->pin.chunks, engine->dev,
				  doca_dmamap_max_run(engine),
				  map->direction);
	if (IS_ERR(map->sgt))
		return PTR_ERR(map->sgt);
	rc = doca_dmamap_is_bounced(map) ? -EIO : doca_dmamap_fill(map);
	if (rc)
		doca_dmamap_unmap_memory(map);
	return rc;
}

/*
 * Return what it takes of the engine's addresses and of the kernel's memory, at worst
 * with an entry for each page in all tables.
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
	u64 limit = doca_user_limit(DOCA_QUOTA_DMAMAP_BYTES) ?:
		    engine->mask / 4;

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
	map->direction = memory->pin.writable ? DMA_BIDIRECTIONAL :
						DMA_TO_DEVICE;
	init_completion(&map->gone);
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
	spin_unlock_irq(&engine->lock);
	complete_all(&map->gone);
	doca_object_put(&memory->obj);
	kref_put(&map->ref, doca_dmamap_free);
}

/* Unmap it. It is GONE if this returns true, otherwise LOST. The caller has a reference. */
static bool doca_dmamap_unmap(struct doca_dmamap *map)
{
	struct doca_engine *engine = map->engine;
	u8 was;

	spin_lock_irq(&engine->lock);
	was = map->state;
	if (was == DOCA_DMAMAP_LIVE)
		WRITE_ONCE(map->state, DOCA_DMAMAP_DYING);
	spin_unlock_irq(&engine->lock);
	if (was == DOCA_DMAMAP_LIVE)
		doca_dmamap_end(map);
	else if (was == DOCA_DMAMAP_DYING)
		wait_for_completion(&map->gone);
	return was != DOCA_DMAMAP_LOST;
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
		gone = doca_dmamap_unmap(map);
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

/* The memory is held. Two concurrent works make one each, which does no harm. */
static struct doca_dmamap *doca_dmamap_make(struct doca_memory *memory,
					    struct doca_engine *engine)
{
	struct doca_dmamap *map = NULL;

	down_read(&engine->channel.mapping);
	if (doca_engine_is_live(engine))
		map = doca_dmamap_create(memory, engine);
	if (map)
		doca_dmamap_publish(map);
	up_read(&engine->channel.mapping);
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
		doca_dmamap_unmap(map);
}

void doca_dmamap_put(struct doca_dmamap *map)
{
	kref_put(&map->ref, doca_dmamap_free);
}

/* Mapping takes as long as the memory is large: keep no end of others waiting behind it. */
static struct workqueue_struct *doca_dmamap_wq;

/**
 * struct doca_dmamap_request - a map that a work makes for a caller who waits
 * @work: the work
 * @memory: reference
 * @engine: reference
 * @group: the caller's memory control group, which is charged; reference
 * @map: the result
 * @parted: set by the caller, if it does not wait any more, and by the work at its end: the
 *	second of them has the request
 * @made: completed when @map is known, unless the caller has gone
 */
struct doca_dmamap_request {
	struct work_struct work;
	struct doca_memory *memory;
	struct doca_engine *engine;
	struct mem_cgroup *group;
	struct doca_dmamap *map;
	atomic_t parted;
	struct completion made;
};

static void doca_dmamap_request_free(struct doca_dmamap_request *request)
{
	mem_cgroup_put(request->group);
	doca_engine_put(request->engine);
	doca_object_put(&request->memory->obj);
	kfree(request);
}

static void doca_dmamap_request_work(struct work_struct *work)
{
	struct doca_dmamap_request *request =
		container_of(work, struct doca_dmamap_request, work);
	struct mem_cgroup *group = set_active_memcg(request->group);

	if (doca_memory_hold(request->memory)) {
		request->map = doca_dmamap_make(request->memory, request->engine);
		doca_memory_unhold(request->memory);
	}
	set_active_memcg(group);
	if (!atomic_xchg(&request->parted, 1)) {
		complete_all(&request->made);
		return;
	}
	if (request->map) {
		doca_dmamap_leave(request->map);
		doca_dmamap_put(request->map);
	}
	doca_dmamap_request_free(request);
}

static struct doca_dmamap_request *
doca_dmamap_request_alloc(struct doca_memory *memory,
			  struct doca_engine *engine)
{
	struct doca_dmamap_request *request =
		kzalloc(sizeof(*request), GFP_KERNEL_ACCOUNT);

	if (!request)
		return NULL;
	INIT_WORK(&request->work, doca_dmamap_request_work);
	kref_get(&memory->obj.ref);
	request->memory = memory;
	doca_engine_get(engine);
	request->engine = engine;
	request->group = get_mem_cgroup_from_mm(current->mm);
	init_completion(&request->made);
	return request;
}

/* A caller that is killed goes without: the CPU could copy. */
static struct doca_dmamap *doca_dmamap_request(struct doca_memory *memory,
					       struct doca_engine *engine)
{
	struct doca_dmamap_request *request =
		doca_dmamap_request_alloc(memory, engine);
	struct doca_dmamap *map;

	if (!request)
		return NULL;
	queue_work(doca_dmamap_wq, &request->work);
	if (wait_for_completion_killable(&request->made)) {
		if (!atomic_xchg(&request->parted, 1))
			return NULL;
		wait_for_completion(&request->made);
	}
	map = request->map;
	doca_dmamap_request_free(request);
	return map;
}

struct doca_dmamap *doca_dmamap_get(struct doca_memory *memory,
				    struct doca_device *device)
{
	struct doca_engine *engine = doca_device_engine(device);
	struct doca_dmamap *map = NULL;

	if (!engine)
		return NULL;
	if (memory->ops == &doca_pages_ops) {
		spin_lock(&memory->lock);
		map = doca_dmamap_find(memory, engine);
		spin_unlock(&memory->lock);
		map = map ?: doca_dmamap_request(memory, engine);
	}
	doca_engine_put(engine);
	return map;
}

void doca_engine_unmap_all(struct doca_engine *engine)
{
	struct doca_dmamap *map;

	/* Works that were making a map have finished; later ones make none. */
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
		doca_dmamap_unmap(map);
		kref_put(&map->ref, doca_dmamap_free);
		cond_resched();
	}
}

u64 doca_engine_lose_maps(struct doca_engine *engine)
{
	struct doca_dmamap *map, *next;
	u64 bytes = 0;

	spin_lock_irq(&engine->lock);
	list_for_each_entry_safe(map, next, &engine->maps, engine_node) {
		if (map->state != DOCA_DMAMAP_LIVE)
			continue;
		WRITE_ONCE(map->state, DOCA_DMAMAP_LOST);
		list_del_init(&map->engine_node);
		bytes += (u64)map->memory->pin.npages << PAGE_SHIFT;
	}
	spin_unlock_irq(&engine->lock);
	return bytes;
}

int doca_dmamaps_init(void)
{
	doca_dmamap_wq = alloc_workqueue("doca-map", WQ_UNBOUND, 0);
	return doca_dmamap_wq ? 0 : -ENOMEM;
}

void doca_dmamaps_exit(void)
{
	destroy_workqueue(doca_dmamap_wq);
}
