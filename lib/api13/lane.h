/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Lanes: what executes the jobs of one context that come from one work queue, a DMA
 * context of level 3.0 with as many tasks as the work queue is deep. The data path is
 * here, inline: it calls level 3.0 and nothing else. What is not as with the last job,
 * or not ready, takes the way of api13_submit_slowly().
 *
 * After a task has failed, a context of level 3.0 stops: all tasks behind that one come
 * back unexecuted, and all tasks must be freed. Here a job fails alone, so the lane then
 * starts its context anew and submits again what came back:
 *
 *	up	tasks are submitted
 *	down	its context stops; jobs wait, those that came back and new ones
 *	idle	it has stopped, and can be started by the next call
 *	dead	it could not be, for its device is gone: jobs that wait fail
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

/* A job in flight, or room for one. */
struct slot {
	struct slot *next; /* the one to be taken, or freed, after this one */
	struct v3_dma_task_memcpy *memcpy; /* while its lane is not idle */
	struct v3_task *task;
	const struct v3_buf *task_src; /* what the task has */
	struct v3_buf *task_dst;
	struct doca_buf *src; /* NULL: there is no job */
	union doca_data user_data;
	struct doca_buf *dst;
	size_t bytes; /* from head to head; 0: what follows */

	void *src_data, *dst_data;
	size_t data_len;
	struct lane *lane;
	struct slot *next_waiting;
};

/*
 * Slots are taken in the order in which they were freed, so that a program that uses
 * its buffers in turn finds them in the tasks. They are a ring, of which those that are
 * free are behind @taken, which was taken last, up to @freed, which was freed last.
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
	/*
	 * Jobs that wait: those that came back, as they did, and behind them those
	 * that came later.
	 */
	struct slot *waiting;
	struct slot **came_back; /* the end of these */
	bool failed; /* a task, which is why it stops */
	struct lane *next_of_ctx, *next_of_workq;
};

/* The lane of the next job is to be looked for. */
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

/* Why a job was refused; with a line in the log. */
doca_error_t api13_job_refused(struct doca_workq *workq,
			       const struct doca_job *job);

/* A job for a lane that is not up, and what it says of one that is dead. */
doca_error_t api13_lane_defer(struct lane *lane, struct slot *slot);

/* An event, whatever has happened to a lane; and after progress that has filled none. */
doca_error_t api13_retrieve_slowly(struct doca_workq *workq,
				   struct doca_event *ev);
doca_error_t api13_retrieve_more(struct doca_workq *workq, bool progress);

/* One that its context has not taken after all never was; returns @why. */
doca_error_t api13_slot_undo(struct slot *slot, doca_error_t why);

/* The task gets the buffers of its job. */
void api13_slot_set_bufs(struct slot *slot);

/* Room for a job that counts, and what is to be known of it. */
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
	/* The copy has made it longer. */
	dst->source_len = NOT_READY;
	if (doca_unlikely(!--src->holds))
		api13_drop_bufs(src, dst);
	else if (doca_unlikely(!--dst->holds))
		api13_buf_put(dst);
}

/* Its buffers are ready, but for what an earlier job has appended. */
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

/* Does one job more count? */
static inline bool workq_count(struct doca_workq *workq)
{
	if (doca_likely(--workq->room >= 0))
		return true;
	workq->room = 0;
	return false;
}

/* Where nothing needs attention. */
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
