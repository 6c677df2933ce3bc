// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Recovery of encoded files: the lost ones are written again, or the data is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_erasure_coding.h>
#include <doca_error.h>

#include "commands.h"
#include "data/msg.h"
#include "input.h"
#include "sink.h"
#include "survey.h"

struct recover {
	struct survey survey;
	struct engine engine;
	struct doca_ec *ec;
	struct doca_ec_matrix *coding;
	struct doca_ec_matrix *matrix;
	struct digests *digests; /* those of lost files' chunks */
	struct input from[BLOCKS_DATA_MAX]; /* the first good ones */
	char *names[BLOCKS_DATA_MAX];
	unsigned int nr_from;
	bool writes_data;
	struct sink data;
	struct sink lost[BLOCKS_RDNC_MAX];
	uint64_t left; /* bytes of data that are to be read, and written */
	uint64_t to_write;
};

static void on_recovered(struct doca_ec_task_recover *task,
			 union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)ctx_data;
	engine_ended(task_data.ptr);
}

/* Read a stripe of those files that are good. */
static int read_stripe(struct recover *recover, struct slot *slot)
{
	const struct blocks *blocks = &recover->survey.blocks;
	uint64_t stripe = blocks_stripe(blocks);
	unsigned int i;
	size_t got;

	if (!recover->left)
		return 0;
	for (i = 0; i < blocks->data; i++) {
		if (input_read(&recover->from[i], slot->in + i * blocks->chunk,
			       blocks->chunk, &got))
			return -1;
		if (got < blocks->chunk)
			return fail("%s was cut off while it was read",
				    recover->names[i]);
	}
	slot->is_last = recover->left <= stripe;
	recover->left -= slot->is_last ? recover->left : stripe;
	return 1;
}

static int fill(void *arg, struct slot *slot)
{
	struct recover *recover = arg;
	int ret = read_stripe(recover, slot);

	if (ret <= 0)
		return ret;
	return slot_source(slot, 0, blocks_stripe(&recover->survey.blocks)) ||
			       slot_room(slot, 0) ?
		       -1 :
		       1;
}

/* A chunk of data: one of those that were read, or that came back. */
static const uint8_t *chunk_of(const struct recover *recover,
			       const struct slot *slot, uint32_t index)
{
	const struct survey *survey = &recover->survey;
	const uint8_t *chunks = survey->is_good[index] ? slot->in : slot->out;
	unsigned int at = 0;

	if (survey->is_good[index])
		while (survey->good[at] != index)
			at++;
	else
		while (survey->bad[at] != index)
			at++;
	return chunks + at * survey->blocks.chunk;
}

static int write_data(struct recover *recover, const struct slot *slot)
{
	const struct blocks *blocks = &recover->survey.blocks;
	unsigned int i;
	size_t len;

	for (i = 0; i < blocks->data; i++) {
		len = recover->to_write < blocks->chunk ? recover->to_write :
							  blocks->chunk;
		if (sink_write(&recover->data, chunk_of(recover, slot, i), len))
			return -1;
		recover->to_write -= len;
	}
	return 0;
}

static int write_lost(struct recover *recover, const struct slot *slot)
{
	const struct survey *survey = &recover->survey;
	unsigned int i;

	for (i = 0; i < survey->nr_bad; i++)
		if (sink_write(&recover->lost[i],
			       chunk_of(recover, slot, survey->bad[i]),
			       survey->blocks.chunk))
			return -1;
	return 0;
}

static int drain(void *arg, struct slot *slot)
{
	struct recover *recover = arg;
	const struct survey *survey = &recover->survey;
	unsigned int i;

	for (i = 0; i < survey->nr_bad; i++)
		if (digest_add(recover->digests, i,
			       chunk_of(recover, slot, survey->bad[i]),
			       survey->blocks.chunk, slot->is_last))
			return -1;
	if (recover->writes_data ? write_data(recover, slot) :
				   write_lost(recover, slot))
		return -1;
	return digests_wait(recover->digests);
}

static int failed(void *arg, struct slot *slot, doca_error_t err)
{
	(void)arg;
	(void)slot;
	return fail_doca(err, "recovery failed");
}

/* Where no file is lost, no task is needed. */
static int join(struct recover *recover)
{
	struct slot *slot = recover->engine.slots;
	int ret;

	do {
		ret = read_stripe(recover, slot);
		if (ret > 0 && write_data(recover, slot))
			ret = -1;
	} while (ret > 0);
	return ret;
}

/* Lost files are as they were: all others know their digests. */
static int check_lost(struct recover *recover)
{
	const struct survey *survey = &recover->survey;
	const uint8_t *nothing = recover->engine.slots[0].in;
	unsigned int i;

	for (i = 0; i < survey->nr_bad && !survey->blocks.length; i++)
		if (digest_add(recover->digests, i, nothing, 0, true))
			return -1;
	if (digests_wait(recover->digests))
		return -1;
	for (i = 0; i < survey->nr_bad; i++)
		if (memcmp(digest_value(recover->digests, i),
			   survey->blocks.digests[survey->bad[i]],
			   BLOCKS_DIGEST) != 0)
			return fail(
				"what came back for file %u is not what was lost; it was not kept",
				(unsigned int)survey->bad[i]);
	return 0;
}

static int open_files(struct recover *recover, const char *name)
{
	const struct survey *survey = &recover->survey;
	uint8_t header[BLOCKS_HEADER_MAX];
	struct input *in;
	unsigned int i;
	size_t got;

	for (i = 0; i < survey->blocks.data; i++) {
		in = &recover->from[i];
		recover->names[i] = blocks_name(name, survey->good[i]);
		if (!recover->names[i])
			return fail("out of memory");
		if (input_open(in, recover->names[i]))
			return -1;
		recover->nr_from++;
		/* All progress alike. */
		in->progress.on_terminal &= !i;
		if (input_read(in, header, blocks_header_size(&survey->blocks),
			       &got))
			return -1;
	}
	return 0;
}

static void limit(const struct recover *recover, struct sink *sink)
{
	unsigned int i;

	for (i = 0; i < recover->nr_from; i++)
		sink_limit(sink, &recover->from[i]);
}

/* Lost files have names that may be those of damaged ones. */
static int open_lost(struct recover *recover, const char *name)
{
	static const uint8_t none[BLOCKS_HEADER_MAX];
	const struct survey *survey = &recover->survey;
	unsigned int i;
	char *path;
	int ret = 0;

	for (i = 0; i < survey->nr_bad && !ret; i++) {
		path = blocks_name(name, survey->bad[i]);
		if (!path)
			return fail("out of memory");
		ret = sink_open(&recover->lost[i], path, true);
		free(path);
		limit(recover, &recover->lost[i]);
		if (!ret)
			ret = sink_write(&recover->lost[i], none,
					 blocks_header_size(&survey->blocks));
	}
	return ret;
}

static int commit_lost(struct recover *recover)
{
	struct survey *survey = &recover->survey;
	uint8_t *header = recover->engine.slots[0].in;
	unsigned int i;

	for (i = 0; i < survey->nr_bad; i++) {
		survey->blocks.index = survey->bad[i];
		if (blocks_write_header(&survey->blocks, recover->digests,
					header) ||
		    output_write(&recover->lost[i].file, header, 0,
				 blocks_header_size(&survey->blocks)) ||
		    sink_commit(&recover->lost[i]))
			return -1;
		printf("%s: recovered\n", recover->lost[i].file.path);
	}
	return 0;
}

static int start(struct recover *recover)
{
	struct survey *survey = &recover->survey;
	struct engine *engine = &recover->engine;
	struct doca_ec_task_recover *task;
	union doca_data data;
	doca_error_t err;
	unsigned int i;

	err = doca_ec_create(engine->dev, &recover->ec);
	if (err == DOCA_SUCCESS)
		err = doca_ec_task_recover_set_conf(
			recover->ec, on_recovered, on_recovered, engine->depth);
	if (err == DOCA_SUCCESS)
		err = doca_ec_matrix_create(recover->ec, survey->blocks.matrix,
					    survey->blocks.data,
					    survey->blocks.rdnc,
					    &recover->coding);
	if (err == DOCA_SUCCESS)
		err = doca_ec_matrix_create_recover(recover->ec,
						    recover->coding,
						    survey->bad, survey->nr_bad,
						    &recover->matrix);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "the lost files cannot be recovered");
	if (engine_start(engine, doca_ec_as_ctx(recover->ec)))
		return -1;
	for (i = 0; i < engine->depth; i++) {
		data.ptr = &engine->slots[i];
		err = doca_ec_task_recover_allocate_init(
			recover->ec, recover->matrix, engine->slots[i].src,
			engine->slots[i].dst, data, &task);
		if (err != DOCA_SUCCESS)
			return fail_doca(err, "cannot get a task");
		engine->slots[i].task = doca_ec_task_recover_as_task(task);
	}
	recover->digests =
		digests_open(engine, DOCA_SHA_ALGORITHM_SHA256, survey->nr_bad);
	return recover->digests ? 0 : -1;
}

static int run(struct recover *recover, const struct options *opts,
	       struct doca_dev *dev)
{
	const struct engine_work work = { fill, drain, failed, recover };
	const struct survey *survey = &recover->survey;
	const struct blocks *blocks = &survey->blocks;
	const char *name = opts->files[0];

	recover->writes_data = opts->out;
	recover->left = recover->to_write = blocks->length;
	if (engine_open(&recover->engine, dev, ENGINE_DEPTH,
			blocks_stripe(blocks),
			(survey->nr_bad ?: 1) * blocks->chunk) ||
	    open_files(recover, name) ||
	    (opts->out ? sink_open(&recover->data, opts->out, opts->force) :
			 open_lost(recover, name)))
		return -1;
	limit(recover, &recover->data);
	if (!survey->nr_bad) {
		if (join(recover))
			return -1;
	} else if (start(recover) || engine_run(&recover->engine, &work) ||
		   check_lost(recover)) {
		return -1;
	}
	progress_end(&recover->from[0].progress);
	return opts->out ? sink_commit(&recover->data) : commit_lost(recover);
}

static void tear_down(struct recover *recover)
{
	unsigned int i;

	digests_close(recover->digests);
	engine_stop(&recover->engine);
	if (recover->matrix)
		doca_ec_matrix_destroy(recover->matrix);
	if (recover->coding)
		doca_ec_matrix_destroy(recover->coding);
	if (recover->ec)
		doca_ec_destroy(recover->ec);
	engine_close(&recover->engine);
	sink_close(&recover->data);
	for (i = 0; i < BLOCKS_RDNC_MAX; i++)
		sink_close(&recover->lost[i]);
	for (i = 0; i < recover->nr_from; i++)
		input_close(&recover->from[i]);
	for (i = 0; i < BLOCKS_DATA_MAX; i++)
		free(recover->names[i]);
}

/* Files that are of no use here may be so beside others that are elsewhere. */
static bool spares_others(const struct survey *survey,
			  const struct options *opts)
{
	if (!survey->is_second || !survey->has_others || opts->out ||
	    opts->force)
		return false;
	hint("With -f they may be replaced; with -o the data is written elsewhere.");
	return true;
}

int command_recover(const struct options *opts, struct doca_dev *dev)
{
	struct recover *recover = calloc(1, sizeof(*recover));
	struct survey *survey;
	int ret;

	if (!recover)
		return fail("out of memory");
	survey = &recover->survey;
	ret = survey_files(survey, opts->files[0], dev);
	if (!ret && survey->nr_good < survey->blocks.data)
		ret = survey_hopeless(survey, opts->files[0]);
	else if (!ret && opts->test)
		ret = survey->nr_bad ? -1 : 0;
	else if (!ret && spares_others(survey, opts))
		ret = -1;
	else if (!ret && (opts->out || survey->nr_bad))
		ret = run(recover, opts, dev);
	tear_down(recover);
	free(recover);
	return ret;
}
