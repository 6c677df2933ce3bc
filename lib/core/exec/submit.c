// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Submission of tasks: plain ones on the short path, others to the lane of their context. */
#include <doca_error.h>

#include "core/base/log.h"
#include "core/objects.h"
#include "ctx.h"
#include "pe.h"
#include "plain.h"
#include "task.h"
#include "task_bufs.h"

LOG_SOURCE("COMMON::TASK");

#define SUBMIT_FLAGS \
	(DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS)

static const char *not_owned(const struct doca_task *task)
{
	switch (task->state) {
	case TASK_FREE:
		return "was freed";
	case TASK_HELD:
		return "is in an instance of a graph that is in flight";
	default:
		return "is in flight";
	}
}

static doca_error_t submit_refused(const struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;

	if (task->state != TASK_OWNED) {
		LOG_ERR("cannot submit task %p of %s %p: it %s",
			(const void *)task, ctx->type->name, (const void *)ctx,
			not_owned(task));
		return DOCA_ERROR_BAD_STATE;
	}
	return tasks_refused(ctx);
}

static inline void queue(struct doca_task *task, bool flush)
{
	struct doca_ctx *ctx = task->ctx;

	pe_visit(ctx->pe, ctx);
	ctx_open(ctx);
	task->state = TASK_INFLIGHT;
	ctx->inflight++;
	ctx->lane->submit(task, flush);
}

void task_queue(struct doca_task *task, bool flush)
{
	queue(task, flush);
}

/* If the call fails, progress repeats it. */
void tasks_publish(struct doca_ctx *ctx)
{
	ctx->lane->flush(ctx);
}

/* Check the state of the task, because lanes have room for each task only once. */
doca_error_t task_submit_any(struct doca_task *task, bool flush)
{
	struct doca_ctx *ctx = task->ctx;

	if (task->state != TASK_OWNED || !tasks_accepted(ctx))
		return submit_refused(task);
	if (doca_unlikely(ctx->traced))
		LOG_TRC("%s %p: task %p is submitted", ctx->type->name,
			(void *)ctx, (void *)task);
	queue(task, flush);
	return DOCA_SUCCESS;
}

__attribute__((always_inline)) static inline doca_error_t
submit(struct doca_task *task, bool flush)
{
	struct doca_ctx *ctx = task->ctx;

	if (doca_unlikely(!plain_ready(task)))
		return ctx->put ? ctx->put(task, flush) :
				  task_submit_any(task, flush);
	if (!flush)
		plain_hold_back(task);
	else if (doca_unlikely(plain_announce(task)))
		driver_queue_enter(&ctx->queue);
	return DOCA_SUCCESS;
}

static void drop_stale(struct doca_task *task, const char *func)
{
	if (task->state == TASK_OWNED)
		task_drop_stale(task, func);
}

/* Check and submit in debug mode. Out of line, to keep the data path short. */
__attribute__((noinline)) static doca_error_t
submit_checked(struct doca_task *task, bool flush, const char *func)
{
	const void *domain;
	doca_error_t ret;

	if (!task)
		return FAIL(INVALID_VALUE,
			    "%s(): invalid argument: task is NULL or 0", func);
	if (!doca_priv_debug_valid(task, &doca_priv_task_object, false, func))
		return DOCA_ERROR_INVALID_VALUE;
	domain = ctx_domain(task->ctx);
	if (!doca_priv_debug_enter(domain, func))
		return DOCA_ERROR_IN_USE;
	drop_stale(task, func);
	ret = submit(task, flush);
	doca_priv_debug_leave(domain);
	return ret;
}

doca_error_t doca_task_submit(struct doca_task *task)
{
	if (doca_unlikely(!task || doca_priv_debug))
		return submit_checked(task, true, __func__);
	return submit(task, true);
}

doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags)
{
	bool flush = flags & DOCA_TASK_SUBMIT_FLAG_FLUSH;

	if (refused(flags & ~SUBMIT_FLAGS))
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_unlikely(!task || doca_priv_debug))
		return submit_checked(task, flush, __func__);
	return submit(task, flush);
}

doca_error_t doca_task_try_submit(struct doca_task *task)
{
	doca_error_t ret;

	if (!known(task))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(task->ctx), return DOCA_ERROR_IN_USE);
	if (task->state != TASK_OWNED || !task->ctx->accepts)
		return submit_refused(task);
	if (doca_unlikely(doca_priv_debug))
		drop_stale(task, __func__);
	ret = task->type->validate(task);
	return ret == DOCA_SUCCESS ? submit(task, true) : ret;
}
