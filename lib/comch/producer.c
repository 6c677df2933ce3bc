// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Producers and their lane: the driver's ring, and an inbox for the end. */
#include <errno.h>

#include <doca_error.h>

#include "core/driver/endpoint.h"
#include "core/exec/lane_ring.h"
#include "producer.h"

LOG_SOURCE("COMCH::PRODUCER");

#define EVENTS 2

static doca_error_t producer_lane_start(struct doca_ctx *ctx)
{
	struct doca_comch_producer *producer = producer_of(ctx);
	doca_error_t ret = lane_ring_start(ctx);

	if (ret != DOCA_SUCCESS)
		return ret;
	inbox_init(&producer->at.inbox, &ctx->queue);
	producer->at.ended = false;
	producer->at.stopping = false;
	return DOCA_SUCCESS;
}

static enum lane_turn producer_deliver(struct doca_ctx *ctx)
{
	struct doca_comch_producer *producer = producer_of(ctx);
	struct doca_event event;

	if (!attach_take(&producer->at, ctx, &event))
		return LANE_IDLE;
	if (event.type == DOCA_EVENT_DISCONNECTED)
		attach_ended(&producer->at, ctx, &event);
	return LANE_AGAIN;
}

static void producer_cancel(struct doca_ctx *ctx)
{
	producer_of(ctx)->at.stopping = true;
	lane_ring_cancel(ctx);
}

static bool producer_busy(const struct doca_ctx *ctx)
{
	return !producer_of(ctx)->at.stopping;
}

static bool producer_arm(struct doca_ctx *ctx)
{
	bool ring = lane_ring_arm(ctx);

	return inbox_arm(&producer_of(ctx)->at.inbox) || ring;
}

static bool producer_woken(struct doca_ctx *ctx)
{
	return lane_ring_woken(ctx) || inbox_peek(&producer_of(ctx)->at.inbox);
}

const struct lane_ops comch_producer_lane = {
	.name = "producer",
	.start = producer_lane_start,
	.stop = lane_ring_stop,
	.submit = lane_ring_submit,
	.flush = lane_ring_flush,
	.progress = lane_ring_progress,
	.deliver = producer_deliver,
	.cancel = producer_cancel,
	.busy = producer_busy,
	.arm = producer_arm,
	.woken = producer_woken,
};

static doca_error_t producer_queue(const struct doca_ctx *ctx,
				   struct driver_queue_attr *attr)
{
	(void)ctx;
	attr->inbox = EVENTS;
	return DOCA_SUCCESS;
}

static doca_error_t producer_start(struct doca_ctx *ctx)
{
	struct doca_comch_producer *producer = producer_of(ctx);
	struct doca_comch_connection *connection = producer->at.connection;
	int err = -ENOTCONN, fd;

	fd = connection_hold_fd(connection);
	if (fd >= 0)
		err = driver_queue_attach_producer(
			&ctx->queue, fd, connection->id, &producer->at.id);
	connection_release_fd(connection);
	return attach_result(ctx, err);
}

static void producer_stop(struct doca_ctx *ctx)
{
	producer_of(ctx)->at.id = 0;
}

static doca_error_t producer_fini(struct doca_ctx *ctx)
{
	connection_put(producer_of(ctx)->at.connection);
	return DOCA_SUCCESS;
}

static const struct task_type *const tasks[] = { &comch_send_to };

const struct ctx_type doca_comch_producer_type = {
	CTX_OBJECT(doca_comch_producer, tasks),
	.name = "comch producer",
	.lane = &comch_producer_lane,
	.late_user_data = true,
	.queue = producer_queue,
	.fini = producer_fini,
	.start = producer_start,
	.stop = producer_stop,
};

DEFINE_DESTROY(doca_comch_producer_destroy, doca_comch_producer)
DEFINE_AS_CTX(doca_comch_producer_as_ctx, doca_comch_producer)

doca_error_t
doca_comch_producer_create(struct doca_comch_connection *comch_connection,
			   struct doca_comch_producer **producer)
{
	static const struct log_site site = LOG_SITE;
	struct doca_ctx *ctx;
	doca_error_t ret;

	if (!valid(comch_connection) || !given(producer))
		return DOCA_ERROR_INVALID_VALUE;
	ret = attach_check(comch_connection, &site);
	if (ret == DOCA_SUCCESS)
		ret = doca_priv_ctx_new(&doca_comch_producer_type,
					comch_connection->dev, &ctx, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	*producer = producer_of(ctx);
	(*producer)->at.connection = connection_get(comch_connection);
	return DOCA_SUCCESS;
}

doca_error_t
doca_comch_producer_get_id(const struct doca_comch_producer *producer,
			   uint32_t *id)
{
	if (!valid_ctx(producer, doca_comch_producer) || !given(id))
		return DOCA_ERROR_INVALID_VALUE;
	if (!producer->at.id)
		return FAIL(BAD_STATE, "%s %p has no id: it is not started",
			    producer->ctx.type->name, (const void *)producer);
	*id = producer->at.id;
	return DOCA_SUCCESS;
}
