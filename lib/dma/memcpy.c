// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The memcpy task. */
#include <stdbool.h>
#include <stddef.h>

#include <doca_error.h>

#include "core/debug.h"
#include "core/log.h"
#include "core/segs.h"
#include "dma.h"

LOG_SOURCE("DMA::MEMCPY");

static inline struct doca_dma_task_memcpy *
to_memcpy(const struct doca_task *task)
{
	return list_entry(task, struct doca_dma_task_memcpy, task);
}

static inline struct doca_dma *to_dma(const struct doca_task *task)
{
	return list_entry(task->ctx, struct doca_dma, ctx);
}

/* What one side of a task would move, and what stands against it. */
struct side {
	const char *name;
	uint64_t bytes;
	uint32_t bufs;
	bool unkeyed;
	bool read_only;
};

static void measure(struct side *side, const struct doca_buf *buf,
		    const struct doca_dev *dev, bool output)
{
	for (; buf; buf = doca_priv_buf_next(buf)) {
		side->bufs++;
		side->bytes += output ? doca_priv_buf_tailroom(buf) :
					doca_priv_buf_data_len(buf);
		if (!doca_priv_buf_key(buf, dev))
			side->unkeyed = true;
		if (output && !doca_priv_mmap_writable(buf->mmap))
			side->read_only = true;
	}
}

static bool side_is_bad(const struct side *side, const struct doca_task *task)
{
	const struct dma_limits *limits = &to_dma(task)->limits;

	if (!side->bufs)
		LOG_ERR("memcpy task %p: no %s", (const void *)task,
			side->name);
	else if (side->bufs > limits->list_len)
		LOG_ERR("memcpy task %p: the %s is a list of %u buffers, more "
			"than %u",
			(const void *)task, side->name, side->bufs,
			limits->list_len);
	else if (side->unkeyed)
		LOG_ERR("memcpy task %p: the mmap of the %s is not started or "
			"lacks the device of the context",
			(const void *)task, side->name);
	else if (side->read_only)
		LOG_ERR("memcpy task %p: the mmap of the %s does not allow "
			"writes",
			(const void *)task, side->name);
	else
		return false;
	return true;
}

static doca_error_t memcpy_validate(const struct doca_task *task)
{
	const struct doca_dev *dev = task->ctx->dev;
	struct side src = { .name = "source" };
	struct side dst = { .name = "destination" };

	measure(&src, task_src(task), dev, false);
	measure(&dst, task_dst(task), dev, true);
	if (side_is_bad(&src, task) || side_is_bad(&dst, task))
		return DOCA_ERROR_INVALID_VALUE;
	if (src.bytes > to_dma(task)->limits.length) {
		LOG_ERR("memcpy task %p: %llu bytes are more than one task may "
			"copy, %llu",
			(const void *)task, (unsigned long long)src.bytes,
			(unsigned long long)to_dma(task)->limits.length);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (src.bytes > dst.bytes) {
		LOG_ERR("memcpy task %p: the source has %llu bytes, the "
			"destination room for %llu",
			(const void *)task, (unsigned long long)src.bytes,
			(unsigned long long)dst.bytes);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

static bool is_stale(const struct doca_buf *buf, const char *func)
{
	return buf && !doca_priv_debug_valid(buf, DEBUG_BUF, true, func);
}

static void memcpy_drop_stale(struct doca_task *task, const char *func)
{
	if (is_stale(task_src(task), func))
		task_set_src(task, NULL);
	if (is_stale(task_dst(task), func))
		task_set_dst(task, NULL);
}

static bool memcpy_unkeyed(const struct doca_task *task)
{
	const struct doca_dev *dev = task->ctx->dev;

	return segs_source_unkeyed(task_src(task), dev) ||
	       segs_unkeyed(task_dst(task), dev);
}

static void memcpy_submit(struct doca_task *task, struct doca_sqe *sqe,
			  struct doca_seg *run, uint32_t first)
{
	struct doca_buf *src = task_src(task);
	struct doca_buf *dst = task_dst(task);
	struct segs segs = {
		.dev = task->ctx->dev,
		.run = run,
		.first = first,
		.max = to_dma(task)->limits.list_len,
	};

	sqe->opcode = DOCA_OP_MEMCPY;
	sqe->flags = segs_from_source(&segs, src, &sqe->src) |
		     segs_from_destination(&segs, dst, &sqe->dst);
	if (src)
		doca_priv_buf_hold(src);
	if (dst)
		doca_priv_buf_hold(dst);
}

static void memcpy_finish(struct doca_task *task, uint32_t length,
			  uint64_t result)
{
	struct doca_buf *src = task_src(task);
	struct doca_buf *dst = task_dst(task);

	(void)result;
	if (task->status == DOCA_SUCCESS)
		segs_append(dst, length);
	if (src)
		doca_priv_buf_unhold(src);
	if (dst)
		doca_priv_buf_unhold(dst);
}

static void memcpy_done(struct doca_task *task)
{
	struct doca_dma *dma = to_dma(task);

	dma->done(to_memcpy(task), task->user_data, dma->ctx.user_data);
}

static void memcpy_failed(struct doca_task *task)
{
	struct doca_dma *dma = to_dma(task);

	dma->failed(to_memcpy(task), task->user_data, dma->ctx.user_data);
}

const struct task_type dma_memcpy_type = {
	.size = sizeof(struct doca_dma_task_memcpy),
	.opcode = DOCA_OP_MEMCPY,
	.validate = memcpy_validate,
	.drop_stale = memcpy_drop_stale,
	.unkeyed = memcpy_unkeyed,
	.submit = memcpy_submit,
	.finish = memcpy_finish,
	.done = memcpy_done,
	.failed = memcpy_failed,
};

doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma,
					     const struct doca_buf *src,
					     struct doca_buf *dst,
					     union doca_data user_data,
					     struct doca_dma_task_memcpy **task)
{
	struct doca_task *base;
	doca_error_t ret;

	if (!dma_valid(dma) || !task)
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&dma->ctx), return DOCA_ERROR_IN_USE);
	ret = doca_priv_task_alloc(&dma->ctx, &dma->memcpy, user_data, &base);
	if (ret != DOCA_SUCCESS)
		return ret;
	*task = to_memcpy(base);
	task_set_src(base, src);
	task_set_dst(base, dst);
	return DOCA_SUCCESS;
}

struct doca_task *
doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task)
{
	return memcpy_known(task) ? &task->task : NULL;
}

/* The buffers of a task in flight are held; others could not be let go. */
static bool may_set(const struct doca_dma_task_memcpy *task)
{
	if (!task_is_inflight(&task->task))
		return true;
	LOG_ERR("memcpy task %p: its buffers cannot be changed, it is in "
		"flight",
		(const void *)task);
	return false;
}

void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task,
				  const struct doca_buf *src)
{
	if (memcpy_valid(task) && may_set(task))
		task_set_src(&task->task, src);
}

void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task,
				  struct doca_buf *dst)
{
	if (memcpy_valid(task) && may_set(task))
		task_set_dst(&task->task, dst);
}

const struct doca_buf *
doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task)
{
	return memcpy_known(task) ? task_src(&task->task) : NULL;
}

struct doca_buf *
doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task)
{
	return memcpy_known(task) ? task_dst(&task->task) : NULL;
}
