// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The object and the registry of DMA engines. */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "engine.h"

/* Sorted by the ids of their own devices; few, and seldom searched. */
static LIST_HEAD(doca_engines);
static DEFINE_SPINLOCK(doca_engines_lock);
static bool doca_engine_made;

bool doca_engines_paused;

/**
 * doca_engine_alloc() - make an engine that cannot be found yet
 * @provider: the device whose driver has the channel; it is bound, and its lock is held
 *
 * Return: the engine, or NULL.
 */
struct doca_engine *doca_engine_alloc(struct device *provider)
{
	struct doca_engine *engine = kzalloc(sizeof(*engine), GFP_KERNEL);

	if (!engine)
		return NULL;
	kref_init(&engine->ref);
	INIT_LIST_HEAD(&engine->node);
	strscpy(engine->name, dev_name(provider), sizeof(engine->name));
	strscpy(engine->driver, dev_driver_string(provider),
		sizeof(engine->driver));
	engine->provider = get_device(provider);
	spin_lock_init(&engine->lock);
	INIT_LIST_HEAD(&engine->maps);
	INIT_LIST_HEAD(&engine->attachments);
	WRITE_ONCE(doca_engine_made, true);
	return engine;
}

bool doca_engine_was_made(void)
{
	return READ_ONCE(doca_engine_made);
}

static void doca_engine_free(struct kref *ref)
{
	struct doca_engine *engine = container_of(ref, struct doca_engine, ref);

	WARN_ON_ONCE(!list_empty(&engine->node) || !list_empty(&engine->maps) ||
		     !list_empty(&engine->attachments));
	put_device(engine->dev);
	put_device(engine->provider);
	kfree(engine);
}

void doca_engine_put(struct doca_engine *engine)
{
	kref_put(&engine->ref, doca_engine_free);
}

const char *doca_engine_name(const struct doca_engine *engine)
{
	return engine->name;
}

void doca_engine_add(struct doca_engine *engine)
{
	doca_engine_get(engine);
	/* A finder of the device finds the engine. */
	spin_lock(&doca_engines_lock);
	list_add_tail(&engine->node, &doca_engines);
	doca_device_publish(engine->device);
	spin_unlock(&doca_engines_lock);
}

void doca_engine_del(struct doca_engine *engine)
{
	spin_lock(&doca_engines_lock);
	list_del_init(&engine->node);
	spin_unlock(&doca_engines_lock);
	doca_engine_put(engine);
}

static bool doca_engine_has_name(const struct doca_engine *engine,
				 const void *name)
{
	return !strcmp(engine->name, name);
}

static bool doca_engine_is_of(const struct doca_engine *engine,
			      const void *provider)
{
	return engine->provider == provider;
}

static bool doca_engine_is_behind(const struct doca_engine *engine,
				  const void *id)
{
	return engine->id > *(const u32 *)id;
}

static struct doca_engine *
doca_engine_first(bool (*match)(const struct doca_engine *engine,
				const void *data), const void *data)
{
	struct doca_engine *engine, *found = NULL;

	spin_lock(&doca_engines_lock);
	list_for_each_entry(engine, &doca_engines, node) {
		if (match(engine, data)) {
			doca_engine_get(engine);
			found = engine;
			break;
		}
	}
	spin_unlock(&doca_engines_lock);
	return found;
}

struct doca_engine *doca_engine_find(const char *name)
{
	return doca_engine_first(doca_engine_has_name, name);
}

struct doca_engine *doca_engine_of(const struct device *provider)
{
	return doca_engine_first(doca_engine_is_of, provider);
}

struct doca_engine *doca_engine_next(u32 id)
{
	return doca_engine_first(doca_engine_is_behind, &id);
}
