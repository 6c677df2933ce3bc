// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Decides which devices become DMA engines: those that engines= names, now and when their
 * drivers are bound, and those that the administrator adds.
 *
 * Only buses that announce the unbinding of a driver are considered: an engine whose end
 * goes unnoticed would be used after it.
 */
#include <linux/device/bus.h>
#include <linux/dmaengine.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "claim.h"
#include "discover.h"
#include "map.h"
#include "suspend.h"

static char *doca_engines_param = "";
module_param_named(engines, doca_engines_param, charp, 0444);
MODULE_PARM_DESC(engines,
		 "DMA engines to claim: names of devices or drivers, separated by commas, or all");

/* Cast: they are const since 6.11, and before that no function takes a const one. */
static struct bus_type * const doca_buses[] = {
#ifdef CONFIG_PCI
	(struct bus_type *)&pci_bus_type,
#endif
	(struct bus_type *)&platform_bus_type,
};

static bool doca_is_watched(const struct device *dev)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(doca_buses); i++)
		if (dev->bus == doca_buses[i])
			return true;
	return false;
}

static bool doca_has_word(const char *words, const char *word)
{
	size_t len = strlen(word);
	const char *end;

	for (; *words; words = *end ? end + 1 : end) {
		end = strchrnul(words, ',');
		if (end - words == len && !strncmp(words, word, len))
			return true;
	}
	return false;
}

static bool doca_is_wanted(const struct device *dev, const char *driver)
{
	const char *engines = doca_engines_param;

	return doca_has_word(engines, "all") ||
	       doca_has_word(engines, dev_name(dev)) ||
	       doca_has_word(engines, driver);
}

/* Called for each free channel under dmaengine's lock, so the driver stays. */
static bool doca_note_spare(struct dma_chan *chan, void *data)
{
	struct device *dev = chan->device->dev;
	struct doca_spares *spares = data;
	struct doca_spare *spare;
	unsigned int i;

	if (spares->nr == DOCA_SPARES_MAX || !doca_is_watched(dev) ||
	    !chan->device->device_prep_dma_memcpy)
		return false;
	for (i = 0; i < spares->nr; i++)
		if (spares->all[i].dev == dev)
			return false;
	spare = &spares->all[spares->nr++];
	spare->dev = get_device(dev);
	strscpy(spare->driver, dev_driver_string(dev), sizeof(spare->driver));
	return false;
}

struct doca_spares *doca_spares_find(void)
{
	struct doca_spares *spares = kzalloc(sizeof(*spares), GFP_KERNEL);
	dma_cap_mask_t mask;

	if (!spares)
		return NULL;
	dma_cap_zero(mask);
	dma_cap_set(DMA_MEMCPY, mask);
	/* The filter refuses all channels, so there is nothing to release. */
	dma_request_channel(mask, doca_note_spare, spares);
	return spares;
}

void doca_spares_free(struct doca_spares *spares)
{
	unsigned int i;

	for (i = 0; i < spares->nr; i++)
		put_device(spares->all[i].dev);
	kfree(spares);
}

static struct device *doca_device_by_name(const char *name)
{
	struct device *dev;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(doca_buses); i++) {
		dev = bus_find_device_by_name(doca_buses[i], NULL, name);
		if (dev)
			return dev;
	}
	return NULL;
}

/* Does not wait for a removal, which waits for hardware. */
int doca_engine_add_name(const char *name, const char **why)
{
	struct doca_engine *engine = doca_engine_find(name);
	struct device *dev;
	bool dying;
	int rc;

	if (engine) {
		dying = READ_ONCE(engine->state) == DOCA_ENGINE_DYING;
		doca_engine_put(engine);
		*why = dying ? "it is being removed" : "it is an engine already";
		return dying ? -EBUSY : -EEXIST;
	}
	*why = "there is no such device";
	dev = doca_device_by_name(name);
	if (!dev)
		return -ENODEV;
	rc = doca_engine_claim(dev, why);
	put_device(dev);
	return rc;
}

int doca_engine_del_name(const char *name, const char **why)
{
	struct doca_engine *engine = doca_engine_find(name);
	int rc;

	*why = "there is no such engine";
	if (!engine)
		return -ENODEV;
	rc = doca_engine_release(engine);
	doca_engine_put(engine);
	return rc;
}

/**
 * struct doca_candidate - a device that engines= names
 * @node: in doca_candidates
 * @dev: reference
 */
struct doca_candidate {
	struct list_head node;
	struct device *dev;
};

static LIST_HEAD(doca_candidates);
static DEFINE_SPINLOCK(doca_candidates_lock);

static struct doca_candidate *doca_candidate_take(void)
{
	struct doca_candidate *candidate;

	spin_lock(&doca_candidates_lock);
	candidate = list_first_entry_or_null(&doca_candidates,
					     struct doca_candidate, node);
	if (candidate)
		list_del(&candidate->node);
	spin_unlock(&doca_candidates_lock);
	return candidate;
}

/* Nobody waits for the answer, so log it. */
static void doca_claim_candidates(struct work_struct *work)
{
	struct doca_candidate *candidate;
	const char *why;
	int rc;

	while ((candidate = doca_candidate_take())) {
		rc = doca_engine_claim(candidate->dev, &why);
		if (rc && rc != -EEXIST)
			dev_warn(candidate->dev, "doca: no engine: %s\n", why);
		put_device(candidate->dev);
		kfree(candidate);
	}
}

static DECLARE_WORK(doca_candidates_work, doca_claim_candidates);

static void doca_candidate_add(struct device *dev)
{
	struct doca_candidate *candidate;

	candidate = kmalloc(sizeof(*candidate), GFP_KERNEL);
	if (!candidate)
		return;
	candidate->dev = get_device(dev);
	spin_lock(&doca_candidates_lock);
	list_add_tail(&candidate->node, &doca_candidates);
	spin_unlock(&doca_candidates_lock);
	/* No engine is tested while the system is suspended. */
	queue_work(system_freezable_wq, &doca_candidates_work);
}

static int doca_is_dma_channel(struct device *dev, void *unused)
{
	return dev->class && !strcmp(dev->class->name, "dma");
}

/* Called with the device's lock, which a claim takes, so claims are made elsewhere. */
static int doca_bus_event(struct notifier_block *nb, unsigned long event,
			  void *data)
{
	struct doca_engine *engine;
	struct device *dev = data;

	switch (event) {
	case BUS_NOTIFY_BOUND_DRIVER:
		if (doca_is_wanted(dev, dev_driver_string(dev)) &&
		    device_for_each_child(dev, NULL, doca_is_dma_channel))
			doca_candidate_add(dev);
		break;
	case BUS_NOTIFY_UNBIND_DRIVER:
		engine = doca_engine_of(dev);
		if (engine) {
			doca_engine_remove(engine);
			doca_engine_put(engine);
		}
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block doca_bus_notifiers[ARRAY_SIZE(doca_buses)];

static void doca_buses_forget(unsigned int n)
{
	while (n--)
		bus_unregister_notifier(doca_buses[n], &doca_bus_notifiers[n]);
}

static int doca_buses_watch(void)
{
	unsigned int i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(doca_buses); i++) {
		doca_bus_notifiers[i].notifier_call = doca_bus_event;
		rc = bus_register_notifier(doca_buses[i],
					   &doca_bus_notifiers[i]);
		if (rc) {
			doca_buses_forget(i);
			return rc;
		}
	}
	return 0;
}

/* Devices that are present become engines before the module's loading ends. */
static void doca_claim_present(void)
{
	struct doca_spares *spares = doca_spares_find();
	unsigned int i;

	if (!spares)
		return;
	for (i = 0; i < spares->nr; i++)
		if (doca_is_wanted(spares->all[i].dev, spares->all[i].driver))
			doca_candidate_add(spares->all[i].dev);
	doca_spares_free(spares);
	flush_work(&doca_candidates_work);
}

int doca_engine_init(void)
{
	int rc = doca_dmamaps_init();

	if (rc)
		return rc;
	rc = doca_suspend_init();
	if (rc)
		goto err_maps;
	rc = doca_buses_watch();
	if (rc)
		goto err_suspend;
	if (*doca_engines_param)
		doca_claim_present();
	return 0;

err_suspend:
	doca_suspend_exit();
err_maps:
	doca_dmamaps_exit();
	return rc;
}

/*
 * Every callback has reported its end, but may not have returned. Providers without
 * device_synchronize cannot be asked. Some call from an interrupt thread, which may be
 * preempted, so a grace period of RCU is not enough.
 */
static void doca_callbacks_wait(void)
{
	if (doca_engine_was_made())
		synchronize_rcu_tasks();
}

/* Watch buses until the last engine is gone, however it is removed. A late candidate is refused. */
void doca_engine_exit(void)
{
	struct doca_engine *engine;

	doca_claims_close();
	while ((engine = doca_engine_next(0))) {
		doca_engine_release(engine);
		doca_engine_put(engine);
	}
	doca_buses_forget(ARRAY_SIZE(doca_buses));
	flush_work(&doca_candidates_work);
	doca_suspend_exit();
	doca_dmamaps_exit();
	doca_callbacks_wait();
}
