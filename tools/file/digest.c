// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include <doca_error.h>

#include "data/msg.h"
#include "digest.h"

struct digest {
	struct doca_buf *part;
	struct doca_buf *result;
	struct doca_sha_task_partial_hash *task;
};

struct digests {
	struct engine *engine;
	struct doca_sha *sha;
	struct doca_buf_inventory *inventory;
	struct region results; /* DIGEST_MAX bytes each */
	unsigned int nr;
	unsigned int busy; /* tasks in flight */
	bool are_idle;
	doca_error_t error;
	struct digest all[];
};

size_t digest_size(enum doca_sha_algorithm algorithm)
{
	static const size_t sizes[] = {
		[DOCA_SHA_ALGORITHM_SHA1] = 20,
		[DOCA_SHA_ALGORITHM_SHA256] = 32,
		[DOCA_SHA_ALGORITHM_SHA512] = 64,
	};

	return sizes[algorithm];
}

static void on_part(struct doca_sha_task_partial_hash *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct digests *digests = ctx_data.ptr;
	doca_error_t err =
		doca_task_get_status(doca_sha_task_partial_hash_as_task(task));

	(void)task_data;
	if (err != DOCA_SUCCESS && digests->error == DOCA_SUCCESS)
		digests->error = err;
	digests->are_idle = !--digests->busy;
}

static uint8_t binary_log(unsigned int nr)
{
	uint8_t log = 0;

	while (1U << log < nr)
		log++;
	return log;
}

static int start(struct digests *digests)
{
	union doca_data self = { .ptr = digests };
	struct doca_ctx *ctx;
	doca_error_t err;

	err = doca_sha_create(digests->engine->dev, &digests->sha);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot make digests");
	ctx = doca_sha_as_ctx(digests->sha);
	err = doca_sha_task_partial_hash_set_conf(
		digests->sha, on_part, on_part, binary_log(digests->nr));
	if (err == DOCA_SUCCESS)
		err = doca_ctx_set_user_data(ctx, self);
	if (err == DOCA_SUCCESS)
		err = doca_pe_connect_ctx(digests->engine->pe, ctx);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(ctx);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_create(2 * digests->nr,
						&digests->inventory);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_start(digests->inventory);
	return err == DOCA_SUCCESS ? 0 : fail_doca(err, "cannot make digests");
}

/* A part may be anywhere in the engine's memory. */
static int make_digest(struct digests *digests, unsigned int i,
		       enum doca_sha_algorithm algorithm)
{
	struct region *parts = &digests->engine->memory;
	struct digest *digest = &digests->all[i];
	union doca_data none = { 0 };
	doca_error_t err;

	err = doca_buf_inventory_buf_get_by_addr(digests->inventory,
						 parts->mmap, parts->addr,
						 parts->len, &digest->part);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_buf_get_by_addr(
			digests->inventory, digests->results.mmap,
			digests->results.addr + (size_t)i * DIGEST_MAX,
			DIGEST_MAX, &digest->result);
	if (err == DOCA_SUCCESS)
		err = doca_sha_task_partial_hash_alloc_init(
			digests->sha, algorithm, digest->part, digest->result,
			none, &digest->task);
	return err == DOCA_SUCCESS ? 0 : fail_doca(err, "cannot get a task");
}

struct digests *digests_open(struct engine *engine,
			     enum doca_sha_algorithm algorithm, unsigned int nr)
{
	struct digests *digests =
		calloc(1, sizeof(*digests) + nr * sizeof(digests->all[0]));
	unsigned int i;

	if (!digests) {
		fail("out of memory");
		return NULL;
	}
	digests->engine = engine;
	digests->nr = nr;
	digests->are_idle = true;
	if (start(digests) ||
	    region_alloc(&digests->results, (size_t)nr * DIGEST_MAX) ||
	    region_open(&digests->results, engine->dev,
			DOCA_ACCESS_FLAG_LOCAL_READ_WRITE))
		goto err;
	for (i = 0; i < nr; i++)
		if (make_digest(digests, i, algorithm))
			goto err;
	return digests;
err:
	digests_close(digests);
	return NULL;
}

static void stop(struct digests *digests)
{
	struct doca_ctx *ctx = doca_sha_as_ctx(digests->sha);
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
	unsigned int i;

	doca_ctx_stop(ctx);
	while (digests->busy)
		doca_pe_progress(digests->engine->pe);
	for (i = 0; i < digests->nr; i++)
		if (digests->all[i].task)
			doca_task_free(doca_sha_task_partial_hash_as_task(
				digests->all[i].task));
	while (doca_ctx_get_state(ctx, &state) == DOCA_SUCCESS &&
	       state != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(digests->engine->pe);
	doca_sha_destroy(digests->sha);
}

void digests_close(struct digests *digests)
{
	unsigned int i;

	if (!digests)
		return;
	if (digests->sha)
		stop(digests);
	for (i = 0; i < digests->nr; i++) {
		if (digests->all[i].part)
			doca_buf_dec_refcount(digests->all[i].part, NULL);
		if (digests->all[i].result)
			doca_buf_dec_refcount(digests->all[i].result, NULL);
	}
	if (digests->inventory)
		doca_buf_inventory_destroy(digests->inventory);
	region_free(&digests->results);
	free(digests);
}

int digests_reset(struct digests *digests)
{
	doca_error_t err = DOCA_SUCCESS;
	unsigned int i;

	if (engine_wait(digests->engine, &digests->are_idle))
		return -1;
	digests->error = DOCA_SUCCESS;
	for (i = 0; i < digests->nr && err == DOCA_SUCCESS; i++) {
		err = doca_buf_reset_data_len(digests->all[i].result);
		if (err == DOCA_SUCCESS)
			err = doca_sha_task_partial_hash_reset(
				digests->all[i].task);
	}
	return err == DOCA_SUCCESS ? 0 :
				     fail_doca(err, "cannot begin a digest");
}

int digest_add(struct digests *digests, unsigned int i, const void *part,
	       size_t len, bool is_last)
{
	struct digest *digest = &digests->all[i];
	doca_error_t err;

	err = doca_buf_set_data(digest->part, (void *)part, len);
	if (err == DOCA_SUCCESS && is_last)
		err = doca_sha_task_partial_hash_set_is_final_buf(digest->task);
	if (err == DOCA_SUCCESS)
		err = doca_task_submit(
			doca_sha_task_partial_hash_as_task(digest->task));
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot submit a task");
	/* Only progress calls back. */
	digests->busy++;
	digests->are_idle = false;
	return 0;
}

int digests_wait(struct digests *digests)
{
	if (engine_wait(digests->engine, &digests->are_idle))
		return -1;
	return digests->error == DOCA_SUCCESS ?
		       0 :
		       fail_doca(digests->error, "a digest failed");
}

const uint8_t *digest_value(const struct digests *digests, unsigned int i)
{
	return digests->results.addr + (size_t)i * DIGEST_MAX;
}
