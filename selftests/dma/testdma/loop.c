// SPDX-License-Identifier: GPL-2.0
/*
 * The highest rate that the engine can reach: copies are prepared, submitted and called
 * back, and nothing else. The channel must be idle, but a client may have claimed it.
 */
#include <linux/debugfs.h>
#include <linux/dma-mapping.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/seq_file.h>

#include "testdma.h"

#define LOOP_MAX_DEPTH 64
#define LOOP_MAX_LENGTH SZ_1M
#define LOOP_PATIENCE (10 * HZ)

/**
 * struct testdma_loop - one run
 * @td: its engine
 * @page: source and destination
 * @addr: their addresses as the engine sees them
 * @order: order of each
 * @depth: copies in flight, at most
 * @length: bytes of each copy
 * @count: number of copies
 * @away: copies in flight
 */
struct testdma_loop {
	struct testdma *td;
	struct page *page[2];
	dma_addr_t addr[2];
	unsigned int order;
	u32 depth, length, count;
	atomic_t away;
};

static void loop_back(void *param, const struct dmaengine_result *result)
{
	struct testdma_loop *loop = param;
	struct testdma *td = loop->td;

	/* The last copy may end the run. */
	atomic_dec(&loop->away);
	wake_up(&td->idle);
}

static int loop_submit(struct testdma_loop *loop)
{
	struct testdma *td = loop->td;
	struct dma_async_tx_descriptor *tx;

	tx = td->dma.device_prep_dma_memcpy(&td->chan, loop->addr[1],
					    loop->addr[0], loop->length,
					    DMA_PREP_INTERRUPT | DMA_CTRL_ACK);
	if (!tx)
		return -ENOMEM;
	tx->callback_result = loop_back;
	tx->callback_param = loop;
	atomic_inc(&loop->away);
	dmaengine_submit(tx);
	return 0;
}

/*
 * Return true if no more than @most copies are in flight. A lost one might call back
 * after the run, so terminate then.
 */
static bool loop_wait(struct testdma_loop *loop, u32 most)
{
	struct testdma *td = loop->td;

	if (wait_event_timeout(td->idle, atomic_read(&loop->away) <= most,
			       LOOP_PATIENCE))
		return true;
	td->dma.device_terminate_all(&td->chan);
	td->dma.device_synchronize(&td->chan);
	return false;
}

static int loop_run(struct testdma_loop *loop)
{
	struct testdma *td = loop->td;
	u32 left = loop->count;
	int rc = 0;

	while (left && !rc) {
		while (left && !rc && atomic_read(&loop->away) < loop->depth) {
			rc = loop_submit(loop);
			left--;
		}
		td->dma.device_issue_pending(&td->chan);
		if (!loop_wait(loop, loop->depth - 1))
			return -ETIMEDOUT;
	}
	return loop_wait(loop, 0) ? rc : -ETIMEDOUT;
}

static void loop_free(struct testdma_loop *loop)
{
	struct device *dev = &loop->td->pdev->dev;
	int i;

	for (i = 0; i < 2; i++) {
		if (loop->addr[i])
			dma_unmap_page(dev, loop->addr[i],
				       PAGE_SIZE << loop->order,
				       DMA_BIDIRECTIONAL);
		if (loop->page[i])
			__free_pages(loop->page[i], loop->order);
	}
}

static int loop_alloc(struct testdma_loop *loop)
{
	struct device *dev = &loop->td->pdev->dev;
	dma_addr_t addr;
	int i;

	loop->order = get_order(loop->length);
	for (i = 0; i < 2; i++) {
		loop->page[i] =
			alloc_pages(GFP_KERNEL | __GFP_ZERO, loop->order);
		if (!loop->page[i])
			return -ENOMEM;
		addr = dma_map_page(dev, loop->page[i], 0,
				    PAGE_SIZE << loop->order,
				    DMA_BIDIRECTIONAL);
		if (dma_mapping_error(dev, addr))
			return -EIO;
		loop->addr[i] = addr;
	}
	return 0;
}

/* Run when the file is read, and print the copies per second. */
static int loop_show(struct seq_file *m, void *unused)
{
	struct testdma *td = m->private;
	struct testdma_loop loop = {
		.td = td,
		.depth = READ_ONCE(td->knobs.loop_depth),
		.length = READ_ONCE(td->knobs.loop_length),
		.count = READ_ONCE(td->knobs.loop_count),
	};
	u64 start;
	int rc;

	if (!loop.depth || loop.depth > LOOP_MAX_DEPTH || !loop.length ||
	    loop.length > LOOP_MAX_LENGTH || !td->dma.device_synchronize)
		return -EINVAL;
	rc = loop_alloc(&loop);
	start = ktime_get_ns();
	if (!rc)
		rc = loop_run(&loop);
	if (!rc)
		seq_printf(m, "%llu\n",
			   div64_u64((u64)loop.count * NSEC_PER_SEC,
				     max(ktime_get_ns() - start, 1ULL)));
	loop_free(&loop);
	return rc;
}
DEFINE_SHOW_ATTRIBUTE(loop);

void testdma_loop_add(struct testdma *td)
{
	td->knobs.loop_depth = 1;
	td->knobs.loop_length = SZ_4K;
	td->knobs.loop_count = 1000;
	debugfs_create_u32("loop_depth", 0600, td->dir, &td->knobs.loop_depth);
	debugfs_create_u32("loop_length", 0600, td->dir,
			   &td->knobs.loop_length);
	debugfs_create_u32("loop_count", 0600, td->dir, &td->knobs.loop_count);
	debugfs_create_file("loop", 0400, td->dir, td, &loop_fops);
}
