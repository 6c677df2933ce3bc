// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The lane of contexts whose operations the driver executes: its queue. Plain tasks
 * use the queue's ring on a shorter path.
 *
 * A queue that fails, by a bad task or the removal of its device, still answers every
 * submission; the context only has to go on reaping. If nothing answers any more, the
 * context is lost.
 */
#include <errno.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/base/failure.h"
#include "core/base/log.h"
#include "core/device/dev.h"
#include "batch.h"
#include "ctx.h"
#include "lane_ring.h"
#include "pe.h"
#include "plain.h"
#include "task_bufs.h"

LOG_SOURCE("COMMON::CTX");

/*
 * Return a power of two, twice what the tasks need. Then the library does not write next
 * to what the executor reads, and the two CPUs do not fight for cache lines; large rings
 * keep them apart anyway. Few tasks get more entries, because the end of a ring takes
 * extra work.
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
	case -EOPNOTSUPP:
		LOG_ERR("cannot start %s: its device %s does not execute all "
			"of its tasks",
			name, ctx->dev->info.name);
		return DOCA_ERROR_NOT_SUPPORTED;
	case -EDQUOT:
		LOG_ERR("cannot start %s with %u tasks: the user has too many "
			"queues or too large ones; use fewer tasks, or raise "
			"max_queues, max_ring_bytes or max_waits, parameters "
			"of the doca module",
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
			errno_text(err));
	}
	return DOCA_ERROR_INITIALIZATION;
}

/*
 * Ask for what the tasks need. The driver refuses a queue for operations that it does
 * not execute, so a context starts exactly if its tasks are supported.
 */
static void ask_for_tasks(const struct doca_ctx *ctx,
			  struct driver_queue_attr *attr)
{
	struct task_limits limits;
	unsigned int i;

	for (i = 0; i < ctx->nr_pools; i++) {
		const struct task_type *type = ctx->pools[i].type;

		if (!pool_tasks(&ctx->pools[i]))
			continue;
		attr->opcodes |= 1ULL << type->ring.opcode;
		if (task_limits_get(type, &ctx->dev->info, &limits) ==
			    DOCA_SUCCESS &&
		    attr->ops < limits.ops)
			attr->ops = limits.ops;
	}
	if (attr->ops > ctx->nr_tasks)
		attr->ops = ctx->nr_tasks;
}

static doca_error_t create_queue(struct doca_ctx *ctx)
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
	doca_error_t ret = DOCA_SUCCESS;
	int err;

	ask_for_tasks(ctx, &attr);
	if (ctx->type->queue)
		ret = ctx->type->queue(ctx, &attr);
	if (ret != DOCA_SUCCESS)
		return ret;
	err = driver_queue_create(&ctx->queue, &attr);
	return err ? queue_error(ctx, err) : DOCA_SUCCESS;
}

doca_error_t lane_ring_start(struct doca_ctx *ctx)
{
	doca_error_t ret;
	int err;

	ret = tasks_check_enabled(ctx);
	if (ret == DOCA_SUCCESS)
		ret = dev_has_driver(ctx->dev);
	if (ret == DOCA_SUCCESS)
		ret = tasks_check_limits(ctx);
	if (ret == DOCA_SUCCESS)
		ret = create_queue(ctx);
	if (ret != DOCA_SUCCESS)
		return ret;
	err = pe_poll_add(ctx->pe, ctx);
	if (!err)
		return DOCA_SUCCESS;
	driver_queue_destroy(&ctx->queue);
	return FAIL(INITIALIZATION,
		    "cannot start %s: cannot wait for its "
		    "queue: %s",
		    ctx->type->name, errno_text(err));
}

/* After a fork the driver has already handled the parent's queue. */
void lane_ring_stop(struct doca_ctx *ctx, bool forked)
{
	if (!forked)
		pe_poll_del(ctx->pe, ctx);
	ctx->polled = false;
	driver_queue_destroy(&ctx->queue);
}

/* Return true if the task may take the short path, as far as the context is not concerned. */
static bool ring_is_plain(const struct doca_task *task)
{
	return task->type->ring.plain && !task->ctx->traced && !task->sink &&
	       task->src->plain && task->dst->plain;
}

static void ring_put(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;
	struct ring *ring = &ctx->queue.ring;
	uint32_t first = task->index * ctx->run_len;
	struct doca_sqe *sqe = ring_get_sqe(ring);

	sqe->user_data = task->index;
	task->type->ring.prepare(task, sqe, ring->segs + first, first);
}

/*
 * Let the executor have what is submitted. A worker is called at most once for
 * it, unless calls are to replace it. Without a worker the call executes; it may
 * have ended early last time, and it polls waits.
 */
static bool flush(struct doca_ctx *ctx)
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
		       (ctx->inflight &&
			(ctx->nr_waits || driver_is_in_process()));
	if (call)
		driver_queue_enter(&ctx->queue);
	return call;
}

/* If the ring is open, the context is visited already and not general. */
void lane_ring_submit(struct doca_task *task, bool flush_now)
{
	struct doca_ctx *ctx = task->ctx;
	struct ring *ring = &ctx->queue.ring;

	if (ring_refuses(ring))
		ring_admit(ring);
	if (ring_is_plain(task)) {
		task->state = TASK_PLAIN;
		ring_hold_back(ring, plain_entry(task));
	} else {
		ring_put(task);
	}
	if (ctx->general)
		ring_refuse(ring);
	if (flush_now)
		flush(ctx);
}

bool lane_ring_flush(struct doca_ctx *ctx)
{
	return flush(ctx);
}

/* No more to do: the queue flushes what is behind the task or, after a soft failure, goes on. */
static doca_error_t ring_task_failed(struct doca_ctx *ctx,
				     const struct doca_task *task,
				     uint32_t status)
{
	struct failure failure = failure_of(status);
	bool tell = !ctx->told && ctx->state == DOCA_CTX_STATE_RUNNING;
	char more[256];

	if (failure.soft && ctx->state != DOCA_CTX_STATE_RUNNING)
		return failure.error;
	if (failure.soft) {
		LOG_(log_once(&ctx->told_soft),
		     "%s %p: task %p failed: %s; the context goes on",
		     ctx->type->name, (void *)ctx, (const void *)task,
		     failure.why);
		return failure.error;
	}
	if (status == DOCA_STATUS_BAD_KEY && task_is_unkeyed(task)) {
		failure.error = DOCA_ERROR_INVALID_VALUE;
		failure.why = "doca_task_try_submit() would have refused it";
		/* validate() logs what is wrong. */
		if (tell)
			task->type->validate(task);
	}
	if (tell) {
		ctx->told = true;
		task_explain(task, status, more, sizeof(more));
		LOG_ERR("%s %p: task %p failed: %s%s; the context stops, and "
			"with it %u more tasks",
			ctx->type->name, (void *)ctx, (const void *)task,
			failure.why, more, ctx->inflight - 1);
	}
	if (ctx->state == DOCA_CTX_STATE_RUNNING)
		ctx->failing = true;
	return failure.error;
}

static enum lane_turn ring_reap(struct doca_ctx *ctx,
				const struct doca_cqe *shared)
{
	doca_error_t error = DOCA_SUCCESS;
	struct doca_cqe cqe = *shared;
	const uint64_t result[] = { cqe.result[0], cqe.result[1] };
	struct doca_task *task;

	ring_release(&ctx->queue.ring);
	task = task_inflight(ctx, cqe.user_data);
	if (doca_unlikely(!task)) {
		LOG_ERR_ONCE("%s: the kernel completed a task that is not in "
			     "flight; please report this",
			     ctx->type->name);
		return LANE_AGAIN;
	}
	if (doca_unlikely(cqe.status != DOCA_STATUS_SUCCESS))
		error = ring_task_failed(ctx, task, cqe.status);
	if (doca_unlikely(ctx->traced))
		LOG_TRC("%s %p: task %p is done: %s", ctx->type->name,
			(void *)ctx, (void *)task, doca_error_get_descr(error));
	return task_complete(task, error, cqe.length, result) ? LANE_CALLED :
								LANE_AGAIN;
}

/*
 * Return true if no more answers will come. A dead queue's worker still answers,
 * and so does a call where there is no worker, unless such a call has just failed.
 */
static bool ring_is_lost(const struct doca_ctx *ctx, bool entered)
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

/*
 * Nothing is in flight, so no completion will be reaped. A stopping context takes a dead
 * queue out of the engine's waits: it would end each of them with no news.
 */
static void ring_report(struct doca_ctx *ctx)
{
	const struct ring *ring = &ctx->queue.ring;
	bool broken = ring_state(ring) == DOCA_QUEUE_BROKEN;

	if (ring_dead(ring) && !ctx->inflight && ctx_is_up(ctx))
		dev_set_gone(ctx->dev);
	else if (broken && !ctx->inflight)
		ctx_failed(ctx, "its queue is broken");
	if (ctx->state == DOCA_CTX_STATE_STOPPING &&
	    (broken || ring_dead(ring)))
		pe_poll_del(ctx->pe, ctx);
}

/* There was no completion: look closer. Return AGAIN if a second look is due at once. */
static enum lane_turn ring_look_closer(struct doca_ctx *ctx)
{
	struct ring *ring = &ctx->queue.ring;
	bool entered = flush(ctx);
	bool trouble = queue_in_trouble(ring);
	bool lost = trouble && ctx->inflight && ring_is_lost(ctx, entered);

	/* Look after reading the state: it may have changed after a completion. */
	if ((entered || trouble) && ring_peek(ring))
		return LANE_AGAIN;
	if (lost) {
		pe_poll_del(ctx->pe, ctx);
		ctx_lose(ctx, "its queue is broken");
		return LANE_AGAIN;
	}
	if (trouble)
		ring_report(ctx);
	return LANE_IDLE;
}

enum lane_turn lane_ring_progress(struct doca_ctx *ctx)
{
	const struct doca_cqe *cqe = ring_peek(&ctx->queue.ring);

	return doca_likely(cqe) ? ring_reap(ctx, cqe) : ring_look_closer(ctx);
}

/* A failed queue cancels by itself, and without tasks in flight there is nothing to cancel. */
void lane_ring_cancel(struct doca_ctx *ctx)
{
	if (!ctx->inflight || ring_state(&ctx->queue.ring) != DOCA_QUEUE_RUN)
		return;
	driver_queue_stop(&ctx->queue);
	flush(ctx);
}

bool lane_ring_arm(struct doca_ctx *ctx)
{
	struct ring *ring = &ctx->queue.ring;

	flush(ctx);
	driver_queue_rearm(&ctx->queue);
	if (ring_arm(ring))
		return true;
	if (ctx_is_up(ctx))
		return queue_in_trouble(ring);
	/* The queue is no longer in the wait, so its last answers must be polled for. */
	return !ctx->polled && ctx->inflight;
}

bool lane_ring_woken(struct doca_ctx *ctx)
{
	const struct ring *ring = &ctx->queue.ring;

	if (!ctx->polled)
		return false;
	/* The reason of this wake-up must not end another wait. */
	driver_queue_rearm(&ctx->queue);
	return ring_peek(ring) || queue_in_trouble(ring);
}

static bool ring_done(const struct doca_ctx *ctx)
{
	return ring_peek(&ctx->queue.ring);
}

const struct lane_ops lane_ring = {
	.name = "ring",
	.start = lane_ring_start,
	.stop = lane_ring_stop,
	.submit = lane_ring_submit,
	.flush = lane_ring_flush,
	.progress = lane_ring_progress,
	.cancel = lane_ring_cancel,
	.arm = lane_ring_arm,
	.done = ring_done,
	.woken = lane_ring_woken,
};
