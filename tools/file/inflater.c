// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>

#include "data/msg.h"
#include "inflater.h"

static void on_inflated(struct doca_compress_task_decompress_deflate *task,
			union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)ctx_data;
	engine_ended(task_data.ptr);
}

static void on_blocks(struct doca_compress_task_decompress_lz4_stream *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)ctx_data;
	engine_ended(task_data.ptr);
}

static doca_error_t make_deflate_task(struct inflater *inflater,
				      struct slot *slot)
{
	struct doca_compress_task_decompress_deflate *task;
	union doca_data data = { .ptr = slot };
	doca_error_t err;

	err = doca_compress_task_decompress_deflate_alloc_init(
		inflater->compress, slot->src, slot->dst, data, &task);
	if (err != DOCA_SUCCESS)
		return err;
	slot->typed = task;
	slot->task = doca_compress_task_decompress_deflate_as_task(task);
	return DOCA_SUCCESS;
}

static doca_error_t make_lz4_task(struct inflater *inflater, struct slot *slot)
{
	struct doca_compress_task_decompress_lz4_stream *task;
	union doca_data data = { .ptr = slot };
	doca_error_t err;

	err = doca_compress_task_decompress_lz4_stream_alloc_init(
		inflater->compress, 0, 0, slot->src, slot->dst, data, &task);
	if (err != DOCA_SUCCESS)
		return err;
	slot->typed = task;
	slot->task = doca_compress_task_decompress_lz4_stream_as_task(task);
	return DOCA_SUCCESS;
}

static int start(struct inflater *inflater, bool is_lz4)
{
	struct engine *engine = &inflater->engine;
	doca_error_t err;
	unsigned int i;

	err = doca_compress_create(engine->dev, &inflater->compress);
	if (err == DOCA_SUCCESS && is_lz4)
		err = doca_compress_task_decompress_lz4_stream_set_conf(
			inflater->compress, on_blocks, on_blocks,
			engine->depth);
	else if (err == DOCA_SUCCESS)
		err = doca_compress_task_decompress_deflate_set_conf(
			inflater->compress, on_inflated, on_inflated,
			engine->depth);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot decompress");
	if (engine_start(engine, doca_compress_as_ctx(inflater->compress)))
		return -1;
	for (i = 0; i < engine->depth && err == DOCA_SUCCESS; i++)
		err = is_lz4 ? make_lz4_task(inflater, &engine->slots[i]) :
			       make_deflate_task(inflater, &engine->slots[i]);
	return err == DOCA_SUCCESS ? 0 : fail_doca(err, "cannot get a task");
}

static int open_kind(struct inflater *inflater, struct doca_dev *dev,
		     unsigned int depth, size_t in_size, size_t out_size,
		     bool is_lz4)
{
	const struct engine *engine = &inflater->engine;

	if (engine->depth == depth && engine->in_size >= in_size &&
	    engine->out_size >= out_size)
		return 0;
	inflater_close(inflater);
	return engine_open(&inflater->engine, dev, depth, in_size, out_size) ?
		       -1 :
		       start(inflater, is_lz4);
}

int inflater_open(struct inflater *inflater, struct doca_dev *dev,
		  unsigned int depth, size_t in_size, size_t out_size)
{
	return open_kind(inflater, dev, depth, in_size, out_size, false);
}

int inflater_open_lz4(struct inflater *inflater, struct doca_dev *dev,
		      unsigned int depth, size_t in_size, size_t out_size)
{
	return open_kind(inflater, dev, depth, in_size, out_size, true);
}

void inflater_close(struct inflater *inflater)
{
	engine_stop(&inflater->engine);
	if (inflater->compress)
		doca_compress_destroy(inflater->compress);
	inflater->compress = NULL;
	engine_close(&inflater->engine);
}
