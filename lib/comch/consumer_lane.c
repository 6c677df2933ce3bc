// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The lane of consumers. Senders read its ring, and answer in the inbox. So a
 * call is needed only if a sender waits for a buffer, and when the context
 * stops.
 */
#include <doca_error.h>

#include "consumer.h"
#include "core/exec/lane_ring.h"
#include "core/exec/task_bufs.h"

static doca_error_t consumer_lane_start(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);
	doca_error_t ret = lane_ring_start(ctx);

	if (ret != DOCA_SUCCESS)
		return ret;
	inbox_init(&consumer->at.inbox, &ctx->queue);
	consumer->at.ended = false;
	consumer->at.stopping = false;
	consumer->announced = false;
	consumer->bad = NULL;
	return DOCA_SUCCESS;
}

/* Check the buffer here, since the driver would stop the queue without a reason. */
static bool is_good(const struct doca_task *task)
{
	const struct doca_comch_consumer *consumer = consumer_of(task->ctx);
	const struct doca_buf *buf = task_dst(task);

	return buf && buf->mmap == consumer->mmap && !buf->next &&
	       doca_priv_buf_key(buf, task->ctx->dev) &&
	       doca_priv_buf_fits(buf);
}

static bool consumer_flush(struct doca_ctx *ctx)
{
	struct ring *ring = &ctx->queue.ring;

	if (!ring->unannounced || !ring_submit(ring))
		return false;
	driver_queue_enter(&ctx->queue);
	return true;
}

static void append_bad(struct doca_comch_consumer *consumer,
		       struct doca_task *task)
{
	task->next = NULL;
	if (consumer->bad)
		consumer->last_bad->next = task;
	else
		consumer->bad = task;
	consumer->last_bad = task;
	doca_priv_ctx_kick(task->ctx);
}

static void consumer_submit(struct doca_task *task, bool flush)
{
	struct doca_comch_consumer *consumer = consumer_of(task->ctx);

	task_hold_dst(task);
	if (is_good(task))
		lane_ring_submit(task, false);
	else
		append_bad(consumer, task);
	if (flush)
		consumer_flush(task->ctx);
}

static enum lane_turn end_bad(struct doca_comch_consumer *consumer)
{
	struct doca_ctx *ctx = &consumer->ctx;
	struct doca_task *task = consumer->bad;
	doca_error_t error = DOCA_ERROR_INVALID_VALUE;

	consumer->bad = task->next;
	if (consumer->at.stopping)
		error = DOCA_ERROR_SHUTDOWN;
	else
		task->type->validate(task);
	ctx_failed(ctx, "a task cannot be filled");
	return task_complete(task, error, 0, NULL) ? LANE_CALLED : LANE_AGAIN;
}

/*
 * Return true if a producer that died half way has given the buffer back: then
 * it is offered to the next one.
 */
static bool is_offered_again(struct doca_ctx *ctx,
			     const struct doca_event *event)
{
	const struct attachment *at = &consumer_of(ctx)->at;

	return event->status == DOCA_STATUS_CANCELED && !at->ended &&
	       !at->stopping && ring_state(&ctx->queue.ring) == DOCA_QUEUE_RUN;
}

static enum lane_turn on_received(struct doca_ctx *ctx,
				  const struct doca_event *event)
{
	doca_error_t error = DOCA_SUCCESS;
	struct doca_task *task;

	if (event->user_data >= ctx->nr_tasks)
		return LANE_AGAIN;
	task = task_at(ctx, event->user_data);
	if (!task_is_inflight(task))
		return LANE_AGAIN;
	if (is_offered_again(ctx, event)) {
		lane_ring_submit(task, false);
		return LANE_AGAIN;
	}
	post_recv_take(task, event);
	if (event->status == DOCA_STATUS_CANCELED) {
		error = DOCA_ERROR_SHUTDOWN;
	} else if (event->status != DOCA_STATUS_SUCCESS) {
		error = DOCA_ERROR_IO_FAILED;
		ctx_failed(ctx, "a buffer cannot be filled");
	}
	return task_complete(task, error, event->length, NULL) ? LANE_CALLED :
								 LANE_AGAIN;
}

static bool is_over(const struct doca_ctx *ctx)
{
	const struct ring *ring = &ctx->queue.ring;

	return consumer_of(ctx)->at.stopping ||
	       ring_state(ring) != DOCA_QUEUE_RUN || ring_dead(ring);
}

/* If the queue is over, have lane_ring_progress() make the driver return the buffers. */
static enum lane_turn look_closer(struct doca_ctx *ctx)
{
	enum lane_turn turn;

	if (!is_over(ctx)) {
		consumer_flush(ctx);
		return LANE_IDLE;
	}
	turn = lane_ring_progress(ctx);
	return inbox_peek(&consumer_of(ctx)->at.inbox) ? LANE_AGAIN : turn;
}

static enum lane_turn consumer_progress(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);
	struct doca_event event;

	if (consumer->bad)
		return end_bad(consumer);
	if (!attach_take(&consumer->at, ctx, &event))
		return look_closer(ctx);
	if (event.type == DOCA_EVENT_RECEIVED)
		return on_received(ctx, &event);
	if (event.type == DOCA_EVENT_DISCONNECTED)
		attach_ended(&consumer->at, ctx, &event);
	return LANE_AGAIN;
}

static void consumer_cancel(struct doca_ctx *ctx)
{
	consumer_of(ctx)->at.stopping = true;
	driver_queue_stop(&ctx->queue);
	consumer_flush(ctx);
}

static bool consumer_busy(const struct doca_ctx *ctx)
{
	return !consumer_of(ctx)->at.stopping;
}

/* Do not use lane_ring_arm(), which would call the driver for buffers that nobody has taken. */
static bool consumer_arm(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);

	consumer_flush(ctx);
	driver_queue_rearm(&ctx->queue);
	return inbox_arm(&consumer->at.inbox) || consumer->bad ||
	       (is_over(ctx) && (ctx->inflight || ctx_is_up(ctx)));
}

static bool consumer_woken(struct doca_ctx *ctx)
{
	return lane_ring_woken(ctx) || inbox_peek(&consumer_of(ctx)->at.inbox);
}

const struct lane_ops comch_consumer_lane = {
	.name = "consumer",
	.start = consumer_lane_start,
	.stop = lane_ring_stop,
	.submit = consumer_submit,
	.flush = consumer_flush,
	.progress = consumer_progress,
	.cancel = consumer_cancel,
	.busy = consumer_busy,
	.arm = consumer_arm,
	.woken = consumer_woken,
};
