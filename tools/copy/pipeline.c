// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "data/msg.h"
#include "data/region.h"
#include "data/stop.h"
#include "pipeline.h"

/* Vain polls of the progress engine before the thread sleeps. */
#define SPINS 2000

/* A task with its buffers. Slot n carries the chunks n, n + depth, ... */
struct slot {
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src;
	struct doca_buf *dst;
	uint8_t *src_addr;
	uint8_t *dst_addr;
	uint64_t off;
	size_t len;
	bool done; /* copied, to be drained */
};

struct pipeline {
	const struct pipeline_conf *conf;
	size_t chunk;
	unsigned int depth;
	struct region src; /* only without conf->mmap */
	struct region dst;
	struct doca_buf_inventory *inventory;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct slot *slots;
	uint64_t submitted; /* chunks; both only grow, one by one */
	uint64_t drained;
	doca_error_t error; /* error of the first task that failed */
};

static void on_copied(struct doca_dma_task_memcpy *task,
		      union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	struct slot *slot = task_user_data.ptr;

	(void)task;
	(void)ctx_user_data;
	slot->done = true;
}

static void on_error(struct doca_dma_task_memcpy *task,
		     union doca_data task_user_data,
		     union doca_data ctx_user_data)
{
	struct pipeline *p = ctx_user_data.ptr;

	(void)task_user_data;
	/* Tasks behind the first failure are only flushed. */
	if (p->error == DOCA_SUCCESS)
		p->error = doca_task_get_status(
			doca_dma_task_memcpy_as_task(task));
}

static int fit_to_limits(struct pipeline *p)
{
	const struct pipeline_conf *conf = p->conf;
	uint64_t chunks, max_chunk;
	uint32_t max_tasks;
	doca_error_t err;

	err = doca_dma_cap_task_memcpy_get_max_buf_size(
		doca_dev_as_devinfo(conf->dev), &max_chunk);
	if (err == DOCA_SUCCESS)
		err = doca_dma_cap_get_max_num_tasks(p->dma, &max_tasks);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot ask for the device's limits");
	p->chunk = conf->chunk < max_chunk ? conf->chunk : max_chunk;
	p->depth = conf->depth < max_tasks ? conf->depth : max_tasks;
	/* Do not pin more than a small file needs. */
	if (p->chunk > conf->length)
		p->chunk = conf->length;
	chunks = (conf->length - 1) / p->chunk + 1;
	if (p->depth > chunks)
		p->depth = chunks;
	detail("%llu tasks of %zu bytes, %u in flight",
	       (unsigned long long)chunks, p->chunk, p->depth);
	return 0;
}

static int start_dma(struct pipeline *p)
{
	union doca_data self = { .ptr = p };
	doca_error_t err;

	err = doca_pe_create(&p->pe);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create a progress engine");
	err = doca_dma_create(p->conf->dev, &p->dma);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create a DMA context");
	if (fit_to_limits(p))
		return -1;
	p->ctx = doca_dma_as_ctx(p->dma);
	err = doca_ctx_set_user_data(p->ctx, self);
	if (err == DOCA_SUCCESS)
		err = doca_dma_task_memcpy_set_conf(p->dma, on_copied, on_error,
						    p->depth);
	if (err == DOCA_SUCCESS)
		err = doca_pe_connect_ctx(p->pe, p->ctx);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(p->ctx);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot start the DMA context");
	return 0;
}

static int open_buffers(struct pipeline *p)
{
	const struct pipeline_conf *conf = p->conf;
	size_t size = p->chunk * p->depth;
	doca_error_t err;

	if (!conf->mmap &&
	    (region_alloc(&p->src, size) ||
	     region_open(&p->src, conf->dev, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY)))
		return -1;
	if (region_alloc(&p->dst, size) ||
	    region_open(&p->dst, conf->dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE))
		return -1;
	err = doca_buf_inventory_create(2 * p->depth, &p->inventory);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_start(p->inventory);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create an inventory of buffers");
	p->slots = calloc(p->depth, sizeof(*p->slots));
	if (!p->slots)
		return fail("out of memory");
	return 0;
}

static int make_slot(struct pipeline *p, unsigned int i)
{
	const struct pipeline_conf *conf = p->conf;
	struct slot *slot = &p->slots[i];
	union doca_data self = { .ptr = slot };
	doca_error_t err;

	slot->dst_addr = p->dst.addr + i * p->chunk;
	err = doca_buf_inventory_buf_get_by_addr(p->inventory, p->dst.mmap,
						 slot->dst_addr, p->chunk,
						 &slot->dst);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot get a buffer");
	/* A buffer of exported memory spans all of it; its data moves along. */
	if (conf->mmap) {
		err = doca_buf_inventory_buf_get_by_addr(p->inventory,
							 conf->mmap, conf->addr,
							 conf->length,
							 &slot->src);
	} else {
		slot->src_addr = p->src.addr + i * p->chunk;
		err = doca_buf_inventory_buf_get_by_addr(p->inventory,
							 p->src.mmap,
							 slot->src_addr,
							 p->chunk, &slot->src);
	}
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot get a buffer");
	err = doca_dma_task_memcpy_alloc_init(p->dma, slot->src, slot->dst,
					      self, &slot->task);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot get a task");
	return 0;
}

/* Submit the next chunk. */
static int submit(struct pipeline *p)
{
	const struct pipeline_conf *conf = p->conf;
	struct slot *slot = &p->slots[p->submitted % p->depth];
	uint8_t *data = slot->src_addr;
	doca_error_t err;

	slot->off = p->submitted * p->chunk;
	slot->len = conf->length - slot->off < p->chunk ?
			    conf->length - slot->off :
			    p->chunk;
	slot->done = false;
	if (conf->mmap)
		data = conf->addr + slot->off;
	else if (conf->fill(conf->arg, data, slot->off, slot->len))
		return -1;
	err = doca_buf_set_data(slot->src, data, slot->len);
	if (err == DOCA_SUCCESS)
		err = doca_buf_reset_data_len(slot->dst);
	if (err == DOCA_SUCCESS)
		err = doca_task_submit(
			doca_dma_task_memcpy_as_task(slot->task));
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot submit a task");
	p->submitted++;
	return 0;
}

/* Hand on copied chunks, in order. */
static int drain(struct pipeline *p)
{
	const struct pipeline_conf *conf = p->conf;
	struct slot *slot;
	size_t copied;

	while (p->drained < p->submitted) {
		slot = &p->slots[p->drained % p->depth];
		if (!slot->done)
			break;
		if (doca_buf_get_data_len(slot->dst, &copied) != DOCA_SUCCESS ||
		    copied != slot->len)
			return fail("a task copied the wrong number of bytes");
		if (conf->drain(conf->arg, slot->dst_addr, slot->off,
				slot->len))
			return -1;
		p->drained++;
	}
	return 0;
}

/* Sleep until the engine has something to do. */
static int wait_for_engine(struct pipeline *p)
{
	doca_notification_handle_t handle;
	doca_error_t err;

	err = doca_pe_get_notification_handle(p->pe, &handle);
	if (err == DOCA_SUCCESS)
		err = doca_pe_request_notification(p->pe);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot wait for the progress engine");
	stop_or_readable(handle);
	doca_pe_clear_notification(p->pe, handle);
	return 0;
}

static int say_task_failed(doca_error_t error, bool imported)
{
	fail_doca(error, "the copying failed");
	if (imported)
		hint("Did the exporter end, or was the device removed? Export again and retry.");
	else
		hint("Was the device removed?");
	return -1;
}

static int copy_all(struct pipeline *p)
{
	uint64_t chunks = (p->conf->length - 1) / p->chunk + 1;
	unsigned int idle = 0;

	/* Neither options nor devices have a limit of 0. */
	assert(p->depth);
	while (p->drained < chunks) {
		if (stop_requested())
			return fail("interrupted");
		while (p->submitted < chunks &&
		       p->submitted - p->drained < p->depth)
			if (submit(p))
				return -1;
		if (doca_pe_progress(p->pe)) {
			idle = 0;
		} else if (++idle == SPINS) {
			idle = 0;
			if (wait_for_engine(p))
				return -1;
		}
		if (p->error != DOCA_SUCCESS)
			return say_task_failed(p->error, p->conf->mmap);
		if (drain(p))
			return -1;
	}
	return 0;
}

/* Stop the context in any state, and free its tasks. */
static void stop_dma(struct pipeline *p)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
	size_t left = 0;
	unsigned int i;

	if (!p->ctx)
		return;
	doca_ctx_stop(p->ctx);
	while (doca_ctx_get_num_inflight_tasks(p->ctx, &left) == DOCA_SUCCESS &&
	       left)
		doca_pe_progress(p->pe);
	for (i = 0; p->slots && i < p->depth; i++)
		if (p->slots[i].task)
			doca_task_free(
				doca_dma_task_memcpy_as_task(p->slots[i].task));
	while (doca_ctx_get_state(p->ctx, &state) == DOCA_SUCCESS &&
	       state != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(p->pe);
}

static void tear_down(struct pipeline *p)
{
	unsigned int i;

	stop_dma(p);
	for (i = 0; p->slots && i < p->depth; i++) {
		if (p->slots[i].src)
			doca_buf_dec_refcount(p->slots[i].src, NULL);
		if (p->slots[i].dst)
			doca_buf_dec_refcount(p->slots[i].dst, NULL);
	}
	free(p->slots);
	if (p->inventory)
		doca_buf_inventory_destroy(p->inventory);
	if (p->dma)
		doca_dma_destroy(p->dma);
	if (p->pe)
		doca_pe_destroy(p->pe);
	region_free(&p->dst);
	region_free(&p->src);
}

int pipeline_run(const struct pipeline_conf *conf)
{
	struct pipeline p = { .conf = conf };
	unsigned int i;
	int ret = -1;

	if (!conf->length)
		return 0;
	if (start_dma(&p) || open_buffers(&p))
		goto out;
	for (i = 0; i < p.depth; i++)
		if (make_slot(&p, i))
			goto out;
	ret = copy_all(&p);
out:
	tear_down(&p);
	return ret;
}
