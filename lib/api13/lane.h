/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Lanes execute the jobs of one context that come from one work queue: a DMA context of
 * level 3.0 with as many tasks as the work queue is deep. The data path is here, inline:
 * it calls level 3.0 and nothing else. A job that differs from the last one, or is not
 * ready, takes the path of api13_submit_slowly().
 *
 * After a task has failed, a context of level 3.0 stops: all tasks behind that one come
 * back unexecuted, and all tasks must be freed. At this level a job fails alone. So the
 * lane restarts its context and resubmits the tasks that came back:
 *
 *  up    tasks are submitted
 *  down  its context stops; jobs wait, those that came back and new ones
 *  idle  it has stopped, and the next call can start it
 *  dead  it could not be started, because its device is gone: waiting jobs fail
 */
#ifndef DOCA_API13_LANE_H
#define DOCA_API13_LANE_H

#include "api13.h"
#include "debug.h"

enum lane_state {
	LANE_UP,
	LANE_DOWN,
	LANE_IDLE,
	LANE_DEAD,
};

/* A job in flight, or memory for one. */
struct slot {
	struct slot *next; /* the slot to take, or to free, after this one */
	struct v3_dma_task_memcpy *memcpy; /* NULL while its lane is idle */
	struct v3_task *task;
	const struct v3_buf *task_src; /* the task's buffers */
	struct v3_buf *task_dst;
	struct doca_buf *src; /* NULL: there is no job */
	union doca_data user_data;
	struct doca_buf *dst;
	size_t bytes; /* copied from head to head; 0: see below */

	void *src_data, *dst_data;
	size_t data_len;
	struct lane *lane;
	struct slot *next_waiting;
};

/*
 * Slots are taken in the order in which they were freed, so that a program that uses
 * its buffers in turn finds them in the tasks. They form a ring: the free ones are
 * behind @taken, the last one taken, up to @freed, the last one freed.
 */
struct lane {
	const struct doca_ctx *ctx;
	enum lane_state state;
	struct slot *taken, *freed;
	struct doca_workq *workq;

	struct v3_dma *dma;
	struct v3_ctx *v3;
	uint32_t depth;
	struct slot *slots;
	/* Waiting jobs: first those that came back, in this order, then later ones. */
	struct slot *waiting;
	struct slot **came_back; /* the end of those that came back */
	bool failed; /* the context stops because a task has failed */
	struct lane *next_of_ctx, *next_of_workq;
};

/* Forget the lane, so that the next job looks for its own. */
static inline void workq_forget_lane(struct doca_workq *workq)
{
	workq->current_ctx = &workq->current_ctx;
}

doca_error_t api13_lane_create(struct doca_ctx *ctx, struct doca_workq *workq,
			       struct lane **lane);
doca_error_t api13_lane_destroy(struct lane *lane);
struct lane *api13_lane_find(const struct doca_workq *workq,
			     const struct doca_ctx *ctx);
uint32_t api13_lane_inflight(const struct lane *lane);

/* Return why a job was refused; log it. */
doca_error_t api13_job_refused(struct doca_workq *workq,
			       const struct doca_job *job);

/* Keep a job for a lane that is not up; refuse it if the lane is dead. */
doca_error_t api13_lane_defer(struct lane *lane, struct slot *slot);

/* Retrieve an event in any state of the lanes; the second one after progress that filled none. */
doca_error_t api13_retrieve_slowly(struct doca_workq *workq,
				   struct doca_event *ev);
doca_error_t api13_retrieve_more(struct doca_workq *workq, bool progress);

/* Undo the use of a slot whose task the context has refused. Returns @why. */
doca_error_t api13_slot_undo(struct slot *slot, doca_error_t why);

/* Give the task the buffers of its job. */
void api13_slot_set_bufs(struct slot *slot);

/* Take a slot for a job that workq_count() allowed, and fill it in. */
static inline struct slot *slot_take(struct lane *lane,
				     const struct doca_job *job,
				     struct doca_buf *src, struct doca_buf *dst,
				     size_t bytes)
{
	struct slot *slot = lane->taken->next;

	lane->taken = slot;
	slot->user_data = job->user_data;
	slot->src = src;
	slot->dst = dst;
	slot->bytes = bytes;
	src->holds++;
	dst->holds++;
	return slot;
}

/* The job is not in flight any more. */
static inline void slot_free(struct lane *lane, struct doca_workq *workq,
			     struct slot *slot)
{
	struct doca_buf *src = slot->src, *dst = slot->dst;

	slot->src = NULL;
	lane->freed->next = slot;
	lane->freed = slot;
	workq->room++;
	/* The copy has changed the data's length. */
	dst->source_len = NOT_READY;
	if (doca_unlikely(!--src->holds))
		api13_drop_bufs(src, dst);
	else if (doca_unlikely(!--dst->holds))
		api13_buf_put(dst);
}

/* The buffers are ready, except for data that an earlier job has appended. */
static inline doca_error_t slot_submit(struct slot *slot)
{
	if (doca_unlikely(slot->task_src != slot->src->v3 ||
			  slot->task_dst != slot->dst->v3))
		api13_slot_set_bufs(slot);
	v3_buf_reset_data_len(slot->task_dst);
	return v3_task_submit(slot->task);
}

static inline doca_error_t slot_start(struct slot *slot)
{
	doca_error_t ret = slot_submit(slot);

	if (doca_unlikely(ret != DOCA_SUCCESS))
		return api13_slot_undo(slot, ret);
	return DOCA_SUCCESS;
}

/* Return true if there is room for one more job. */
static inline bool workq_count(struct doca_workq *workq)
{
	if (doca_likely(--workq->room >= 0))
		return true;
	workq->room = 0;
	return false;
}

/* The short path, if nothing needs attention. */
static inline doca_error_t api13_retrieve_quickly(struct doca_workq *workq,
						  struct doca_event *ev)
{
	bool progress;

	workq->ev = ev;
	progress = v3_pe_progress(workq->pe);
	if (doca_unlikely(workq->ev))
		return api13_retrieve_more(workq, progress);
	return DOCA_SUCCESS;
}

#endif /* DOCA_API13_LANE_H */
