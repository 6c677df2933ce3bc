// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The lane of send queues: the ring of a packet socket (xsk/packet.h). A frame is written
 * there when its task is submitted, so the buffer is the program's again as soon as the
 * kernel has taken the frame. Tasks that find no room wait, in order.
 */
#include <errno.h>

#include <doca_error.h>

#include "core/base/clock.h"
#include "core/base/errno_text.h"
#include "core/exec/task_bufs.h"
#include "txq.h"

LOG_SOURCE("ETH::TXQ");

#define REFUSED_NS \
	100000000 /* time for which a frame may be dropped again and again */
#define POLL_NS 200000 /* no descriptor becomes readable after a frame */

static doca_error_t tx_start(struct doca_ctx *ctx)
{
	struct doca_eth_txq *txq = txq_of(ctx);
	char ifname[ETH_IFNAME];
	struct xsk_why why;

	if (eth_ifname(&ctx->dev->info, ifname) != DOCA_SUCCESS)
		return eth_start_without(ctx);
	if (packet_open(&txq->packet, ifname, txq->max_burst, &why))
		return eth_start_refused(ctx, &why);
	txq->first = NULL;
	txq->unput = NULL;
	txq->canceled = false;
	txq->told_down = false;
	txq->told_refused = false;
	txq->refused_at = 0;
	LOG_INFO("%s %p on %s: %u frames of up to %u bytes", ctx->type->name,
		 (void *)txq, ifname, txq->packet.slots, txq->packet.max_frame);
	return DOCA_SUCCESS;
}

static void tx_stop(struct doca_ctx *ctx, bool forked)
{
	(void)forked;
	packet_close(&txq_of(ctx)->packet);
}

/* Return false if there is no room yet. */
static bool tx_put(struct doca_eth_txq *txq, struct doca_task *task)
{
	struct tx_fields *tx = tx_of(task);
	uint32_t n = 0;

	if (tx->fault == DOCA_SUCCESS) {
		n = tx_is_lso(task) ? tx_lso_frames(task) : 1;
		if (n > packet_room(&txq->packet))
			return false;
		if (tx_is_lso(task))
			tx_put_lso(txq, task);
		else
			tx_put_send(txq, task);
	}
	packet_put(&txq->packet, n);
	tx->end = txq->packet.head;
	return true;
}

static doca_error_t tx_check_any(const struct doca_task *task)
{
	return tx_is_lso(task) ? tx_lso_check(task) : tx_send_check(task);
}

/* Check buffers again: they may have changed meanwhile, though they must not. */
static void tx_put_more(struct doca_eth_txq *txq)
{
	struct doca_task *task;

	while ((task = txq->unput)) {
		if (tx_of(task)->fault == DOCA_SUCCESS)
			tx_of(task)->fault = tx_check_any(task);
		if (!tx_put(txq, task))
			return;
		txq->unput = task->next;
	}
}

/* The interface is down: frames that it has not taken will not be sent. */
static void tx_give_up(struct doca_eth_txq *txq, int err)
{
	struct doca_task *task;
	struct tx_fields *tx;

	if (!txq->told_down)
		LOG_ERR("%s %p: its interface takes no frame: %s; tasks fail",
			txq->ctx.type->name, (void *)txq, errno_text(err));
	txq->told_down = true;
	packet_take_back(&txq->packet);
	for (task = txq->first; task; task = task->next) {
		tx = tx_of(task);
		if (task != txq->unput &&
		    (int32_t)(txq->packet.head - tx->end) >= 0)
			continue;
		for (; task; task = task->next) {
			tx = tx_of(task);
			if (tx->fault == DOCA_SUCCESS)
				tx->fault = DOCA_ERROR_IO_FAILED;
			tx->end = txq->packet.head;
		}
		break;
	}
	txq->unput = NULL;
	if (err == -ENODEV || err == -ENXIO)
		ctx_failed(&txq->ctx, "its interface is gone");
}

static void tx_fail_refused(struct doca_eth_txq *txq)
{
	struct doca_task *task = txq->first;

	while (task != txq->unput &&
	       (int32_t)(tx_of(task)->end - txq->refused) <= 0)
		task = task->next;
	if (task != txq->unput && tx_of(task)->fault == DOCA_SUCCESS)
		tx_of(task)->fault = DOCA_ERROR_IO_FAILED;
	packet_skip(&txq->packet);
	txq->refused_at = 0;
	if (!txq->told_refused)
		LOG_ERR("%s %p: a queueing discipline or a filter of its "
			"interface has refused a frame for %u ms; its task "
			"fails; this is said once",
			txq->ctx.type->name, (void *)txq, REFUSED_NS / 1000000);
	txq->told_refused = true;
}

/*
 * There may be room later. But never for a frame that a filter drops, and it would stop
 * all others.
 */
static void tx_refused(struct doca_eth_txq *txq)
{
	const uint64_t now = clock_ns();

	if (!txq->refused_at || txq->refused != txq->packet.announced) {
		txq->refused_at = now;
		txq->refused = txq->packet.announced;
	} else if (now - txq->refused_at >= REFUSED_NS) {
		tx_fail_refused(txq);
	}
}

static bool tx_flush(struct doca_ctx *ctx)
{
	struct doca_eth_txq *txq = txq_of(ctx);
	int err;

	if (txq->canceled || txq->packet.announced == txq->packet.head)
		return false;
	err = packet_kick(&txq->packet);
	if (err == -ENOBUFS) {
		tx_refused(txq);
		return true;
	}
	txq->refused_at = 0;
	if (err)
		tx_give_up(txq, err);
	else
		txq->told_down = false;
	return true;
}

static void tx_submit(struct doca_task *task, bool flush)
{
	struct doca_eth_txq *txq = txq_of(task->ctx);
	struct tx_fields *tx = tx_of(task);

	tx_batch_load(task);
	task_hold_src(task);
	tx->fault = tx_check_any(task);
	task->next = NULL;
	if (txq->first)
		txq->last->next = task;
	else
		txq->first = task;
	txq->last = task;
	if (!txq->unput && !tx_put(txq, task))
		txq->unput = task;
	if (flush)
		tx_flush(task->ctx);
}

static bool is_done(const struct doca_eth_txq *txq,
		    const struct doca_task *task)
{
	return task && task != txq->unput &&
	       (txq->canceled ||
		(int32_t)(txq->packet.tail - tx_of(task)->end) >= 0);
}

/* After a cancel, tasks that were not sent by then fail with its error. */
static doca_error_t status_of(const struct doca_eth_txq *txq,
			      const struct doca_task *task)
{
	const struct tx_fields *tx = tx_of(task);

	if (tx->fault != DOCA_SUCCESS)
		return tx->fault;
	return (int32_t)(txq->packet.tail - tx->end) >= 0 ? DOCA_SUCCESS :
							    DOCA_ERROR_SHUTDOWN;
}

static enum lane_turn tx_progress(struct doca_ctx *ctx)
{
	struct doca_eth_txq *txq = txq_of(ctx);
	struct doca_task *task = txq->first;

	if (!is_done(txq, task)) {
		packet_reap(&txq->packet);
		tx_put_more(txq);
		tx_flush(ctx);
		packet_reap(&txq->packet);
	}
	task = txq->first;
	if (!task && ctx->deadline)
		ctx_set_deadline(ctx, 0);
	if (!is_done(txq, task))
		return LANE_IDLE;
	txq->first = task->next;
	return task_complete(task, status_of(txq, task), 0, NULL) ?
		       LANE_CALLED :
		       LANE_AGAIN;
}

static void tx_cancel(struct doca_ctx *ctx)
{
	struct doca_eth_txq *txq = txq_of(ctx);
	struct doca_task *task;

	packet_reap(&txq->packet);
	packet_take_back(&txq->packet);
	for (task = txq->unput; task; task = task->next)
		if (tx_of(task)->fault == DOCA_SUCCESS)
			tx_of(task)->fault = DOCA_ERROR_SHUTDOWN;
	txq->unput = NULL;
	txq->canceled = true;
}

static bool tx_arm(struct doca_ctx *ctx)
{
	struct doca_eth_txq *txq = txq_of(ctx);

	packet_reap(&txq->packet);
	if (is_done(txq, txq->first))
		return true;
	if (txq->first)
		ctx_set_deadline(ctx, clock_ns() + POLL_NS);
	return false;
}

const struct lane_ops eth_tx_lane = {
	.name = "sockets",
	.start = tx_start,
	.stop = tx_stop,
	.submit = tx_submit,
	.flush = tx_flush,
	.progress = tx_progress,
	.cancel = tx_cancel,
	.arm = tx_arm,
};
