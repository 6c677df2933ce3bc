// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include <doca_buf.h>
#include <doca_ctx.h>
#include <doca_dev.h>

#include "device.h"
#include "loop.h"
#include "msg.h"
#include "rdma_way.h"

/* Receives for each message in flight, so that none waits for the next one. */
#define RECEIVES 2
#define ACCESS                                                            \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE)

static void note_error(struct rdma_way *rw, doca_error_t err)
{
	if (rw->error == DOCA_SUCCESS)
		rw->error = err;
}

/* A buffer that the task fills is filled from its begin again. */
static void submit(struct rdma_way *rw, struct rdma_task *task)
{
	doca_error_t err = DOCA_SUCCESS;

	if (task->dst)
		err = doca_buf_reset_data_len(task->dst);
	if (err == DOCA_SUCCESS)
		err = doca_task_submit(task->task);
	if (err == DOCA_SUCCESS)
		rw->inflight++;
	else
		note_error(rw, err);
}

static void end(struct rdma_way *rw, struct rdma_task *task)
{
	doca_error_t err = doca_task_get_status(task->task);

	rw->inflight--;
	if (err != DOCA_SUCCESS) {
		note_error(rw, err);
		return;
	}
	rw->done++;
	if (rw->again)
		submit(rw, task);
}

static void on_send(struct doca_rdma_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task;
	end(ctx_data.ptr, task_data.ptr);
}

static void on_write(struct doca_rdma_task_write *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	end(ctx_data.ptr, task_data.ptr);
}

static void on_read(struct doca_rdma_task_read *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task;
	end(ctx_data.ptr, task_data.ptr);
}

static void on_receive(struct doca_rdma_task_receive *task,
		       union doca_data task_data, union doca_data ctx_data)
{
	struct rdma_way *rw = ctx_data.ptr;

	(void)task;
	rw->inflight--;
	if (!rw->closing)
		submit(rw, task_data.ptr);
}

/* Those that wait end with the context. */
static void on_no_receive(struct doca_rdma_task_receive *task,
			  union doca_data task_data, union doca_data ctx_data)
{
	struct rdma_way *rw = ctx_data.ptr;

	(void)task_data;
	rw->inflight--;
	if (!rw->closing)
		note_error(rw, doca_task_get_status(
				       doca_rdma_task_receive_as_task(task)));
}

static doca_error_t open_memory(struct rdma_way *rw)
{
	const struct area *area = rw->way.area;
	const void *descriptor;
	doca_error_t err;
	size_t length;

	err = doca_mmap_create(&rw->mmap);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_memrange(rw->mmap, area->src, area->length);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_permissions(rw->mmap, ACCESS);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_add_dev(rw->mmap, rw->dev);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_start(rw->mmap);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_export_rdma(rw->mmap, rw->dev, &descriptor,
					    &length);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_create_from_export(NULL, descriptor, length,
						   rw->dev, &rw->peers);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_create(
			2 * rw->load.depth + rw->nr_receives, &rw->inventory);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_start(rw->inventory);
	return err;
}

static doca_error_t enable_tasks(struct rdma_way *rw)
{
	struct doca_rdma *rdma = rw->near.rdma;
	unsigned int depth = rw->load.depth;
	doca_error_t err;

	switch (rw->kind) {
	case RDMA_WRITE:
		return doca_rdma_task_write_set_conf(rdma, on_write, on_write,
						     depth);
	case RDMA_READ:
		return doca_rdma_task_read_set_conf(rdma, on_read, on_read,
						    depth);
	default:
		err = doca_rdma_task_receive_set_conf(rw->far.rdma, on_receive,
						      on_no_receive,
						      rw->nr_receives);
		if (err != DOCA_SUCCESS)
			return err;
		return doca_rdma_task_send_set_conf(rdma, on_send, on_send,
						    depth);
	}
}

static doca_error_t create_end(struct rdma_way *rw, struct rdma_end *end)
{
	union doca_data self = { .ptr = rw };
	doca_error_t err;

	err = doca_rdma_create(rw->dev, &end->rdma);
	if (err != DOCA_SUCCESS)
		return err;
	end->ctx = doca_rdma_as_ctx(end->rdma);
	err = doca_rdma_set_permissions(end->rdma, ACCESS);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_set_user_data(end->ctx, self);
	if (err == DOCA_SUCCESS)
		err = doca_pe_connect_ctx(rw->pe, end->ctx);
	return err;
}

static doca_error_t connect_ends(struct rdma_end *near, struct rdma_end *far)
{
	const void *of_near, *of_far;
	size_t near_length, far_length;
	doca_error_t err;

	err = doca_rdma_export(near->rdma, &of_near, &near_length,
			       &near->connection);
	if (err == DOCA_SUCCESS)
		err = doca_rdma_export(far->rdma, &of_far, &far_length,
				       &far->connection);
	if (err == DOCA_SUCCESS)
		err = doca_rdma_connect(near->rdma, of_far, far_length,
					near->connection);
	if (err == DOCA_SUCCESS)
		err = doca_rdma_connect(far->rdma, of_near, near_length,
					far->connection);
	return err;
}

static doca_error_t open_ends(struct rdma_way *rw)
{
	doca_error_t err;

	err = doca_pe_create(&rw->pe);
	if (err == DOCA_SUCCESS)
		err = create_end(rw, &rw->near);
	if (err == DOCA_SUCCESS)
		err = create_end(rw, &rw->far);
	if (err == DOCA_SUCCESS)
		err = enable_tasks(rw);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(rw->near.ctx);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(rw->far.ctx);
	if (err == DOCA_SUCCESS)
		err = connect_ends(&rw->near, &rw->far);
	return err;
}

static doca_error_t make_send(struct rdma_way *rw, struct rdma_task *task)
{
	union doca_data self = { .ptr = task };
	struct doca_rdma_task_send *send;
	doca_error_t err;

	err = doca_rdma_task_send_allocate_init(
		rw->near.rdma, rw->near.connection, task->src, self, &send);
	if (err == DOCA_SUCCESS)
		task->task = doca_rdma_task_send_as_task(send);
	return err;
}

static doca_error_t make_write(struct rdma_way *rw, struct rdma_task *task)
{
	union doca_data self = { .ptr = task };
	struct doca_rdma_task_write *write;
	doca_error_t err;

	err = doca_rdma_task_write_allocate_init(rw->near.rdma,
						 rw->near.connection, task->src,
						 task->dst, self, &write);
	if (err == DOCA_SUCCESS)
		task->task = doca_rdma_task_write_as_task(write);
	return err;
}

static doca_error_t make_read(struct rdma_way *rw, struct rdma_task *task)
{
	union doca_data self = { .ptr = task };
	struct doca_rdma_task_read *read;
	doca_error_t err;

	err = doca_rdma_task_read_allocate_init(rw->near.rdma,
						rw->near.connection, task->src,
						task->dst, self, &read);
	if (err == DOCA_SUCCESS)
		task->task = doca_rdma_task_read_as_task(read);
	return err;
}

static doca_error_t make_receive(struct rdma_way *rw, struct rdma_task *task)
{
	union doca_data self = { .ptr = task };
	struct doca_rdma_task_receive *receive;
	doca_error_t err;

	err = doca_rdma_task_receive_allocate_init(rw->far.rdma, task->dst,
						   self, &receive);
	if (err == DOCA_SUCCESS)
		task->task = doca_rdma_task_receive_as_task(receive);
	return err;
}

/* Get the buffers of a task; NULL for a side that it does not have. */
static doca_error_t get_bufs(struct rdma_way *rw, struct rdma_task *task,
			     struct doca_mmap *src, struct doca_mmap *dst,
			     size_t offset)
{
	doca_error_t err = DOCA_SUCCESS;

	if (src)
		err = doca_buf_inventory_buf_get_by_data(
			rw->inventory, src, rw->way.area->src + offset,
			rw->load.size, &task->src);
	if (dst && err == DOCA_SUCCESS)
		err = doca_buf_inventory_buf_get_by_addr(
			rw->inventory, dst, rw->way.area->dst + offset,
			rw->load.size, &task->dst);
	return err;
}

static doca_error_t make_task(struct rdma_way *rw, struct rdma_task *task,
			      size_t offset)
{
	doca_error_t err;

	switch (rw->kind) {
	case RDMA_WRITE:
		err = get_bufs(rw, task, rw->mmap, rw->peers, offset);
		return err == DOCA_SUCCESS ? make_write(rw, task) : err;
	case RDMA_READ:
		err = get_bufs(rw, task, rw->peers, rw->mmap, offset);
		return err == DOCA_SUCCESS ? make_read(rw, task) : err;
	default:
		err = get_bufs(rw, task, rw->mmap, NULL, offset);
		return err == DOCA_SUCCESS ? make_send(rw, task) : err;
	}
}

static doca_error_t make_tasks(struct rdma_way *rw)
{
	unsigned int slots = area_slots(rw->way.area, &rw->load);
	doca_error_t err = DOCA_SUCCESS;
	unsigned int i;

	rw->tasks = calloc(rw->load.depth, sizeof(*rw->tasks));
	rw->receives = calloc(rw->nr_receives, sizeof(*rw->receives));
	if (!rw->tasks || (rw->nr_receives && !rw->receives))
		return DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < rw->load.depth && err == DOCA_SUCCESS; i++)
		err = make_task(rw, &rw->tasks[i], i % slots * rw->load.size);
	for (i = 0; i < rw->nr_receives && err == DOCA_SUCCESS; i++) {
		err = get_bufs(rw, &rw->receives[i], NULL, rw->mmap,
			       i % slots * rw->load.size);
		if (err == DOCA_SUCCESS)
			err = make_receive(rw, &rw->receives[i]);
		if (err == DOCA_SUCCESS)
			submit(rw, &rw->receives[i]);
	}
	return err == DOCA_SUCCESS ? rw->error : err;
}

static void free_tasks(struct rdma_task *tasks, unsigned int nr)
{
	unsigned int i;

	for (i = 0; tasks && i < nr; i++) {
		if (tasks[i].task)
			doca_task_free(tasks[i].task);
		if (tasks[i].src)
			doca_buf_dec_refcount(tasks[i].src, NULL);
		if (tasks[i].dst)
			doca_buf_dec_refcount(tasks[i].dst, NULL);
	}
	free(tasks);
}

static void close_end(struct rdma_end *end)
{
	if (!end->rdma)
		return;
	doca_ctx_stop(end->ctx); /* again: it has no tasks now */
	doca_rdma_destroy(end->rdma);
}

static void rdma_close(struct way *way)
{
	struct rdma_way *rw = container_of(way, struct rdma_way, way);
	struct patience patience = { 0 };

	rw->again = false;
	rw->closing = true;
	if (rw->near.ctx)
		doca_ctx_stop(rw->near.ctx);
	if (rw->far.ctx)
		doca_ctx_stop(rw->far.ctx);
	while (rw->inflight && !patience_lost(&patience))
		doca_pe_progress(rw->pe);
	free_tasks(rw->tasks, rw->load.depth);
	free_tasks(rw->receives, rw->nr_receives);
	close_end(&rw->near);
	close_end(&rw->far);
	if (rw->pe)
		doca_pe_destroy(rw->pe);
	if (rw->inventory)
		doca_buf_inventory_destroy(rw->inventory);
	if (rw->peers)
		doca_mmap_destroy(rw->peers);
	if (rw->mmap)
		doca_mmap_destroy(rw->mmap);
	if (rw->dev)
		doca_dev_close(rw->dev);
	rdma_way_init(rw, rw->kind, way->area, rw->device);
}

static int rdma_open(struct way *way, const struct load *load)
{
	struct rdma_way *rw = container_of(way, struct rdma_way, way);
	doca_error_t err;

	rw->load = *load;
	rw->nr_receives = rw->kind == RDMA_SEND ? RECEIVES * load->depth : 0;
	if (device_open(rw->device, &rw->dev))
		return -1;
	err = open_memory(rw);
	if (err == DOCA_SUCCESS)
		err = open_ends(rw);
	if (err == DOCA_SUCCESS)
		err = make_tasks(rw);
	if (err == DOCA_SUCCESS)
		return 0;
	rdma_close(way);
	return fail_doca(err, "cannot open connections on %s", rw->device);
}

/* Progress until @done tasks are done, which are the near end's. */
static int progress_until(struct rdma_way *rw, uint64_t done)
{
	struct patience patience = { 0 };

	while (rw->done < done && rw->error == DOCA_SUCCESS) {
		if (doca_pe_progress(rw->pe))
			patience = (struct patience){ 0 };
		else if (patience_lost(&patience))
			return fail("no completion in %d seconds",
				    PATIENCE_SECONDS);
	}
	if (rw->error != DOCA_SUCCESS)
		return fail_doca(rw->error, "a task failed");
	return 0;
}

/* The callback of each task submits it again. Receives go on where they were. */
static int run_rate(struct rdma_way *rw, struct meter *meter)
{
	unsigned int interval = clock_interval(rw->load.size);
	unsigned int i, depth = rw->load.depth;
	uint64_t before = rw->done;
	double start, now;

	rw->again = true;
	start = clock_now();
	for (i = 0; i < depth; i++)
		submit(rw, &rw->tasks[(before + i) % depth]);
	do {
		if (progress_until(rw, rw->done + interval))
			return -1;
		now = clock_now();
	} while (now - start < meter->seconds);
	meter->rate = (rw->done - before) / (now - start);
	rw->again = false;
	return progress_until(rw, rw->done + rw->inflight - rw->nr_receives);
}

static int submit_one(void *self, unsigned int n)
{
	struct rdma_way *rw = self;

	(void)n;
	submit(rw, &rw->tasks[rw->done % rw->load.depth]);
	return 0;
}

static int reap_one(void *self)
{
	struct rdma_way *rw = self;

	return progress_until(rw, rw->done + 1) ? -1 : 1;
}

static int rdma_run(struct way *way, struct meter *meter)
{
	struct rdma_way *rw = container_of(way, struct rdma_way, way);

	if (meter->times)
		return loop_times(rw, meter, submit_one, reap_one);
	return run_rate(rw, meter);
}

void rdma_way_init(struct rdma_way *rw, enum rdma_kind kind,
		   const struct area *area, const char *device)
{
	*rw = (struct rdma_way){
		.way = {
			.name = "doca_rdma",
			.open = rdma_open,
			.run = rdma_run,
			.close = rdma_close,
			.area = area,
		},
		.kind = kind,
		.device = device,
	};
}
