// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Limits: how many tasks a context may have, and how much each may move. */
#include <doca_error.h>

#include "batch.h"
#include "core/base/log.h"
#include "core/device/caps.h"
#include "core/objects.h"
#include "ctx.h"

LOG_SOURCE("COMMON::TASK");

#define LIST_MAX 64

static uint32_t lesser(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * Submit accepts every allocated task, whatever lists its buffers are by then,
 * and there is nothing on the data path that can fail to be allocated. So each task owns segments for the
 * longest list on either side, 2 KiB, and the size of the segment table limits
 * the tasks of a context. Until a task has a list this is room, not memory: the
 * table's pages come when they are first written to. A table that lists share
 * would break the first promise.
 */
doca_error_t task_limits_get(const struct task_type *type,
			     const struct doca_devinfo *devinfo,
			     struct task_limits *limits)
{
	struct doca_device_query op;
	struct doca_query caps;
	uint32_t list_segs;
	doca_error_t ret;

	if (type->ask)
		return type->ask(devinfo, limits);
	ret = doca_priv_caps(devinfo, type->ring.opcode, &caps, &op);
	if (ret != DOCA_SUCCESS)
		return ret;
	limits->length = op.out_max_src ? op.out_max_src : op.out_max_dst;
	limits->list_len = lesser(op.out_max_segments, LIST_MAX);
	limits->unit = op.out_unit;
	limits->block = op.out_max_block;
	limits->ops = op.out_max_ops;
	limits->variants = op.out_variants;
	limits->tasks = caps.out_max_queue_entries;
	if (type->waits)
		limits->tasks = lesser(limits->tasks, caps.out_max_queue_waits);
	if (type->limit)
		type->limit(limits);
	list_segs = task_list_segs(type, limits);
	if (list_segs)
		limits->tasks = lesser(limits->tasks,
				       caps.out_max_queue_segments / list_segs);
	return DOCA_SUCCESS;
}

/* Types with one task have one function that enables it. */
doca_error_t tasks_check_enabled(const struct doca_ctx *ctx)
{
	const struct ctx_type *type = ctx->type;
	unsigned int i;

	for (i = 0; i < ctx->nr_pools; i++)
		if (pool_tasks(&ctx->pools[i]))
			return DOCA_SUCCESS;
	if (!ctx->nr_pools)
		return DOCA_SUCCESS;
	return FAIL(INVALID_VALUE,
		    "cannot start %s %p: no tasks are enabled; call "
		    "%s%s_set_conf()",
		    type->name, (const void *)ctx,
		    ctx->nr_pools == 1 ? type->tasks[0]->object->name :
					 type->object->name,
		    ctx->nr_pools == 1 ? "" : "_task_...");
}

/* Each pool is within its own limit; check the sum. */
doca_error_t tasks_check_limits(const struct doca_ctx *ctx)
{
	const struct doca_query *caps = driver_caps();
	uint64_t tasks = 0, waits = 0, run_len = 0;
	unsigned int i;

	for (i = 0; i < ctx->nr_pools; i++) {
		const struct task_pool *pool = &ctx->pools[i];
		uint32_t num = pool_tasks(pool);

		tasks += num;
		if (pool->type->waits)
			waits += num;
		if (num && pool->list_segs > run_len)
			run_len = pool->list_segs;
	}
	if (tasks > caps->out_max_queue_entries ||
	    waits > caps->out_max_queue_waits)
		return FAIL(INVALID_VALUE,
			    "cannot start %s %p: %llu tasks, of which %llu "
			    "wait, are more than it may have, %u and %u",
			    ctx->type->name, (const void *)ctx,
			    (unsigned long long)tasks,
			    (unsigned long long)waits,
			    caps->out_max_queue_entries,
			    caps->out_max_queue_waits);
	if (tasks * run_len > caps->out_max_queue_segments)
		return FAIL(INVALID_VALUE,
			    "cannot start %s %p: %llu tasks with lists are "
			    "more than it may have, %llu",
			    ctx->type->name, (const void *)ctx,
			    (unsigned long long)tasks,
			    (unsigned long long)(caps->out_max_queue_segments /
						 run_len));
	return DOCA_SUCCESS;
}
