// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Data and redundancy, in files of which some may be lost. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_erasure_coding.h>
#include <doca_error.h>

#include "blocks.h"
#include "commands.h"
#include "data/msg.h"
#include "input.h"
#include "sink.h"

struct encode {
	struct blocks blocks;
	struct engine engine;
	struct doca_ec *ec;
	struct doca_ec_matrix *matrix;
	struct digests *digests;
	struct input in;
	struct sink files[BLOCKS_MAX];
	bool has_ended; /* the last stripe was begun */
};

static void on_created(struct doca_ec_task_create *task,
		       union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)ctx_data;
	engine_ended(task_data.ptr);
}

/* The last stripe is filled with zeros. */
static int fill(void *arg, struct slot *slot)
{
	struct encode *encode = arg;
	size_t stripe = blocks_stripe(&encode->blocks), got;
	int at_end;

	if (encode->has_ended)
		return 0;
	if (input_read(&encode->in, slot->in, stripe, &got))
		return -1;
	at_end = input_is_at_end(&encode->in);
	if (at_end < 0)
		return -1;
	encode->has_ended = at_end;
	if (!got)
		return 0;
	memset(slot->in + got, 0, stripe - got);
	encode->blocks.length += got;
	slot->is_last = at_end;
	return slot_source(slot, 0, stripe) || slot_room(slot, 0) ? -1 : 1;
}

static const uint8_t *chunk_of(const struct encode *encode,
			       const struct slot *slot, unsigned int i)
{
	const struct blocks *blocks = &encode->blocks;

	return i < blocks->data ?
		       slot->in + i * blocks->chunk :
		       slot->out + (i - blocks->data) * blocks->chunk;
}

static int drain(void *arg, struct slot *slot)
{
	struct encode *encode = arg;
	size_t chunk = encode->blocks.chunk;
	unsigned int i, nr = blocks_nr(&encode->blocks);

	for (i = 0; i < nr; i++)
		if (digest_add(encode->digests, i, chunk_of(encode, slot, i),
			       chunk, slot->is_last))
			return -1;
	for (i = 0; i < nr; i++)
		if (sink_write(&encode->files[i], chunk_of(encode, slot, i),
			       chunk))
			return -1;
	return digests_wait(encode->digests);
}

static int failed(void *arg, struct slot *slot, doca_error_t err)
{
	(void)arg;
	(void)slot;
	return fail_doca(err, "encoding failed");
}

/* Headers have digests, which are known last: leave room for them. */
static int open_files(struct encode *encode, const struct options *opts)
{
	static const uint8_t none[BLOCKS_HEADER_MAX];
	const char *name = opts->out ?: opts->files[0];
	unsigned int i;
	char *path;
	int ret = 0;

	for (i = 0; i < blocks_nr(&encode->blocks) && !ret; i++) {
		path = blocks_name(name, i);
		if (!path)
			return fail("out of memory");
		ret = sink_open(&encode->files[i], path, opts->force);
		free(path);
		sink_limit(&encode->files[i], &encode->in);
		if (!ret)
			ret = sink_write(&encode->files[i], none,
					 blocks_header_size(&encode->blocks));
	}
	return ret;
}

static int take_digests(struct encode *encode)
{
	unsigned int i, nr = blocks_nr(&encode->blocks);
	const uint8_t *nothing = encode->engine.slots[0].in;

	for (i = 0; i < nr && !encode->blocks.length; i++)
		if (digest_add(encode->digests, i, nothing, 0, true))
			return -1;
	if (digests_wait(encode->digests))
		return -1;
	for (i = 0; i < nr; i++)
		memcpy(encode->blocks.digests[i],
		       digest_value(encode->digests, i), BLOCKS_DIGEST);
	return 0;
}

/* Files that stand alone would be taken for those of a set. */
static void remove_files(struct encode *encode, unsigned int nr)
{
	while (nr--)
		if (!encode->files[nr].file.replaces)
			unlink(encode->files[nr].file.path);
}

static int commit(struct encode *encode)
{
	size_t size = blocks_header_size(&encode->blocks);
	uint8_t *header = encode->engine.slots[0].in;
	unsigned int i, nr = blocks_nr(&encode->blocks);

	for (i = 0; i < nr; i++) {
		encode->blocks.index = i;
		if (blocks_write_header(&encode->blocks, encode->digests,
					header) ||
		    output_write(&encode->files[i].file, header, 0, size) ||
		    output_seal(&encode->files[i].file))
			return -1;
	}
	/* If they replace those of another set, some of each are of no use. */
	for (i = 0; i < nr; i++)
		if (output_publish(&encode->files[i].file)) {
			remove_files(encode, i);
			return -1;
		}
	/* By links that were replaced, they may be in several directories. */
	for (i = 0; i < nr; i++)
		if (output_settle(&encode->files[i].file))
			return -1;
	return 0;
}

static int start(struct encode *encode)
{
	const struct blocks *blocks = &encode->blocks;
	struct engine *engine = &encode->engine;
	struct doca_ec_task_create *task;
	union doca_data data;
	doca_error_t err;
	unsigned int i;

	err = doca_ec_create(engine->dev, &encode->ec);
	if (err == DOCA_SUCCESS)
		err = doca_ec_task_create_set_conf(encode->ec, on_created,
						   on_created, engine->depth);
	if (err == DOCA_SUCCESS)
		err = doca_ec_matrix_create(encode->ec, blocks->matrix,
					    blocks->data, blocks->rdnc,
					    &encode->matrix);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot encode");
	if (engine_start(engine, doca_ec_as_ctx(encode->ec)))
		return -1;
	for (i = 0; i < engine->depth; i++) {
		data.ptr = &engine->slots[i];
		err = doca_ec_task_create_allocate_init(
			encode->ec, encode->matrix, engine->slots[i].src,
			engine->slots[i].dst, data, &task);
		if (err != DOCA_SUCCESS)
			return fail_doca(err, "cannot get a task");
		engine->slots[i].task = doca_ec_task_create_as_task(task);
	}
	encode->digests = digests_open(engine, DOCA_SHA_ALGORITHM_SHA256,
				       blocks_nr(blocks));
	return encode->digests ? 0 : -1;
}

static int run(struct encode *encode, const struct options *opts,
	       struct doca_dev *dev)
{
	const struct engine_work work = { fill, drain, failed, encode };
	struct blocks *blocks = &encode->blocks;

	if (blocks_new(blocks, opts->data_blocks, opts->rdnc_blocks,
		       opts->matrix) ||
	    engine_open(&encode->engine, dev, ENGINE_DEPTH,
			blocks_stripe(blocks), blocks->rdnc * blocks->chunk) ||
	    start(encode) || open_files(encode, opts) ||
	    engine_run(&encode->engine, &work))
		return -1;
	progress_end(&encode->in.progress);
	return take_digests(encode) || commit(encode) ? -1 : 0;
}

int command_encode(const struct options *opts, struct doca_dev *dev)
{
	struct encode *encode = calloc(1, sizeof(*encode));
	unsigned int i;
	int ret = -1;

	if (!encode)
		return fail("out of memory");
	if (!input_open(&encode->in, opts->files[0])) {
		ret = run(encode, opts, dev);
		input_close(&encode->in);
	}
	for (i = 0; i < BLOCKS_MAX; i++)
		sink_close(&encode->files[i]);
	digests_close(encode->digests);
	engine_stop(&encode->engine);
	if (encode->matrix)
		doca_ec_matrix_destroy(encode->matrix);
	if (encode->ec)
		doca_ec_destroy(encode->ec);
	engine_close(&encode->engine);
	free(encode);
	return ret;
}
