// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The states of a context: how each is reached, and how it ends. */
#include <doca_error.h>

#include "core/base/log.h"
#include "ctx.h"
#include "pe.h"

LOG_SOURCE("COMMON::CTX");

/* The last thing that is done. Return true if there was a callback. */
static bool ctx_set_state(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	enum doca_ctx_states prev = ctx->state;
	struct doca_pe *pe = ctx->pe;
	bool nested = pe->in_callback;

	static const char *const names[] = {
		[DOCA_CTX_STATE_IDLE] = "idle",
		[DOCA_CTX_STATE_STARTING] = "starting",
		[DOCA_CTX_STATE_RUNNING] = "running",
		[DOCA_CTX_STATE_STOPPING] = "stopping",
	};

	LOG_DBG("%s %p is %s, with %u tasks in flight", ctx->type->name,
		(void *)ctx, names[next], ctx->inflight);
	ctx->state = next;
	if (!ctx->state_cb)
		return false;
	pe->in_callback = true;
	ctx->state_cb(ctx->user_data, ctx, prev, next);
	pe->in_callback = nested;
	return true;
}

bool ctx_to_starting(struct doca_ctx *ctx)
{
	/* A wait may have been requested before. */
	pe_kick_ctx(ctx->pe, ctx);
	return ctx_set_state(ctx, DOCA_CTX_STATE_STARTING);
}

bool ctx_to_running(struct doca_ctx *ctx)
{
	ctx->traced = doca_priv_log_wanted(DOCA_LOG_LEVEL_TRACE);
	ctx->general |= ctx->traced;
	ctx->accepts = true;
	if (ctx_lane_is_busy(ctx))
		pe_visit(ctx->pe, ctx);
	return ctx_set_state(ctx, DOCA_CTX_STATE_RUNNING);
}

/* Cancel first, so that tasks which were held back are not executed. */
bool ctx_to_stopping(struct doca_ctx *ctx)
{
	if (!ctx->lost)
		ctx->lane->cancel(ctx);
	ctx_refuse(ctx);
	ctx->failing = false;
	pe_visit(ctx->pe, ctx);
	return ctx_set_state(ctx, DOCA_CTX_STATE_STOPPING);
}

/* Unvisit: a wake-up may have put the context into the engine's list meanwhile. */
void ctx_release(struct doca_ctx *ctx)
{
	ctx_unwatch_all(ctx);
	ctx->lane->stop(ctx, ctx->orphaned);
	pe_unvisit(ctx->pe, ctx);
	tasks_destroy(ctx);
}

bool ctx_to_idle(struct doca_ctx *ctx)
{
	if (ctx->type->stop)
		ctx->type->stop(ctx);
	ctx_release(ctx);
	return ctx_set_state(ctx, DOCA_CTX_STATE_IDLE);
}

void ctx_failed(struct doca_ctx *ctx, const char *why)
{
	if (!ctx_is_up(ctx) || ctx->failing)
		return;
	if (why)
		LOG_ERR("%s %p: %s; the context stops, and with it %u tasks",
			ctx->type->name, (void *)ctx, why, ctx->inflight);
	ctx->failing = true;
	ctx_close(ctx);
	pe_kick_ctx(ctx->pe, ctx);
}

void ctx_lose(struct doca_ctx *ctx, const char *why)
{
	LOG_ERR("%s %p: %s; its %u tasks in flight fail, and the context stops",
		ctx->type->name, (void *)ctx, why, ctx->inflight);
	ctx->lost = true;
	ctx_refuse(ctx);
	pe_kick_ctx(ctx->pe, ctx);
}

void ctx_orphan(struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return;
	ctx->lost = true;
	ctx->orphaned = true;
	ctx_refuse(ctx);
	pe_visit(ctx->pe, ctx);
}
