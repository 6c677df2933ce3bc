// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Contexts: a device, and a lane for each work queue. Their functions are thread safe. */
#include <doca_log.h>

#include "lane.h"

DOCA_LOG_REGISTER(API13::CTX);

static doca_error_t bad_state(const struct doca_ctx *ctx, const char *what,
			      const char *why)
{
	DOCA_LOG_ERR("cannot %s context %p: %s", what, (const void *)ctx, why);
	return DOCA_ERROR_BAD_STATE;
}

static doca_error_t add_dev(struct doca_ctx *ctx, struct doca_dev *dev)
{
	doca_error_t ret;

	if (ctx->started)
		return bad_state(ctx, "add a device to", "it is started");
	if (ctx->dev) {
		DOCA_LOG_ERR(
			"cannot add a device to context %p: it has %s; DMA "
			"takes one",
			(void *)ctx,
			ctx->dev == dev ? "it already" : "another one");
		return ctx->dev == dev ? DOCA_ERROR_ALREADY_EXIST :
					 DOCA_ERROR_NOT_SUPPORTED;
	}
	if (v3_dma_cap_task_memcpy_is_supported(v3_dev_as_devinfo(dev)) !=
	    DOCA_SUCCESS) {
		DOCA_LOG_ERR(
			"cannot add a device to context %p: it cannot copy",
			(void *)ctx);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	ret = api13_dev_check(dev);
	DOCA_ERROR_PROPAGATE(ret, api13_devs_hold(&dev, 1, &ctx->holder));
	if (ret == DOCA_SUCCESS)
		ctx->dev = dev;
	return ret;
}

static doca_error_t rm_dev(struct doca_ctx *ctx, struct doca_dev *dev)
{
	if (ctx->started)
		return bad_state(ctx, "remove a device from", "it is started");
	if (ctx->dev != dev) {
		DOCA_LOG_ERR("cannot remove a device from context %p: it does "
			     "not have it",
			     (void *)ctx);
		return DOCA_ERROR_NOT_FOUND;
	}
	v3_mmap_destroy(ctx->holder);
	ctx->dev = NULL;
	return DOCA_SUCCESS;
}

static doca_error_t change_dev(struct doca_ctx *ctx, struct doca_dev *dev,
			       doca_error_t (*change)(struct doca_ctx *,
						      struct doca_dev *))
{
	doca_error_t ret;

	pthread_mutex_lock(&ctx->lock);
	ret = change(ctx, dev);
	pthread_mutex_unlock(&ctx->lock);
	return ret;
}

PUBLIC doca_error_t doca_ctx_dev_add(struct doca_ctx *ctx, struct doca_dev *dev)
{
	if (!valid(ctx) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	return change_dev(ctx, dev, add_dev);
}

PUBLIC doca_error_t doca_ctx_dev_rm(struct doca_ctx *ctx, struct doca_dev *dev)
{
	if (!valid(ctx) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	return change_dev(ctx, dev, rm_dev);
}

PUBLIC doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (!valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&ctx->lock);
	if (ctx->started)
		ret = bad_state(ctx, "start", "it is started");
	else if (!ctx->dev)
		ret = bad_state(ctx, "start", "it has no device");
	else
		ctx->started = true;
	pthread_mutex_unlock(&ctx->lock);
	return ret;
}

PUBLIC doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (!valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&ctx->lock);
	if (!ctx->started) {
		ret = bad_state(ctx, "stop", "it is not started");
	} else if (ctx->lanes) {
		DOCA_LOG_ERR("cannot stop context %p: it has work queues; "
			     "remove them first",
			     (void *)ctx);
		ret = DOCA_ERROR_IN_USE;
	} else {
		ctx->started = false;
	}
	pthread_mutex_unlock(&ctx->lock);
	return ret;
}

static doca_error_t add_workq(struct doca_ctx *ctx, struct doca_workq *workq)
{
	struct lane *lane;
	doca_error_t ret;

	if (!ctx->started)
		return bad_state(ctx, "add a work queue to",
				 "it is not started");
	if (api13_lane_find(workq, ctx)) {
		DOCA_LOG_ERR("work queue %p was added to context %p already",
			     (void *)workq, (void *)ctx);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	ret = api13_lane_create(ctx, workq, &lane);
	if (ret != DOCA_SUCCESS)
		return ret;
	lane->next_of_ctx = ctx->lanes;
	ctx->lanes = lane;
	lane->next_of_workq = workq->lanes;
	workq->lanes = lane;
	return DOCA_SUCCESS;
}

static void unlink_lane(struct doca_ctx *ctx, struct lane *lane)
{
	struct lane **at;

	for (at = &ctx->lanes; *at != lane; at = &(*at)->next_of_ctx)
		;
	*at = lane->next_of_ctx;
	for (at = &lane->workq->lanes; *at != lane; at = &(*at)->next_of_workq)
		;
	*at = lane->next_of_workq;
	workq_forget_lane(lane->workq);
}

static doca_error_t rm_workq(struct doca_ctx *ctx, struct doca_workq *workq)
{
	struct lane *lane;
	uint32_t inflight;

	if (!ctx->started)
		return bad_state(ctx, "remove a work queue from",
				 "it is not started");
	lane = api13_lane_find(workq, ctx);
	if (!lane) {
		DOCA_LOG_ERR("context %p does not have work queue %p",
			     (void *)ctx, (void *)workq);
		return DOCA_ERROR_NOT_FOUND;
	}
	inflight = api13_lane_inflight(lane);
	if (inflight) {
		DOCA_LOG_ERR("cannot remove work queue %p from context %p: %u "
			     "jobs are in flight; retrieve their events first",
			     (void *)workq, (void *)ctx, inflight);
		return DOCA_ERROR_IN_USE;
	}
	unlink_lane(ctx, lane);
	return api13_lane_destroy(lane);
}

static doca_error_t change_workq(struct doca_ctx *ctx, struct doca_workq *workq,
				 doca_error_t (*change)(struct doca_ctx *,
							struct doca_workq *),
				 const char *func)
{
	DEBUG_HELD held = NULL;
	doca_error_t ret;

	if (!debug_alone(&held, workq, func))
		return DOCA_ERROR_IN_USE;
	pthread_mutex_lock(&ctx->lock);
	ret = change(ctx, workq);
	pthread_mutex_unlock(&ctx->lock);
	return ret;
}

PUBLIC doca_error_t doca_ctx_workq_add(struct doca_ctx *ctx,
				       struct doca_workq *workq)
{
	if (!valid(ctx) || !valid(workq))
		return DOCA_ERROR_INVALID_VALUE;
	return change_workq(ctx, workq, add_workq, __func__);
}

PUBLIC doca_error_t doca_ctx_workq_rm(struct doca_ctx *ctx,
				      struct doca_workq *workq)
{
	if (!valid(ctx) || !valid(workq))
		return DOCA_ERROR_INVALID_VALUE;
	return change_workq(ctx, workq, rm_workq, __func__);
}
