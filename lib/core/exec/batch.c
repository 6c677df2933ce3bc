// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Batches of tasks. */
#include <errno.h>
#include <stdlib.h>

#include <doca_error.h>

#include "batch.h"
#include "core/base/log.h"
#include "core/objects.h"

LOG_SOURCE("COMMON::BATCH");

static bool batch_take(struct task_sink *sink, struct doca_task *task);

static void batch_init(struct doca_task_batch *batch, struct doca_ctx *ctx,
		       struct task_pool *pool, uint32_t first)
{
	uint16_t i;

	batch->sink.take = batch_take;
	batch->ctx = ctx;
	batch->pool = pool;
	batch->first = first;
	for (i = 0; i < pool->batches->max_tasks; i++) {
		task_hold(task_init(ctx, pool, first + i), &batch->sink);
	}
}

/* Allocate one block: the batches, then the arrays of their tasks. */
int batches_create(struct doca_ctx *ctx, struct task_pool *pool, uint32_t first)
{
	struct batch_pool *batches = pool->batches;
	union doca_data *user_data;
	doca_error_t *status;
	uint32_t i;

	batches->free = NULL;
	batches->block =
		calloc(1, batches->num * sizeof(*batches->block) +
				  (size_t)pool->num * (sizeof(*user_data) +
						       sizeof(*status)));
	if (!batches->block)
		return -ENOMEM;
	user_data = (void *)(batches->block + batches->num);
	status = (void *)(user_data + pool->num);
	for (i = batches->num; i--;) {
		struct doca_task_batch *batch = &batches->block[i];
		uint32_t offset = i * batches->max_tasks;

		batch_init(batch, ctx, pool, first + offset);
		batch->task_user_data = user_data + offset;
		batch->task_status = status + offset;
		batch->next_free = batches->free;
		batches->free = batch;
	}
	doca_priv_debug_add(batches->block, &doca_priv_task_batch_object,
			    sizeof(*batches->block), batches->num);
	return 0;
}

void batches_destroy(struct task_pool *pool)
{
	doca_priv_debug_free(pool->batches->block);
	pool->batches->block = NULL;
	pool->batches->free = NULL;
}

doca_error_t doca_priv_batch_alloc(struct doca_ctx *ctx, struct task_pool *pool,
				   uint16_t nr_tasks, union doca_data user_data,
				   struct doca_task_batch **out)
{
	struct batch_pool *batches = pool->batches;
	struct doca_task_batch *batch;

	if (doca_unlikely(ctx->state != DOCA_CTX_STATE_RUNNING))
		return ctx_not_running(ctx, "allocate a task batch");
	if (doca_unlikely(!nr_tasks || nr_tasks > batches->max_tasks))
		return FAIL(INVALID_VALUE,
			    "a task batch of %s %p may have 1 to %u tasks, not "
			    "%u",
			    ctx->type->name, (void *)ctx, batches->max_tasks,
			    nr_tasks);
	batch = batches->free;
	if (doca_unlikely(!batch))
		return FAIL_AGAIN(
			ctx->told_empty, NO_MEMORY,
			"%s %p has no task batch left: all %u of that "
			"kind are allocated",
			ctx->type->name, (void *)ctx,
			(unsigned int)batches->num);
	batches->free = batch->next_free;
	ctx->allocated++;
	batch->user_data = user_data;
	batch->nr_tasks = nr_tasks;
	batch->status = DOCA_SUCCESS;
	batch->state = TASK_OWNED;
	batch->doomed = false;
	*out = batch;
	return DOCA_SUCCESS;
}

static void batch_release(struct doca_task_batch *batch)
{
	struct batch_pool *batches = batch->pool->batches;

	batch->state = TASK_FREE;
	batch->next_free = batches->free;
	batches->free = batch;
	batch->ctx->allocated--;
}

/* Keep the status of the first task that failed: those behind it are canceled, so it says most. */
static bool batch_take(struct task_sink *sink, struct doca_task *task)
{
	struct doca_task_batch *batch =
		list_entry(sink, struct doca_task_batch, sink);

	batch->task_status[task->index - batch->first] = task->status;
	if (doca_unlikely(task->status != DOCA_SUCCESS &&
			  batch->status == DOCA_SUCCESS))
		batch->status = task->status;
	if (--batch->pending)
		return false;
	if (doca_unlikely(batch->doomed))
		batch_release(batch);
	else
		batch->state = TASK_OWNED;
	batch->pool->batches->type->call(batch);
	return true;
}

void doca_task_batch_free(struct doca_task_batch *batch)
{
	if (!batch || !valid(batch))
		return;
	EXCLUSIVE_WAIT(ctx_domain(batch->ctx));
	switch (batch->state) {
	case TASK_OWNED:
		batch_release(batch);
		tasks_given_back(batch->ctx);
		break;
	case TASK_INFLIGHT:
		batch->doomed = true;
		break;
	default:
		if (!batch->doomed)
			LOG_ERR("task batch %p of %s is freed twice",
				(void *)batch, batch->ctx->type->name);
		batch->doomed = false;
	}
}

static doca_error_t batch_refused(const struct doca_task_batch *batch)
{
	if (batch->state != TASK_OWNED)
		return FAIL(BAD_STATE,
			    "cannot submit task batch %p of %s: it %s",
			    (const void *)batch, batch->ctx->type->name,
			    batch->state == TASK_FREE ? "was freed" :
							"is in flight");
	return tasks_refused(batch->ctx);
}

static bool batch_may_go(const struct doca_task_batch *batch)
{
	return batch->state == TASK_OWNED && tasks_accepted(batch->ctx);
}

doca_error_t doca_task_batch_submit(struct doca_task_batch *batch)
{
	uint16_t i;

	if (doca_unlikely(!valid(batch)))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(batch->ctx), return DOCA_ERROR_IN_USE);
	if (doca_unlikely(!batch_may_go(batch)))
		return batch_refused(batch);
	batch->state = TASK_INFLIGHT;
	batch->status = DOCA_SUCCESS;
	batch->pending = batch->nr_tasks;
	for (i = 0; i < batch->nr_tasks; i++)
		task_queue(batch_task(batch, i), false);
	tasks_publish(batch->ctx);
	return DOCA_SUCCESS;
}

doca_error_t doca_task_batch_try_submit(struct doca_task_batch *batch)
{
	doca_error_t ret;
	uint16_t i;

	if (!valid(batch))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(batch->ctx), return DOCA_ERROR_IN_USE);
	if (!batch_may_go(batch))
		return batch_refused(batch);
	for (i = 0; i < batch->nr_tasks; i++) {
		ret = batch->pool->type->validate(batch_task(batch, i));
		if (ret != DOCA_SUCCESS)
			return ret;
	}
	return doca_task_batch_submit(batch);
}

doca_error_t doca_task_batch_get_status(const struct doca_task_batch *batch)
{
	return valid(batch) ? batch->status : DOCA_ERROR_INVALID_VALUE;
}

uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *batch)
{
	return valid(batch) ? batch->nr_tasks : 0;
}

struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *batch)
{
	return valid(batch) ? batch->ctx : NULL;
}

union doca_data
doca_task_batch_get_ctx_user_data(const struct doca_task_batch *batch)
{
	return valid(batch) ? batch->ctx->user_data :
			      (union doca_data){ .u64 = 0 };
}

union doca_data
doca_task_batch_get_user_data(const struct doca_task_batch *batch)
{
	return valid(batch) ? batch->user_data : (union doca_data){ .u64 = 0 };
}

void doca_task_batch_set_user_data(struct doca_task_batch *batch,
				   union doca_data user_data)
{
	if (valid(batch))
		batch->user_data = user_data;
}
