// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A started context: completions, and what may happen to its queue.
 *
 * A queue that fails, by a bad task or the removal of its device, still answers
 * every submission; the context only has to go on reaping. Where nobody is left
 * to answer, the tasks are failed here.
 */
#include <errno.h>

#include <doca_error.h>

#include "ctx.h"
#include "dev.h"
#include "log.h"
#include "pe.h"
#include "task_bufs.h"

LOG_SOURCE("COMMON::CTX");

static const struct {
	doca_error_t error;
	const char *why;
} failures[] = {
	[DOCA_STATUS_CANCELED] = { DOCA_ERROR_SHUTDOWN,
				   "canceled, for the context is stopping or "
				   "its device was removed" },
	[DOCA_STATUS_BAD_OPCODE] = { DOCA_ERROR_INVALID_VALUE,
				     "the kernel does not know the operation" },
	[DOCA_STATUS_BAD_ENTRY] = { DOCA_ERROR_INVALID_VALUE,
				    "a list of buffers is too long" },
	[DOCA_STATUS_BAD_KEY] = { DOCA_ERROR_IO_FAILED,
				  "the memory of a buffer was revoked: its "
				  "mmap was stopped, here or by its exporter" },
	[DOCA_STATUS_BAD_RANGE] = { DOCA_ERROR_INVALID_VALUE,
				    "a buffer is not within its mmap" },
	[DOCA_STATUS_BAD_ACCESS] = { DOCA_ERROR_NOT_PERMITTED,
				     "the permissions of an mmap do not allow "
				     "it" },
	[DOCA_STATUS_BAD_LENGTH] = { DOCA_ERROR_INVALID_VALUE,
				     "the destination is shorter than the "
				     "source, or the source too long" },
	[DOCA_STATUS_BAD_ALIGN] = { DOCA_ERROR_INVALID_VALUE,
				    "the address of a value is not a multiple "
				    "of 8" },
	[DOCA_STATUS_BAD_WAIT] = { DOCA_ERROR_DRIVER,
				   "the kernel has no room for a wait" },
	[DOCA_STATUS_BAD_MEMORY] = { DOCA_ERROR_IO_FAILED,
				     "the memory of the source has an error "
				     "that cannot be corrected" },
};

/* The rest follows by itself: the queue flushes what is behind the task. */
static doca_error_t ctx_task_failed(struct doca_ctx *ctx,
				    const struct doca_task *task,
				    uint32_t status)
{
	const char *why = "unknown status";
	doca_error_t error = DOCA_ERROR_DRIVER;
	bool tell = !ctx->told && ctx->state == DOCA_CTX_STATE_RUNNING;

	if (status < sizeof(failures) / sizeof(failures[0])) {
		error = failures[status].error;
		why = failures[status].why;
	}
	if (status == DOCA_STATUS_BAD_KEY && task_is_unkeyed(task)) {
		error = DOCA_ERROR_INVALID_VALUE;
		why = "doca_task_try_submit() would have refused it";
		/* It says what is wrong. */
		if (tell)
			task->type->validate(task);
	}
	if (tell) {
		ctx->told = true;
		LOG_ERR("%s %p: task %p failed: %s; the context stops, and "
			"with it %u more tasks",
			ctx->type->name, (void *)ctx, (const void *)task, why,
			ctx->inflight - 1);
	}
	if (ctx->state == DOCA_CTX_STATE_RUNNING)
		ctx->failing = true;
	return error;
}

static bool ctx_reap(struct doca_ctx *ctx, const struct doca_cqe *shared)
{
	doca_error_t error = DOCA_SUCCESS;
	struct doca_cqe cqe = *shared;
	struct doca_task *task;

	ring_release(&ctx->queue.ring);
	task = task_inflight(ctx, cqe.user_data);
	if (doca_unlikely(!task)) {
		LOG_ERR_ONCE("%s: the kernel completed a task that is not in "
			     "flight; please report this",
			     ctx->type->name);
		return false;
	}
	if (doca_unlikely(cqe.status != DOCA_STATUS_SUCCESS))
		error = ctx_task_failed(ctx, task, cqe.status);
	if (doca_unlikely(ctx->traced))
		LOG_TRC("%s %p: task %p is done: %s", ctx->type->name,
			(void *)ctx, (void *)task, doca_error_get_descr(error));
	return task_complete(task, error, cqe.length, cqe.result[0]);
}

/*
 * Let the executor have what is submitted. A worker is called at most once for
 * it, unless it is to be replaced; where there is none the call executes, and may
 * have ended early, or is what looks whether a wait is over.
 */
bool ctx_flush(struct doca_ctx *ctx)
{
	struct ring *ring = &ctx->queue.ring;
	bool call = false;

	if (ring->unannounced)
		call = ring_submit(ring);
	else if (ctx->queue.worker_id)
		call = ring_unconsumed(ring) &&
		       driver_queue_is_late(&ctx->queue);
	else
		call = ring_unconsumed(ring) ||
		       (ctx->nr_waits && ctx->inflight);
	if (call)
		driver_queue_enter(&ctx->queue);
	return call;
}

/*
 * Will nobody answer any more? A dead queue's worker still does, and so does a
 * call where there is no worker; unless that was tried just now, in vain.
 */
static bool ctx_is_lost(const struct doca_ctx *ctx, bool entered)
{
	const struct ring *ring = &ctx->queue.ring;

	if (ring_state(ring) == DOCA_QUEUE_BROKEN)
		return true;
	return ring_dead(ring) && !ctx->queue.worker_id && entered &&
	       ring_unconsumed(ring);
}

static bool queue_in_trouble(const struct ring *ring)
{
	return ring_state(ring) != DOCA_QUEUE_RUN || ring_dead(ring);
}

bool ctx_has_news(const struct doca_ctx *ctx)
{
	const struct ring *ring = &ctx->queue.ring;

	return ctx->polled && (ring_peek(ring) || queue_in_trouble(ring));
}

static void ctx_lose(struct doca_ctx *ctx)
{
	LOG_ERR("%s %p: its queue is broken; its %u tasks in flight fail, and "
		"the context stops",
		ctx->type->name, (void *)ctx, ctx->inflight);
	ctx->lost = true;
	ctx_refuse(ctx);
	pe_poll_del(ctx->pe, ctx);
}

bool ctx_is_failing(struct doca_ctx *ctx)
{
	if (!ctx_is_up(ctx) || ctx->inflight)
		return false;
	if (!ctx->lost && !queue_in_trouble(&ctx->queue.ring))
		return false;
	if (!ctx->failing && !ctx->lost)
		LOG_ERR("%s %p: device %s was removed; the context stops",
			ctx->type->name, (void *)ctx, ctx->dev->info.name);
	ctx->failing = true;
	return true;
}

/* The tasks that nobody answers, wherever they are, until the program is called. */
static bool ctx_fail_one(struct doca_ctx *ctx)
{
	struct doca_task *task;

	while (ctx->inflight) {
		task = task_inflight(ctx, ctx->next_lost++);
		if (ctx->next_lost >= ctx->nr_tasks)
			ctx->next_lost = 0;
		if (!task)
			continue;
		if (ctx->state == DOCA_CTX_STATE_RUNNING)
			ctx->failing = true;
		if (task_complete(task, DOCA_ERROR_IO_FAILED, 0, 0))
			return true;
	}
	return false;
}

/* What was begun by a start that takes longer: done, failed, or neither? */
static bool ctx_try_running(struct doca_ctx *ctx)
{
	doca_error_t ret = ctx->type->poll_start(ctx);

	if (ret == DOCA_ERROR_IN_PROGRESS)
		return false;
	if (ret == DOCA_SUCCESS)
		return ctx_to_running(ctx);
	LOG_ERR("%s %p could not start: %s; it stops", ctx->type->name,
		(void *)ctx, doca_error_get_descr(ret));
	return ctx_to_stopping(ctx);
}

/* The last one out: nothing to reap, so the state may change. */
static bool ctx_settle(struct doca_ctx *ctx)
{
	if (ctx_is_failing(ctx))
		return ctx_to_stopping(ctx);
	if (ctx->state == DOCA_CTX_STATE_STARTING)
		return ctx_try_running(ctx);
	if (ctx->state == DOCA_CTX_STATE_STOPPING && !ctx->allocated)
		return ctx_to_idle(ctx);
	return false;
}

/* No completion was there. True if a second look is due, at once. */
static bool ctx_look_closer(struct doca_ctx *ctx)
{
	struct ring *ring = &ctx->queue.ring;
	bool entered = ctx_flush(ctx);
	bool trouble = queue_in_trouble(ring);
	bool lost = trouble && ctx->inflight && ctx_is_lost(ctx, entered);

	/* After the state, for it may have changed behind a completion. */
	if ((entered || trouble) && ring_peek(ring))
		return true;
	if (lost) {
		ctx_lose(ctx);
		return true;
	}
	/* A dead queue would end every wait, for nothing more than is known. */
	if (ctx->state == DOCA_CTX_STATE_STOPPING &&
	    (ring_dead(ring) || ring_state(ring) == DOCA_QUEUE_BROKEN))
		pe_poll_del(ctx->pe, ctx);
	return false;
}

/* Goes on for as long as completions do not call the program back. */
bool ctx_progress(struct doca_ctx *ctx)
{
	const struct doca_cqe *cqe;

	do {
		if (doca_unlikely(ctx->failing))
			return ctx_to_stopping(ctx);
		if (doca_unlikely(ctx->lost))
			return ctx_fail_one(ctx) || ctx_settle(ctx);
		cqe = ring_peek(&ctx->queue.ring);
		if (doca_likely(cqe && ctx_reap(ctx, cqe)))
			return true;
	} while (cqe || ctx_look_closer(ctx));
	return ctx_settle(ctx);
}

bool ctx_arm(struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return false;
	if (ctx->failing)
		return true;
	if (ctx->state == DOCA_CTX_STATE_STOPPING && !ctx->allocated)
		return true;
	if (ctx->lost)
		return ctx->inflight || ctx_is_up(ctx);
	if (ctx->state == DOCA_CTX_STATE_STARTING &&
	    ctx->type->poll_start(ctx) != DOCA_ERROR_IN_PROGRESS)
		return true;
	ctx_flush(ctx);
	if (ring_arm(&ctx->queue.ring))
		return true;
	if (ctx_is_up(ctx))
		return queue_in_trouble(&ctx->queue.ring);
	/* Taken out of the wait, so its last answers must be polled for. */
	return !ctx->polled && ctx->inflight;
}

void ctx_orphan(struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return;
	ctx->lost = true;
	ctx_refuse(ctx);
	ctx->polled = false;
	pe_visit(ctx->pe, ctx);
}
