// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The SHA context. */
#include <doca_error.h>

#include "core/exec/batch.h"
#include "sha.h"

LOG_SOURCE("SHA");

static const struct task_type *const tasks[SHA_TASKS] = {
	[SHA_PARTIAL_HASH] = &sha_partial_hash,
	[SHA_HASH] = &sha_hash,
};

static doca_error_t sha_queue(const struct doca_ctx *ctx,
			      struct driver_queue_attr *attr)
{
	attr->sessions = pool_tasks(&ctx->pools[SHA_PARTIAL_HASH]);
	return DOCA_SUCCESS;
}

const struct ctx_type doca_sha_type = {
	CTX_OBJECT(doca_sha, tasks),
	.name = "SHA",
	.queue = sha_queue,
};

DEFINE_CREATE(doca_sha_create, doca_sha)
DEFINE_DESTROY(doca_sha_destroy, doca_sha)
DEFINE_AS_CTX(doca_sha_as_ctx, doca_sha)
DEFINE_CAP_MAX_TASKS(doca_sha_cap_get_max_num_tasks, doca_sha, SHA_PARTIAL_HASH)
