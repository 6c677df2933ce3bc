// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>

#include "core/exec/lane_ring.h"
#include "ends.h"
#include "event.h"
#include "lane.h"
#include "send.h"

LOG_SOURCE("COMCH");

static doca_error_t inbox_start(struct doca_ctx *ctx)
{
	doca_error_t ret = lane_ring_start(ctx);

	if (ret != DOCA_SUCCESS || !party_open(party_of(ctx)))
		return ret;
	lane_ring_stop(ctx, false);
	return FAIL(INITIALIZATION, "cannot start %s: out of memory",
		    ctx->type->name);
}

static void inbox_stop(struct doca_ctx *ctx, bool forked)
{
	party_close(party_of(ctx));
	lane_ring_stop(ctx, forked);
}

/*
 * The queue of a server ends with its pair, too: do not have lane_ring_progress() take
 * that for the removal of the device, which would stop all contexts of it.
 */
static bool has_lost_pair(const struct doca_ctx *ctx)
{
	return ring_dead(&ctx->queue.ring) && !ctx->inflight && ctx_is_up(ctx);
}

static enum lane_turn inbox_progress(struct doca_ctx *ctx)
{
	enum lane_turn turn = send_end_failed(party_of(ctx));

	if (turn != LANE_IDLE)
		return turn;
	if (!has_lost_pair(ctx))
		return lane_ring_progress(ctx);
	ctx_failed(ctx, "its pair or its device was removed");
	return LANE_AGAIN;
}

static enum lane_turn inbox_deliver(struct doca_ctx *ctx)
{
	return event_deliver(party_of(ctx));
}

static void inbox_cancel(struct doca_ctx *ctx)
{
	party_close_all(party_of(ctx));
}

static bool has_ended(const struct party *party)
{
	return party->failed || !list_empty(&party->ended);
}

/*
 * Events may come at any time. When it stops, only those that are there count,
 * and ends of connections.
 */
static bool inbox_busy(const struct doca_ctx *ctx)
{
	const struct party *party = party_of(ctx);

	return !party->stopping || has_ended(party) ||
	       inbox_peek(&party->inbox);
}

static bool inbox_arm_both(struct doca_ctx *ctx)
{
	struct party *party = party_of(ctx);
	bool ring = lane_ring_arm(ctx);

	return inbox_arm(&party->inbox) || ring || has_ended(party);
}

static bool inbox_woken(struct doca_ctx *ctx)
{
	return lane_ring_woken(ctx) || inbox_peek(&party_of(ctx)->inbox);
}

const struct lane_ops comch_lane = {
	.name = "inbox",
	.start = inbox_start,
	.stop = inbox_stop,
	.submit = send_submit,
	.flush = lane_ring_flush,
	.progress = inbox_progress,
	.deliver = inbox_deliver,
	.cancel = inbox_cancel,
	.busy = inbox_busy,
	.arm = inbox_arm_both,
	.woken = inbox_woken,
};
