// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The executor: takes entries from a queue, steps through their operations, and
 * writes completions. The same code runs in a worker and in a caller of ENTER.
 *
 * A completion slot is reserved before an entry is consumed: the slot stays free,
 * because nobody but the executor writes completions, and one that waits keeps
 * its slot. So there is no overflow, and every entry gets exactly one completion.
 */
#include <linux/poll.h>
#include <linux/wait.h>

#include "ops/memcpy.h"
#include "queue.h"
#include "trace.h"

/* Listings read them at any time. */
static inline void doca_queue_count(u64 *stat, u64 nr)
{
	WRITE_ONCE(*stat, *stat + nr);
}

static void doca_queue_notify(struct doca_queue *queue)
{
	if (doca_ring_notify(&queue->ring)) {
		doca_queue_count(&queue->stats.wakeups, 1);
		wake_up_interruptible_poll(&queue->wait, EPOLLIN);
	}
}

/* Who waits is woken now, or, if that was not seen, at the end of the turn. */
static inline void doca_queue_publish(struct doca_queue *queue)
{
	doca_queue_count(&queue->stats.ops,
			 doca_ring_unpublished(&queue->ring));
	doca_ring_publish(&queue->ring);
	if (unlikely(doca_ring_notify_hint(&queue->ring)))
		doca_queue_notify(queue);
}

/*
 * In a long turn user space sees completions while there are more to come: so
 * many together, or one that moved more bytes than that. Otherwise one end would
 * always wait for the other: it has nothing to do before the turn ends, and then
 * the executor has nothing before it has submitted again.
 */
#define DOCA_PUBLISH_ENTRIES 8
#define DOCA_PUBLISH_LENGTH SZ_4K

/* Whether there are free completion slots, when none is known of. */
static bool doca_queue_find_room(struct doca_queue *queue)
{
	struct doca_ring *ring = &queue->ring;
	u32 used = doca_ring_cq_used(ring);

	if (used > ring->cq_entries) {
		doca_queue_raise_state(queue, DOCA_QUEUE_BROKEN);
		return false;
	}
	WRITE_ONCE(ring->cq_head, ring->cq_tail - used);
	/* The user may have taken back what was reserved for waits. */
	used += doca_queue_nr_waiting(queue);
	if (used >= ring->cq_entries)
		return false;
	WRITE_ONCE(ring->cq_room, ring->cq_entries - used);
	return true;
}

/* A soft failure is of the entry alone. */
static void doca_queue_failed(struct doca_queue *queue, u32 status)
{
	doca_queue_count(&queue->stats.errors, 1);
	if (!(status & DOCA_STATUS_SOFT) && !queue->forgiving)
		doca_queue_raise_state(queue, DOCA_QUEUE_FLUSH);
}

static __always_inline void doca_queue_complete(struct doca_queue *queue,
						u64 user_data, u32 status,
						u64 length, u64 result)
{
	if (length)
		doca_queue_count(&queue->stats.bytes, length);
	if (unlikely(status != DOCA_STATUS_SUCCESS &&
		     status != DOCA_STATUS_CANCELED))
		doca_queue_failed(queue, status);
	doca_ring_cq_put(&queue->ring, user_data, status, length, result);
	trace_doca_complete(queue, user_data, status, length);
}

/* The operation has ended, or waits from now on. */
static __always_inline void doca_queue_finish(struct doca_queue *queue,
					      u32 status)
{
	const struct doca_op *op = &queue->op;

	if (likely(status != DOCA_STATUS_PENDING))
		doca_queue_complete(queue, op->sqe.user_data, status, op->done,
				    op->result);
}

/* Any operation, by its row. */
static inline u32 doca_queue_prepare(struct doca_queue *queue)
{
	struct doca_op *op = &queue->op;
	const struct doca_op_type *type = doca_op_type(op->sqe.opcode);
	u32 status;

	if (!type)
		return DOCA_STATUS_BAD_OPCODE;
	if (op->sqe.aux)
		return DOCA_STATUS_BAD_ENTRY;
	if (!type->prepare)
		return doca_op_nothing(&op->sqe);
	status = type->prepare(queue, op);
	if (status == DOCA_STATUS_AGAIN)
		WRITE_ONCE(op->type, type);
	return status;
}

/* What the operation names is somebody else's, who is asked to do it. */
static noinline u32 doca_queue_begin_aside(struct doca_queue *queue)
{
	u32 status = doca_remote_ops->submit(queue);

	if (status == DOCA_STATUS_PENDING)
		WRITE_ONCE(queue->asides.nr, queue->asides.nr + 1);
	return status;
}

/* Take the next entry. Its status, if it has come to an end already. */
static inline u32 doca_queue_begin(struct doca_queue *queue)
{
	struct doca_op *op = &queue->op;
	u32 status;

	WRITE_ONCE(queue->ring.cq_room, queue->ring.cq_room - 1);
	doca_ring_sq_get(&queue->ring, &op->sqe);
	op->length = 0;
	op->done = 0;
	op->result = 0;
	trace_doca_submit(queue);

	if (READ_ONCE(queue->state) != DOCA_QUEUE_RUN)
		return DOCA_STATUS_CANCELED;
	/* The most frequent ones without a retpoline. */
	if (doca_copy_is_plain(&op->sqe)) {
		status = doca_copy_small(queue, op);
		if (status != DOCA_STATUS_AGAIN)
			goto out;
	}
	status = doca_queue_prepare(queue);
out:
	if (unlikely(status == DOCA_STATUS_REMOTE))
		status = doca_queue_begin_aside(queue);
	return status;
}

/* One step of the operation at work. */
static u32 doca_queue_step(struct doca_queue *queue)
{
	struct doca_op *op = &queue->op;

	if (READ_ONCE(queue->state) != DOCA_QUEUE_RUN)
		return op->type->cancel ? op->type->cancel(queue, op) :
					  DOCA_STATUS_CANCELED;
	/* Who waits for what is done should not wait for what is large. */
	if (op->length - op->done > DOCA_OP_SMALL_LENGTH) {
		doca_queue_publish(queue);
		doca_queue_notify(queue);
	}
	return op->type->step(queue, op);
}

/* Move on with the operation at work, which is a large one. */
static noinline enum doca_turn doca_queue_go_on(struct doca_queue *queue,
						unsigned int *entries)
{
	u32 status;

	if (READ_ONCE(queue->halted))
		return DOCA_TURN_IDLE;
	status = doca_queue_step(queue);
	if (unlikely(status == DOCA_STATUS_REMOTE))
		status = doca_queue_begin_aside(queue);
	if (status != DOCA_STATUS_AGAIN) {
		doca_queue_finish(queue, status);
		WRITE_ONCE(queue->op.type, NULL);
		--*entries;
	}
	return DOCA_TURN_AGAIN;
}

/* Whether there is an entry to take. */
static inline bool doca_queue_ready(struct doca_queue *queue)
{
	return doca_ring_sq_ready(&queue->ring) && !READ_ONCE(queue->halted) &&
	       (likely(queue->ring.cq_room) || doca_queue_find_room(queue));
}

/* An entry has come to its end. */
static inline void doca_queue_spend(struct doca_queue *queue,
				    struct doca_budget *left)
{
	u32 unpublished = doca_ring_unpublished(&queue->ring);
	int moved = queue->op.done;

	left->entries--;
	left->length -= moved;
	if (moved > DOCA_PUBLISH_LENGTH || unpublished >= DOCA_PUBLISH_ENTRIES)
		doca_queue_publish(queue);
}

/* What is there, as far as the budget goes. */
static enum doca_turn doca_queue_run(struct doca_queue *queue,
				     struct doca_budget *left)
{
	if (unlikely(queue->op.type))
		return doca_queue_go_on(queue, &left->entries);
	while (doca_queue_ready(queue)) {
		u32 status;

		if (!left->entries || left->length <= 0)
			return DOCA_TURN_AGAIN;
		status = doca_queue_begin(queue);
		if (unlikely(status == DOCA_STATUS_AGAIN))
			return doca_queue_go_on(queue, &left->entries);
		doca_queue_finish(queue, status);
		doca_queue_spend(queue, left);
	}
	return DOCA_TURN_IDLE;
}

enum doca_turn doca_queue_turn(struct doca_queue *queue,
			       struct doca_budget *budget)
{
	struct doca_budget left = *budget;
	enum doca_turn turn;

	lockdep_assert_held(&queue->run->lock);
	do {
		turn = doca_queue_run(queue, &left);
		doca_queue_publish(queue);
	} while (turn == DOCA_TURN_IDLE && doca_queue_look(queue, &left.looks));
	doca_queue_notify(queue);
	*budget = left;
	return turn;
}

/* True if the wait is over: canceled, if the queue is not to execute. */
static bool doca_queue_look_at_wait(struct doca_queue *queue,
				    struct doca_wait *wait)
{
	u32 status = DOCA_STATUS_CANCELED;
	struct doca_look look = {};

	if (READ_ONCE(queue->state) == DOCA_QUEUE_RUN)
		status = wait->type->look(queue, &wait->sqe, &look);
	if (status == DOCA_STATUS_AGAIN)
		return false;
	doca_queue_complete(queue, wait->sqe.user_data, status, 0,
			    status ? 0 : look.result);
	doca_wait_end(&queue->waits, wait);
	return true;
}

/* At some, those first that were not looked at for longest. */
static unsigned int doca_queue_look_at_waits(struct doca_queue *queue)
{
	struct doca_waits *waits = &queue->waits;
	u32 nr = min_t(u32, waits->nr, DOCA_WAIT_LOOKS);
	unsigned int ended = 0;
	struct doca_wait *wait;

	for (; nr; nr--) {
		wait = list_first_entry(&waits->pending, struct doca_wait,
					node);
		if (waits->owed)
			WRITE_ONCE(waits->owed, waits->owed - 1);
		if (doca_queue_look_at_wait(queue, wait))
			ended++;
		else
			list_move_tail(&wait->node, &waits->pending);
	}
	return ended;
}

void doca_queue_end_aside(struct doca_queue *queue, u64 user_data, u32 status,
			  u64 length, u64 result)
{
	WRITE_ONCE(queue->asides.nr, queue->asides.nr - 1);
	doca_queue_complete(queue, user_data, status, length, result);
}

void doca_queue_cancel_wait(struct doca_queue *queue, u64 user_data)
{
	struct doca_waits *waits = &queue->waits;
	struct doca_wait *wait;

	lockdep_assert_held(&queue->run->lock);
	list_for_each_entry(wait, &waits->pending, node) {
		if (wait->sqe.user_data != user_data)
			continue;
		doca_queue_complete(queue, user_data, DOCA_STATUS_CANCELED, 0,
				    0);
		doca_wait_end(waits, wait);
		doca_queue_publish(queue);
		doca_queue_notify(queue);
		return;
	}
}

/* How many of those that others do have ended. */
static unsigned int doca_queue_end_asides(struct doca_queue *queue)
{
	unsigned int ended;

	if (READ_ONCE(queue->halted))
		return 0;
	ended = doca_remote_ops->poll(queue);
	if (ended) {
		doca_queue_publish(queue);
		doca_queue_notify(queue);
	}
	return ended;
}

unsigned int doca_queue_end_waits(struct doca_queue *queue)
{
	struct doca_waits *waits = &queue->waits;
	unsigned int ended = 0;

	lockdep_assert_held(&queue->run->lock);
	if (unlikely(queue->asides.nr))
		ended = doca_queue_end_asides(queue);
	if (!waits->nr && !READ_ONCE(waits->watcher.due))
		return ended;
	if (READ_ONCE(waits->watcher.due)) {
		WRITE_ONCE(waits->watcher.due, false);
		/* W: what these looks do not see makes others due. */
		smp_mb();
		doca_waits_owe(waits);
	}
	if (READ_ONCE(queue->halted))
		return ended;
	ended += doca_queue_look_at_waits(queue);
	if (ended) {
		doca_queue_publish(queue);
		doca_queue_notify(queue);
	}
	return ended;
}

bool doca_queue_has_work(const struct doca_queue *queue)
{
	const struct doca_ring *ring = &queue->ring;
	bool due = doca_waits_are_due(&queue->waits);
	u32 used;

	if ((!due && !doca_queue_pending(queue)) || READ_ONCE(queue->halted))
		return false;
	if (due || READ_ONCE(queue->op.type))
		return true;
	/* The user's index is on a line that he writes: only if it matters. */
	if (READ_ONCE(ring->cq_room))
		return true;
	/* What doca_queue_find_room() would say; to break the queue is work, too. */
	used = READ_ONCE(ring->cq_tail) - READ_ONCE(ring->u->cq_head);
	return used > ring->cq_entries ||
	       used + doca_queue_nr_waiting(queue) < ring->cq_entries;
}
