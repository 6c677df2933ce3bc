// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tasks: pools, submission and completion. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "batch.h"
#include "ctx.h"
#include "debug.h"
#include "log.h"
#include "pe.h"
#include "plain.h"
#include "task.h"
#include "task_bufs.h"

LOG_SOURCE("COMMON::TASK");

#define CACHE_LINE 64

#define SUBMIT_FLAGS \
	(DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS)

/* Will its tasks have a source and a destination, as plain ones do? */
static bool looks_plain(const struct task_type *type)
{
	return type->src.name && type->dst.name;
}

/*
 * One size of task and one length of run for all pools of a context: so a number
 * leads to both without a table.
 */
static void tasks_measure(struct doca_ctx *ctx)
{
	unsigned int i;

	ctx->nr_tasks = 0;
	ctx->nr_waits = 0;
	ctx->task_size = 0;
	ctx->run_len = 0;
	ctx->general = false;
	for (i = 0; i < ctx->nr_pools; i++) {
		struct task_pool *pool = &ctx->pools[i];

		pool->num = pool_tasks(pool);
		if (!pool->num)
			continue;
		ctx->general |= looks_plain(pool->type) &&
				!pool->type->ring.plain;
		ctx->nr_tasks += pool->num;
		if (pool->type->waits)
			ctx->nr_waits += pool->num;
		if (pool->type->size > ctx->task_size)
			ctx->task_size = pool->type->size;
		if (pool->list_segs > ctx->run_len)
			ctx->run_len = pool->list_segs;
	}
	ctx->task_size = (ctx->task_size + CACHE_LINE - 1) & -CACHE_LINE;
}

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

/* Last first, so that the first task of the block is the first to be given. */
static void pool_fill(struct doca_ctx *ctx, struct task_pool *pool,
		      uint32_t first)
{
	uint32_t i;

	pool->free = NULL;
	for (i = pool->num; i--;) {
		struct doca_task *task = task_at(ctx, first + i);

		task_init(ctx, pool, first + i);
		task->next_free = pool->free;
		pool->free = task;
		if (!task->next_free)
			pool->last_free = task;
	}
}

int tasks_create(struct doca_ctx *ctx)
{
	uint32_t first = 0;
	unsigned int i;
	size_t size;

	tasks_measure(ctx);
	size = ctx->nr_tasks * ctx->task_size;
	ctx->tasks = aligned_alloc(CACHE_LINE, size);
	if (!ctx->tasks)
		return -ENOMEM;
	memset(ctx->tasks, 0, size);
	doca_priv_debug_add(ctx->tasks, DEBUG_TASK, ctx->task_size,
			    ctx->nr_tasks);
	ctx->inflight = 0;
	ctx->allocated = 0;
	for (i = 0; i < ctx->nr_pools; i++) {
		struct task_pool *pool = &ctx->pools[i];

		if (!pool->batches)
			pool_fill(ctx, pool, first);
		else if (batches_create(ctx, pool, first))
			goto err_tasks;
		first += pool->num;
	}
	return 0;

err_tasks:
	tasks_destroy(ctx);
	return -ENOMEM;
}

void tasks_destroy(struct doca_ctx *ctx)
{
	unsigned int i;

	for (i = 0; i < ctx->nr_pools; i++) {
		ctx->pools[i].free = NULL;
		if (ctx->pools[i].batches)
			batches_destroy(&ctx->pools[i]);
	}
	doca_priv_debug_free(ctx->tasks);
	ctx->tasks = NULL;
	ctx->nr_tasks = 0;
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
 * A context stops by itself, and the callbacks of tasks go on meanwhile: so what they
 * try is no surprise, but nothing can be tried before a start.
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
	pool->free = task->next_free;
	ctx->allocated++;
	task->user_data = user_data;
	task->status = DOCA_SUCCESS;
	task->state = TASK_OWNED;
	task->doomed = false;
	*out = task;
	return DOCA_SUCCESS;
}

/* To be given again as late as possible. */
static void pool_append(struct task_pool *pool, struct doca_task *task)
{
	task->next_free = NULL;
	if (pool->free)
		pool->last_free->next_free = task;
	else
		pool->free = task;
	pool->last_free = task;
}

/* All but the link stays as it is: programs read a task that they have freed. */
static void task_release(struct doca_task *task)
{
	struct task_pool *pool = task->pool;

	task->state = TASK_FREE;
	task->ctx->allocated--;
	if (doca_unlikely(doca_priv_debug)) {
		pool_append(pool, task);
		return;
	}
	task->next_free = pool->free;
	pool->free = task;
}

/*
 * The task is the program's again before the callback, which may submit or free
 * it. One that was freed in flight goes back to its pool here.
 */
bool task_complete(struct doca_task *task, doca_error_t status, uint32_t length,
		   uint64_t result)
{
	const struct task_type *type = task->type;

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
		/* Its callback may free what was freed in flight. */
		if (!task->doomed)
			LOG_ERR("task %p of %s is freed twice", (void *)task,
				task->ctx->type->name);
		task->doomed = false;
	}
}

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

bool tasks_accepted(const struct doca_ctx *ctx)
{
	return ctx->accepts && driver_current(ctx->queue.generation);
}

/* A ring that is open belongs to a context that is visited. */
static void ctx_admit(struct doca_ctx *ctx)
{
	pe_visit(ctx->pe, ctx);
	if (ring_refuses(&ctx->queue.ring))
		ring_admit(&ctx->queue.ring);
}

void task_queue(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;
	struct ring *ring = &ctx->queue.ring;
	uint32_t first = task->index * ctx->run_len;
	struct doca_sqe *sqe;

	ctx_admit(ctx);
	sqe = ring_get_sqe(ring);
	sqe->user_data = task->index;
	task->type->ring.prepare(task, sqe, ring->segs + first, first);
	task->state = TASK_INFLIGHT;
	ctx->inflight++;
	/* The short way stays shut. */
	if (ctx->general)
		ring_refuse(ring);
}

/* A call that fails is made again by progress. */
static inline void publish(struct doca_ctx *ctx)
{
	if (doca_unlikely(ring_submit(&ctx->queue.ring)))
		driver_queue_enter(&ctx->queue);
}

void tasks_publish(struct doca_ctx *ctx)
{
	publish(ctx);
}

/* Not the short way. The ring refuses, so that the next one comes here as well. */
static doca_error_t submit_general(struct doca_task *task, bool flush)
{
	struct doca_ctx *ctx = task->ctx;

	if (doca_unlikely(ctx->traced))
		LOG_TRC("%s %p: task %p is submitted", ctx->type->name,
			(void *)ctx, (void *)task);
	ctx_admit(ctx);
	if (task->type->ring.plain && !ctx->traced && plain_ready(task))
		plain_hold_back(task);
	else
		task_queue(task);
	ring_refuse(&ctx->queue.ring);
	if (flush)
		publish(ctx);
	return DOCA_SUCCESS;
}

/* The state of the task is checked since the rings have room for each once. */
__attribute__((noinline)) static doca_error_t submit_any(struct doca_task *task,
							 bool flush)
{
	if (task->state != TASK_OWNED || !tasks_accepted(task->ctx))
		return submit_refused(task);
	if (doca_unlikely(task->ctx->general))
		return submit_general(task, flush);
	ctx_admit(task->ctx);
	if (plain_ready(task))
		plain_hold_back(task);
	else
		task_queue(task);
	if (flush)
		publish(task->ctx);
	return DOCA_SUCCESS;
}

__attribute__((always_inline)) static inline doca_error_t
submit(struct doca_task *task, bool flush)
{
	if (doca_unlikely(!plain_ready(task)))
		return submit_any(task, flush);
	if (!flush)
		plain_hold_back(task);
	else if (doca_unlikely(plain_announce(task)))
		driver_queue_enter(&task->ctx->queue);
	return DOCA_SUCCESS;
}

static void drop_stale(struct doca_task *task, const char *func)
{
	if (task->state == TASK_OWNED)
		task_drop_stale(task, func);
}

/* With what debug mode has to say about it. Apart, for the data path's sake. */
__attribute__((noinline)) static doca_error_t
submit_checked(struct doca_task *task, bool flush, const char *func)
{
	const void *domain;
	doca_error_t ret;

	if (!task)
		return FAIL(INVALID_VALUE,
			    "%s(): invalid argument: task is NULL or 0", func);
	if (!doca_priv_debug_valid(task, DEBUG_TASK, false, func))
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
