// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Contexts: settings and states. What happens between start and stop is in
 * ctx_progress.c.
 */
#include <errno.h>
#include <string.h>

#include <doca_error.h>

#include "ctx.h"
#include "debug.h"
#include "dev.h"
#include "log.h"
#include "pe.h"

LOG_SOURCE("COMMON::CTX");

#define COMPLETION_VECTORS 1

void doca_priv_ctx_init(struct doca_ctx *ctx, const struct ctx_type *type,
			struct doca_dev *dev)
{
	unsigned int i;

	memset(ctx, 0, sizeof(*ctx));
	ctx->state = DOCA_CTX_STATE_IDLE;
	ctx->watched_fd = -1;
	ctx->type = type;
	ctx->dev = dev ? doca_priv_dev_get(dev) : NULL;
	ctx->pools = (void *)((char *)ctx + type->pools);
	ctx->nr_pools = type->nr_pools;
	for (i = 0; i < type->nr_pools; i++)
		ctx->pools[i].type = type->tasks[i];
	list_init(&ctx->link);
	list_init(&ctx->busy_link);
	doca_priv_debug_add(ctx, DEBUG_CTX, sizeof(*ctx), 1);
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

/* As the last thing. True if there was a callback. */
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

/*
 * A power of two, and twice what the tasks need: so what is written is not next to what
 * the executor reads, and the two CPUs do not take these lines from each other. Rings
 * that are large keep them apart anyway. For few tasks there are more entries, for where
 * a ring ends there is more to do.
 */
static uint32_t ring_entries(uint32_t nr_tasks)
{
	const uint32_t min = 32, large = 2048;
	const struct doca_query *caps = driver_caps();
	uint32_t entries = min;

	if (nr_tasks > min)
		entries = 1U << (32 - __builtin_clz(nr_tasks - 1));
	if (entries < large && entries < caps->out_max_queue_entries)
		entries *= 2;
	return entries;
}

static doca_error_t queue_error(const struct doca_ctx *ctx, int err)
{
	const char *name = ctx->type->name;
	uint32_t n = ctx->nr_tasks;

	switch (err) {
	case -ENODEV:
		LOG_ERR("cannot start %s: its device %s was removed", name,
			ctx->dev->info.name);
		break;
	case -EDQUOT:
		LOG_ERR("cannot start %s with %u tasks: the user has too many "
			"queues or too large ones; use fewer tasks, or raise "
			"the limits, which are parameters of the doca module",
			name, n);
		break;
	case -ENOMEM:
		LOG_ERR("cannot start %s with %u tasks: out of memory", name,
			n);
		break;
	case -EPERM:
	case -EBADF:
		LOG_ERR("cannot start %s: its device was opened before a "
			"fork; open it in this process",
			name);
		break;
	default:
		LOG_ERR("cannot start %s with %u tasks: no queue: %s", name, n,
			strerror(-err));
	}
	return DOCA_ERROR_INITIALIZATION;
}

static doca_error_t ctx_create_queue(struct doca_ctx *ctx)
{
	uint32_t worker_id = pe_worker(ctx->pe);
	struct driver_queue_attr attr = {
		.device_id = doca_priv_dev_id(ctx->dev),
		.worker_id = worker_id,
		.entries = ring_entries(ctx->nr_tasks),
		.segments = ctx->nr_tasks * ctx->run_len,
		.waits = ctx->nr_waits,
		.patient = ctx->pe->patient,
	};
	int err = driver_queue_create(&ctx->queue, &attr);

	return err ? queue_error(ctx, err) : DOCA_SUCCESS;
}

static void ctx_release(struct doca_ctx *ctx)
{
	pe_poll_del(ctx->pe, ctx);
	driver_queue_destroy(&ctx->queue);
	tasks_destroy(ctx);
}

static doca_error_t ctx_acquire(struct doca_ctx *ctx)
{
	doca_error_t ret;
	int err;

	if (tasks_create(ctx)) {
		LOG_ERR("cannot start %s: out of memory for its tasks",
			ctx->type->name);
		return DOCA_ERROR_INITIALIZATION;
	}
	ret = ctx_create_queue(ctx);
	if (ret != DOCA_SUCCESS)
		goto err_tasks;
	err = pe_poll_add(ctx->pe, ctx);
	if (err) {
		LOG_ERR("cannot start %s: cannot wait for its queue: %s",
			ctx->type->name, strerror(-err));
		ret = DOCA_ERROR_INITIALIZATION;
		goto err_queue;
	}
	/* Who waits already has asked to be woken before there was this ring. */
	if (ctx->pe->armed)
		ring_arm(&ctx->queue.ring);
	return DOCA_SUCCESS;

err_queue:
	driver_queue_destroy(&ctx->queue);
err_tasks:
	tasks_destroy(ctx);
	return ret;
}

doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
	doca_error_t ret;

	if (!valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(ctx), return DOCA_ERROR_IN_USE);
	if (ctx->state != DOCA_CTX_STATE_IDLE) {
		LOG_ERR("cannot start %s %p: it is started", ctx->type->name,
			(void *)ctx);
		return DOCA_ERROR_BAD_STATE;
	}
	if (!ctx->pe) {
		LOG_ERR("cannot start %s %p: it is not connected to a progress "
			"engine",
			ctx->type->name, (void *)ctx);
		return DOCA_ERROR_NOT_CONNECTED;
	}
	ret = ctx->type->check ? ctx->type->check(ctx) : DOCA_SUCCESS;
	if (ret == DOCA_SUCCESS)
		ret = tasks_check_enabled(ctx);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!pe_alive(ctx->pe))
		return FAIL(INITIALIZATION,
			    "cannot start %s %p: its progress engine belongs "
			    "to the parent process",
			    ctx->type->name, (void *)ctx);
	if (!dev_alive(ctx->dev))
		return DOCA_ERROR_INITIALIZATION;
	ret = dev_has_driver(ctx->dev);
	if (ret == DOCA_SUCCESS)
		ret = tasks_check_limits(ctx);
	if (ret == DOCA_SUCCESS)
		ret = ctx_acquire(ctx);
	if (ret != DOCA_SUCCESS)
		return ret;

	ctx->failing = false;
	ctx->lost = false;
	ctx->told = false;
	ctx->told_empty = false;
	ctx->told_refused = false;
	ctx->next_lost = 0;
	ret = ctx->type->start ? ctx->type->start(ctx) : DOCA_SUCCESS;
	if (ret == DOCA_SUCCESS) {
		ctx_to_running(ctx);
	} else if (ret == DOCA_ERROR_IN_PROGRESS) {
		pe_visit(ctx->pe, ctx);
		ctx_set_state(ctx, DOCA_CTX_STATE_STARTING);
	} else {
		doca_priv_ctx_unwatch(ctx);
		ctx_release(ctx);
	}
	return ret;
}

bool ctx_to_running(struct doca_ctx *ctx)
{
	ctx->traced = doca_priv_log_wanted(DOCA_LOG_LEVEL_TRACE);
	ctx->general |= ctx->traced;
	ctx->accepts = true;
	return ctx_set_state(ctx, DOCA_CTX_STATE_RUNNING);
}

bool ctx_to_stopping(struct doca_ctx *ctx)
{
	ctx_refuse(ctx);
	ctx->failing = false;
	pe_visit(ctx->pe, ctx);
	return ctx_set_state(ctx, DOCA_CTX_STATE_STOPPING);
}

bool ctx_to_idle(struct doca_ctx *ctx)
{
	doca_priv_ctx_unwatch(ctx);
	if (ctx->type->stop)
		ctx->type->stop(ctx);
	pe_unvisit(ctx->pe, ctx);
	ctx_release(ctx);
	return ctx_set_state(ctx, DOCA_CTX_STATE_IDLE);
}

/*
 * With nothing in flight there is nothing to cancel. The stop comes before the
 * flush, so that tasks which were held back are canceled, not executed.
 */
static void ctx_cancel(struct doca_ctx *ctx)
{
	if (!ctx->inflight || ctx->lost)
		return;
	driver_queue_stop(&ctx->queue);
	ctx_flush(ctx);
}

doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
	struct doca_pe *pe;
	bool nested;

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

	nested = pe->in_callback;
	if (pe_alive(pe) && ctx_is_up(ctx))
		ctx_cancel(ctx);
	/* Its callback cannot make it idle: it sees in_callback. */
	if (ctx_is_up(ctx))
		ctx_to_stopping(ctx);
	if (ctx->allocated)
		return DOCA_ERROR_IN_PROGRESS;
	if (nested) {
		pe_kick_ctx(pe, ctx);
		return DOCA_ERROR_IN_PROGRESS;
	}
	ctx_to_idle(ctx);
	return DOCA_SUCCESS;
}

void doca_priv_ctx_kick(struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_IDLE)
		pe_kick_ctx(ctx->pe, ctx);
}

void doca_priv_ctx_watch(struct doca_ctx *ctx, int fd)
{
	doca_priv_ctx_unwatch(ctx);
	ctx->watched_fd = fd;
	ctx->pe->nr_watches++;
	if (ctx->pe->armed && !pe_watch(ctx->pe, ctx))
		pe_kick_ctx(ctx->pe, ctx);
}

void doca_priv_ctx_unwatch(struct doca_ctx *ctx)
{
	if (ctx->watched_fd < 0)
		return;
	pe_unwatch(ctx->pe, ctx);
	ctx->watched_fd = -1;
	ctx->pe->nr_watches--;
}

void doca_ctx_flush_tasks(struct doca_ctx *ctx)
{
	if (!ctx || !valid(ctx))
		return;
	EXCLUSIVE(ctx_domain(ctx), return );
	if (ctx->accepts && driver_current(ctx->queue.generation))
		ctx_flush(ctx);
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
	doca_error_t ret;

	if (!valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
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
