// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include <doca_error.h>
#include <doca_mmap.h>

#include "clock.h"
#include "compute_way.h"
#include "device.h"
#include "msg.h"
#include "sample_data.h"

/* Slots keep to pages of their own. */
#define PAGE 4096

static size_t room_of(const struct compute_way *cw)
{
	size_t size = cw->kind->out_size(cw->load.size);

	if (size < cw->load.size)
		size = cw->load.size;
	return (size + PAGE - 1) / PAGE * PAGE;
}

static void submit(struct compute_task *task)
{
	struct compute_way *cw = task->way;
	doca_error_t err;

	err = doca_buf_reset_data_len(task->dst);
	if (err == DOCA_SUCCESS)
		err = doca_task_submit(task->task);
	if (err == DOCA_SUCCESS)
		cw->inflight++;
	else if (cw->error == DOCA_SUCCESS)
		cw->error = err;
}

void compute_ended(struct compute_task *task)
{
	doca_error_t err = doca_task_get_status(task->task);
	struct compute_way *cw = task->way;

	cw->inflight--;
	cw->done++;
	if (err != DOCA_SUCCESS && cw->error == DOCA_SUCCESS)
		cw->error = err;
	if (cw->again && cw->error == DOCA_SUCCESS)
		submit(task);
}

static int open_memory(struct compute_way *cw)
{
	size_t size = 2 * room_of(cw) * cw->load.depth;
	doca_error_t err;

	cw->memory = aligned_alloc(PAGE, size);
	if (!cw->memory)
		return fail("out of memory");
	err = doca_mmap_create(&cw->mmap);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_memrange(cw->mmap, cw->memory, size);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_permissions(
			cw->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_add_dev(cw->mmap, cw->dev);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_start(cw->mmap);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_create(2 * cw->load.depth,
						&cw->inventory);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_start(cw->inventory);
	return err == DOCA_SUCCESS ? 0 :
				     fail_doca(err, "cannot open the memory");
}

/* The worker is made with the first context, and runs where its creator does. */
static int start_context(struct compute_way *cw)
{
	doca_error_t err = cw->kind->create(cw, cw->load.depth);

	if (err == DOCA_SUCCESS)
		err = doca_pe_create(&cw->pe);
	if (err == DOCA_SUCCESS)
		err = doca_pe_connect_ctx(cw->pe, cw->ctx);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create a context");
	if (cpu_pin(cw->cpus->work))
		return -1;
	err = doca_ctx_start(cw->ctx);
	if (cpu_pin(cw->cpus->submit))
		return -1;
	return err == DOCA_SUCCESS ? 0 :
				     fail_doca(err, "cannot start a context");
}

static int make_task(struct compute_way *cw, unsigned int i)
{
	struct compute_task *task = &cw->tasks[i];
	size_t room = room_of(cw), size;
	doca_error_t err;
	uint8_t *src;

	src = cw->memory + i * 2 * room;
	size = cw->kind->fill(src, cw->load.size, i % SAMPLES);
	task->way = cw;
	err = doca_buf_inventory_buf_get_by_data(cw->inventory, cw->mmap, src,
						 size, &task->src);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_buf_get_by_addr(
			cw->inventory, cw->mmap, src + room, room, &task->dst);
	if (err == DOCA_SUCCESS)
		err = cw->kind->make(cw, task);
	return err == DOCA_SUCCESS ? 0 : fail_doca(err, "cannot make a task");
}

static void compute_close(struct way *way)
{
	struct compute_way *cw = container_of(way, struct compute_way, way);
	struct patience patience = { 0 };
	unsigned int i;

	cw->again = false;
	while (cw->inflight && !patience_lost(&patience))
		doca_pe_progress(cw->pe);
	for (i = 0; cw->tasks && i < cw->load.depth; i++) {
		if (cw->tasks[i].task)
			doca_task_free(cw->tasks[i].task);
		if (cw->tasks[i].src)
			doca_buf_dec_refcount(cw->tasks[i].src, NULL);
		if (cw->tasks[i].dst)
			doca_buf_dec_refcount(cw->tasks[i].dst, NULL);
	}
	free(cw->tasks);
	if (cw->ctx)
		doca_ctx_stop(cw->ctx);
	if (cw->object)
		cw->kind->destroy(cw);
	if (cw->pe)
		doca_pe_destroy(cw->pe);
	if (cw->inventory)
		doca_buf_inventory_destroy(cw->inventory);
	if (cw->mmap)
		doca_mmap_destroy(cw->mmap);
	free(cw->memory);
	if (cw->dev)
		doca_dev_close(cw->dev);
	compute_way_init(cw, cw->kind, cw->cpus, cw->device);
}

static int compute_open(struct way *way, const struct load *load)
{
	struct compute_way *cw = container_of(way, struct compute_way, way);
	unsigned int i = 0;

	cw->load = *load;
	cw->tasks = calloc(load->depth, sizeof(*cw->tasks));
	if (cw->tasks && !device_open(cw->device, &cw->dev) &&
	    !open_memory(cw) && !start_context(cw))
		while (i < load->depth && !make_task(cw, i))
			i++;
	if (i == load->depth)
		return 0;
	compute_close(way);
	return -1;
}

/* Progress until @done tasks are done, or none is in flight. */
static int progress_until(struct compute_way *cw, uint64_t done)
{
	struct patience patience = { 0 };

	while (cw->done < done && cw->inflight) {
		if (doca_pe_progress(cw->pe))
			patience = (struct patience){ 0 };
		else if (patience_lost(&patience))
			return fail("no completion in %d seconds",
				    PATIENCE_SECONDS);
	}
	if (cw->error != DOCA_SUCCESS)
		return fail_doca(cw->error, "a task failed");
	return 0;
}

static int compute_run(struct way *way, struct meter *meter)
{
	struct compute_way *cw = container_of(way, struct compute_way, way);
	unsigned int interval = clock_interval(cw->load.size), i;
	double start, now;

	/* Do not measure the first task, which wakes the worker. */
	cw->again = false;
	submit(&cw->tasks[0]);
	if (progress_until(cw, UINT64_MAX))
		return -1;
	cw->again = true;
	cw->done = 0;
	start = clock_now();
	for (i = 0; i < cw->load.depth; i++)
		submit(&cw->tasks[i]);
	do {
		if (progress_until(cw, cw->done + interval))
			return -1;
		now = clock_now();
	} while (now - start < meter->seconds);
	meter->rate = cw->done / (now - start);
	cw->again = false;
	return progress_until(cw, UINT64_MAX);
}

void compute_way_init(struct compute_way *cw, const struct compute_kind *kind,
		      const struct cpus *cpus, const char *device)
{
	*cw = (struct compute_way){
		.way = {
			.name = kind->name,
			.open = compute_open,
			.run = compute_run,
			.close = compute_close,
		},
		.kind = kind,
		.cpus = cpus,
		.device = device,
	};
}
