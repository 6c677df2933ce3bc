// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Advice on memory: a context with one type of task. The driver checks the advice. */
#include <doca_error.h>
#include <doca_mmap_advise.h>

#include "core/exec/library.h"
#include "core/exec/task_bufs.h"

LOG_SOURCE("COMMON::MMAP_ADVISE");

enum { ADVISE_INVALIDATE, ADVISE_TASKS };

struct doca_mmap_advise {
	struct doca_ctx ctx;
	struct task_pool pools[ADVISE_TASKS];
};

/* The buffer is the destination, because its contents become undefined. */
struct doca_mmap_advise_task_invalidate_cache {
	struct doca_task task;
};

static doca_error_t invalidate_validate(const struct doca_task *task)
{
	struct task_bytes bytes;

	return doca_priv_task_check(task, &bytes);
}

/* The flag of a list without a run makes the driver refuse the entry. */
static void invalidate_prepare(struct doca_task *task, struct doca_sqe *sqe,
			       struct doca_seg *run, uint32_t first)
{
	struct doca_buf *buf = task_hold_dst(task);
	struct segs segs = { .dev = task->ctx->dev };

	(void)run;
	(void)first;
	sqe->opcode = task->opcode;
	if (doca_unlikely(!buf))
		return;
	if (doca_unlikely(doca_priv_buf_next(buf)))
		sqe->flags = DOCA_SQE_DST_LIST;
	segs_source(&segs, buf, &sqe->dst);
	if (doca_unlikely(segs_empty(buf)))
		sqe->dst.key = 0;
}

static void invalidate_finish(struct doca_task *task, uint32_t length,
			      const uint64_t *result)
{
	(void)length;
	(void)result;
	task_unhold_bufs(task);
}

DEFINE_TASK(doca_mmap_advise_task_invalidate_cache)

static const struct task_type invalidate = {
	TASK_OBJECT(doca_mmap_advise_task_invalidate_cache),
	.name = "cache invalidation",
	.dst = { .name = "buffer", .data = true, .writes = true },
	.validate = invalidate_validate,
	.finish = invalidate_finish,
	.ring = {
		.opcode = DOCA_OP_INVALIDATE,
		.prepare = invalidate_prepare,
	},
};

static const struct task_type *const tasks[ADVISE_TASKS] = { &invalidate };

const struct ctx_type doca_mmap_advise_type = {
	CTX_OBJECT(doca_mmap_advise, tasks),
	.name = "mmap advise",
};

DEFINE_CREATE(doca_mmap_advise_create, doca_mmap_advise)
DEFINE_DESTROY(doca_mmap_advise_destroy, doca_mmap_advise)
DEFINE_AS_CTX(doca_mmap_advise_as_ctx, doca_mmap_advise)
DEFINE_CAP_SUPPORTED(doca_mmap_advise_cap_task_cache_invalidate_is_supported,
		     invalidate)
DEFINE_CAP_LIMIT(doca_mmap_advise_task_cache_invalidate_get_max_buf_size,
		 invalidate, uint64_t, length)
DEFINE_SET_CONF(doca_mmap_advise_task_invalidate_cache_set_conf,
		doca_mmap_advise, ADVISE_INVALIDATE,
		doca_mmap_advise_task_invalidate_cache)
DEFINE_ALLOC(doca_mmap_advise, ADVISE_INVALIDATE,
	     doca_mmap_advise_task_invalidate_cache)
DEFINE_AS_TASK(doca_mmap_advise_task_invalidate_cache_as_doca_task,
	       doca_mmap_advise_task_invalidate_cache)
DEFINE_SET_BUF(doca_mmap_advise_task_invalidate_cache_set_buf,
	       doca_mmap_advise_task_invalidate_cache, struct doca_buf, dst)
DEFINE_GET_BUF(doca_mmap_advise_task_invalidate_cache_get_buf,
	       doca_mmap_advise_task_invalidate_cache, struct doca_buf, dst)

doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
	struct doca_mmap_advise *mmap_advise, struct doca_buf *buf,
	union doca_data user_data,
	struct doca_mmap_advise_task_invalidate_cache **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_or_null(buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_mmap_advise_task_invalidate_cache_alloc_(
		mmap_advise, user_data, task, &site);
	if (ret == DOCA_SUCCESS)
		task_set_dst(&(*task)->task, buf);
	return ret;
}
