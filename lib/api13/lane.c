// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Lanes: creation, destruction, and failures of jobs; see lane.h. */
#include <stdlib.h>

#include <doca_log.h>

#include "lane.h"

DOCA_LOG_REGISTER(API13::CTX);

struct lane *api13_lane_find(const struct doca_workq *workq,
			     const struct doca_ctx *ctx)
{
	struct lane *lane = workq->lanes;

	while (lane && lane->ctx != ctx)
		lane = lane->next_of_workq;
	return lane;
}

uint32_t api13_lane_inflight(const struct lane *lane)
{
	uint32_t i, inflight = 0;

	for (i = 0; i < lane->depth; i++)
		inflight += lane->slots[i].src != NULL;
	return inflight;
}

doca_error_t api13_slot_undo(struct slot *slot, doca_error_t why)
{
	slot_free(slot->lane, slot->lane->workq, slot);
	return why;
}

void api13_slot_set_bufs(struct slot *slot)
{
	v3_dma_task_memcpy_set_src(slot->memcpy, slot->src->v3);
	v3_dma_task_memcpy_set_dst(slot->memcpy, slot->dst->v3);
	slot->task_src = slot->src->v3;
	slot->task_dst = slot->dst->v3;
}

static inline void finish(struct lane *lane, struct slot *slot,
			  doca_error_t result)
{
	struct doca_workq *workq = lane->workq;
	struct doca_event *ev = workq->ev;

	ev->type = DOCA_DMA_JOB_MEMCPY;
	ev->user_data = slot->user_data;
	ev->result.u64 = result;
	workq->ev = NULL;
	slot_free(lane, workq, slot);
}

static void free_task(struct slot *slot)
{
	if (slot->task)
		v3_task_free(slot->task);
	slot->task = NULL;
}

static void wait(struct slot **at, struct slot *slot)
{
	slot->next_waiting = *at;
	*at = slot;
}

/* Remove the first waiting job. */
static void wait_no_more(struct lane *lane)
{
	struct slot *slot = lane->waiting;

	if (lane->came_back == &slot->next_waiting)
		lane->came_back = &lane->waiting;
	lane->waiting = slot->next_waiting;
}

/* Take no more jobs until it is up again; the next one takes the slow path. */
static void take_down(struct lane *lane, enum lane_state state)
{
	lane->state = state;
	workq_forget_lane(lane->workq);
}

__attribute__((noinline)) static void done_while_down(struct lane *lane,
						      struct slot *slot)
{
	free_task(slot);
	finish(lane, slot, DOCA_SUCCESS);
}

static void on_done(struct v3_dma_task_memcpy *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	struct slot *slot = task_data.ptr;
	struct lane *lane = ctx_data.ptr;

	(void)task;
	if (doca_unlikely(lane->state != LANE_UP))
		done_while_down(lane, slot);
	else
		finish(lane, slot, DOCA_SUCCESS);
}

/* The task has failed itself, or came back unexecuted because another one has. */
static void on_failed(struct v3_dma_task_memcpy *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	struct slot *slot = task_data.ptr;
	struct lane *lane = ctx_data.ptr;
	doca_error_t status = v3_task_get_status(slot->task);

	(void)task;
	if (lane->state == LANE_UP)
		take_down(lane, LANE_DOWN);
	free_task(slot);
	if (status == DOCA_ERROR_SHUTDOWN) {
		wait(lane->came_back, slot);
		lane->came_back = &slot->next_waiting;
		if (lane->state == LANE_DEAD)
			lane->workq->attention |= ATTEND_LANES;
		return;
	}
	lane->failed = true;
	finish(lane, slot, status);
}

static void free_idle_tasks(struct lane *lane)
{
	struct slot *slot;
	uint32_t i;

	for (i = 0; i < lane->depth; i++)
		if (!lane->slots[i].src)
			free_task(&lane->slots[i]);
	for (slot = lane->waiting; slot; slot = slot->next_waiting)
		free_task(slot);
}

static void on_state(const union doca_data user_data, struct v3_ctx *ctx,
		     enum v3_ctx_states prev, enum v3_ctx_states next)
{
	struct lane *lane = user_data.ptr;

	(void)ctx;
	(void)prev;
	if (lane->state == LANE_DEAD)
		return;
	if (next == V3_CTX_STATE_STOPPING) {
		take_down(lane, LANE_DOWN);
		free_idle_tasks(lane);
	} else if (next == V3_CTX_STATE_IDLE) {
		take_down(lane, LANE_IDLE);
		lane->workq->attention |= ATTEND_LANES;
	}
}

static doca_error_t alloc_tasks(struct lane *lane)
{
	doca_error_t ret = DOCA_SUCCESS;
	uint32_t i;

	for (i = 0; i < lane->depth && ret == DOCA_SUCCESS; i++) {
		struct slot *slot = &lane->slots[i];
		union doca_data data = { .ptr = slot };

		ret = v3_dma_task_memcpy_alloc_init(lane->dma, NULL, NULL, data,
						    &slot->memcpy);
		if (ret != DOCA_SUCCESS)
			break;
		slot->task = v3_dma_task_memcpy_as_task(slot->memcpy);
		slot->task_src = NULL;
		slot->task_dst = NULL;
	}
	return ret;
}

static void die(struct lane *lane)
{
	DOCA_LOG_ERR("context %p: its device was removed, or it cannot be "
		     "started again after a job has failed; it takes no more "
		     "jobs from work queue %p",
		     (const void *)lane->ctx, (void *)lane->workq);
	take_down(lane, LANE_DEAD);
}

/* Other jobs may have used its buffers since, or set their data. */
static doca_error_t submit_again(struct slot *slot)
{
	struct doca_buf *src = slot->src, *dst = slot->dst;

	buf_unready(src);
	buf_unready(dst);
	if (slot->bytes) {
		v3_buf_set_data(src->v3, src->head, slot->bytes);
		v3_buf_set_data(dst->v3, dst->head, 0);
	} else {
		v3_buf_set_data(src->v3, slot->src_data, slot->data_len);
		v3_buf_set_data(dst->v3, slot->dst_data, 0);
	}
	return slot_submit(slot);
}

/* Submit waiting jobs again. A job that cannot be submitted keeps waiting, to fail. */
static void resubmit(struct lane *lane)
{
	while (lane->waiting) {
		if (submit_again(lane->waiting) != DOCA_SUCCESS) {
			die(lane);
			return;
		}
		wait_no_more(lane);
	}
}

/* If no task has failed, the device's removal has stopped the context. */
static void restart(struct lane *lane)
{
	if (!lane->failed || v3_ctx_start(lane->v3) != DOCA_SUCCESS ||
	    alloc_tasks(lane) != DOCA_SUCCESS) {
		die(lane);
		return;
	}
	lane->failed = false;
	lane->state = LANE_UP;
	resubmit(lane);
}

static void fail_waiting(struct lane *lane)
{
	struct slot *slot = lane->waiting;

	if (slot && lane->workq->ev) {
		wait_no_more(lane);
		free_task(slot);
		finish(lane, slot, DOCA_ERROR_SHUTDOWN);
	}
	if (lane->waiting)
		lane->workq->attention |= ATTEND_LANES;
}

static void attend(struct doca_workq *workq)
{
	struct lane *lane;

	workq->attention &= ~ATTEND_LANES;
	for (lane = workq->lanes; lane; lane = lane->next_of_workq) {
		if (lane->state == LANE_IDLE)
			restart(lane);
		if (lane->state == LANE_DEAD)
			fail_waiting(lane);
	}
}

static bool lanes_want(const struct doca_workq *workq)
{
	return workq->attention & ATTEND_LANES;
}

static doca_error_t retrieve(struct doca_workq *workq)
{
	bool progress = false;

	do {
		if (lanes_want(workq))
			attend(workq);
		if (workq->ev)
			progress = v3_pe_progress(workq->pe);
	} while (workq->ev && (progress || lanes_want(workq)));
	return workq->ev ? DOCA_ERROR_AGAIN : DOCA_SUCCESS;
}

doca_error_t api13_retrieve_slowly(struct doca_workq *workq,
				   struct doca_event *ev)
{
	workq->ev = ev;
	return retrieve(workq);
}

doca_error_t api13_retrieve_more(struct doca_workq *workq, bool progress)
{
	if (doca_likely(!progress && !lanes_want(workq)))
		return DOCA_ERROR_AGAIN;
	return retrieve(workq);
}

doca_error_t api13_lane_defer(struct lane *lane, struct slot *slot)
{
	struct slot **at = lane->came_back;

	if (lane->state != LANE_DEAD) {
		while (*at)
			at = &(*at)->next_waiting;
		wait(at, slot);
		return DOCA_SUCCESS;
	}
	DOCA_LOG_ERR(
		"cannot submit a job: the device of context %p was removed",
		(const void *)lane->ctx);
	return api13_slot_undo(slot, DOCA_ERROR_BAD_STATE);
}

static doca_error_t alloc_slots(struct lane *lane)
{
	uint32_t i;

	lane->slots = calloc(lane->depth, sizeof(*lane->slots));
	if (!lane->slots)
		return DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < lane->depth; i++) {
		lane->slots[i].next = &lane->slots[(i + 1) % lane->depth];
		lane->slots[i].lane = lane;
	}
	lane->taken = &lane->slots[lane->depth - 1];
	lane->freed = lane->taken;
	return DOCA_SUCCESS;
}

static doca_error_t create_v3(struct lane *lane, struct doca_dev *dev)
{
	union doca_data self = { .ptr = lane };
	doca_error_t ret;

	ret = v3_dma_create(dev, &lane->dma);
	if (ret != DOCA_SUCCESS)
		return ret == DOCA_ERROR_NO_MEMORY ? ret :
						     DOCA_ERROR_INITIALIZATION;
	lane->v3 = v3_dma_as_ctx(lane->dma);
	ret = v3_dma_task_memcpy_set_conf(lane->dma, on_done, on_failed,
					  lane->depth);
	DOCA_ERROR_PROPAGATE(ret, v3_ctx_set_user_data(lane->v3, self));
	DOCA_ERROR_PROPAGATE(ret,
			     v3_ctx_set_state_changed_cb(lane->v3, on_state));
	DOCA_ERROR_PROPAGATE(ret, v3_pe_connect_ctx(lane->workq->pe, lane->v3));
	return ret;
}

static void free_lane(struct lane *lane)
{
	if (lane->dma)
		v3_dma_destroy(lane->dma);
	free(lane->slots);
	free(lane);
}

doca_error_t api13_lane_create(struct doca_ctx *ctx, struct doca_workq *workq,
			       struct lane **lane)
{
	struct lane *new = calloc(1, sizeof(*new));
	doca_error_t ret;

	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	new->ctx = ctx;
	new->workq = workq;
	new->depth = workq->depth;
	new->came_back = &new->waiting;
	ret = create_v3(new, ctx->dev);
	/* Only now it is certain that this depth is possible. */
	DOCA_ERROR_PROPAGATE(ret, alloc_slots(new));
	DOCA_ERROR_PROPAGATE(ret, v3_ctx_start(new->v3));
	if (ret != DOCA_SUCCESS) {
		free_lane(new);
		return ret;
	}
	ret = alloc_tasks(new);
	if (ret == DOCA_SUCCESS)
		*lane = new;
	else
		api13_lane_destroy(new);
	return ret;
}

doca_error_t api13_lane_destroy(struct lane *lane)
{
	doca_error_t ret;

	/* The state callback must do nothing any more. */
	lane->state = LANE_DEAD;
	free_idle_tasks(lane);
	ret = v3_ctx_stop(lane->v3);
	if (ret == DOCA_SUCCESS)
		free_lane(lane);
	return ret;
}
