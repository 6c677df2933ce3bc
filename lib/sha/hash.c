// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task for a whole hash. */
#include <doca_error.h>

#include "sha.h"

LOG_SOURCE("SHA::HASH");

struct doca_sha_task_hash {
	struct doca_task task;
	enum doca_sha_algorithm algorithm;
};

static struct doca_sha_task_hash *hash_of(const struct doca_task *task)
{
	return list_entry(task, struct doca_sha_task_hash, task);
}

static doca_error_t hash_validate(const struct doca_task *task)
{
	struct task_bytes bytes;
	doca_error_t ret;

	ret = doca_priv_task_check(task, &bytes);
	if (ret != DOCA_SUCCESS)
		return ret;
	return sha_check_room(task, hash_of(task)->algorithm, bytes.dst);
}

static void hash_prepare(struct doca_task *task, struct doca_sqe *sqe,
			 struct doca_seg *run, uint32_t first)
{
	sha_prepare_src(task, hash_of(task)->algorithm, sqe, run, first);
	sha_prepare_dst(task, task_hold_dst(task), sqe);
	sqe->flags |= DOCA_SQE_HASH_FIRST;
}

static void hash_finish(struct doca_task *task, uint32_t length,
			const uint64_t *result)
{
	(void)result;
	task_finish_bufs(task, length);
}

DEFINE_TASK(doca_sha_task_hash)

const struct task_type sha_hash = {
	TASK_OBJECT(doca_sha_task_hash),
	.name = "hash",
	.src = { .name = "source", .list = true, .data = true, .empty = true },
	.dst = { .name = "destination", .writes = true },
	.validate = hash_validate,
	.finish = hash_finish,
	.ring = { .opcode = DOCA_OP_HASH, .prepare = hash_prepare },
};

DEFINE_SET_CONF_LOG(doca_sha_task_hash_set_conf, doca_sha, SHA_HASH,
		    doca_sha_task_hash)
DEFINE_ALLOC(doca_sha, SHA_HASH, doca_sha_task_hash)
DEFINE_AS_TASK(doca_sha_task_hash_as_task, doca_sha_task_hash)
DEFINE_GET_BUF(doca_sha_task_hash_get_src, doca_sha_task_hash,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_sha_task_hash_get_dst, doca_sha_task_hash,
	       const struct doca_buf, dst)
DEFINE_TRY_SET_BUF(doca_sha_task_hash_set_src, doca_sha_task_hash,
		   const struct doca_buf, src)
DEFINE_TRY_SET_BUF(doca_sha_task_hash_set_dst, doca_sha_task_hash,
		   struct doca_buf, dst)
DEFINE_TASK_GET(doca_sha_task_hash_get_algorithm, doca_sha_task_hash,
		enum doca_sha_algorithm, algorithm)

doca_error_t doca_sha_task_hash_set_algorithm(struct doca_sha_task_hash *task,
					      enum doca_sha_algorithm algorithm)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = sha_try_set_algorithm(TASK_OF(task), &doca_sha_task_hash_object_,
				    algorithm, &site);
	if (ret == DOCA_SUCCESS)
		task->algorithm = algorithm;
	return ret;
}

doca_error_t doca_sha_task_hash_alloc_init(struct doca_sha *sha,
					   enum doca_sha_algorithm algorithm,
					   const struct doca_buf *src,
					   struct doca_buf *dst,
					   union doca_data user_data,
					   struct doca_sha_task_hash **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_ctx(sha, doca_sha) || !valid_or_null(src) ||
	    !valid_or_null(dst) || !given(task))
		return DOCA_ERROR_INVALID_VALUE;
	ret = sha_check_algorithm(&sha->pools[SHA_HASH].limits, algorithm,
				  DOCA_LOG_LEVEL_ERROR, &site);
	if (ret == DOCA_SUCCESS)
		ret = doca_sha_task_hash_alloc_(sha, user_data, task, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&(*task)->task, src);
	task_set_dst(&(*task)->task, dst);
	(*task)->algorithm = algorithm;
	return DOCA_SUCCESS;
}
