// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Tests before an engine is used: it must copy right, report the end in time, and write
 * nothing else.
 *
 * An engine that does not answer may still write. So memory of the test is never freed
 * unless the engine has certainly let go, and none of it is on a stack.
 */
#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/dmaengine.h>
#include <linux/kmemleak.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "check.h"
#include "engine.h"

#define DOCA_TRIAL_MAX_ORDER get_order(SZ_1M)
#define DOCA_TRIAL_MIN_ORDER get_order(SZ_64K)
#define DOCA_TRIAL_MARGIN 128 /* around a copy, which must not touch it */
#define DOCA_TRIAL_SHIFTS 8 /* offsets, of at most 64 bytes each */
#define DOCA_TRIAL_SLACK (2 * DOCA_TRIAL_MARGIN + DOCA_TRIAL_SHIFTS * 64)
#define DOCA_TRIAL_POISON 0xa5

/**
 * struct doca_trial - two buffers, and the copy between them
 * @engine: its channel and its device
 * @order: order of the buffers
 * @page: source and destination
 * @addr: the engine's addresses of both
 * @mapped: they are valid
 * @done: completed by the callback
 * @result: the callback's result
 * @pending: the engine has not let go
 */
struct doca_trial {
	struct doca_engine *engine;
	unsigned int order;
	struct page *page[2];
	dma_addr_t addr[2];
	bool mapped[2];
	struct completion done;
	enum dmaengine_tx_result result;
	bool pending;
};

enum { DOCA_TRIAL_SRC, DOCA_TRIAL_DST };

static size_t doca_trial_size(const struct doca_trial *trial)
{
	return PAGE_SIZE << trial->order;
}

static void doca_trial_unmap(struct doca_trial *trial, int side)
{
	if (trial->mapped[side])
		dma_unmap_page(trial->engine->dev, trial->addr[side],
			       doca_trial_size(trial), DMA_BIDIRECTIONAL);
}

static void doca_trial_free(struct doca_trial *trial)
{
	int side;

	for (side = 0; side < 2; side++) {
		if (!trial->page[side])
			continue;
		doca_trial_unmap(trial, side);
		__free_pages(trial->page[side], trial->order);
	}
	kfree(trial);
}

/* A machine that has run for long may have no large pages. */
static int doca_trial_alloc_pages(struct doca_trial *trial, int side)
{
	int node = dev_to_node(trial->engine->dev);
	gfp_t gfp = GFP_KERNEL | __GFP_NOWARN;

	if (side == DOCA_TRIAL_DST) {
		trial->page[side] = alloc_pages_node(node, gfp, trial->order);
		return trial->page[side] ? 0 : -ENOMEM;
	}
	for (trial->order = DOCA_TRIAL_MAX_ORDER;; trial->order--) {
		trial->page[side] = alloc_pages_node(node,
						     gfp | __GFP_NORETRY,
						     trial->order);
		if (trial->page[side])
			return 0;
		if (trial->order <= DOCA_TRIAL_MIN_ORDER)
			return -ENOMEM;
	}
}

static int doca_trial_map(struct doca_trial *trial, int side, const char **why)
{
	struct device *dev = trial->engine->dev;
	dma_addr_t addr;
	int rc;

	rc = doca_trial_alloc_pages(trial, side);
	if (rc)
		return rc;
	*why = "memory cannot be mapped for it";
	addr = dma_map_page(dev, trial->page[side], 0, doca_trial_size(trial),
			    DMA_BIDIRECTIONAL);
	if (dma_mapping_error(dev, addr))
		return -EIO;
	trial->addr[side] = addr;
	trial->mapped[side] = true;
	if (doca_engine_bounces(trial->engine, addr)) {
		*why = "its memory is bounced: boot with the IOMMU on";
		return -EOPNOTSUPP;
	}
	return 0;
}

static struct doca_trial *doca_trial_alloc(struct doca_engine *engine,
					   const char **why)
{
	struct doca_trial *trial = kzalloc(sizeof(*trial), GFP_KERNEL);
	int side, rc;

	*why = "out of memory";
	if (!trial)
		return ERR_PTR(-ENOMEM);
	trial->engine = engine;
	init_completion(&trial->done);
	for (side = 0; side < 2; side++) {
		rc = doca_trial_map(trial, side, why);
		if (rc) {
			doca_trial_free(trial);
			return ERR_PTR(rc);
		}
	}
	get_random_bytes(page_address(trial->page[DOCA_TRIAL_SRC]),
			 doca_trial_size(trial));
	return trial;
}

static void doca_trial_done(void *param, const struct dmaengine_result *result)
{
	struct doca_trial *trial = param;

	trial->result = result ? result->result : DMA_TRANS_NOERROR;
	complete(&trial->done);
}

/* Do not sleep between prep and submit: providers may hold a lock there. */
static int doca_trial_submit(struct doca_trial *trial, size_t dst, size_t src,
			     size_t length)
{
	struct dma_chan *chan = trial->engine->chan;
	struct dma_async_tx_descriptor *tx;
	dma_cookie_t cookie;

	tx = dmaengine_prep_dma_memcpy(chan, trial->addr[DOCA_TRIAL_DST] + dst,
				       trial->addr[DOCA_TRIAL_SRC] + src,
				       length,
				       DMA_PREP_INTERRUPT | DMA_CTRL_ACK);
	if (!tx)
		return -EIO;
	/* A recycled descriptor may have old ones. */
	tx->callback = NULL;
	tx->callback_result = doca_trial_done;
	tx->callback_param = trial;
	trial->pending = true;
	cookie = dmaengine_submit(tx);
	if (dma_submit_error(cookie)) {
		trial->pending = false;
		return -EIO;
	}
	dma_async_issue_pending(chan);
	return 0;
}

static bool doca_trial_wait(struct doca_trial *trial)
{
	unsigned int ms = READ_ONCE(doca_engine_timeout_ms);

	if (!wait_for_completion_timeout(&trial->done, msecs_to_jiffies(ms)))
		return false;
	trial->pending = false;
	return true;
}

static void doca_trial_sync(struct doca_trial *trial, bool for_device)
{
	int side;

	for (side = 0; side < 2; side++) {
		if (for_device)
			dma_sync_single_for_device(trial->engine->dev,
						   trial->addr[side],
						   doca_trial_size(trial),
						   DMA_BIDIRECTIONAL);
		else
			dma_sync_single_for_cpu(trial->engine->dev,
						trial->addr[side],
						doca_trial_size(trial),
						DMA_BIDIRECTIONAL);
	}
}

/* Destination and source begin behind a margin. */
static int doca_trial_copy(struct doca_trial *trial, size_t dst, size_t src,
			   size_t length, const char **why)
{
	u8 *to = page_address(trial->page[DOCA_TRIAL_DST]);
	u8 *from = page_address(trial->page[DOCA_TRIAL_SRC]);
	size_t behind = dst + length;
	int rc;

	memset(to + dst - DOCA_TRIAL_MARGIN, DOCA_TRIAL_POISON,
	       length + 2 * DOCA_TRIAL_MARGIN);
	doca_trial_sync(trial, true);
	reinit_completion(&trial->done);
	*why = "it takes no copies";
	rc = doca_trial_submit(trial, dst, src, length);
	if (rc)
		return rc;
	*why = "it does not answer within engine_timeout_ms";
	if (!doca_trial_wait(trial))
		return -ETIMEDOUT;
	doca_trial_sync(trial, false);
	*why = "it reports a failure of its self-test";
	if (trial->result != DMA_TRANS_NOERROR)
		return -EIO;
	*why = "it copies wrong";
	if (memcmp(to + dst, from + src, length) ||
	    memchr_inv(to + dst - DOCA_TRIAL_MARGIN, DOCA_TRIAL_POISON,
		       DOCA_TRIAL_MARGIN) ||
	    memchr_inv(to + behind, DOCA_TRIAL_POISON, DOCA_TRIAL_MARGIN))
		return -EIO;
	return 0;
}

/*
 * Copy ever more bytes, of odd lengths and places if the engine takes those. Stop testing
 * a slow engine after the time that one copy may take.
 */
static int doca_trial_lengths(struct doca_trial *trial, ktime_t end,
			      const char **why)
{
	size_t unit = 1 << trial->engine->align;
	size_t room = doca_trial_size(trial) - DOCA_TRIAL_SLACK;
	size_t length = 64, odd = unit == 1 ? 3 : unit;
	unsigned int i;
	int rc = 0;

	room = min(room, trial->engine->max_seg);
	for (i = 0; !rc && length + odd <= room; i++, length *= 2) {
		if (i > 1 && ktime_after(ktime_get(), end))
			break;
		rc = doca_trial_copy(trial,
				     DOCA_TRIAL_MARGIN + i * 3 % 8 * unit,
				     DOCA_TRIAL_MARGIN + i * 5 % 8 * unit,
				     length + odd, why);
	}
	return rc;
}

/* Copy from every place of the source to every place of the destination. */
static int doca_trial_places(struct doca_trial *trial, ktime_t end,
			     const char **why)
{
	size_t dst, src, unit = 1 << trial->engine->align;
	unsigned int i;
	int rc = 0;

	for (i = 0; !rc && i < DOCA_TRIAL_SHIFTS * DOCA_TRIAL_SHIFTS; i++) {
		if (ktime_after(ktime_get(), end))
			break;
		dst = DOCA_TRIAL_MARGIN + i / DOCA_TRIAL_SHIFTS * unit;
		src = DOCA_TRIAL_MARGIN + i % DOCA_TRIAL_SHIFTS * unit;
		rc = doca_trial_copy(trial, dst, src, 192, why);
	}
	return rc;
}

/*
 * The engine was given a copy and did not answer. If it can be told to stop, it has
 * released the memory then. But if nobody can wait for its callbacks, one may still be
 * running. Unless both have certainly ended, do not free the memory that it may reach,
 * and keep the code loaded that it may call.
 */
static bool doca_trial_abandon(struct doca_trial *trial)
{
	struct dma_chan *chan = trial->engine->chan;

	if (trial->engine->terminates && !dmaengine_terminate_sync(chan) &&
	    chan->device->device_synchronize)
		return true;
	if (doca_trial_wait(trial))
		return true;
	dev_err(trial->engine->provider,
		"doca: still has %zu bytes of its self-test, which stay as they are\n",
		2 * doca_trial_size(trial));
	kmemleak_not_leak(trial);
	__module_get(THIS_MODULE);
	return false;
}

int doca_engine_selftest(struct doca_engine *engine, const char **why)
{
	unsigned int ms = READ_ONCE(doca_engine_timeout_ms);
	struct doca_trial *trial;
	int rc;

	trial = doca_trial_alloc(engine, why);
	if (IS_ERR(trial))
		return PTR_ERR(trial);
	rc = doca_trial_lengths(trial, ktime_add_ms(ktime_get(), ms / 4), why);
	if (!rc)
		rc = doca_trial_places(trial, ktime_add_ms(ktime_get(), ms / 4),
				       why);
	if (!trial->pending || doca_trial_abandon(trial))
		doca_trial_free(trial);
	return rc;
}
