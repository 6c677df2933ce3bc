// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The tasks of a context: made when it starts, and dealt out to its pools. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/objects.h"
#include "batch.h"
#include "ctx.h"
#include "task.h"

#define CACHE_LINE 64

/* Return true if the tasks will have a source and a destination, like plain ones. */
static bool looks_plain(const struct task_type *type)
{
	return type->src.name && type->dst.name;
}

/*
 * All pools of a context share one size of task and one length of run, so that a
 * number leads to both without a table.
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

/* Add the last first, so that the first task of the block is taken first. */
static void pool_fill(struct doca_ctx *ctx, struct task_pool *pool,
		      uint32_t first)
{
	uint32_t i;

	pool->free = NULL;
	for (i = pool->num; i--;) {
		struct doca_task *task = task_at(ctx, first + i);

		task_init(ctx, pool, first + i);
		task->next = pool->free;
		pool->free = task;
		if (!task->next)
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
	ctx->inflight = 0;
	ctx->allocated = 0;
	if (!size)
		return 0;
	ctx->tasks = aligned_alloc(CACHE_LINE, size);
	if (!ctx->tasks)
		return -ENOMEM;
	memset(ctx->tasks, 0, size);
	doca_priv_debug_add(ctx->tasks, &doca_priv_task_object, ctx->task_size,
			    ctx->nr_tasks);
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
