// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task for a hash in parts, each of which is a submission. */
#include <doca_error.h>

#include "sha.h"

LOG_SOURCE("SHA::PARTIAL_HASH");

struct doca_sha_task_partial_hash {
	struct doca_task task;
	enum doca_sha_algorithm algorithm;
	bool begun; /* the first part was submitted */
	bool final; /* the next part is the last */
	bool has_result; /* the digest was written */
};

static struct doca_sha_task_partial_hash *part_of(const struct doca_task *task)
{
	return list_entry(task, struct doca_sha_task_partial_hash, task);
}

static doca_error_t part_validate(const struct doca_task *task)
{
	const struct doca_sha_task_partial_hash *part = part_of(task);
	struct task_bytes bytes;
	uint32_t block;
	doca_error_t ret;

	if (part->has_result)
		return FAIL(INVALID_VALUE,
			    "partial hash task %p: its digest was written; "
			    "call doca_sha_task_partial_hash_reset()",
			    (const void *)task);
	if (part->final) {
		ret = doca_priv_task_check(task, &bytes);
		if (ret != DOCA_SUCCESS)
			return ret;
		return sha_check_room(task, part->algorithm, bytes.dst);
	}
	ret = doca_priv_task_check_src(task, &bytes);
	block = sha_algorithms[part->algorithm].block;
	if (ret != DOCA_SUCCESS || (bytes.src && bytes.src % block == 0))
		return ret;
	return FAIL(INVALID_VALUE,
		    "partial hash task %p: the source has %llu bytes; it must "
		    "be a multiple of %u, or be the final buffer",
		    (const void *)task, (unsigned long long)bytes.src, block);
}

static void part_prepare(struct doca_task *task, struct doca_sqe *sqe,
			 struct doca_seg *run, uint32_t first)
{
	struct doca_sha_task_partial_hash *part = part_of(task);
	/* It is held in any case, but is of no interest before the end. */
	const struct doca_buf *dst = task_hold_dst(task);

	sha_prepare_src(task, part->algorithm, sqe, run, first);
	if (!part->begun)
		sqe->flags |= DOCA_SQE_HASH_FIRST;
	if (part->final)
		sha_prepare_dst(task, dst, sqe);
	if (part->begun || !part->final)
		sqe->aux = task->index + 1;
	part->begun = true;
}

static void part_finish(struct doca_task *task, uint32_t length,
			const uint64_t *result)
{
	struct doca_sha_task_partial_hash *part = part_of(task);

	(void)result;
	task_finish_bufs(task, length);
	if (task->status == DOCA_SUCCESS && part->final)
		part->has_result = true;
}

/* Each has a session. */
static void part_limit(struct task_limits *limits)
{
	const uint32_t max = 4096;

	if (limits->tasks > max)
		limits->tasks = max;
}

DEFINE_TASK(doca_sha_task_partial_hash)

const struct task_type sha_partial_hash = {
	TASK_OBJECT(doca_sha_task_partial_hash),
	.name = "partial hash",
	.src = { .name = "source", .list = true, .data = true, .empty = true },
	.dst = { .name = "destination", .writes = true, .optional = true },
	.limit = part_limit,
	.validate = part_validate,
	.finish = part_finish,
	.ring = { .opcode = DOCA_OP_HASH, .prepare = part_prepare },
};

DEFINE_SET_CONF_LOG(doca_sha_task_partial_hash_set_conf, doca_sha,
		    SHA_PARTIAL_HASH, doca_sha_task_partial_hash)
DEFINE_ALLOC(doca_sha, SHA_PARTIAL_HASH, doca_sha_task_partial_hash)
DEFINE_AS_TASK(doca_sha_task_partial_hash_as_task, doca_sha_task_partial_hash)
DEFINE_GET_BUF(doca_sha_task_partial_hash_get_src, doca_sha_task_partial_hash,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_sha_task_partial_hash_get_dst, doca_sha_task_partial_hash,
	       const struct doca_buf, dst)
DEFINE_TRY_SET_BUF(doca_sha_task_partial_hash_set_src,
		   doca_sha_task_partial_hash, const struct doca_buf, src)
DEFINE_TRY_SET_BUF(doca_sha_task_partial_hash_set_dst,
		   doca_sha_task_partial_hash, struct doca_buf, dst)
DEFINE_TASK_GET(doca_sha_task_partial_hash_get_algorithm,
		doca_sha_task_partial_hash, enum doca_sha_algorithm, algorithm)
DEFINE_TASK_GET(doca_sha_task_partial_hash_get_is_final,
		doca_sha_task_partial_hash, uint8_t, final)
DEFINE_TASK_GET(doca_sha_task_partial_hash_get_has_result,
		doca_sha_task_partial_hash, uint8_t, has_result)

doca_error_t doca_sha_task_partial_hash_set_algorithm(
	struct doca_sha_task_partial_hash *task,
	enum doca_sha_algorithm algorithm)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = sha_try_set_algorithm(TASK_OF(task),
				    &doca_sha_task_partial_hash_object_,
				    algorithm, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (task->begun)
		return FAIL(BAD_STATE,
			    "partial hash task %p: its hash was begun with "
			    "another algorithm; call "
			    "doca_sha_task_partial_hash_reset() before",
			    (void *)task);
	task->algorithm = algorithm;
	return DOCA_SUCCESS;
}

doca_error_t doca_sha_task_partial_hash_set_is_final_buf(
	struct doca_sha_task_partial_hash *task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = doca_priv_task_try_set(
		TASK_OF(task), &doca_sha_task_partial_hash_object_, &site);
	if (ret == DOCA_SUCCESS)
		task->final = true;
	return ret;
}

static void begin_anew(struct doca_sha_task_partial_hash *task)
{
	task->begun = false;
	task->final = false;
	task->has_result = false;
}

doca_error_t
doca_sha_task_partial_hash_reset(struct doca_sha_task_partial_hash *task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = doca_priv_task_try_set(
		TASK_OF(task), &doca_sha_task_partial_hash_object_, &site);
	if (ret == DOCA_SUCCESS)
		begin_anew(task);
	return ret;
}

doca_error_t doca_sha_task_partial_hash_alloc_init(
	struct doca_sha *sha, enum doca_sha_algorithm algorithm,
	const struct doca_buf *src, struct doca_buf *dst,
	union doca_data user_data, struct doca_sha_task_partial_hash **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_ctx(sha, doca_sha) || !valid_or_null(src) ||
	    !valid_or_null(dst) || !given(task))
		return DOCA_ERROR_INVALID_VALUE;
	ret = sha_check_algorithm(&sha->pools[SHA_PARTIAL_HASH].limits,
				  algorithm, DOCA_LOG_LEVEL_ERROR, &site);
	if (ret == DOCA_SUCCESS)
		ret = doca_sha_task_partial_hash_alloc_(sha, user_data, task,
							&site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&(*task)->task, src);
	task_set_dst(&(*task)->task, dst);
	(*task)->algorithm = algorithm;
	begin_anew(*task);
	return DOCA_SUCCESS;
}
