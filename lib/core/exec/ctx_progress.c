// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Progress of a started context: turns of tasks and events, and changes of state when
 * its lane has nothing to do.
 */
#include <doca_error.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/device/dev.h"
#include "ctx.h"
#include "pe.h"

LOG_SOURCE("COMMON::CTX");

/* Fail tasks that the lane will not complete, until one of them calls the program. */
static enum lane_turn ctx_fail_one(struct doca_ctx *ctx)
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
		if (task_complete(task, DOCA_ERROR_IO_FAILED, 0, NULL))
			return LANE_CALLED;
	}
	return LANE_IDLE;
}

static enum lane_turn ctx_end_tasks(struct doca_ctx *ctx)
{
	if (doca_unlikely(ctx->lost))
		return ctx_fail_one(ctx);
	return ctx->lane->progress(ctx);
}

static bool ctx_has_events(const struct doca_ctx *ctx)
{
	return ctx->lane->deliver && !ctx->orphaned &&
	       ctx->state != DOCA_CTX_STATE_STARTING;
}

/* Tasks and events take turns; if one has nothing, the other gets the turn. */
static enum lane_turn ctx_turn(struct doca_ctx *ctx)
{
	enum lane_turn turn;
	bool event;

	if (doca_likely(!ctx_has_events(ctx)))
		return ctx_end_tasks(ctx);
	event = ctx->delivers;
	ctx->delivers = !event;
	turn = event ? ctx->lane->deliver(ctx) : ctx_end_tasks(ctx);
	if (turn != LANE_IDLE)
		return turn;
	return event ? ctx_end_tasks(ctx) : ctx->lane->deliver(ctx);
}

/* Ask whether a start that takes longer is done, and change the state if it is, or has failed. */
static bool ctx_try_running(struct doca_ctx *ctx)
{
	doca_error_t ret = ctx->type->poll_start(ctx);

	if (ret == DOCA_ERROR_IN_PROGRESS)
		return ctx->failing && ctx_to_stopping(ctx);
	if (ret == DOCA_SUCCESS)
		return ctx_to_running(ctx);
	LOG_ERR("%s %p could not start: %s; it stops", ctx->type->name,
		(void *)ctx, doca_error_get_descr(ret));
	return ctx_to_stopping(ctx);
}

static bool ctx_lose_device(struct doca_ctx *ctx)
{
	LOG_ERR("%s %p: device %s was removed; the context stops",
		ctx->type->name, (void *)ctx, ctx->dev->info.name);
	return ctx_to_stopping(ctx);
}

/* The lane has nothing to do, so the state may change. */
static bool ctx_settle(struct doca_ctx *ctx)
{
	if (ctx_is_up(ctx) && (ctx->lost || ctx->failing))
		return ctx_to_stopping(ctx);
	if (ctx_is_up(ctx) && dev_gone(ctx->dev))
		return ctx_lose_device(ctx);
	if (ctx->state == DOCA_CTX_STATE_STARTING)
		return ctx_try_running(ctx);
	if (ctx->state == DOCA_CTX_STATE_STOPPING && ctx_is_over(ctx))
		return ctx_to_idle(ctx);
	return false;
}

/* Continue until the program is called or nothing is left to do. */
bool ctx_progress(struct doca_ctx *ctx)
{
	enum lane_turn turn;

	do {
		if (doca_unlikely(ctx->failing))
			return ctx_to_stopping(ctx);
		turn = ctx_turn(ctx);
		if (doca_likely(turn == LANE_CALLED))
			return true;
	} while (turn == LANE_AGAIN);
	return ctx_settle(ctx);
}

/* Check the device here: a context that is always busy would never learn that it is gone. */
bool ctx_look(struct doca_ctx *ctx)
{
	if (!ctx_is_up(ctx))
		return false;
	if (doca_unlikely(dev_gone(ctx->dev) && !ctx->lost && !ctx->failing))
		return ctx_lose_device(ctx);
	return !ctx->busy && ctx_progress(ctx);
}

bool ctx_arm(struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return false;
	if (ctx->failing)
		return true;
	if (ctx->state == DOCA_CTX_STATE_STOPPING && ctx_is_over(ctx))
		return true;
	if (ctx->lost)
		return ctx->inflight || ctx_is_up(ctx);
	if (ctx_is_up(ctx) && dev_gone(ctx->dev))
		return true;
	if (ctx->state == DOCA_CTX_STATE_STARTING &&
	    ctx->type->poll_start(ctx) != DOCA_ERROR_IN_PROGRESS)
		return true;
	ctx->lane->flush(ctx);
	return ctx->lane->arm(ctx);
}

bool ctx_woken(struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE || ctx->lost)
		return false;
	if (ctx->deadline && ctx->deadline <= clock_ns())
		return true;
	return ctx->lane->woken && ctx->lane->woken(ctx);
}
