// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Common code of the public functions of all libraries of tasks. */
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "core/device/dev.h"
#include "library.h"

#define REFUSE(site, ...) LOG_AT(site, DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)

bool doca_priv_ctx_is(const struct doca_ctx *ctx,
		      const struct object_type *object,
		      const struct log_site *site)
{
	return given_at(ctx, object->name, site) &&
	       (!doca_priv_debug ||
		doca_priv_debug_valid(ctx, object, true, site->func));
}

bool doca_priv_task_is(const struct doca_task *task,
		       const struct object_type *object, bool in_use,
		       const struct log_site *site)
{
	return given_at(task, object->name, site) &&
	       (!doca_priv_debug ||
		doca_priv_debug_valid(task, object, in_use, site->func));
}

doca_error_t doca_priv_task_try_set(const struct doca_task *task,
				    const struct object_type *object,
				    const struct log_site *site)
{
	if (!doca_priv_task_is(task, object, true, site))
		return DOCA_ERROR_INVALID_VALUE;
	if (!task_is_inflight(task))
		return DOCA_SUCCESS;
	REFUSE(site, "%s task %p of %s %p cannot be changed: it is in flight",
	       task->type->name, (const void *)task, task->ctx->type->name,
	       (void *)task->ctx);
	return DOCA_ERROR_BAD_STATE;
}

bool doca_priv_task_may_set(const struct doca_task *task,
			    const struct object_type *object,
			    const struct log_site *site)
{
	return doca_priv_task_try_set(task, object, site) == DOCA_SUCCESS;
}

/* Return whose limits they are, for lines of the log: the driver's or a device's. */
static const char *owner(const struct task_type *type)
{
	return type->ask ? "device" : "kernel";
}

static const struct doca_devinfo *devinfo_of(const struct doca_ctx *ctx)
{
	return ctx->dev ? &ctx->dev->info : NULL;
}

/* Return SUCCESS if at least one type of task is supported, or none is described. */
static doca_error_t ask_driver(struct doca_ctx *ctx,
			       const struct log_site *site)
{
	doca_error_t all = DOCA_ERROR_NOT_SUPPORTED, ret;
	unsigned int i;

	for (i = 0; i < ctx->nr_pools; i++) {
		struct task_pool *pool = &ctx->pools[i];

		ret = task_limits_get(pool->type, devinfo_of(ctx),
				      &pool->limits);
		if (ret == DOCA_SUCCESS)
			all = ret;
		else if (ret != DOCA_ERROR_NOT_SUPPORTED)
			return ret;
	}
	if (!ctx->nr_pools)
		return DOCA_SUCCESS;
	if (all != DOCA_SUCCESS)
		REFUSE(site, "cannot create %s on %s: the %s has no %s tasks",
		       ctx->type->name, ctx->dev->info.name,
		       owner(ctx->pools[0].type), ctx->pools[0].type->name);
	return all;
}

doca_error_t doca_priv_ctx_new(const struct ctx_type *type,
			       struct doca_dev *dev, struct doca_ctx **out,
			       const struct log_site *site)
{
	struct doca_ctx *ctx = aligned_alloc(type->align, type->size);
	doca_error_t ret = DOCA_SUCCESS;

	if (!ctx)
		return FAIL_AT(site, NO_MEMORY, "out of memory for %s",
			       type->name);
	memset(ctx, 0, type->size);
	doca_priv_ctx_init(ctx, type, dev);
	if (dev)
		ret = ask_driver(ctx, site);
	if (ret == DOCA_SUCCESS && type->init)
		ret = type->init(ctx);
	if (ret == DOCA_SUCCESS) {
		*out = ctx;
		return ret;
	}
	ctx_drop(ctx);
	doca_priv_debug_free(ctx);
	return ret;
}

doca_error_t doca_priv_ctx_destroy(struct doca_ctx *ctx,
				   const struct object_type *object,
				   const struct log_site *site)
{
	DEBUG_HELD held = NULL;
	doca_error_t ret;

	if (!ctx_is(ctx, object, site))
		return DOCA_ERROR_INVALID_VALUE;
	if (!debug_alone(&held, ctx_domain(ctx), site->func))
		return DOCA_ERROR_IN_USE;
	ret = doca_priv_ctx_fini(ctx);
	if (ret == DOCA_SUCCESS)
		doca_priv_debug_free(ctx);
	return ret;
}

static doca_error_t may_configure(const struct doca_ctx *ctx,
				  const struct log_site *site)
{
	if (ctx->type->may_configure)
		return ctx->type->may_configure(ctx);
	if (doca_priv_ctx_idle(ctx))
		return DOCA_SUCCESS;
	return FAIL_AT(site, BAD_STATE, "cannot configure %s %p: it is started",
		       ctx->type->name, (const void *)ctx);
}

/* A context that was created without a device does not know its limits yet. */
static doca_error_t pool_ask_driver(const struct doca_ctx *ctx,
				    struct task_pool *pool,
				    const struct log_site *site)
{
	doca_error_t ret;

	if (pool->limits.tasks)
		return DOCA_SUCCESS;
	ret = task_limits_get(pool->type, devinfo_of(ctx), &pool->limits);
	if (ret != DOCA_ERROR_NOT_SUPPORTED)
		return ret;
	return FAIL_AT(site, NOT_SUPPORTED,
		       "cannot configure %s %p: the %s has no %s tasks",
		       ctx->type->name, (const void *)ctx, owner(pool->type),
		       pool->type->name);
}

static bool is_set(bool set, const char *why, const struct log_site *site)
{
	if (!set)
		REFUSE(site, "%s(): invalid argument: %s", site->func, why);
	return set;
}

doca_error_t doca_priv_task_set_conf(struct doca_ctx *ctx,
				     const struct object_type *object,
				     unsigned int nr, task_cb_t done,
				     task_cb_t failed, uint32_t num,
				     const struct log_site *site)
{
	struct task_pool *pool;
	doca_error_t ret;

	if (!ctx_is(ctx, object, site) ||
	    !is_set(done, "the completion callback is NULL", site) ||
	    !is_set(failed, "the error callback is NULL", site) ||
	    !is_set(num, "the number of tasks is 0", site))
		return DOCA_ERROR_INVALID_VALUE;
	pool = &ctx->pools[nr];
	ret = may_configure(ctx, site);
	if (ret == DOCA_SUCCESS)
		ret = pool_ask_driver(ctx, pool, site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (num > pool->limits.tasks)
		return FAIL_AT(site, INVALID_VALUE,
			       "%u %s tasks are more than one %s may have, %u",
			       num, pool->type->name, ctx->type->name,
			       pool->limits.tasks);
	pool->done = done;
	pool->failed = failed;
	pool->num = num;
	pool->list_segs = task_list_segs(pool->type, &pool->limits);
	return DOCA_SUCCESS;
}

static bool devinfo_is(const struct doca_devinfo *devinfo,
		       const struct log_site *site)
{
	return given_at(devinfo, "devinfo", site) &&
	       (!doca_priv_debug ||
		doca_priv_debug_valid(devinfo, &doca_priv_devinfo_object, true,
				      site->func));
}

/* Answer a program's question, which it may ask of any device. */
doca_error_t doca_priv_task_cap(const struct doca_devinfo *devinfo,
				const void *out, const struct task_type *type,
				struct task_limits *limits,
				const struct log_site *site)
{
	doca_error_t ret;

	if (!devinfo_is(devinfo, site) ||
	    !given_at(out, "the place for the answer", site))
		return DOCA_ERROR_INVALID_VALUE;
	ret = task_limits_get(type, devinfo, limits);
	if (ret != DOCA_ERROR_NOT_SUPPORTED)
		return ret;
	return ANSWER_AT(site, NOT_SUPPORTED, "%s: the %s has no %s tasks",
			 devinfo->name, owner(type), type->name);
}

doca_error_t doca_priv_cap_never(const struct doca_devinfo *devinfo,
				 const struct log_site *site)
{
	if (!devinfo_is(devinfo, site))
		return DOCA_ERROR_INVALID_VALUE;
	return ANSWER_AT(site, NOT_SUPPORTED, "%s: no device can do that",
			 devinfo->name);
}
