// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The lane of receive queues: sockets of an interface (xsk/xsk.h). */
#include <pthread.h>

#include <doca_error.h>

#include "core/base/clock.h"
#include "rxq.h"

LOG_SOURCE("ETH::RXQ");

#define WAIT_NS \
	1000000000ull /* after that, check that the interface still exists */

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(xsk_fork_prepare, xsk_fork_parent, xsk_fork_child);
}

static doca_error_t open_xsk(struct doca_eth_rxq *rxq, const char *ifname)
{
	const struct xsk_attr attr = {
		.ifname = ifname,
		.memory = rxq->memory,
		.length = rxq->length,
		.chunk = ETH_CHUNK,
		.headroom = rxq->headroom,
		.room = rxq->max_packet,
		.burst = rxq->max_burst,
	};
	struct xsk_why why;

	if (xsk_open(&rxq->xsk, &attr, &why))
		return eth_start_refused(&rxq->ctx, &why);
	if (xsk_bind_number(rxq->xsk, rxq->flow_id, &why)) {
		xsk_close(rxq->xsk, false);
		return eth_start_refused(&rxq->ctx, &why);
	}
	LOG_INFO("%s %p on %s: mode %s, %u chunks", rxq->ctx.type->name,
		 (void *)rxq, ifname, xsk_mode_name(xsk_mode(rxq->xsk)),
		 xsk_chunks(rxq->xsk));
	if (xsk_mode(rxq->xsk) == XSK_LATE)
		LOG_WARN("%s %p: %s has no XDP of its own in its driver; the "
			 "kernel keeps frames with incomplete checksums, which "
			 "'ethtool -K %s gro off' and, for their sender, 'tx "
			 "off' complete",
			 rxq->ctx.type->name, (void *)rxq, ifname, ifname);
	return DOCA_SUCCESS;
}

static doca_error_t rx_start(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);
	char ifname[ETH_IFNAME];
	doca_error_t ret;

	if (eth_ifname(&ctx->dev->info, ifname) != DOCA_SUCCESS)
		return eth_start_without(ctx);
	ret = rx_memory_get(rxq);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = open_xsk(rxq, ifname);
	if (ret != DOCA_SUCCESS) {
		rx_memory_put(rxq);
		return ret;
	}
	rxq->generation = driver_generation();
	rxq->first = NULL;
	rxq->idle = 0;
	rxq->canceled = false;
	rxq->watched = false;
	rxq->told_small = false;
	rxq->batched = 0;
	return DOCA_SUCCESS;
}

static void rx_stop(struct doca_ctx *ctx, bool forked)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);

	rx_drop_batch(rxq);
	xsk_close(rxq->xsk, forked);
	rxq->xsk = NULL;
	rx_memory_put(rxq);
}

/* Watch the socket only while a task or a pool can take a frame. */
static void rx_watch(struct doca_eth_rxq *rxq)
{
	bool wanted = rxq_is_managed(rxq) || rxq->first;

	if (wanted && !rxq->watched)
		doca_priv_ctx_watch(&rxq->ctx, 0, xsk_fd(rxq->xsk));
	else if (!wanted && rxq->watched)
		doca_priv_ctx_unwatch(&rxq->ctx, 0);
	rxq->watched = wanted;
}

static void rx_submit(struct doca_task *task, bool flush)
{
	struct doca_eth_rxq *rxq = rxq_of(task->ctx);

	(void)flush;
	task->next = NULL;
	if (rxq->first)
		rxq->last->next = task;
	else
		rxq->first = task;
	rxq->last = task;
	eth_rxq_recv_begin(task);
	if (!rxq->watched)
		rx_watch(rxq);
}

static bool rx_flush(struct doca_ctx *ctx)
{
	(void)ctx;
	return false;
}

static enum lane_turn rx_end(struct doca_eth_rxq *rxq, doca_error_t status,
			     uint32_t length)
{
	struct doca_task *task = rxq->first;

	rxq->first = task->next;
	return task_complete(task, status, length, NULL) ? LANE_CALLED :
							   LANE_AGAIN;
}

/* In a managed pool all tasks have a fault. */
static enum lane_turn rx_progress(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);
	struct doca_eth_rxq_task_recv *recv;
	struct xsk_frame frame;
	doca_error_t status;

	if (!rxq->first) {
		if (!rxq_is_managed(rxq) && ctx->deadline)
			ctx_set_deadline(ctx, 0);
		return LANE_IDLE;
	}
	recv = list_entry(rxq->first, struct doca_eth_rxq_task_recv, task);
	if (recv->fault != DOCA_SUCCESS)
		return rx_end(rxq, recv->fault, 0);
	if (rxq->canceled)
		return rx_end(rxq, DOCA_ERROR_SHUTDOWN, 0);
	if (!rx_take(rxq, &frame, &recv->packet)) {
		xsk_refill(rxq->xsk);
		return LANE_IDLE;
	}
	status = eth_rxq_recv_copy(recv, &frame);
	xsk_give(rxq->xsk, frame.chunk);
	xsk_refill(rxq->xsk);
	return rx_end(rxq, status, frame.length);
}

static void rx_cancel(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);

	rxq->canceled = true;
	rx_drop_batch(rxq);
}

static bool rx_busy(const struct doca_ctx *ctx)
{
	const struct doca_eth_rxq *rxq = rxq_of(ctx);

	return rxq_is_managed(rxq) && !rxq->canceled;
}

/* Look for work that no descriptor shows: a batch that is full, or a task that will fail. */
static bool rx_arm(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);
	const struct doca_eth_rxq_task_recv *recv;

	rx_reclaim(rxq);
	rx_watch(rxq);
	/* If the interface goes, nothing becomes readable. */
	if (!rxq->batched)
		ctx_set_deadline(ctx, rxq->watched ? clock_ns() + WAIT_NS : 0);
	if (rxq_is_managed(rxq))
		return rxq->first || xsk_pending(rxq->xsk) ||
		       (rxq->batched && rxq->batched >= rxq->batch_min);
	if (!rxq->first)
		return false;
	recv = list_entry(rxq->first, struct doca_eth_rxq_task_recv, task);
	return recv->fault != DOCA_SUCCESS || rxq->canceled ||
	       xsk_pending(rxq->xsk);
}

/* The interface may have gone instead. */
static bool rx_woken(struct doca_ctx *ctx)
{
	struct doca_eth_rxq *rxq = rxq_of(ctx);

	if (!xsk_pending(rxq->xsk))
		rxq->idle = RX_LOOKS;
	return false;
}

const struct lane_ops eth_rx_lane = {
	.name = "sockets",
	.start = rx_start,
	.stop = rx_stop,
	.submit = rx_submit,
	.flush = rx_flush,
	.progress = rx_progress,
	.reap = rx_reap,
	.deliver = rx_deliver,
	.cancel = rx_cancel,
	.busy = rx_busy,
	.arm = rx_arm,
	.woken = rx_woken,
};
