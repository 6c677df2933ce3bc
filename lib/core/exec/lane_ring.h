/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The functions of lane_ring, for lanes that combine the driver's ring with something else.
 * Such a lane has its own struct lane_ops, whose functions call these first and then do
 * their own part. The ring belongs to ctx->queue, which has the other areas, too; queue()
 * of struct ctx_type asks for them.
 */
#ifndef DOCA_CORE_LANE_RING_H
#define DOCA_CORE_LANE_RING_H

#include "core/base/symver.h"
#include "lane.h"

DOCA_STABLE doca_error_t lane_ring_start(struct doca_ctx *ctx)
	DOCA_PRIVATE(lane_ring_start);
DOCA_STABLE void lane_ring_stop(struct doca_ctx *ctx, bool forked)
	DOCA_PRIVATE(lane_ring_stop);
DOCA_STABLE void lane_ring_submit(struct doca_task *task, bool flush)
	DOCA_PRIVATE(lane_ring_submit);
DOCA_STABLE bool lane_ring_flush(struct doca_ctx *ctx)
	DOCA_PRIVATE(lane_ring_flush);
DOCA_STABLE enum lane_turn lane_ring_progress(struct doca_ctx *ctx)
	DOCA_PRIVATE(lane_ring_progress);
DOCA_STABLE void lane_ring_cancel(struct doca_ctx *ctx)
	DOCA_PRIVATE(lane_ring_cancel);
DOCA_STABLE bool lane_ring_arm(struct doca_ctx *ctx)
	DOCA_PRIVATE(lane_ring_arm);
DOCA_STABLE bool lane_ring_woken(struct doca_ctx *ctx)
	DOCA_PRIVATE(lane_ring_woken);

#endif /* DOCA_CORE_LANE_RING_H */
