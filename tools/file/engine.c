// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>

#include "data/msg.h"
#include "data/stop.h"
#include "engine.h"

/* Vain polls of the progress engine before the thread sleeps. */
#define SPINS 2000
#define LINE 64

static size_t line_up(size_t size)
{
	return (size + LINE - 1) & ~(size_t)(LINE - 1);
}

static int make_slot(struct engine *engine, unsigned int i)
{
	size_t in_size = engine->in_size, out_size = engine->out_size;
	struct slot *slot = &engine->slots[i];
	doca_error_t err;

	slot->in = engine->memory.addr + i * (in_size + out_size);
	slot->out = slot->in + in_size;
	err = doca_buf_inventory_buf_get_by_addr(engine->inventory,
						 engine->memory.mmap, slot->in,
						 in_size, &slot->src);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_buf_get_by_addr(engine->inventory,
							 engine->memory.mmap,
							 slot->out, out_size,
							 &slot->dst);
	return err == DOCA_SUCCESS ? 0 : fail_doca(err, "cannot get a buffer");
}

int engine_open(struct engine *engine, struct doca_dev *dev, unsigned int depth,
		size_t in_size, size_t out_size)
{
	doca_error_t err;
	unsigned int i;

	*engine = (struct engine){
		.dev = dev,
		.depth = depth,
		.in_size = line_up(in_size),
		.out_size = line_up(out_size),
	};
	err = doca_pe_create(&engine->pe);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create a progress engine");
	if (region_alloc(&engine->memory,
			 depth * (engine->in_size + engine->out_size)) ||
	    region_open(&engine->memory, dev,
			DOCA_ACCESS_FLAG_LOCAL_READ_WRITE))
		return -1;
	err = doca_buf_inventory_create(2 * depth, &engine->inventory);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_start(engine->inventory);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create an inventory of buffers");
	for (i = 0; i < depth; i++)
		if (make_slot(engine, i))
			return -1;
	return 0;
}

int engine_start(struct engine *engine, struct doca_ctx *ctx)
{
	doca_error_t err;

	engine->ctx = ctx;
	err = doca_pe_connect_ctx(engine->pe, ctx);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(ctx);
	return err == DOCA_SUCCESS ? 0 :
				     fail_doca(err, "cannot start a context");
}

void engine_ended(struct slot *slot)
{
	slot->is_done = true;
}

int slot_source(struct slot *slot, size_t offset, size_t length)
{
	doca_error_t err =
		doca_buf_set_data(slot->src, slot->in + offset, length);

	return err == DOCA_SUCCESS ? 0 : fail_doca(err, "cannot set a source");
}

int slot_room(struct slot *slot, size_t offset)
{
	doca_error_t err = doca_buf_set_data(slot->dst, slot->out + offset, 0);

	return err == DOCA_SUCCESS ? 0 :
				     fail_doca(err, "cannot set a destination");
}

static int wait_for_notification(struct engine *engine)
{
	doca_notification_handle_t handle;
	doca_error_t err;

	err = doca_pe_get_notification_handle(engine->pe, &handle);
	if (err == DOCA_SUCCESS)
		err = doca_pe_request_notification(engine->pe);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot wait for the progress engine");
	stop_or_readable(handle);
	doca_pe_clear_notification(engine->pe, handle);
	return 0;
}

int engine_wait(struct engine *engine, const bool *done)
{
	unsigned int idle = 0;

	while (!*done) {
		if (stop_requested())
			return fail("interrupted");
		if (doca_pe_progress(engine->pe)) {
			idle = 0;
		} else if (++idle == SPINS) {
			idle = 0;
			if (wait_for_notification(engine))
				return -1;
		}
	}
	return 0;
}

/* Returns 0 if there was nothing left. */
static int submit_next(struct engine *engine, const struct engine_work *work)
{
	struct slot *slot = &engine->slots[engine->submitted % engine->depth];
	doca_error_t err;
	int ret;

	ret = work->fill(work->arg, slot);
	if (ret <= 0)
		return ret;
	slot->is_done = false;
	err = doca_task_submit(slot->task);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot submit a task");
	engine->submitted++;
	return 1;
}

static int drain_oldest(struct engine *engine, const struct engine_work *work)
{
	struct slot *slot = &engine->slots[engine->drained % engine->depth];
	doca_error_t err;

	if (engine_wait(engine, &slot->is_done))
		return -1;
	err = doca_task_get_status(slot->task);
	if (err != DOCA_SUCCESS)
		return work->failed(work->arg, slot, err);
	if (doca_buf_get_data_len(slot->dst, &slot->out_len) != DOCA_SUCCESS)
		return fail("cannot read the length of the output");
	if (work->drain(work->arg, slot))
		return -1;
	engine->drained++;
	return 0;
}

static int run(struct engine *engine, const struct engine_work *work)
{
	int more = 1;

	while (more || engine->drained < engine->submitted) {
		while (more &&
		       engine->submitted - engine->drained < engine->depth) {
			more = submit_next(engine, work);
			if (more < 0)
				return -1;
			doca_pe_progress(engine->pe);
		}
		if (engine->drained < engine->submitted &&
		    drain_oldest(engine, work))
			return -1;
	}
	return 0;
}

/* Tasks that were begun are of no use, but end. */
static void drop(struct engine *engine)
{
	for (; engine->drained < engine->submitted; engine->drained++)
		while (!engine->slots[engine->drained % engine->depth].is_done)
			doca_pe_progress(engine->pe);
}

int engine_run(struct engine *engine, const struct engine_work *work)
{
	int ret = run(engine, work);

	drop(engine);
	return ret;
}

void engine_stop(struct engine *engine)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
	size_t left = 0;
	unsigned int i;

	if (!engine->ctx)
		return;
	doca_ctx_stop(engine->ctx);
	while (doca_ctx_get_num_inflight_tasks(engine->ctx, &left) ==
		       DOCA_SUCCESS &&
	       left)
		doca_pe_progress(engine->pe);
	for (i = 0; i < engine->depth; i++)
		if (engine->slots[i].task)
			doca_task_free(engine->slots[i].task);
	while (doca_ctx_get_state(engine->ctx, &state) == DOCA_SUCCESS &&
	       state != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(engine->pe);
	engine->ctx = NULL;
}

void engine_close(struct engine *engine)
{
	unsigned int i;

	for (i = 0; i < engine->depth; i++) {
		if (engine->slots[i].src)
			doca_buf_dec_refcount(engine->slots[i].src, NULL);
		if (engine->slots[i].dst)
			doca_buf_dec_refcount(engine->slots[i].dst, NULL);
	}
	if (engine->inventory)
		doca_buf_inventory_destroy(engine->inventory);
	region_free(&engine->memory);
	if (engine->pe)
		doca_pe_destroy(engine->pe);
	*engine = (struct engine){ 0 };
}
