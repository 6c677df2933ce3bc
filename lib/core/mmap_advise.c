// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Advice on memory: a context with one type of task, which the driver checks. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <doca_error.h>
#include <doca_mmap_advise.h>

#include "caps.h"
#include "ctx.h"
#include "log.h"
#include "segs.h"
#include "task.h"

LOG_SOURCE("COMMON::MMAP_ADVISE");

typedef doca_mmap_advise_task_invalidate_cache_completion_cb_t advise_cb_t;

struct advise_limits {
	uint32_t tasks; /* of one context */
	uint64_t length; /* bytes of one task */
};

struct doca_mmap_advise {
	struct doca_ctx ctx;
	struct task_pool invalidate;
	advise_cb_t done;
	advise_cb_t failed;
	struct advise_limits limits;
};

struct doca_mmap_advise_task_invalidate_cache {
	struct doca_task task;
	struct doca_buf *buf;
};

static inline struct doca_mmap_advise_task_invalidate_cache *
to_invalidate(const struct doca_task *task)
{
	return list_entry(task, struct doca_mmap_advise_task_invalidate_cache,
			  task);
}

static inline struct doca_mmap_advise *to_advise(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_mmap_advise, ctx);
}

static doca_error_t limits_get(struct advise_limits *limits)
{
	struct doca_query caps;
	doca_error_t ret;

	ret = doca_priv_caps(&caps);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!(caps.out_opcodes & (1ULL << DOCA_OP_INVALIDATE)))
		return DOCA_ERROR_NOT_SUPPORTED;
	limits->tasks = caps.out_max_queue_entries;
	limits->length = caps.out_max_length;
	return DOCA_SUCCESS;
}

static doca_error_t invalidate_validate(const struct doca_task *task)
{
	const struct doca_buf *buf = to_invalidate(task)->buf;
	uint64_t max = to_advise(task->ctx)->limits.length;
	const char *why;

	if (!buf)
		why = "it has no buffer";
	else if (doca_priv_buf_next(buf))
		why = "its buffer is a list";
	else if (!doca_priv_buf_key(buf, task->ctx->dev))
		why = "the mmap of its buffer is not started or lacks the "
		      "device of the context";
	else if (!doca_priv_mmap_writable(buf->mmap))
		why = "the mmap of its buffer does not allow writes";
	else if (doca_priv_buf_data_len(buf) > max)
		why = "its buffer has more data than one task may be about";
	else
		return DOCA_SUCCESS;
	LOG_ERR("cache invalidation task %p: %s", (const void *)task, why);
	return DOCA_ERROR_INVALID_VALUE;
}

static bool invalidate_unkeyed(const struct doca_task *task)
{
	return segs_source_unkeyed(to_invalidate(task)->buf, task->ctx->dev);
}

/* The flag of a list without a run makes the driver refuse the entry. */
static void invalidate_submit(struct doca_task *task, struct doca_sqe *sqe,
			      struct doca_seg *run, uint32_t first)
{
	struct doca_buf *buf = to_invalidate(task)->buf;
	struct segs segs = { .dev = task->ctx->dev };

	(void)run;
	(void)first;
	sqe->opcode = DOCA_OP_INVALIDATE;
	if (doca_unlikely(!buf))
		return;
	if (doca_unlikely(doca_priv_buf_next(buf)))
		sqe->flags = DOCA_SQE_DST_LIST;
	segs_source(&segs, buf, &sqe->dst);
	doca_priv_buf_hold(buf);
}

static void invalidate_finish(struct doca_task *task, uint32_t length,
			      uint64_t result)
{
	struct doca_buf *buf = to_invalidate(task)->buf;

	(void)length;
	(void)result;
	if (doca_likely(buf))
		doca_priv_buf_unhold(buf);
}

static void invalidate_done(struct doca_task *task)
{
	struct doca_mmap_advise *advise = to_advise(task->ctx);

	advise->done(to_invalidate(task), task->user_data,
		     advise->ctx.user_data);
}

static void invalidate_failed(struct doca_task *task)
{
	struct doca_mmap_advise *advise = to_advise(task->ctx);

	advise->failed(to_invalidate(task), task->user_data,
		       advise->ctx.user_data);
}

static const struct task_type invalidate_type = {
	.size = sizeof(struct doca_mmap_advise_task_invalidate_cache),
	.validate = invalidate_validate,
	.unkeyed = invalidate_unkeyed,
	.submit = invalidate_submit,
	.finish = invalidate_finish,
	.done = invalidate_done,
	.failed = invalidate_failed,
};

static doca_error_t advise_check(const struct doca_ctx *ctx)
{
	if (to_advise(ctx)->invalidate.num)
		return DOCA_SUCCESS;
	LOG_ERR("cannot start mmap advise %p: no tasks are enabled; call "
		"doca_mmap_advise_task_invalidate_cache_set_conf()",
		(const void *)ctx);
	return DOCA_ERROR_INVALID_VALUE;
}

static const struct ctx_ops advise_ops = {
	.name = "mmap advise",
	.check = advise_check,
};

doca_error_t doca_mmap_advise_create(struct doca_dev *dev,
				     struct doca_mmap_advise **mmap_advise)
{
	struct doca_mmap_advise *new;
	doca_error_t ret;

	if (!dev || !mmap_advise)
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	ret = limits_get(&new->limits);
	if (ret != DOCA_SUCCESS) {
		free(new);
		return ret;
	}
	new->invalidate.type = &invalidate_type;
	doca_priv_ctx_init(&new->ctx, &advise_ops, dev, &new->invalidate, 1);
	*mmap_advise = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise)
{
	doca_error_t ret;

	if (!mmap_advise)
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_priv_ctx_fini(&mmap_advise->ctx);
	if (ret == DOCA_SUCCESS)
		free(mmap_advise);
	return ret;
}

struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise)
{
	return mmap_advise ? &mmap_advise->ctx : NULL;
}

doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
	const struct doca_devinfo *devinfo)
{
	struct advise_limits limits;

	return devinfo ? limits_get(&limits) : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
	struct advise_limits limits;
	doca_error_t ret;

	if (!devinfo || !buf_size)
		return DOCA_ERROR_INVALID_VALUE;
	ret = limits_get(&limits);
	if (ret == DOCA_SUCCESS)
		*buf_size = limits.length;
	return ret;
}

doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise, advise_cb_t completion_cb,
	advise_cb_t error_cb, uint32_t num_tasks)
{
	if (!mmap_advise || !completion_cb || !error_cb || !num_tasks)
		return DOCA_ERROR_INVALID_VALUE;
	if (!doca_priv_ctx_idle(&mmap_advise->ctx)) {
		LOG_ERR("cannot configure mmap advise %p: it is started",
			(void *)mmap_advise);
		return DOCA_ERROR_BAD_STATE;
	}
	if (num_tasks > mmap_advise->limits.tasks) {
		LOG_ERR("%u tasks are more than one context may have, %u",
			num_tasks, mmap_advise->limits.tasks);
		return DOCA_ERROR_INVALID_VALUE;
	}
	mmap_advise->done = completion_cb;
	mmap_advise->failed = error_cb;
	mmap_advise->invalidate.num = num_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
	struct doca_mmap_advise *mmap_advise, struct doca_buf *buf,
	union doca_data user_data,
	struct doca_mmap_advise_task_invalidate_cache **task)
{
	struct doca_task *base;
	doca_error_t ret;

	if (!mmap_advise || !task)
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_priv_task_alloc(&mmap_advise->ctx, &mmap_advise->invalidate,
				   user_data, &base);
	if (ret != DOCA_SUCCESS)
		return ret;
	*task = to_invalidate(base);
	(*task)->buf = buf;
	return DOCA_SUCCESS;
}

struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
	struct doca_mmap_advise_task_invalidate_cache *task)
{
	return task ? &task->task : NULL;
}

/* The buffer of a task in flight is held; another one could not be let go. */
void doca_mmap_advise_task_invalidate_cache_set_buf(
	struct doca_mmap_advise_task_invalidate_cache *task,
	struct doca_buf *buf)
{
	if (!task)
		return;
	if (task_is_inflight(&task->task)) {
		LOG_ERR("cache invalidation task %p: its buffer cannot be "
			"changed, it is in flight",
			(void *)task);
		return;
	}
	task->buf = buf;
}

struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
	const struct doca_mmap_advise_task_invalidate_cache *task)
{
	return task ? task->buf : NULL;
}
