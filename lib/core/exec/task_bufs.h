/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Requirements on buffers that tasks of all types share. doca_task_try_submit()
 * refuses a side that violates them, and segs.h gives it no key, so the task also
 * fails if it is submitted.
 */
#ifndef DOCA_CORE_TASK_BUFS_H
#define DOCA_CORE_TASK_BUFS_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "core/memory/segs.h"
#include "ctx.h"
#include "task.h"

/* Number of bytes of a task's sides, of data or of room, as the type requires. */
struct task_bytes {
	uint64_t src;
	uint64_t dst;
};

/*
 * Check the sides against the type, and the amount of data. Returns INVALID_VALUE, with
 * a line in the log, if something is wrong.
 */
DOCA_STABLE doca_error_t doca_priv_task_check(const struct doca_task *task,
					      struct task_bytes *bytes);

/* Likewise the source alone. */
DOCA_STABLE doca_error_t doca_priv_task_check_src(const struct doca_task *task,
						  struct task_bytes *bytes);

/* Return true if prepare() left out a key because of an error in the task. */
bool task_is_unkeyed(const struct doca_task *task);

/*
 * Extend the kernel's status of a failed task: which permission is missing where, or
 * how many bytes each side has. @text is "" if there is nothing to add.
 */
void task_explain(const struct doca_task *task, uint32_t status, char *text,
		  size_t size);

/* Drop buffers that the program has released, in debug mode. */
void task_drop_stale(struct doca_task *task, const char *func);

/*
 * For prepare() of types: hold a buffer until finish(). Returns NULL if there is
 * none, or if it was released.
 */
static inline struct doca_buf *task_hold_src(struct doca_task *task)
{
	if (doca_unlikely(!task->src->refcount)) {
		task_set_src(task, NULL);
		return NULL;
	}
	doca_priv_buf_hold(task->src);
	return task->src;
}

static inline struct doca_buf *task_hold_dst(struct doca_task *task)
{
	if (doca_unlikely(!task->dst->refcount)) {
		task_set_dst(task, NULL);
		return NULL;
	}
	doca_priv_buf_hold(task->dst);
	return task->dst;
}

static inline void task_unhold_bufs(struct doca_task *task)
{
	struct doca_buf *src = task_src(task);
	struct doca_buf *dst = task_dst(task);

	if (src)
		doca_priv_buf_unhold(src);
	if (dst)
		doca_priv_buf_unhold(dst);
}

static inline struct segs task_segs(const struct doca_task *task,
				    struct doca_seg *run, uint32_t first)
{
	return (struct segs){
		.dev = task->ctx->dev,
		.run = run,
		.first = first,
		.max = task->pool->limits.list_len,
	};
}

/* Like task_hold_src(), for types with both sides, which turn data of the source into output. */
static inline void task_prepare_bufs(struct doca_task *task,
				     struct doca_sqe *sqe, struct doca_seg *run,
				     uint32_t first)
{
	struct doca_buf *src = task_hold_src(task);
	struct doca_buf *dst = task_hold_dst(task);
	struct segs segs = task_segs(task, run, first);

	sqe->opcode = task->opcode;
	sqe->flags = segs_from_source(&segs, src, &sqe->src) |
		     segs_from_destination(&segs, dst, &sqe->dst);
}

/* Likewise for types that take no data as well. */
static inline void task_prepare_data(struct doca_task *task,
				     struct doca_sqe *sqe, struct doca_seg *run,
				     uint32_t first)
{
	struct doca_buf *src = task_hold_src(task);
	struct doca_buf *dst = task_hold_dst(task);
	struct segs segs = task_segs(task, run, first);

	sqe->opcode = task->opcode;
	sqe->flags = segs_from_data(&segs, src, &sqe->src) |
		     segs_from_destination(&segs, dst, &sqe->dst);
}

static inline void task_finish_bufs(struct doca_task *task, uint32_t length)
{
	if (task->status == DOCA_SUCCESS)
		segs_append(task_dst(task), length);
	task_unhold_bufs(task);
}

#endif /* DOCA_CORE_TASK_BUFS_H */
