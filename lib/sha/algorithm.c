// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Algorithms, and the entries of tasks that have one. */
#include <doca_error.h>

#include "sha.h"

LOG_SOURCE("SHA");

const struct sha_algorithm sha_algorithms[] = {
	[DOCA_SHA_ALGORITHM_SHA1] = { DOCA_HASH_SHA1, 20, 64 },
	[DOCA_SHA_ALGORITHM_SHA256] = { DOCA_HASH_SHA256, 32, 64 },
	[DOCA_SHA_ALGORITHM_SHA512] = { DOCA_HASH_SHA512, 64, 128 },
};

#define NR_ALGORITHMS (sizeof(sha_algorithms) / sizeof(sha_algorithms[0]))

doca_error_t sha_check_algorithm(const struct task_limits *limits,
				 enum doca_sha_algorithm algorithm,
				 uint32_t level, const struct log_site *site)
{
	if ((unsigned int)algorithm >= NR_ALGORITHMS)
		return FAIL_AT(
			site, INVALID_VALUE,
			"%s(): invalid argument: there is no algorithm %d",
			site->func, (int)algorithm);
	if (limits->variants >> sha_algorithms[algorithm].number & 1)
		return DOCA_SUCCESS;
	LOG_AT(site, level, "%s(): the device does not have algorithm %d",
	       site->func, (int)algorithm);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t sha_check_room(const struct doca_task *task,
			    enum doca_sha_algorithm algorithm, uint64_t room)
{
	uint32_t digest = sha_algorithms[algorithm].digest;

	if (room >= digest)
		return DOCA_SUCCESS;
	return FAIL(INVALID_VALUE,
		    "%s task %p: the destination has room for %llu bytes, "
		    "the digest has %u",
		    task->type->name, (const void *)task,
		    (unsigned long long)room, digest);
}

void sha_prepare_src(struct doca_task *task, enum doca_sha_algorithm algorithm,
		     struct doca_sqe *sqe, struct doca_seg *run, uint32_t first)
{
	struct doca_buf *src = task_hold_src(task);
	struct segs segs = task_segs(task, run, first);

	sqe->opcode = task->opcode;
	sqe->flags = segs_from_data(&segs, src, &sqe->src);
	sqe->hash.algorithm = sha_algorithms[algorithm].number;
}

void sha_prepare_dst(const struct doca_task *task, const struct doca_buf *dst,
		     struct doca_sqe *sqe)
{
	struct segs segs = { .dev = task->ctx->dev };

	sqe->flags |= DOCA_SQE_HASH_LAST;
	/* A list has no run: it is as if it were missing. */
	if (dst && !doca_priv_buf_next(dst))
		segs_from_destination(&segs, dst, &sqe->dst);
}

doca_error_t sha_try_set_algorithm(const struct doca_task *task,
				   const struct object_type *object,
				   enum doca_sha_algorithm algorithm,
				   const struct log_site *site)
{
	doca_error_t ret = doca_priv_task_try_set(task, object, site);

	if (ret != DOCA_SUCCESS)
		return ret;
	return sha_check_algorithm(&task->pool->limits, algorithm,
				   DOCA_LOG_LEVEL_ERROR, site);
}
