// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Compression, to gzip. Each piece of the input becomes a member, whose header has its
 * length: so pieces can be compressed, and decompressed, beside each other.
 */
#include <doca_compress.h>
#include <doca_error.h>
#include <open_doca.h>

#include "commands.h"
#include "compress.h"
#include "data/msg.h"
#include "engine.h"
#include "gzip.h"
#include "streams.h"

struct compress {
	struct engine engine;
	struct doca_compress *compress;
	struct stream *stream;
	bool has_begun; /* an empty input has a member, too */
};

static void on_compressed(struct doca_compress_task_compress_deflate *task,
			  union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)ctx_data;
	engine_ended(task_data.ptr);
}

static int fill(void *arg, struct slot *slot)
{
	struct compress *compress = arg;
	struct input *in = &compress->stream->in;

	if (input_read(in, slot->in, GZIP_PIECE, &slot->length))
		return -1;
	if (!slot->length && compress->has_begun)
		return 0;
	compress->has_begun = true;
	if (slot_source(slot, 0, slot->length) || slot_room(slot, GZIP_HEADER))
		return -1;
	return 1;
}

static int drain(void *arg, struct slot *slot)
{
	struct compress *compress = arg;
	size_t end = GZIP_HEADER + slot->out_len;
	struct gzip_trailer trailer = {
		.crc = doca_compress_task_compress_deflate_get_crc_cs(
			slot->typed),
		.length = slot->length,
	};

	gzip_write_header(slot->out, end + GZIP_TRAILER);
	gzip_write_trailer(slot->out + end, &trailer);
	return sink_write(&compress->stream->out, slot->out,
			  end + GZIP_TRAILER);
}

static int failed(void *arg, struct slot *slot, doca_error_t err)
{
	(void)arg;
	(void)slot;
	return fail_doca(err, "compression failed");
}

static int run(void *arg, struct stream *stream)
{
	struct compress *compress = arg;
	const struct engine_work work = { fill, drain, failed, compress };

	compress->stream = stream;
	compress->has_begun = false;
	return engine_run(&compress->engine, &work);
}

static int start(struct compress *compress, const struct options *opts)
{
	struct engine *engine = &compress->engine;
	struct doca_compress_task_compress_deflate *task;
	union doca_data data;
	doca_error_t err;
	unsigned int i;

	err = doca_compress_create(engine->dev, &compress->compress);
	if (err == DOCA_SUCCESS)
		err = open_doca_compress_set_level(compress->compress,
						   opts->level);
	if (err == DOCA_SUCCESS)
		err = doca_compress_task_compress_deflate_set_conf(
			compress->compress, on_compressed, on_compressed,
			engine->depth);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot compress");
	if (engine_start(engine, doca_compress_as_ctx(compress->compress)))
		return -1;
	for (i = 0; i < engine->depth; i++) {
		data.ptr = &engine->slots[i];
		err = doca_compress_task_compress_deflate_alloc_init(
			compress->compress, engine->slots[i].src,
			engine->slots[i].dst, data, &task);
		if (err != DOCA_SUCCESS)
			return fail_doca(err, "cannot get a task");
		engine->slots[i].typed = task;
		engine->slots[i].task =
			doca_compress_task_compress_deflate_as_task(task);
	}
	return 0;
}

int command_compress(const struct options *opts, struct doca_dev *dev)
{
	struct compress compress = { 0 };
	int ret = -1;

	if (!engine_open(&compress.engine, dev, ENGINE_DEPTH, GZIP_PIECE,
			 GZIP_MEMBER_MAX) &&
	    !start(&compress, opts))
		ret = streams_run(opts, ".gz", NULL, run, &compress);
	engine_stop(&compress.engine);
	if (compress.compress)
		doca_compress_destroy(compress.compress);
	engine_close(&compress.engine);
	return ret;
}
