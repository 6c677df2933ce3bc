// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Checks of the buffers of a task. */
#include <stdio.h>

#include <linux/doca_ring.h>

#include "core/base/log.h"
#include "core/objects.h"
#include "ctx.h"
#include "task_bufs.h"

LOG_SOURCE("COMMON::TASK");

static bool is_unwritable(const struct task_side *side,
			  const struct doca_buf *buf)
{
	return side->writes && !doca_priv_mmap_writable(buf->mmap);
}

/* The permissions of an import come from its exporter. */
static const char *unwritable(const struct doca_mmap *mmap)
{
	if (mmap->from_export)
		return "is in an mmap that does not allow writes: it was "
		       "exported without DOCA_ACCESS_FLAG_PCI_READ_WRITE, or "
		       "maps a file, shared, that is only read";
	if (mmap->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE)
		return "is in an mmap that does not allow writes: it maps a "
		       "file, shared, that is only read (doca_mmap(3))";
	return "is in an mmap that does not allow writes: it lacks "
	       "DOCA_ACCESS_FLAG_LOCAL_READ_WRITE";
}

static const char *buf_fault(const struct doca_task *task,
			     const struct task_side *side,
			     const struct doca_buf *buf)
{
	/* A task in flight still owns buffers that the program has released. */
	if (!buf->refcount && !task_is_inflight(task))
		return "was released already";
	if (!doca_priv_buf_key(buf, task->ctx->dev))
		return "is in an mmap that is not started or lacks the device "
		       "of the context";
	if (is_unwritable(side, buf))
		return unwritable(buf->mmap);
	if (!doca_priv_buf_fits(buf))
		return "has data that is not within its memory";
	return NULL;
}

static doca_error_t side_refused(const struct doca_task *task,
				 const struct task_side *side, const char *why)
{
	LOG_ERR("%s task %p: the %s %s", task->type->name, (const void *)task,
		side->name, why);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t buf_refused(const struct doca_task *task,
				const struct task_side *side,
				const struct doca_buf *buf, const char *why)
{
	LOG_ERR("%s task %p: buffer %p of the %s %s (mmap %p)",
		task->type->name, (const void *)task, (const void *)buf,
		side->name, why, (void *)buf->mmap);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t too_long(const struct doca_task *task,
			     const struct task_side *side, uint64_t bytes)
{
	LOG_ERR("%s task %p: the %s has %llu bytes, more than one task may "
		"have, %llu",
		task->type->name, (const void *)task, side->name,
		(unsigned long long)bytes,
		(unsigned long long)task->pool->limits.length);
	return DOCA_ERROR_INVALID_VALUE;
}

/* Stop at a released buffer: what follows it is not its list. */
static doca_error_t check_side(const struct doca_task *task,
			       const struct task_side *side,
			       const struct doca_buf *head, uint64_t *bytes)
{
	const struct task_limits *limits = &task->pool->limits;
	uint32_t n = 0, max = side->list ? limits->list_len : 1;
	const struct doca_buf *buf;
	const char *why;

	*bytes = 0;
	if (!side->name)
		return DOCA_SUCCESS;
	for (buf = head; buf; buf = doca_priv_buf_next(buf)) {
		why = buf_fault(task, side, buf);
		if (why)
			return buf_refused(task, side, buf, why);
		if (++n > max)
			return side_refused(task, side,
					    "is a list of too many buffers");
		*bytes += side->data ? doca_priv_buf_data_len(buf) :
				       doca_priv_buf_tailroom(buf);
	}
	if (!n && !side->optional)
		return side_refused(task, side, "is missing");
	if (side->data && !*bytes && !side->empty)
		return side_refused(task, side, "has no data");
	if (side->data && *bytes > limits->length)
		return too_long(task, side, *bytes);
	return DOCA_SUCCESS;
}

doca_error_t doca_priv_task_check_src(const struct doca_task *task,
				      struct task_bytes *bytes)
{
	return check_side(task, &task->type->src, task_src(task), &bytes->src);
}

doca_error_t doca_priv_task_check(const struct doca_task *task,
				  struct task_bytes *bytes)
{
	doca_error_t ret = doca_priv_task_check_src(task, bytes);

	if (ret != DOCA_SUCCESS)
		return ret;
	return check_side(task, &task->type->dst, task_dst(task), &bytes->dst);
}

static uint64_t side_bytes(const struct task_side *side,
			   const struct doca_buf *buf)
{
	uint64_t bytes = 0;

	for (; buf; buf = doca_priv_buf_next(buf))
		bytes += side->data ? doca_priv_buf_data_len(buf) :
				      doca_priv_buf_tailroom(buf);
	return bytes;
}

/* The buffers are the task's until it has ended, whatever the program does meanwhile. */
void task_explain(const struct doca_task *task, uint32_t status, char *text,
		  size_t size)
{
	const struct task_side *src = &task->type->src, *dst = &task->type->dst;
	const struct doca_buf *buf = task_dst(task);

	if (status == DOCA_STATUS_BAD_LENGTH && src->name && dst->name) {
		snprintf(text, size,
			 "; the source has %llu bytes, the destination room "
			 "for %llu, and a task may have %llu",
			 (unsigned long long)side_bytes(src, task_src(task)),
			 (unsigned long long)side_bytes(dst, buf),
			 (unsigned long long)task->pool->limits.length);
		return;
	}
	*text = '\0';
	if (status != DOCA_STATUS_BAD_ACCESS || !dst->name)
		return;
	while (buf && !is_unwritable(dst, buf))
		buf = doca_priv_buf_next(buf);
	if (buf)
		snprintf(text, size, "; buffer %p of the %s %s (mmap %p)",
			 (const void *)buf, dst->name, unwritable(buf->mmap),
			 (void *)buf->mmap);
}

static bool side_unkeyed(const struct doca_task *task,
			 const struct task_side *side,
			 const struct doca_buf *head)
{
	const struct doca_dev *dev = task->ctx->dev;

	if (!side->name || (side->optional && !head))
		return false;
	if (!side->data)
		return segs_unkeyed(head, dev);
	return side->empty ? segs_data_unkeyed(head, dev) :
			     segs_source_unkeyed(head, dev);
}

bool task_is_unkeyed(const struct doca_task *task)
{
	const struct task_type *type = task->type;

	return side_unkeyed(task, &type->src, task_src(task)) ||
	       side_unkeyed(task, &type->dst, task_dst(task)) ||
	       (type->ring.unkeyed && type->ring.unkeyed(task));
}

static bool is_stale(const struct doca_buf *buf, const char *func)
{
	return buf &&
	       !doca_priv_debug_valid(buf, &doca_priv_buf_object, true, func);
}

void task_drop_stale(struct doca_task *task, const char *func)
{
	if (is_stale(task_src(task), func))
		task_set_src(task, NULL);
	if (is_stale(task_dst(task), func))
		task_set_dst(task, NULL);
}
