// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>

#include "device.h"
#include "dma_way.h"
#include "loop.h"
#include "msg.h"

static void submit_with(struct dma_way *dw, struct dma_task *task,
			uint32_t flags)
{
	doca_error_t err;

	err = doca_buf_reset_data_len(task->dst);
	if (err == DOCA_SUCCESS)
		err = doca_task_submit_ex(
			doca_dma_task_memcpy_as_task(task->task), flags);
	if (err == DOCA_SUCCESS)
		dw->inflight++;
	else if (dw->error == DOCA_SUCCESS)
		dw->error = err;
}

static void submit(struct dma_way *dw, struct dma_task *task)
{
	submit_with(dw, task, DOCA_TASK_SUBMIT_FLAG_FLUSH);
}

static void on_done(struct doca_dma_task_memcpy *task,
		    union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	struct dma_way *dw = ctx_user_data.ptr;

	(void)task;
	dw->inflight--;
	dw->done++;
	if (dw->again)
		submit(dw, task_user_data.ptr);
	else if (dw->conf.style == DMA_BATCHES)
		dw->ready[dw->nr_ready++] = task_user_data.ptr;
}

static void on_error(struct doca_dma_task_memcpy *task,
		     union doca_data task_user_data,
		     union doca_data ctx_user_data)
{
	struct dma_way *dw = ctx_user_data.ptr;

	(void)task_user_data;
	dw->inflight--;
	if (dw->error == DOCA_SUCCESS)
		dw->error = doca_task_get_status(
			doca_dma_task_memcpy_as_task(task));
}

static int open_memory(struct dma_way *dw)
{
	const struct area *area = dw->way.area;
	doca_error_t err;

	err = doca_mmap_create(&dw->mmap);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_memrange(dw->mmap, area->src, area->length);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_permissions(
			dw->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_add_dev(dw->mmap, dw->dev);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_start(dw->mmap);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_create(2 * dw->load.depth,
						&dw->inventory);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_start(dw->inventory);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot open the memory");
	return 0;
}

static int import_memory(struct dma_way *dw)
{
	const struct lender *lender = dw->conf.lender;
	doca_error_t err;

	if (!lender)
		return 0;
	err = doca_mmap_create_from_export(NULL, lender->lent->descriptor,
					   lender->lent->length, dw->dev,
					   &dw->lent);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot import memory");
	return 0;
}

static doca_error_t connect_context(struct dma_way *dw)
{
	union doca_data self = { .ptr = dw };
	doca_error_t err;

	err = doca_dma_create(dw->dev, &dw->dma);
	if (err != DOCA_SUCCESS)
		return err;
	dw->ctx = doca_dma_as_ctx(dw->dma);
	err = doca_ctx_set_user_data(dw->ctx, self);
	if (err == DOCA_SUCCESS)
		err = doca_dma_task_memcpy_set_conf(dw->dma, on_done, on_error,
						    dw->load.depth);
	if (err == DOCA_SUCCESS)
		err = doca_pe_create(&dw->pe);
	if (err == DOCA_SUCCESS)
		err = doca_pe_connect_ctx(dw->pe, dw->ctx);
	return err;
}

/*
 * Pin this thread to the worker's CPU: the worker is made with the first
 * context, and runs where its creator does.
 */
static int start_context(struct dma_way *dw)
{
	doca_error_t err = connect_context(dw);
	char idle_us[16];

	snprintf(idle_us, sizeof(idle_us), "%u", dw->conf.idle_us);
	setenv("DOCA_IDLE_US", idle_us, 1);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create a DMA context");
	if (cpu_pin(dw->conf.cpus->work))
		return -1;
	err = doca_ctx_start(dw->ctx);
	if (cpu_pin(dw->conf.cpus->submit))
		return -1;
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot start the DMA context");
	return 0;
}

static int make_task(struct dma_way *dw, struct dma_task *task, size_t offset)
{
	union doca_data self = { .ptr = task };
	size_t size = dw->load.size;
	doca_error_t err;

	err = doca_buf_inventory_buf_get_by_data(dw->inventory,
						 dw->lent ?: dw->mmap,
						 dw->way.area->src + offset,
						 size, &task->src);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_buf_get_by_addr(
			dw->inventory, dw->mmap, dw->way.area->dst + offset,
			size, &task->dst);
	if (err == DOCA_SUCCESS)
		err = doca_dma_task_memcpy_alloc_init(
			dw->dma, task->src, task->dst, self, &task->task);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot make a task");
	return 0;
}

static int make_tasks(struct dma_way *dw)
{
	unsigned int slots = area_slots(dw->way.area, &dw->load);
	unsigned int i;

	dw->tasks = calloc(dw->load.depth, sizeof(*dw->tasks));
	dw->ready = calloc(dw->load.depth, sizeof(*dw->ready));
	if (!dw->tasks || !dw->ready)
		return fail("out of memory");
	for (i = 0; i < dw->load.depth; i++)
		if (make_task(dw, &dw->tasks[i], i % slots * dw->load.size))
			return -1;
	return 0;
}

static void free_task(struct dma_task *task)
{
	if (task->task)
		doca_task_free(doca_dma_task_memcpy_as_task(task->task));
	if (task->src)
		doca_buf_dec_refcount(task->src, NULL);
	if (task->dst)
		doca_buf_dec_refcount(task->dst, NULL);
}

static void dma_close(struct way *way)
{
	struct dma_way *dw = container_of(way, struct dma_way, way);
	struct patience patience = { 0 };
	struct dma_conf conf;
	unsigned int i;

	dw->again = false;
	if (dw->ctx)
		doca_ctx_stop(dw->ctx);
	/* Tasks remain after a failure; they are canceled. */
	while (dw->inflight && !patience_lost(&patience))
		doca_pe_progress(dw->pe);
	for (i = 0; dw->tasks && i < dw->load.depth; i++)
		free_task(&dw->tasks[i]);
	free(dw->tasks);
	free(dw->ready);
	if (dw->ctx)
		doca_ctx_stop(dw->ctx); /* again: it has no tasks now */
	if (dw->dma)
		doca_dma_destroy(dw->dma);
	if (dw->pe)
		doca_pe_destroy(dw->pe);
	if (dw->inventory)
		doca_buf_inventory_destroy(dw->inventory);
	if (dw->lent)
		doca_mmap_destroy(dw->lent);
	if (dw->mmap)
		doca_mmap_destroy(dw->mmap);
	if (dw->dev)
		doca_dev_close(dw->dev);
	conf = dw->conf;
	dma_way_init(dw, &conf);
}

static int dma_open(struct way *way, const struct load *load)
{
	struct dma_way *dw = container_of(way, struct dma_way, way);

	dw->load = *load;
	if (!device_open(dw->conf.device, &dw->dev) && !open_memory(dw) &&
	    !import_memory(dw) && !start_context(dw) && !make_tasks(dw))
		return 0;
	dma_close(way);
	return -1;
}

/* Progress until @done tasks are done, or none is in flight. */
static int progress_until(struct dma_way *dw, uint64_t done)
{
	struct patience patience = { 0 };

	while (dw->done < done && dw->inflight) {
		if (doca_pe_progress(dw->pe))
			patience = (struct patience){ 0 };
		else if (patience_lost(&patience))
			return fail("no completion in %d seconds",
				    PATIENCE_SECONDS);
	}
	if (dw->error != DOCA_SUCCESS)
		return fail_doca(dw->error, "a task failed");
	return 0;
}

/* The callback of each task submits the next one. */
static int run_rate(struct dma_way *dw, struct meter *meter)
{
	unsigned int interval = clock_interval(dw->load.size);
	double start, now;
	unsigned int i;

	dw->again = true;
	dw->done = 0;
	start = clock_now();
	for (i = 0; i < dw->load.depth; i++)
		submit(dw, &dw->tasks[i]);
	do {
		if (progress_until(dw, dw->done + interval))
			return -1;
		now = clock_now();
	} while (now - start < meter->seconds);
	meter->rate = dw->done / (now - start);
	dw->again = false;
	return progress_until(dw, UINT64_MAX);
}

static int submit_one(void *self, unsigned int n)
{
	struct dma_way *dw = self;

	(void)n;
	submit(dw, &dw->tasks[0]);
	return 0;
}

static int reap_one(void *self)
{
	return progress_until(self, UINT64_MAX) ? -1 : 1;
}

/* Ask for the event first, so that it can come while the thread sleeps. */
static int submit_event(void *self, unsigned int n)
{
	struct dma_way *dw = self;

	(void)n;
	dw->error = doca_pe_request_notification(dw->pe);
	return submit_one(dw, 1);
}

static int reap_event(void *self)
{
	struct dma_way *dw = self;
	doca_notification_handle_t handle;
	struct pollfd fd = { .events = POLLIN };

	doca_pe_get_notification_handle(dw->pe, &handle);
	fd.fd = handle;
	if (dw->error == DOCA_SUCCESS &&
	    poll(&fd, 1, PATIENCE_SECONDS * 1000) != 1)
		return fail("no event in %d seconds", PATIENCE_SECONDS);
	doca_pe_clear_notification(dw->pe, handle);
	return reap_one(dw);
}

static int submit_batch(void *self, unsigned int n)
{
	struct dma_way *dw = self;
	unsigned int i;

	for (i = 0; i < n; i++)
		submit_with(dw, dw->ready[i],
			    i == n - 1 ? DOCA_TASK_SUBMIT_FLAG_FLUSH :
					 DOCA_TASK_SUBMIT_FLAG_NONE);
	return 0;
}

static int reap_batch(void *self)
{
	struct dma_way *dw = self;
	struct patience patience = { 0 };

	/* Earlier tasks were submitted again, or shall not be. */
	dw->nr_ready = 0;
	while (!dw->nr_ready && dw->error == DOCA_SUCCESS)
		if (!doca_pe_progress(dw->pe) && patience_lost(&patience))
			return fail("no completion in %d seconds",
				    PATIENCE_SECONDS);
	while (doca_pe_progress(dw->pe))
		;
	if (dw->error != DOCA_SUCCESS)
		return fail_doca(dw->error, "a task failed");
	return dw->nr_ready;
}

static int run_batches(struct dma_way *dw, struct meter *meter)
{
	unsigned int i;

	for (i = 0; i < dw->load.depth; i++)
		dw->ready[i] = &dw->tasks[i];
	return loop_rate(dw, &dw->load, meter, submit_batch, reap_batch);
}

static int dma_run(struct way *way, struct meter *meter)
{
	struct dma_way *dw = container_of(way, struct dma_way, way);

	/* Do not measure the first task, which wakes the worker. */
	dw->again = false;
	dw->nr_ready = 0;
	if (submit_one(dw, 1) || reap_one(dw) < 0)
		return -1;
	if (dw->conf.style == DMA_EVENTS)
		return loop_times(dw, meter, submit_event, reap_event);
	if (meter->times)
		return loop_times(dw, meter, submit_one, reap_one);
	if (dw->conf.style == DMA_BATCHES)
		return run_batches(dw, meter);
	return run_rate(dw, meter);
}

void dma_way_init(struct dma_way *dw, const struct dma_conf *conf)
{
	*dw = (struct dma_way){
		.way = {
			.name = conf->name,
			.open = dma_open,
			.run = dma_run,
			.close = dma_close,
			.area = conf->area,
		},
		.conf = *conf,
	};
}
