// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "testdma.h"

/* the field of MOVE has 24 bits */
#define TESTDMA_MAX_LENGTH 0xffffffU
/* limit of a step's duration */
#define TESTDMA_PATIENCE (2 * HZ)

static bool testdma_is_moved(const struct testdma_desc *desc)
{
	return desc->fault != TESTDMA_FAIL && desc->fault != TESTDMA_SKIP;
}

/* End the active descriptors; call it with the lock held. */
static void testdma_end(struct testdma *td)
{
	struct testdma_desc *desc;

	list_for_each_entry(desc, &td->active, node)
		td->chan.completed_cookie = desc->tx.cookie;
	list_splice_tail_init(&td->active, &td->completed);
	td->busy = false;
	td->unseen = false;
	mod_delayed_work(system_highpri_wq, &td->work,
			 usecs_to_jiffies(READ_ONCE(td->knobs.delay_us)));
	wake_up(&td->idle);
}

void testdma_start(struct testdma *td)
{
	bool moves = false;
	struct testdma_desc *desc;
	unsigned int nr = 0;

	if (td->busy || td->stopping || td->asleep || list_empty(&td->issued))
		return;
	td->busy = true;
	while (nr++ < td->engine->batch && !list_empty(&td->issued)) {
		desc = list_first_entry(&td->issued, struct testdma_desc, node);
		desc->fault = testdma_fault(td);
		list_move_tail(&desc->node, &td->active);
		td->hung |= desc->fault == TESTDMA_HANG;
		moves |= testdma_is_moved(desc);
	}
	if (td->hung)
		return;
	if (moves)
		td->engine->start(td);
	else
		testdma_end(td);
}

static bool testdma_is_lost(const struct testdma *td)
{
	const struct testdma_desc *desc;

	list_for_each_entry(desc, &td->active, node)
		if (desc->fault == TESTDMA_LOSE)
			return true;
	return false;
}

irqreturn_t testdma_interrupt(int irq, void *data)
{
	struct testdma *td = data;
	bool done = false, ours;
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	ours = !td->asleep && td->engine->interrupt(td, &done);
	if (done) {
		td->knobs.irqs++;
		if (testdma_is_lost(td) && !td->stopping)
			td->unseen = true;
		else
			testdma_end(td);
		testdma_start(td);
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return ours ? IRQ_HANDLED : IRQ_NONE;
}

static void testdma_call_back(struct testdma_desc *desc)
{
	struct dma_async_tx_descriptor *tx = &desc->tx;
	const struct dmaengine_result result = {
		.result = desc->fault == TESTDMA_FAIL ? DMA_TRANS_WRITE_FAILED :
							DMA_TRANS_NOERROR,
	};

	dma_descriptor_unmap(tx);
	if (desc->fault == TESTDMA_DROP)
		return;
	if (tx->callback_result)
		tx->callback_result(tx->callback_param, &result);
	else if (tx->callback)
		tx->callback(tx->callback_param);
}

/* Be late, as a tasklet may be that runs while its channel is terminated. */
static void testdma_be_late(struct testdma *td)
{
	u32 ms = READ_ONCE(td->knobs.late_ms);

	if (!ms)
		return;
	local_bh_enable();
	msleep(ms);
	local_bh_disable();
}

/* Call callbacks as a tasklet does, with softirqs off. */
static void testdma_work(struct work_struct *work)
{
	struct testdma *td =
		container_of(to_delayed_work(work), struct testdma, work);
	struct testdma_desc *desc;

	local_bh_disable();
	spin_lock_irq(&td->lock);
	while (!list_empty(&td->completed)) {
		desc = testdma_no_order ?
			       list_last_entry(&td->completed,
					       struct testdma_desc, node) :
			       list_first_entry(&td->completed,
						struct testdma_desc, node);
		list_del(&desc->node);
		td->nr--;
		spin_unlock_irq(&td->lock);
		testdma_be_late(td);
		testdma_call_back(desc);
		kfree(desc);
		spin_lock_irq(&td->lock);
	}
	testdma_start(td);
	testdma_rest(td);
	spin_unlock_irq(&td->lock);
	local_bh_enable();
}

static dma_cookie_t testdma_submit(struct dma_async_tx_descriptor *tx)
{
	struct testdma *td = testdma_of(tx->chan);
	struct testdma_desc *desc = container_of(tx, struct testdma_desc, tx);
	dma_cookie_t cookie;
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	cookie = td->chan.cookie + 1;
	if (cookie < DMA_MIN_COOKIE)
		cookie = DMA_MIN_COOKIE;
	td->chan.cookie = cookie;
	tx->cookie = cookie;
	list_add_tail(&desc->node, &td->submitted);
	td->nr++;
	td->knobs.most = max(td->knobs.most, td->nr);
	spin_unlock_irqrestore(&td->lock, flags);
	return cookie;
}

static struct dma_async_tx_descriptor *testdma_prep(struct dma_chan *chan,
						    dma_addr_t dst,
						    dma_addr_t src, size_t len,
						    unsigned long flags)
{
	struct testdma *td = testdma_of(chan);
	u32 limit = READ_ONCE(td->knobs.null_after);
	u32 ms = READ_ONCE(td->knobs.prep_ms);
	struct testdma_desc *desc;

	if (ms)
		msleep(ms);
	if (!len || len > TESTDMA_MAX_LENGTH ||
	    (limit && READ_ONCE(td->nr) >= limit) ||
	    (src | dst | len) & (BIT(testdma_align) - 1))
		return NULL;
	desc = kzalloc(sizeof(*desc), GFP_NOWAIT);
	if (!desc)
		return NULL;
	dma_async_tx_descriptor_init(&desc->tx, chan);
	desc->tx.tx_submit = testdma_submit;
	desc->tx.flags = flags;
	desc->src = src;
	desc->dst = dst;
	desc->len = len;
	return &desc->tx;
}

static void testdma_issue(struct dma_chan *chan)
{
	struct testdma *td = testdma_of(chan);
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	td->knobs.issues++;
	list_splice_tail_init(&td->submitted, &td->issued);
	testdma_wanted(td);
	testdma_start(td);
	spin_unlock_irqrestore(&td->lock, flags);
}

static enum dma_status testdma_status(struct dma_chan *chan,
				      dma_cookie_t cookie,
				      struct dma_tx_state *state)
{
	struct testdma *td = testdma_of(chan);
	dma_cookie_t complete;
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	if (td->unseen) {
		testdma_end(td);
		testdma_start(td);
	}
	complete = chan->completed_cookie;
	spin_unlock_irqrestore(&td->lock, flags);
	if (state)
		*state = (struct dma_tx_state){
			.last = complete,
			.used = chan->cookie,
		};
	return dma_async_is_complete(cookie, complete, chan->cookie);
}

static void testdma_free_list(struct testdma *td, struct list_head *list)
{
	struct testdma_desc *desc, *next;

	list_for_each_entry_safe(desc, next, list, node) {
		list_del(&desc->node);
		td->nr--;
		kfree(desc);
	}
}

/* Drop descriptors that are not executed, without callbacks. */
static int testdma_terminate(struct dma_chan *chan)
{
	struct testdma *td = testdma_of(chan);
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	td->stopping = true;
	testdma_free_list(td, &td->submitted);
	testdma_free_list(td, &td->issued);
	testdma_free_list(td, &td->completed);
	spin_unlock_irqrestore(&td->lock, flags);
	return 0;
}

static bool testdma_is_idle(struct testdma *td)
{
	return !READ_ONCE(td->busy) || READ_ONCE(td->hung) ||
	       READ_ONCE(td->unseen);
}

static void testdma_synchronize(struct dma_chan *chan)
{
	struct testdma *td = testdma_of(chan);
	unsigned long flags;

	if (!wait_event_timeout(td->idle, testdma_is_idle(td),
				TESTDMA_PATIENCE))
		dev_warn(&td->pdev->dev, "stuck\n");
	spin_lock_irqsave(&td->lock, flags);
	if (td->busy)
		td->engine->reset(td);
	testdma_free_list(td, &td->active);
	testdma_free_list(td, &td->completed);
	td->busy = false;
	td->hung = false;
	td->unseen = false;
	td->step2 = false;
	spin_unlock_irqrestore(&td->lock, flags);
	cancel_work_sync(&td->kick);
	cancel_delayed_work_sync(&td->work);
	spin_lock_irqsave(&td->lock, flags);
	td->stopping = false;
	testdma_rest(td);
	spin_unlock_irqrestore(&td->lock, flags);
}

static int testdma_alloc(struct dma_chan *chan)
{
	chan->cookie = DMA_MIN_COOKIE;
	chan->completed_cookie = DMA_MIN_COOKIE;
	return 1;
}

static void testdma_free(struct dma_chan *chan)
{
	testdma_terminate(chan);
	testdma_synchronize(chan);
}

void testdma_provider_stop(struct testdma *td)
{
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	td->stopping = true;
	td->engine->reset(td);
	spin_unlock_irqrestore(&td->lock, flags);
	cancel_work_sync(&td->kick);
	cancel_delayed_work_sync(&td->work);
}

static void testdma_release(struct dma_device *dma)
{
	kfree(container_of(dma, struct testdma, dma));
}

void testdma_provider_init(struct testdma *td)
{
	struct dma_device *dma = &td->dma;

	INIT_LIST_HEAD(&td->submitted);
	INIT_LIST_HEAD(&td->issued);
	INIT_LIST_HEAD(&td->active);
	INIT_LIST_HEAD(&td->completed);
	spin_lock_init(&td->lock);
	init_waitqueue_head(&td->idle);
	INIT_WORK(&td->kick, testdma_lsi_kick);
	INIT_DELAYED_WORK(&td->work, testdma_work);

	dma_cap_set(DMA_MEMCPY, dma->cap_mask);
	if (testdma_no_order)
		dma_cap_set(DMA_COMPLETION_NO_ORDER, dma->cap_mask);
	dma->dev = &td->pdev->dev;
	dma->copy_align = testdma_align;
	dma->directions = BIT(DMA_MEM_TO_MEM);
	dma->residue_granularity = DMA_RESIDUE_GRANULARITY_DESCRIPTOR;
	dma->device_alloc_chan_resources = testdma_alloc;
	dma->device_free_chan_resources = testdma_free;
	dma->device_prep_dma_memcpy = testdma_prep;
	dma->device_tx_status = testdma_status;
	dma->device_issue_pending = testdma_issue;
	if (!testdma_no_terminate) {
		dma->device_terminate_all = testdma_terminate;
		if (!testdma_no_synchronize)
			dma->device_synchronize = testdma_synchronize;
	}
	dma->device_release = testdma_release;
	INIT_LIST_HEAD(&dma->channels);
	td->chan.device = dma;
	list_add_tail(&td->chan.device_node, &dma->channels);
}
