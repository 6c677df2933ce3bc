// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Beginning and end of a channel, and in between lost interrupts, lost callbacks, and
 * engines that hang.
 *
 * A piece that the provider reports as complete is taken back. Otherwise the engine
 * becomes SUSPECT: it gets nothing more, and the CPU does what waits for it and, if the
 * engine can be terminated, what is in flight. If it cannot, it has the same time again
 * to come back, then it is DEAD: cut off by its IOMMU or, without one, the memory that is
 * mapped for it is never freed, because it may write at any time.
 */
#include <linux/dmaengine.h>
#include <linux/iommu.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include "channel.h"
#include "engine.h"
#include "map.h"

static struct doca_engine *doca_channel_engine(struct doca_channel *channel)
{
	return container_of(channel, struct doca_engine, channel);
}

static unsigned long doca_channel_timeout(void)
{
	return msecs_to_jiffies(READ_ONCE(doca_engine_timeout_ms));
}

static bool doca_engine_change(struct doca_engine *engine, u8 from, u8 to)
{
	bool turned;

	spin_lock_irq(&engine->lock);
	turned = engine->state == from;
	if (turned)
		WRITE_ONCE(engine->state, to);
	spin_unlock_irq(&engine->lock);
	return turned;
}

/* Return true if the piece is old enough to ask about, or to give up. */
static bool doca_slot_is_older(const struct doca_slot *slot, unsigned long age)
{
	return time_after(jiffies, slot->since + age);
}

/*
 * Find the first piece in flight behind number *seq that is so old. Set *seq to its
 * number and return the provider's cookie; 0 if there is none.
 */
static dma_cookie_t doca_channel_next_old(struct doca_channel *channel, u64 *seq,
					  unsigned long age)
{
	dma_cookie_t cookie = 0;
	struct doca_slot *slot;

	spin_lock_irq(&channel->lock);
	list_for_each_entry(slot, &channel->away, node) {
		if (slot->seq <= *seq || !doca_slot_is_older(slot, age) ||
		    READ_ONCE(slot->cookie) < DMA_MIN_COOKIE)
			continue;
		*seq = slot->seq;
		cookie = slot->cookie;
		break;
	}
	spin_unlock_irq(&channel->lock);
	return cookie;
}

/* Ask without a lock: a provider may call back meanwhile. */
static void doca_channel_find_lost(struct doca_channel *channel,
				   unsigned long age)
{
	struct doca_engine *engine = doca_channel_engine(channel);
	dma_cookie_t cookie;
	u64 seq = 0;

	while ((cookie = doca_channel_next_old(channel, &seq, age))) {
		if (dma_async_is_tx_complete(engine->chan, cookie, NULL, NULL) !=
		    DMA_COMPLETE)
			continue;
		atomic64_inc(&engine->stats.timeouts);
		doca_channel_lose(channel, seq);
	}
}

/*
 * Return true if something hangs. With an engine that works in order, a piece that others
 * have overtaken will not come; all pieces are late if none has come for so long.
 */
static bool doca_channel_is_late(struct doca_channel *channel)
{
	unsigned long age = doca_channel_timeout();
	struct doca_slot *slot;
	bool late;

	if (doca_channel_engine(channel)->no_order)
		age *= 2;
	spin_lock_irq(&channel->lock);
	late = channel->nr &&
	       time_after(jiffies, channel->progress + doca_channel_timeout());
	list_for_each_entry(slot, &channel->away, node)
		late |= slot->seq < channel->done_seq &&
			doca_slot_is_older(slot, age);
	spin_unlock_irq(&channel->lock);
	return late;
}

/* Return true if it has let go of everything. */
static bool doca_channel_terminate(struct doca_channel *channel)
{
	struct doca_engine *engine = doca_channel_engine(channel);
	int rc = -EOPNOTSUPP;

	mutex_lock(&channel->feed);
	if (engine->terminates) {
		/* Some report unfinished copies as done. */
		doca_channel_distrust(channel);
		rc = dmaengine_terminate_sync(engine->chan);
	}
	if (!rc) {
		doca_channel_abandon(channel,
				     engine->chan->device->device_synchronize);
		channel->unissued = false;
	}
	mutex_unlock(&channel->feed);
	return !rc;
}

/* Let nothing reach memory any more. */
static void doca_engine_cut_off(struct doca_engine *engine)
{
	struct iommu_domain *domain;

	doca_engine_unmap_all(engine);
	domain = iommu_get_domain_for_dev(engine->dev);
	if (domain)
		iommu_flush_iotlb_all(domain);
}

/*
 * No IOMMU keeps it from memory. So what is mapped for it stays as it is, and the module that
 * it may call back, unless that is going already.
 */
static void doca_engine_give_up(struct doca_engine *engine)
{
	u64 bytes = doca_engine_lose_maps(engine);
	bool stays = try_module_get(THIS_MODULE);

	dev_err(engine->provider,
		"doca: may still write: %llu bytes that are mapped for it are never freed%s\n",
		bytes, stays ? ", nor is the driver unloaded" : "");
}

static void doca_channel_kill(struct doca_channel *channel)
{
	struct doca_engine *engine = doca_channel_engine(channel);

	doca_channel_close(channel);
	/* Do not trust its reports any more, and stop it if possible. */
	doca_channel_distrust(channel);
	doca_channel_terminate(channel);
	doca_engine_dead(engine);
	/* Before the memory's owner believes that it can be reused. */
	if (engine->translated)
		doca_engine_cut_off(engine);
	else
		doca_engine_give_up(engine);
	doca_channel_drain(channel);
	doca_channel_abandon(channel, false);
}

/* Let it go on. */
static void doca_channel_trust(struct doca_channel *channel)
{
	doca_engine_change(doca_channel_engine(channel), DOCA_ENGINE_SUSPECT,
			   DOCA_ENGINE_LIVE);
}

/* Return true if nothing can be submitted, because no callback has come in all this time. */
static bool doca_channel_is_used_up(struct doca_channel *channel)
{
	bool used_up;

	spin_lock_irq(&channel->lock);
	used_up = list_empty(&channel->free) && list_empty(&channel->away);
	spin_unlock_irq(&channel->lock);
	return used_up;
}

static void doca_channel_suspect(struct doca_channel *channel)
{
	struct doca_engine *engine = doca_channel_engine(channel);
	unsigned int failures;

	if (!doca_engine_change(engine, DOCA_ENGINE_LIVE, DOCA_ENGINE_SUSPECT))
		return;
	channel->suspected = jiffies;
	atomic64_inc(&engine->stats.timeouts);
	doca_channel_drain(channel);
	if (!doca_channel_terminate(channel))
		return;
	/* Abandoned pieces count as failures. */
	spin_lock_irq(&channel->lock);
	failures = ++channel->failures;
	spin_unlock_irq(&channel->lock);
	if (failures < DOCA_CHANNEL_FAILURES && !doca_channel_is_used_up(channel))
		doca_channel_trust(channel);
	else
		doca_channel_kill(channel);
}

/* All that was left was to wait: decide whether that was long enough. */
static void doca_channel_wait_once_more(struct doca_channel *channel)
{
	if (!READ_ONCE(channel->nr))
		doca_channel_trust(channel);
	else if (time_after(jiffies, channel->suspected + doca_channel_timeout()))
		doca_channel_kill(channel);
}

static void doca_channel_poll(struct doca_channel *channel)
{
	struct doca_engine *engine = doca_channel_engine(channel);

	doca_channel_find_lost(channel, doca_channel_timeout());
	if (READ_ONCE(channel->failures) >= DOCA_CHANNEL_FAILURES)
		doca_channel_kill(channel);
	else if (READ_ONCE(engine->state) == DOCA_ENGINE_SUSPECT)
		doca_channel_wait_once_more(channel);
	else if (doca_channel_is_late(channel))
		doca_channel_suspect(channel);
	else if (doca_channel_is_used_up(channel) &&
		 (!doca_channel_terminate(channel) ||
		  doca_channel_is_used_up(channel)))
		doca_channel_kill(channel);
}

static void doca_channel_watch(struct work_struct *work)
{
	struct doca_channel *channel = container_of(to_delayed_work(work),
						    struct doca_channel, watch);

	/* The thread that has closed it handles the rest. */
	if (!READ_ONCE(channel->open))
		return;
	doca_channel_poll(channel);
	queue_work(system_highpri_wq, &channel->feeder);
	if (READ_ONCE(channel->nr) ||
	    READ_ONCE(doca_channel_engine(channel)->state) ==
		    DOCA_ENGINE_SUSPECT)
		queue_delayed_work(system_highpri_wq, &channel->watch,
				   doca_channel_watch_interval());
}

int doca_channel_init(struct doca_engine *engine)
{
	struct doca_channel *channel = &engine->channel;
	unsigned int i;

	mutex_init(&channel->feed);
	init_rwsem(&channel->mapping);
	spin_lock_init(&channel->lock);
	INIT_LIST_HEAD(&channel->line);
	channel->users = RB_ROOT;
	INIT_LIST_HEAD(&channel->free);
	INIT_LIST_HEAD(&channel->away);
	INIT_LIST_HEAD(&channel->lost);
	init_waitqueue_head(&channel->idle);
	INIT_WORK(&channel->feeder, doca_channel_feed);
	INIT_DELAYED_WORK(&channel->watch, doca_channel_watch);
	for (i = 0; i < DOCA_CHANNEL_SLOTS; i++) {
		struct doca_slot *slot = &channel->slots[i];

		slot->channel = channel;
		list_add_tail(&slot->node, &channel->free);
	}
	channel->max = DOCA_PIECE_MAX;
	channel->open = true;
	return 0;
}

void doca_channel_exit(struct doca_engine *engine)
{
	struct doca_channel *channel = &engine->channel;

	doca_channel_close(channel);
	doca_channel_drain(channel);
	wait_event_timeout(channel->idle, !READ_ONCE(channel->nr),
			   doca_channel_timeout());
	cancel_delayed_work_sync(&channel->watch);
	cancel_work_sync(&channel->feeder);
	doca_channel_find_lost(channel, 0);
	if (READ_ONCE(channel->nr) && !doca_channel_terminate(channel))
		doca_channel_kill(channel);
}
