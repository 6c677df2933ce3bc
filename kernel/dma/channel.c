// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Feeds a DMA engine, in turns, and takes back what it has done. */
#include <linux/dma-mapping.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>

#include "channel.h"
#include "engine.h"
#include "flight.h"
#include "line.h"
#include "map.h"
#include "memory.h"
#include "ops/memcpy.h"
#include "piece.h"
#include "trace.h"

static struct doca_engine *doca_channel_engine(struct doca_channel *channel)
{
	return container_of(channel, struct doca_engine, channel);
}

/* Return the bytes that the window has room for; 0 if nothing is accepted now. */
static u64 doca_channel_room(struct doca_channel *channel)
{
	u64 window = READ_ONCE(doca_engine_window);

	if (!channel->open || channel->blocked || list_empty(&channel->free) ||
	    channel->nr >= DOCA_CHANNEL_PIECES ||
	    !doca_engine_is_ready(doca_channel_engine(channel)))
		return 0;
	if (!channel->nr)
		return window;
	if (channel->bytes + DOCA_PIECE_MIN > window)
		return 0;
	return window - channel->bytes;
}

/* Under the lock: a thread that closes the channel waits for the feeder afterwards. */
static void doca_channel_kick(struct doca_channel *channel)
{
	if (channel->open)
		queue_work(system_highpri_wq, &channel->feeder);
}

/* Feed nothing more of the transfer. Call it under the lock. */
static void doca_transfer_leave(struct doca_transfer *transfer)
{
	struct doca_lane *lane = transfer->lane;

	if (list_empty(&transfer->node))
		return;
	list_del_init(&transfer->node);
	if (list_empty(&lane->transfers))
		doca_line_leave(&lane->engine->channel, lane);
}

/* Return true if the transfer ends now; the caller then ends it, without the lock. */
static bool doca_transfer_ends(struct doca_transfer *transfer)
{
	if (transfer->ended || transfer->busy || transfer->left ||
	    !list_empty(&transfer->node))
		return false;
	transfer->ended = true;
	return true;
}

static void doca_transfer_end(struct doca_transfer *transfer)
{
	struct doca_flight *flight = transfer->flight;
	struct doca_engine *engine = transfer->lane->engine;
	struct doca_op *op = &flight->op;
	u32 status = DOCA_STATUS_SUCCESS;

	if (transfer->redo) {
		/* Nothing tells how much of it was done. */
		op->done = 0;
	} else if (op->done < op->length) {
		status = DOCA_STATUS_CANCELED;
	} else {
		atomic64_add(op->length, &engine->stats.bytes);
		atomic64_inc(&engine->stats.ops);
		atomic64_add(op->length, &transfer->lane->bytes);
	}
	doca_flight_complete(flight, status);
}

/* Return a piece to its transfer. Return true if that ends. Call it under the lock. */
static bool doca_slot_return(struct doca_slot *slot, bool failed)
{
	struct doca_transfer *transfer = slot->transfer;
	struct doca_channel *channel = slot->channel;
	struct doca_engine *engine = doca_channel_engine(channel);

	slot->transfer = NULL;
	channel->nr--;
	channel->bytes -= slot->length;
	channel->blocked = false;
	channel->progress = jiffies;
	channel->done_seq = max(channel->done_seq, slot->seq);
	trace_doca_engine_done(engine->id, slot->seq, failed);
	if (!channel->nr) {
		channel->max = DOCA_PIECE_MAX;
		wake_up_all(&channel->idle);
	}
	/* The CPU writes a failed transfer anew, all of it, and it may be unmapped by now. */
	if (!failed && !transfer->redo && !engine->coherent)
		dma_sync_single_for_cpu(engine->dev, slot->dst, slot->length,
					DMA_BIDIRECTIONAL);
	if (failed) {
		transfer->redo = true;
		doca_transfer_leave(transfer);
	}
	transfer->left--;
	return doca_transfer_ends(transfer);
}

static void doca_channel_count_result(struct doca_channel *channel, bool failed)
{
	channel->failures = failed ? channel->failures + 1 : 0;
	if (channel->failures >= DOCA_CHANNEL_FAILURES && channel->open)
		mod_delayed_work(system_highpri_wq, &channel->watch, 0);
}

/* Called by the provider, in any context. */
static void doca_slot_done(void *param, const struct dmaengine_result *result)
{
	struct doca_slot *slot = param;
	struct doca_channel *channel = slot->channel;
	bool failed = result && result->result != DMA_TRANS_NOERROR;
	struct doca_transfer *transfer;
	unsigned long flags;
	bool ends = false;

	spin_lock_irqsave(&channel->lock, flags);
	transfer = slot->transfer;
	if (transfer) {
		ends = doca_slot_return(slot, failed);
		doca_channel_count_result(channel, failed);
	}
	list_move_tail(&slot->node, &channel->free);
	if (!list_empty(&channel->line))
		doca_channel_kick(channel);
	spin_unlock_irqrestore(&channel->lock, flags);
	if (ends)
		doca_transfer_end(transfer);
}

void doca_channel_lose(struct doca_channel *channel, u64 seq)
{
	struct doca_transfer *transfer;
	struct doca_slot *slot;
	bool ends = false;

	spin_lock_irq(&channel->lock);
	list_for_each_entry(slot, &channel->away, node) {
		if (slot->seq != seq)
			continue;
		transfer = slot->transfer;
		ends = doca_slot_return(slot, false);
		list_move_tail(&slot->node, &channel->lost);
		break;
	}
	spin_unlock_irq(&channel->lock);
	if (ends)
		doca_transfer_end(transfer);
}

void doca_channel_distrust(struct doca_channel *channel)
{
	struct doca_slot *slot;

	spin_lock_irq(&channel->lock);
	list_for_each_entry(slot, &channel->away, node) {
		slot->transfer->redo = true;
		doca_transfer_leave(slot->transfer);
	}
	spin_unlock_irq(&channel->lock);
}

/* End a transfer without the lock, which the caller holds. */
static void doca_transfer_end_unlocked(struct doca_channel *channel,
				       struct doca_transfer *transfer)
{
	spin_unlock_irq(&channel->lock);
	doca_transfer_end(transfer);
	spin_lock_irq(&channel->lock);
}

void doca_channel_abandon(struct doca_channel *channel, bool reuse)
{
	struct doca_transfer *transfer;
	struct doca_slot *slot;
	bool ends;

	spin_lock_irq(&channel->lock);
	if (reuse)
		list_splice_tail_init(&channel->lost, &channel->free);
	while ((slot = list_first_entry_or_null(&channel->away, struct doca_slot,
						node))) {
		transfer = slot->transfer;
		ends = doca_slot_return(slot, true);
		list_move_tail(&slot->node,
			       reuse ? &channel->free : &channel->lost);
		if (ends)
			doca_transfer_end_unlocked(channel, transfer);
	}
	spin_unlock_irq(&channel->lock);
}

void doca_channel_drain(struct doca_channel *channel)
{
	struct doca_transfer *transfer;
	struct doca_lane *lane;

	spin_lock_irq(&channel->lock);
	while ((lane = doca_line_first(channel))) {
		transfer = list_first_entry(&lane->transfers,
					    struct doca_transfer, node);
		transfer->redo = true;
		doca_transfer_leave(transfer);
		if (doca_transfer_ends(transfer))
			doca_transfer_end_unlocked(channel, transfer);
	}
	spin_unlock_irq(&channel->lock);
}

unsigned long doca_channel_watch_interval(void)
{
	unsigned int ms = READ_ONCE(doca_engine_timeout_ms) / 4;

	return max(msecs_to_jiffies(ms), 1UL);
}

/* Take a slot for the transfer's next piece; NULL if the transfer must not go on. */
static struct doca_slot *doca_slot_take(struct doca_transfer *transfer,
					const struct doca_piece *piece)
{
	struct doca_lane *lane = transfer->lane;
	struct doca_channel *channel = &lane->engine->channel;
	struct doca_slot *slot = NULL;

	spin_lock_irq(&channel->lock);
	if (transfer->stop || transfer->redo || lane->credit <= 0 ||
	    doca_channel_room(channel) < piece->length)
		goto out;
	slot = list_first_entry(&channel->free, struct doca_slot, node);
	list_move_tail(&slot->node, &channel->away);
	slot->transfer = transfer;
	slot->seq = ++channel->seq;
	slot->since = jiffies;
	slot->cookie = 0;
	slot->dst = piece->dst;
	slot->length = piece->length;
	lane->credit -= piece->length;
	transfer->left++;
	channel->bytes += piece->length;
	if (!channel->nr++)
		channel->progress = jiffies;
	queue_delayed_work(system_highpri_wq, &channel->watch,
			   doca_channel_watch_interval());
out:
	spin_unlock_irq(&channel->lock);
	return slot;
}

/*
 * Take back a piece that the provider does not have. Return true if it has others: when
 * they come back, there is another chance.
 */
static bool doca_slot_give_back(struct doca_slot *slot)
{
	struct doca_channel *channel = slot->channel;
	struct doca_transfer *transfer;
	bool others;

	spin_lock_irq(&channel->lock);
	transfer = slot->transfer;
	transfer->lane->credit += slot->length;
	transfer->left--;
	slot->transfer = NULL;
	channel->bytes -= slot->length;
	others = --channel->nr;
	if (!others)
		wake_up_all(&channel->idle);
	channel->blocked = others;
	list_move_tail(&slot->node, &channel->free);
	spin_unlock_irq(&channel->lock);
	return others;
}

/* Call it with @feed held. */
static void doca_channel_issue(struct doca_channel *channel)
{
	if (!channel->unissued)
		return;
	channel->unissued = false;
	dma_async_issue_pending(doca_channel_engine(channel)->chan);
}

/*
 * Issue once in a turn, which is enough, except for a provider that sleeps: its first
 * pieces must not wait, and seem late, until it has been given all. Call it with @feed
 * held.
 */
static void doca_channel_submitted(struct doca_channel *channel)
{
	if (!channel->unissued)
		channel->submitted = jiffies;
	channel->unissued = true;
	if (time_after(jiffies, channel->submitted + 1))
		doca_channel_issue(channel);
}

static void doca_piece_sync(const struct doca_engine *engine,
			    const struct doca_piece *piece)
{
	if (engine->coherent)
		return;
	dma_sync_single_for_device(engine->dev, piece->src, piece->length,
				   piece->from->dma->direction);
	dma_sync_single_for_device(engine->dev, piece->dst, piece->length,
				   piece->to->dma->direction);
}

/*
 * Hand a piece to the provider. -EBUSY: it takes none before something comes back.
 * -EAGAIN: it may take a shorter one. -EIO: failure.
 */
static int doca_slot_submit(struct doca_slot *slot, const struct doca_piece *piece)
{
	struct doca_channel *channel = slot->channel;
	struct doca_engine *engine = doca_channel_engine(channel);
	struct dma_async_tx_descriptor *tx;
	dma_cookie_t cookie;

	doca_piece_sync(engine, piece);
	tx = dmaengine_prep_dma_memcpy(engine->chan, piece->dst, piece->src,
				       piece->length,
				       DMA_PREP_INTERRUPT | DMA_CTRL_ACK);
	if (!tx) {
		if (doca_slot_give_back(slot))
			return -EBUSY;
		if (channel->max <= DOCA_PIECE_MIN)
			return -EIO;
		channel->max = max_t(u32, channel->max / 2, DOCA_PIECE_MIN);
		return -EAGAIN;
	}
	/* The engine may reuse descriptors: clear the old callback. */
	tx->callback = NULL;
	tx->callback_result = doca_slot_done;
	tx->callback_param = slot;
	trace_doca_engine_submit(engine->id, slot->seq, piece->length);
	cookie = dmaengine_submit(tx);
	if (dma_submit_error(cookie)) {
		doca_slot_give_back(slot);
		return -EIO;
	}
	/* It may come back from here on, but nobody else takes the slot meanwhile. */
	WRITE_ONCE(slot->cookie, cookie);
	doca_channel_submitted(channel);
	atomic64_inc(&engine->stats.descs);
	return 0;
}

/* Return the maximum length of the next piece. Others only make room, they take none. */
static u32 doca_channel_max(const struct doca_channel *channel)
{
	u64 window = READ_ONCE(doca_engine_window);
	u64 bytes = READ_ONCE(channel->bytes);

	return clamp_t(u64, window - min(bytes, window), DOCA_PIECE_MIN,
		       READ_ONCE(channel->max));
}

/*
 * Feed the next piece, or handle an edge before it. Return 0, or why the transfer cannot
 * go on; -ENOSPC if it is the others' turn.
 */
static int doca_transfer_feed_piece(struct doca_transfer *transfer)
{
	struct doca_engine *engine = transfer->lane->engine;
	struct doca_flight *flight = transfer->flight;
	struct doca_piece piece;
	struct doca_slot *slot;
	int rc;

	doca_engine_piece(engine, flight, doca_channel_max(&engine->channel),
			  &piece);
	if (piece.by_cpu) {
		if (doca_copy_bytes(piece.to, piece.dst_at, piece.from,
				    piece.src_at, piece.length))
			return -EIO;
	} else {
		slot = doca_slot_take(transfer, &piece);
		if (!slot)
			return -ENOSPC;
		rc = doca_slot_submit(slot, &piece);
		if (rc)
			return rc;
	}
	doca_piece_skip(&flight->op, &piece);
	return 0;
}

/* Return the first transfer in line, for the caller to feed; NULL if there is none, or no room. */
static struct doca_transfer *doca_channel_next(struct doca_channel *channel)
{
	struct doca_transfer *transfer = NULL;
	struct doca_lane *lane;

	spin_lock_irq(&channel->lock);
	lane = doca_line_first(channel);
	if (lane && doca_channel_room(channel)) {
		transfer = list_first_entry(&lane->transfers,
					    struct doca_transfer, node);
		transfer->busy = true;
		if (lane->credit <= 0)
			lane->credit = READ_ONCE(doca_engine_window) /
				       channel->nr_lanes;
		lane->credit = max_t(s64, lane->credit, 1);
	}
	spin_unlock_irq(&channel->lock);
	return transfer;
}

/* Put the transfer back, after it was fed as far as possible. */
static void doca_transfer_put(struct doca_transfer *transfer, int rc)
{
	struct doca_lane *lane = transfer->lane;
	struct doca_channel *channel = &lane->engine->channel;
	struct doca_op *op = &transfer->flight->op;
	bool ends;

	spin_lock_irq(&channel->lock);
	transfer->busy = false;
	transfer->redo |= rc == -EIO;
	if (transfer->redo || transfer->stop || op->done == op->length)
		doca_transfer_leave(transfer);
	/* After a recall the lane may have left the line, and come back behind others. */
	if (doca_line_first(channel) == lane && lane->credit <= 0)
		doca_line_turn(channel, lane);
	ends = doca_transfer_ends(transfer);
	spin_unlock_irq(&channel->lock);
	if (ends)
		doca_transfer_end(transfer);
}

/* Feed the first in line. Return false if that is impossible. Call it with @feed held. */
static bool doca_channel_feed_next(struct doca_channel *channel)
{
	struct doca_transfer *transfer = doca_channel_next(channel);
	struct doca_op *op;
	int rc = 0;

	if (!transfer)
		return false;
	op = &transfer->flight->op;
	while (op->done < op->length && (!rc || rc == -EAGAIN))
		rc = doca_transfer_feed_piece(transfer);
	doca_transfer_put(transfer, rc);
	return true;
}

void doca_channel_feed(struct work_struct *work)
{
	struct doca_channel *channel =
		container_of(work, struct doca_channel, feeder);

	mutex_lock(&channel->feed);
	while (doca_channel_feed_next(channel))
		cond_resched();
	doca_channel_issue(channel);
	mutex_unlock(&channel->feed);
}

/*
 * Queue the transfer in its lane, and the lane in the line. Return false if the engine
 * takes no more.
 */
static bool doca_transfer_queue(struct doca_transfer *transfer)
{
	struct doca_lane *lane = transfer->lane;
	struct doca_engine *engine = lane->engine;
	struct doca_channel *channel = &engine->channel;
	bool open;

	spin_lock_irq(&channel->lock);
	open = channel->open && doca_engine_is_ready(engine);
	if (open) {
		list_add_tail(&transfer->node, &lane->transfers);
		if (list_empty(&lane->node))
			doca_line_join(channel, lane,
				       transfer->flight->pool->user);
	} else {
		transfer->redo = true;
		transfer->ended = true;
	}
	spin_unlock_irq(&channel->lock);
	return open;
}

void doca_channel_start(struct doca_transfer *transfer)
{
	if (!doca_transfer_queue(transfer))
		doca_transfer_end(transfer);
}

void doca_channel_begin(struct doca_channel *channel)
{
	spin_lock_irq(&channel->lock);
	if (!list_empty(&channel->line) && doca_channel_room(channel))
		doca_channel_kick(channel);
	spin_unlock_irq(&channel->lock);
}

bool doca_channel_recall(struct doca_transfer *transfer)
{
	struct doca_channel *channel = &transfer->lane->engine->channel;
	unsigned long flags;
	bool ends;

	spin_lock_irqsave(&channel->lock, flags);
	transfer->stop = true;
	doca_transfer_leave(transfer);
	ends = doca_transfer_ends(transfer);
	if (ends && transfer->redo)
		transfer->flight->op.done = 0;
	spin_unlock_irqrestore(&channel->lock, flags);
	return ends;
}

void doca_channel_close(struct doca_channel *channel)
{
	mutex_lock(&channel->feed);
	spin_lock_irq(&channel->lock);
	channel->open = false;
	spin_unlock_irq(&channel->lock);
	doca_channel_issue(channel);
	mutex_unlock(&channel->feed);
}
