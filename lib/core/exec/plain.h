/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Plain tasks, as most are: they copy from one buffer to another, all parts of their
 * entries are ready, and their completion only calls the program. Submission and
 * completion are inline here, and the only call is that of the program. Every other task
 * takes the general path, with the same effects.
 */
#ifndef DOCA_CORE_PLAIN_H
#define DOCA_CORE_PLAIN_H

#include <stdbool.h>

#include "core/memory/buf.h"
#include "ctx.h"
#include "task.h"

/* Return true if the task may be submitted, and on this path. */
static inline bool plain_ready(const struct doca_task *task)
{
	return !ring_refuses(&task->ctx->queue.ring) &&
	       task->state == TASK_OWNED && task->src->plain &&
	       task->dst->plain;
}

/* Fill in the entry of a task in flight. */
static inline struct doca_sqe *plain_entry(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;
	struct doca_sqe *sqe = ring_take_sqe(&ctx->queue.ring);
	struct doca_buf *src = task->src;
	struct doca_buf *dst = task->dst;

	doca_priv_buf_hold(src);
	doca_priv_buf_hold(dst);
	sqe->src = src->source;
	sqe->dst = dst->room;
	sqe->op[0] = 0;
	sqe->op[1] = 0;
	sqe->opcode = task->opcode;
	sqe->flags = 0;
	sqe->aux = 0;
	sqe->user_data = task->index;
	return sqe;
}

static inline struct doca_sqe *plain_fill_in(struct doca_task *task)
{
	struct doca_sqe *sqe = plain_entry(task);

	task->ctx->inflight++;
	task->state = TASK_PLAIN;
	return sqe;
}

static inline void plain_hold_back(struct doca_task *task)
{
	struct ring *ring = &task->ctx->queue.ring;

	ring_hold_back(ring, plain_fill_in(task));
}

/* Return true if the kernel must be called. */
static inline bool plain_announce(struct doca_task *task)
{
	struct ring *ring = &task->ctx->queue.ring;

	return ring_announce(ring, plain_fill_in(task));
}

/* Return the task of a completion that needs no more than success, or NULL. */
static inline struct doca_task *plain_done(struct doca_ctx *ctx,
					   const struct doca_cqe *cqe)
{
	struct doca_task *task;

	if (doca_unlikely(cqe->status != DOCA_STATUS_SUCCESS ||
			  cqe->user_data >= ctx->nr_tasks))
		return NULL;
	task = task_at(ctx, cqe->user_data);
	if (doca_unlikely(task->state != TASK_PLAIN ||
			  !doca_priv_buf_fill(task->dst, cqe->length)))
		return NULL;
	return task;
}

/* Take and return the task, so that the caller need not keep it across the call. */
struct doca_task *plain_free_buf(struct doca_task *task, struct doca_buf *buf);

static inline struct doca_task *plain_unhold(struct doca_task *task,
					     struct doca_buf *buf)
{
	return doca_likely(--buf->holds) ? task : plain_free_buf(task, buf);
}

/*
 * Complete the oldest task of a context if it is a plain one. Return true if it was,
 * and the program was called.
 */
__attribute__((always_inline)) static inline bool
plain_progress(struct doca_ctx *ctx)
{
	struct ring *ring = &ctx->queue.ring;
	const struct doca_cqe *cqe = ring->cqe;
	struct doca_task *task;

	if (!ring_has(ring, cqe))
		return false;
	task = plain_done(ctx, cqe);
	if (doca_unlikely(!task))
		return false;
	ring_release(ring);
	ctx->inflight--;
	task->state = TASK_OWNED;
	task = plain_unhold(task, task->src);
	task = plain_unhold(task, task->dst);
	task->type->done(task);
	return true;
}

#endif /* DOCA_CORE_PLAIN_H */
