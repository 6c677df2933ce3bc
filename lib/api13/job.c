// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Jobs and events of level 1.3. Checks of debug mode are out of line. */
#include <doca_log.h>

#include "lane.h"

DOCA_LOG_REGISTER(API13::JOB);

static const char *why_bad_buf(const struct doca_buf *buf)
{
	if (!buf)
		return "a buffer is NULL";
	return buf->len ? NULL : "a buffer was released";
}

static const char *why_bad(struct doca_workq *workq, const struct doca_job *job)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;
	const char *why;

	if (!api13_lane_find(workq, job->ctx))
		return "its context does not have the work queue";
	if (job->type != DOCA_DMA_JOB_MEMCPY)
		return "its context does not know the type";
	if (job->flags)
		return "there are no such flags";
	why = why_bad_buf(memcpy->src_buff);
	if (!why)
		why = why_bad_buf(memcpy->dst_buff);
	if (!why && memcpy->src_buff == memcpy->dst_buff)
		why = "source and destination are the same buffer";
	if (!why)
		why = "it has no bytes to copy, or more than its buffers have";
	return why;
}

doca_error_t api13_job_refused(struct doca_workq *workq,
			       const struct doca_job *job)
{
	DOCA_LOG_ERR("cannot submit a job of type %d with flags %#x: %s",
		     job->type, job->flags, why_bad(workq, job));
	return DOCA_ERROR_INVALID_VALUE;
}

static bool is_bad(const struct doca_job *job)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;
	const struct doca_buf *src = memcpy->src_buff, *dst = memcpy->dst_buff;
	uint64_t bytes = memcpy->num_bytes_to_copy;

	/* A released buffer has no length. 0 bytes wrap around to more than any buffer has. */
	return job->type != DOCA_DMA_JOB_MEMCPY || job->flags || !src || !dst ||
	       src == dst || bytes - 1 >= src->len || bytes - 1 >= dst->len;
}

static void make_ready(struct doca_buf *src, struct doca_buf *dst, size_t bytes)
{
	if (src->source_len != bytes) {
		buf_unready(src);
		v3_buf_set_data(src->v3, src->head, bytes);
		src->source_len = bytes;
	}
	if (!dst->room) {
		buf_unready(dst);
		v3_buf_set_data(dst->v3, dst->head, 0);
		dst->room = dst->len;
	}
}

static bool known_buf(const struct doca_buf *buf, const char *func)
{
	return !buf || lives_to(func, buf);
}

/* Check the job's objects in debug mode. */
static bool is_known(const struct doca_workq *workq, const struct doca_job *job,
		     const char *func)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;

	if (!lives_to(func, workq) || (job->ctx && !lives_to(func, job->ctx)))
		return false;
	return job->type != DOCA_DMA_JOB_MEMCPY ||
	       (known_buf(memcpy->src_buff, func) &&
		known_buf(memcpy->dst_buff, func));
}

/* Afterwards the next job of this kind takes the short path, unless in debug mode. */
static doca_error_t start(struct doca_workq *workq, struct lane *lane,
			  const struct doca_job *job)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;
	struct doca_buf *src = (struct doca_buf *)memcpy->src_buff;
	uint64_t bytes = memcpy->num_bytes_to_copy;
	struct slot *slot;

	slot = slot_take(lane, job, src, memcpy->dst_buff, bytes);
	if (lane->state != LANE_UP)
		return api13_lane_defer(lane, slot);
	if (!doca_priv_debug) {
		workq->current_ctx = lane->ctx;
		workq->current = lane;
	}
	make_ready(src, memcpy->dst_buff, bytes);
	return slot_start(slot);
}

/* Submit with all checks. */
__attribute__((noinline)) static doca_error_t
submit_slowly(struct doca_workq *workq, const struct doca_job *job,
	      const char *func)
{
	DEBUG_HELD held = NULL;
	struct lane *lane;

	if (!workq || !job) {
		api13_missing(workq ? "job" : "workq", func);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (doca_priv_debug && !is_known(workq, job, func))
		return DOCA_ERROR_INVALID_VALUE;
	if (!debug_alone(&held, workq, func))
		return DOCA_ERROR_IN_USE;
	lane = api13_lane_find(workq, job->ctx);
	if (!lane || is_bad(job))
		return api13_job_refused(workq, job);
	if (!workq_count(workq))
		return DOCA_ERROR_NO_MEMORY;
	return start(workq, lane, job);
}

/*
 * Buffers that are ready for a number of bytes were checked for it. A buffer cannot be
 * ready as both source and destination; it is not ready after its release, for 0 bytes,
 * or for more than it has.
 */
static inline bool is_quick(const struct doca_workq *workq,
			    const struct doca_job *job)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;
	const struct doca_buf *src = memcpy->src_buff, *dst = memcpy->dst_buff;
	uint64_t bytes = memcpy->num_bytes_to_copy;

	return job->ctx == workq->current_ctx && src && dst &&
	       job->type == DOCA_DMA_JOB_MEMCPY && !job->flags &&
	       src->source_len == bytes && bytes <= dst->room;
}

PUBLIC doca_error_t doca_workq_submit(struct doca_workq *workq,
				      struct doca_job const *job)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;

	if (doca_unlikely(!workq) || doca_unlikely(!job) ||
	    doca_unlikely(!is_quick(workq, job)))
		return submit_slowly(workq, job, __func__);
	if (doca_unlikely(!workq_count(workq)))
		return DOCA_ERROR_NO_MEMORY;
	return slot_start(slot_take(
		workq->current, job, (struct doca_buf *)memcpy->src_buff,
		memcpy->dst_buff, memcpy->num_bytes_to_copy));
}

__attribute__((noinline)) static doca_error_t
retrieve_slowly(struct doca_workq *workq, struct doca_event *ev, int flags,
		const char *func)
{
	DEBUG_HELD held = NULL;

	if ((!workq && !api13_missing("workq", func)) ||
	    (!ev && !api13_missing("ev", func)) || flags ||
	    (doca_priv_debug && !lives_to(func, workq)))
		return DOCA_ERROR_INVALID_VALUE;
	if (!debug_alone(&held, workq, func))
		return DOCA_ERROR_IN_USE;
	return api13_retrieve_slowly(workq, ev);
}

PUBLIC doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
						 struct doca_event *ev,
						 int flags)
{
	if (doca_unlikely(!workq) || doca_unlikely(workq->attention | flags) ||
	    doca_unlikely(!ev))
		return retrieve_slowly(workq, ev, flags, __func__);
	return api13_retrieve_quickly(workq, ev);
}
