// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tasks: allocation, completion and getters. */
#include <doca_error.h>

#include "core/base/log.h"
#include "core/objects.h"
#include "ctx.h"
#include "pe.h"
#include "plain.h"
#include "task.h"

LOG_SOURCE("COMMON::TASK");

struct doca_task *task_init(struct doca_ctx *ctx, struct task_pool *pool,
			    uint32_t index)
{
	struct doca_task *task = task_at(ctx, index);

	task->ctx = ctx;
	task->pool = pool;
	task->type = pool->type;
	task->opcode = pool->type->ring.opcode;
	task->index = index;
	task_set_src(task, NULL);
	task_set_dst(task, NULL);
	return task;
}

struct doca_task *task_inflight(struct doca_ctx *ctx, uint64_t index)
{
	struct doca_task *task;

	if (doca_unlikely(index >= ctx->nr_tasks))
		return NULL;
	task = task_at(ctx, index);
	return doca_likely(task_is_inflight(task)) ? task : NULL;
}

/*
 * A context may stop by itself while callbacks of its tasks go on, so their attempts
 * are no surprise and logged once. Before a start nothing can be tried.
 */
doca_error_t ctx_not_running(struct doca_ctx *ctx, const char *what)
{
	if (ctx->state == DOCA_CTX_STATE_STOPPING)
		return FAIL_AGAIN(ctx->told_refused, BAD_STATE,
				  "cannot %s of %s %p: it is stopping", what,
				  ctx->type->name, (void *)ctx);
	return FAIL(BAD_STATE, "cannot %s of %s %p: it is not running", what,
		    ctx->type->name, (void *)ctx);
}

doca_error_t doca_priv_task_alloc(struct doca_ctx *ctx, struct task_pool *pool,
				  union doca_data user_data,
				  struct doca_task **out, const char *func)
{
	DEBUG_HELD held = NULL;
	struct doca_task *task;

	if (!debug_alone(&held, ctx_domain(ctx), func))
		return DOCA_ERROR_IN_USE;
	if (doca_unlikely(ctx->state != DOCA_CTX_STATE_RUNNING))
		return ctx_not_running(ctx, "allocate a task");
	task = pool->free;
	if (doca_unlikely(!task))
		return FAIL_AGAIN(ctx->told_empty, NO_MEMORY,
				  "%s %p has no task left: all %u of that kind "
				  "are allocated; free some, or configure more",
				  ctx->type->name, (void *)ctx, pool->num);
	pool->free = task->next;
	ctx->allocated++;
	task->user_data = user_data;
	task->status = DOCA_SUCCESS;
	task->state = TASK_OWNED;
	task->doomed = false;
	*out = task;
	return DOCA_SUCCESS;
}

/* Put the task last, so that it is reused as late as possible. */
static void pool_append(struct task_pool *pool, struct doca_task *task)
{
	task->next = NULL;
	if (pool->free)
		pool->last_free->next = task;
	else
		pool->free = task;
	pool->last_free = task;
}

/* Change nothing but the link: programs read a task that they have freed. */
static void task_release(struct doca_task *task)
{
	struct task_pool *pool = task->pool;

	task->state = TASK_FREE;
	task->ctx->allocated--;
	if (doca_unlikely(doca_priv_debug)) {
		pool_append(pool, task);
		return;
	}
	task->next = pool->free;
	pool->free = task;
}

/*
 * Before the callback the task is the program's again: the callback may submit
 * or free it. A task that was freed in flight returns to its pool here.
 */
bool task_complete(struct doca_task *task, doca_error_t status, uint32_t length,
		   const uint64_t *result)
{
	static const uint64_t none[2];
	const struct task_type *type = task->type;

	if (!result)
		result = none;
	task->status = status;
	task->ctx->inflight--;
	if (doca_unlikely(task->sink)) {
		task->state = TASK_HELD;
		type->finish(task, length, result);
		return task->sink->take(task->sink, task);
	}
	if (doca_unlikely(task->doomed))
		task_release(task);
	else
		task->state = TASK_OWNED;
	type->finish(task, length, result);
	(status == DOCA_SUCCESS ? type->done : type->failed)(task);
	return true;
}

struct doca_task *plain_free_buf(struct doca_task *task, struct doca_buf *buf)
{
	doca_priv_buf_free(buf);
	return task;
}

void task_unhold(struct doca_task *task)
{
	task->sink = NULL;
	task->state = TASK_OWNED;
	if (doca_likely(!task->doomed))
		return;
	task->doomed = false;
	task_release(task);
	tasks_given_back(task->ctx);
}

void tasks_given_back(struct doca_ctx *ctx)
{
	if (doca_unlikely(ctx->state == DOCA_CTX_STATE_STOPPING) &&
	    !ctx->allocated)
		pe_kick_ctx(ctx->pe, ctx);
}

void doca_task_free(struct doca_task *task)
{
	if (!task || !known(task))
		return;
	EXCLUSIVE_WAIT(ctx_domain(task->ctx));
	switch (task->state) {
	case TASK_OWNED:
		task_release(task);
		tasks_given_back(task->ctx);
		break;
	case TASK_PLAIN:
		task->state = TASK_INFLIGHT;
		/* fallthrough */
	case TASK_HELD:
	case TASK_INFLIGHT:
		task->doomed = true;
		break;
	default:
		/* Its callback may free a task that was freed in flight. */
		if (!task->doomed)
			LOG_ERR("task %p of %s is freed twice", (void *)task,
				task->ctx->type->name);
		task->doomed = false;
	}
}

doca_error_t tasks_refused(struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE ||
	    driver_current(ctx->queue.generation))
		return ctx_not_running(ctx, "submit a task");
	return FAIL_AGAIN(
		ctx->told_refused, BAD_STATE,
		"cannot submit a task of %s %p: it was started before "
		"a fork",
		ctx->type->name, (void *)ctx);
}

struct doca_ctx *doca_task_get_ctx(const struct doca_task *task)
{
	return known(task) ? task->ctx : NULL;
}

doca_error_t doca_task_get_status(const struct doca_task *task)
{
	return known(task) ? task->status : DOCA_ERROR_INVALID_VALUE;
}

union doca_data doca_task_get_user_data(const struct doca_task *task)
{
	return known(task) ? task->user_data : (union doca_data){ .u64 = 0 };
}

void doca_task_set_user_data(struct doca_task *task, union doca_data user_data)
{
	if (valid(task))
		task->user_data = user_data;
}
