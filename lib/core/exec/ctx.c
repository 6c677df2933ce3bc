// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Contexts: settings, start and stop. ctx_progress.c has what happens in between. */
#include <string.h>

#include <doca_error.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/objects.h"
#include "ctx.h"
#include "pe.h"
#include "pe_watch.h"

LOG_SOURCE("COMMON::CTX");

#define COMPLETION_VECTORS 1

void doca_priv_ctx_init(struct doca_ctx *ctx, const struct ctx_type *type,
			struct doca_dev *dev)
{
	unsigned int i;

	memset(ctx, 0, sizeof(*ctx));
	ctx->state = DOCA_CTX_STATE_IDLE;
	for (i = 0; i < CTX_WATCHES; i++)
		ctx->watches[i].fd = -1;
	ctx->type = type;
	ctx->lane = type->lane ? type->lane : &lane_ring;
	ctx->dev = dev ? doca_priv_dev_get(dev) : NULL;
	ctx->pools = (void *)((char *)ctx + type->pools);
	ctx->nr_pools = type->nr_pools;
	for (i = 0; i < type->nr_pools; i++)
		ctx->pools[i].type = type->tasks[i];
	list_init(&ctx->link);
	list_init(&ctx->busy_link);
	doca_priv_debug_add(ctx, type->object, sizeof(*ctx), 1);
	LOG_DBG("%s %p is created", type->name, (void *)ctx);
}

void ctx_drop(struct doca_ctx *ctx)
{
	list_del(&ctx->link);
	doca_priv_dev_put(ctx->dev);
	doca_priv_debug_del(ctx);
	LOG_DBG("%s %p is destroyed", ctx->type->name, (void *)ctx);
}

doca_error_t doca_priv_ctx_fini(struct doca_ctx *ctx)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (ctx->state != DOCA_CTX_STATE_IDLE) {
		LOG_ERR("cannot destroy %s %p: it is started; stop it and "
			"progress until it is idle",
			ctx->type->name, (void *)ctx);
		return DOCA_ERROR_IN_USE;
	}
	if (ctx->type->fini)
		ret = ctx->type->fini(ctx);
	if (ret == DOCA_SUCCESS)
		ctx_drop(ctx);
	return ret;
}

/* Lanes that make no queue leave it as it is here: none. */
static doca_error_t ctx_acquire(struct doca_ctx *ctx)
{
	doca_error_t ret;

	if (tasks_create(ctx)) {
		LOG_ERR("cannot start %s: out of memory for its tasks",
			ctx->type->name);
		return DOCA_ERROR_INITIALIZATION;
	}
	ctx->queue = (struct driver_queue){ .fd = -1 };
	ctx->queue.generation = driver_generation();
	ring_none(&ctx->queue.ring);
	ret = ctx->lane->start(ctx);
	if (ret != DOCA_SUCCESS) {
		ctx_unwatch_all(ctx);
		pe_unvisit(ctx->pe, ctx);
		tasks_destroy(ctx);
		return ret;
	}
	/* A waiting thread has armed the engine before this lane existed. */
	if (ctx->pe->armed && ctx->lane->arm(ctx))
		pe_kick_ctx(ctx->pe, ctx);
	return DOCA_SUCCESS;
}

static doca_error_t ctx_may_start(const struct doca_ctx *ctx)
{
	doca_error_t ret;

	if (ctx->state != DOCA_CTX_STATE_IDLE)
		return FAIL(BAD_STATE, "cannot start %s %p: it is started",
			    ctx->type->name, (const void *)ctx);
	if (!ctx->pe)
		return FAIL(NOT_CONNECTED,
			    "cannot start %s %p: it is not connected to a "
			    "progress engine",
			    ctx->type->name, (const void *)ctx);
	ret = ctx->type->check ? ctx->type->check(ctx) : DOCA_SUCCESS;
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!pe_alive(ctx->pe))
		return FAIL(INITIALIZATION,
			    "cannot start %s %p: its progress engine belongs "
			    "to the parent process",
			    ctx->type->name, (const void *)ctx);
	if (!dev_alive(ctx->dev))
		return DOCA_ERROR_INITIALIZATION;
	if (dev_gone(ctx->dev))
		return FAIL(INITIALIZATION,
			    "cannot start %s: its device %s was removed",
			    ctx->type->name, ctx->dev->info.name);
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
	doca_error_t ret;

	if (!valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(ctx), return DOCA_ERROR_IN_USE);
	ret = ctx_may_start(ctx);
	if (ret != DOCA_SUCCESS)
		return ret;
	ctx->failing = false;
	ctx->lost = false;
	ctx->orphaned = false;
	ctx->told = false;
	ctx->told_soft = false;
	ctx->told_empty = false;
	ctx->told_refused = false;
	ctx->next_lost = 0;
	ret = ctx_acquire(ctx);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = ctx->type->start ? ctx->type->start(ctx) : DOCA_SUCCESS;
	if (doca_unlikely(doca_priv_debug) && ctx->pe)
		pe_watch_start();
	if (ret == DOCA_SUCCESS)
		ctx_to_running(ctx);
	else if (ret == DOCA_ERROR_IN_PROGRESS)
		ctx_to_starting(ctx);
	else
		ctx_release(ctx);
	return ret;
}

doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
	struct doca_pe *pe;

	if (!valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(ctx), return DOCA_ERROR_IN_USE);
	pe = ctx->pe;
	if (!pe) {
		LOG_ERR("cannot stop %s %p: it is not connected to a progress "
			"engine",
			ctx->type->name, (void *)ctx);
		return DOCA_ERROR_NOT_CONNECTED;
	}
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return DOCA_SUCCESS;

	pe_alive(pe);
	/* The callback cannot make the context idle: it sees in_callback. */
	if (ctx_is_up(ctx))
		ctx_to_stopping(ctx);
	/* A wait may have been requested before. */
	if (!ctx_is_over(ctx) || pe->in_callback) {
		pe_kick_ctx(pe, ctx);
		return DOCA_ERROR_IN_PROGRESS;
	}
	ctx_to_idle(ctx);
	return DOCA_SUCCESS;
}

void doca_ctx_flush_tasks(struct doca_ctx *ctx)
{
	if (!ctx || !valid(ctx))
		return;
	EXCLUSIVE(ctx_domain(ctx), return );
	if (tasks_accepted(ctx))
		ctx->lane->flush(ctx);
}

doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
					     size_t *num_inflight_tasks)
{
	if (!valid(ctx) || !given(num_inflight_tasks))
		return DOCA_ERROR_INVALID_VALUE;
	*num_inflight_tasks = ctx->inflight;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx,
				enum doca_ctx_states *state)
{
	if (!valid(ctx) || !given(state))
		return DOCA_ERROR_INVALID_VALUE;
	*state = ctx->state;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx,
				    union doca_data *user_data)
{
	if (!valid(ctx) || !given(user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = ctx->user_data;
	return DOCA_SUCCESS;
}

static doca_error_t ctx_may_set(const struct doca_ctx *ctx, const char *what)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return DOCA_SUCCESS;
	LOG_ERR("cannot set the %s of %s %p: it is started", what,
		ctx->type->name, (const void *)ctx);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx,
				    union doca_data user_data)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (!valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
	if (!ctx->type->late_user_data)
		ret = ctx_may_set(ctx, "user data");
	if (ret == DOCA_SUCCESS)
		ctx->user_data = user_data;
	return ret;
}

doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
					   doca_ctx_state_changed_callback_t cb)
{
	doca_error_t ret;

	if (!valid(ctx) || !given(cb))
		return DOCA_ERROR_INVALID_VALUE;
	ret = ctx_may_set(ctx, "state callback");
	if (ret == DOCA_SUCCESS)
		ctx->state_cb = cb;
	return ret;
}

static doca_error_t set_datapath(struct doca_ctx *ctx, const char *what)
{
	doca_error_t ret;

	ret = ctx_may_set(ctx, "data path");
	if (ret != DOCA_SUCCESS)
		return ret;
	LOG_ERR("the data path of %s cannot be on a %s: it runs on the CPU; "
		"connect the context to a progress engine instead",
		ctx->type->name, what);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx,
					  struct doca_dpa *dpa_dev)
{
	if (!valid(ctx) || !given(dpa_dev))
		return DOCA_ERROR_INVALID_VALUE;
	return set_datapath(ctx, "DPA");
}

doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx,
					  struct doca_gpu *gpu_dev)
{
	if (!valid(ctx) || !given(gpu_dev))
		return DOCA_ERROR_INVALID_VALUE;
	return set_datapath(ctx, "GPU");
}

doca_error_t
doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo,
					uint32_t *num_comp_vectors)
{
	if (!valid(devinfo) || !given(num_comp_vectors))
		return DOCA_ERROR_INVALID_VALUE;
	*num_comp_vectors = COMPLETION_VECTORS;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx,
					    uint32_t comp_vector)
{
	if (!valid(ctx) || refused(comp_vector >= COMPLETION_VECTORS))
		return DOCA_ERROR_INVALID_VALUE;
	return ctx_may_set(ctx, "completion vector");
}
