// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The executor: takes entries from a queue, steps through their operations, and
 * writes completions. The same code runs in a worker and in a caller of ENTER.
 *
 * A completion slot is reserved before an entry is consumed: the slot stays free,
 * because only the executor writes completions, and an operation that waits keeps
 * its slot. So there is no overflow, and every entry gets exactly one completion.
 */
#include <linux/poll.h>
#include <linux/wait.h>

#include "flight.h"
#include "op_object.h"
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

/* Wake waiters now. A waiter that is missed is woken at the end of the batch. */
static inline void doca_queue_publish(struct doca_queue *queue)
{
	doca_queue_count(&queue->stats.ops, doca_ring_unpublished(&queue->ring));
	doca_ring_publish(&queue->ring);
	if (unlikely(doca_ring_notify_hint(&queue->ring)))
		doca_queue_notify(queue);
}

/*
 * Publish completions within a long batch: this many together, or one that moved more than
 * this many bytes. Otherwise each side would always wait for the other: user space until the
 * batch ends, and then the executor until user space has submitted again.
 */
#define DOCA_PUBLISH_ENTRIES 8
#define DOCA_PUBLISH_LENGTH SZ_4K

static const struct doca_op_type doca_op_held;

static void doca_queue_stall(struct doca_queue *queue, enum doca_stall why,
			     bool held)
{
	WRITE_ONCE(queue->stall, why);
	queue->held = held;
	WRITE_ONCE(queue->ring.cq_room, 0);
}

/* Return true if the reason of the stall is over. */
static bool doca_queue_can_go_on(const struct doca_queue *queue)
{
	/* Flushed entries keep their order, too. */
	if (READ_ONCE(queue->state) != DOCA_QUEUE_RUN &&
	    queue->stall != DOCA_STALL_ORDER)
		return true;
	switch (queue->stall) {
	case DOCA_STALL_PLACE:
		return READ_ONCE(queue->pool->nr) < queue->pool->nr_slots;
	case DOCA_STALL_ORDER:
		return !READ_ONCE(queue->pool->nr);
	default:
		return !doca_queue_nr_waiting(queue);
	}
}

/* Return true if the queue is not stalled any more; the held entry is then in progress. */
static bool doca_queue_resume(struct doca_queue *queue)
{
	/* The operation in progress may still leave the executor. */
	if (queue->op.type || !doca_queue_can_go_on(queue))
		return false;
	if (queue->held)
		WRITE_ONCE(queue->op.type, &doca_op_held);
	queue->held = false;
	WRITE_ONCE(queue->stall, DOCA_STALL_NONE);
	return true;
}

/* Call it when an operation has ended. */
static inline void doca_queue_end_stall(struct doca_queue *queue)
{
	if (unlikely(queue->stall) && doca_queue_resume(queue))
		WRITE_ONCE(queue->resumed, true);
}

/* Look for free completion slots when none is known; return true if there are any. */
static bool doca_queue_find_room(struct doca_queue *queue)
{
	struct doca_ring *ring = &queue->ring;
	u32 used;

	/* A held entry begins without taking another. */
	if (queue->stall && (queue->held || !doca_queue_resume(queue)))
		return false;
	used = doca_ring_cq_used(ring);
	if (used > ring->cq_entries) {
		doca_queue_raise_state(queue, DOCA_QUEUE_BROKEN);
		return false;
	}
	WRITE_ONCE(ring->cq_head, ring->cq_tail - used);
	/* The user may have taken back slots that are reserved for waits. */
	used += doca_queue_nr_waiting(queue);
	if (used >= ring->cq_entries)
		return false;
	WRITE_ONCE(ring->cq_room, ring->cq_entries - used);
	return true;
}

/* A soft failure ends only its own entry. */
static void doca_queue_failed(struct doca_queue *queue, u32 status)
{
	doca_queue_count(&queue->stats.errors, 1);
	if (!(status & DOCA_STATUS_SOFT) && !queue->forgiving)
		doca_queue_raise_state(queue, DOCA_QUEUE_FLUSH);
}

static __always_inline void doca_queue_complete(struct doca_queue *queue,
						u64 user_data, u32 status,
						u64 length,
						const u64 *result)
{
	if (length)
		doca_queue_count(&queue->stats.bytes, length);
	if (unlikely(status != DOCA_STATUS_SUCCESS &&
		     status != DOCA_STATUS_CANCELED))
		doca_queue_failed(queue, status);
	doca_ring_cq_put(&queue->ring, user_data, status, length, result);
	trace_doca_complete(queue, user_data, status, length);
}

/* The operation has ended. */
static __always_inline void doca_queue_finish(struct doca_queue *queue,
					      u32 status)
{
	const struct doca_op *op = &queue->op;

	doca_queue_complete(queue, op->sqe.user_data, status, op->done,
			    op->result);
}

/*
 * Begin an entry that drains once all entries before it have completed; true if they
 * have. No later entry begins before it has completed, which may be at once.
 */
static noinline bool doca_queue_drain(struct doca_queue *queue)
{
	bool held = doca_queue_nr_waiting(queue);

	doca_queue_stall(queue, DOCA_STALL_DRAIN, held);
	if (held)
		return false;
	queue->op.sqe.flags &= ~DOCA_SQE_DRAIN;
	return true;
}

/* Prepare any operation by its row. */
static __always_inline u32 doca_queue_prepare(struct doca_queue *queue)
{
	struct doca_op *op = &queue->op;
	const struct doca_op_type *type =
		doca_op_type(queue->types, op->sqe.opcode);
	u32 status;

	op->cost = 0;
	if (!type || !(queue->opcodes & BIT_ULL(op->sqe.opcode)))
		return DOCA_STATUS_BAD_OPCODE;
	if (!doca_op_is_formed(type, &op->sqe))
		return DOCA_STATUS_BAD_ENTRY;
	if (unlikely(op->sqe.aux > queue->nr_sessions) &&
	    type->aux == DOCA_AUX_SESSION)
		return DOCA_STATUS_BAD_SESSION;
	if (unlikely(op->sqe.flags & DOCA_SQE_DRAIN) && !doca_queue_drain(queue))
		return DOCA_STATUS_PENDING;
	op->cost = type->cost;
	if (!type->prepare)
		return DOCA_STATUS_SUCCESS;
	status = type->prepare(queue, op);
	if (status == DOCA_STATUS_AGAIN)
		WRITE_ONCE(op->type, type);
	return status;
}

/* Hand the operation to a provider, by its row. */
static u32 doca_queue_hand_over(struct doca_queue *queue, u32 row)
{
	struct doca_pool *pool = queue->pool;
	struct doca_op *op = &queue->op;
	struct doca_flight *flight;
	u32 status;

	flight = doca_flight_begin(pool, row, op);
	if (!flight) {
		doca_queue_stall(queue, DOCA_STALL_PLACE, true);
		return DOCA_STATUS_PENDING;
	}
	status = doca_flight_start(flight, queue);
	op->cost = flight->op.cost;
	if (status != DOCA_STATUS_PENDING) {
		op->done = flight->op.done;
		op->result[0] = flight->op.result[0];
		op->result[1] = flight->op.result[1];
		doca_flight_free(flight);
		return status;
	}
	WRITE_ONCE(queue->nr_flights, queue->nr_flights + 1);
	if (pool->nr_slots == 1 && READ_ONCE(pool->nr) && !queue->stall)
		doca_queue_stall(queue, DOCA_STALL_ORDER, false);
	return status;
}

/* Try the operation's own provider first, if it has one. */
static noinline u32 doca_queue_begin_flight(struct doca_queue *queue,
					    struct doca_budget *left)
{
	u32 opcode = array_index_nospec(queue->op.sqe.opcode, DOCA_OP_NR);
	u32 status = DOCA_STATUS_START;

	if (queue->types[opcode]->start)
		status = doca_queue_hand_over(queue, opcode);
	if (status != DOCA_STATUS_START)
		return status;
	status = doca_queue_hand_over(queue, DOCA_OP_REMOTE);
	/* Charge its first step: the other side is told of it only after the batch. */
	left->length -= queue->op.cost;
	return status;
}

/* Take the next entry. Return its status if it has ended already. */
static inline u32 doca_queue_begin(struct doca_queue *queue,
				   struct doca_budget *left)
{
	struct doca_op *op = &queue->op;
	u32 status;

	WRITE_ONCE(queue->ring.cq_room, queue->ring.cq_room - 1);
	doca_ring_sq_get(&queue->ring, &op->sqe);
	op->length = 0;
	op->done = 0;
	op->result[0] = 0;
	op->result[1] = 0;
	trace_doca_submit(queue);

	if (READ_ONCE(queue->state) != DOCA_QUEUE_RUN)
		return DOCA_STATUS_CANCELED;
	/* Call the most frequent ones without a retpoline. */
	if (doca_copy_is_plain(&op->sqe, queue->plain)) {
		status = doca_copy_small(queue, op);
		if (status != DOCA_STATUS_AGAIN)
			goto out;
	}
	status = doca_queue_prepare(queue);
	left->length -= op->cost;
out:
	if (unlikely(status >= DOCA_STATUS_START))
		status = doca_queue_begin_flight(queue, left);
	return status;
}

/* Begin the held entry, unless it stays held. */
static u32 doca_held_step(struct doca_queue *queue, struct doca_op *op)
{
	return doca_queue_prepare(queue);
}

static const struct doca_op_type doca_op_held = {
	.name = "held",
	.step = doca_held_step,
};

/* Take one step of the operation in progress. */
static u32 doca_queue_step(struct doca_queue *queue)
{
	struct doca_op *op = &queue->op;

	if (READ_ONCE(queue->state) != DOCA_QUEUE_RUN)
		return doca_op_cancel(queue, op);
	/* Waiters for completed entries must not wait for a large operation. */
	if (doca_op_may_be_long(op)) {
		doca_queue_publish(queue);
		doca_queue_notify(queue);
	}
	return op->type->step(queue, op);
}

/* Continue the operation in progress, which is a large one. */
static noinline enum doca_batch doca_queue_go_on(struct doca_queue *queue,
						 struct doca_budget *left)
{
	u32 status;

	if (READ_ONCE(queue->halted))
		return DOCA_BATCH_IDLE;
	status = doca_queue_step(queue);
	if (unlikely(status >= DOCA_STATUS_START))
		status = doca_queue_begin_flight(queue, left);
	if (status == DOCA_STATUS_AGAIN)
		return DOCA_BATCH_AGAIN;
	WRITE_ONCE(queue->op.type, NULL);
	if (status != DOCA_STATUS_PENDING)
		doca_queue_finish(queue, status);
	if (!queue->held)
		left->entries--;
	return DOCA_BATCH_AGAIN;
}

/* Return true if there is an entry to take. */
static inline bool doca_queue_ready(struct doca_queue *queue)
{
	return doca_ring_sq_ready(&queue->ring) && !READ_ONCE(queue->halted) &&
	       (likely(queue->ring.cq_room) || doca_queue_find_room(queue));
}

/* Account an entry that has ended. */
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

/* Execute entries, as far as the budget goes. */
static enum doca_batch doca_queue_run(struct doca_queue *queue,
				      struct doca_budget *left)
{
	if (unlikely(queue->op.type))
		return doca_queue_go_on(queue, left);
	while (doca_queue_ready(queue)) {
		u32 status;

		if (!left->entries || left->length <= 0)
			return DOCA_BATCH_AGAIN;
		status = doca_queue_begin(queue, left);
		if (unlikely(status == DOCA_STATUS_AGAIN))
			return doca_queue_go_on(queue, left);
		if (likely(status != DOCA_STATUS_PENDING))
			doca_queue_finish(queue, status);
		else if (queue->held)
			return DOCA_BATCH_IDLE;
		doca_queue_spend(queue, left);
	}
	return DOCA_BATCH_IDLE;
}

enum doca_batch doca_queue_batch(struct doca_queue *queue,
				 struct doca_budget *budget)
{
	struct doca_budget left = *budget;
	enum doca_batch batch;

	lockdep_assert_held(&queue->run->lock);
	do {
		batch = doca_queue_run(queue, &left);
		doca_queue_publish(queue);
	} while (batch == DOCA_BATCH_IDLE &&
		 doca_queue_poll_ring(queue, &left.polls));
	doca_queue_notify(queue);
	*budget = left;
	return batch;
}

/* Return true if the wait is over; it is canceled if the queue no longer executes. */
static bool doca_queue_poll_wait(struct doca_queue *queue,
				 struct doca_wait *wait)
{
	u32 status = DOCA_STATUS_CANCELED;
	struct doca_look look = {};
	u64 result[2] = {};

	if (READ_ONCE(queue->state) == DOCA_QUEUE_RUN)
		status = wait->type->look(queue, &wait->sqe, &look);
	if (status == DOCA_STATUS_AGAIN)
		return false;
	if (!status)
		result[0] = look.result;
	doca_queue_complete(queue, wait->sqe.user_data, status, 0, result);
	doca_wait_end(&queue->waits, wait);
	return true;
}

/* Poll some waits, beginning with those that were not polled for longest. */
static unsigned int doca_queue_poll_waits(struct doca_queue *queue)
{
	struct doca_waits *waits = &queue->waits;
	u32 nr = min_t(u32, waits->nr, DOCA_WAIT_POLLS);
	unsigned int ended = 0;
	struct doca_wait *wait;

	for (; nr; nr--) {
		wait = list_first_entry(&waits->pending, struct doca_wait,
					node);
		if (waits->owed)
			WRITE_ONCE(waits->owed, waits->owed - 1);
		if (doca_queue_poll_wait(queue, wait))
			ended++;
		else
			list_move_tail(&wait->node, &waits->pending);
	}
	return ended;
}

void doca_queue_cancel_wait(struct doca_queue *queue, u64 user_data)
{
	static const u64 none[2];
	struct doca_waits *waits = &queue->waits;
	struct doca_wait *wait;

	lockdep_assert_held(&queue->run->lock);
	list_for_each_entry(wait, &waits->pending, node) {
		if (wait->sqe.user_data != user_data)
			continue;
		doca_queue_complete(queue, user_data, DOCA_STATUS_CANCELED, 0,
				    none);
		doca_wait_end(waits, wait);
		doca_queue_publish(queue);
		doca_queue_notify(queue);
		doca_queue_end_stall(queue);
		return;
	}
}

/* Do the rest for a flight, which may have to wait once more. */
static u32 doca_queue_finish_flight(struct doca_queue *queue,
				    struct doca_flight *flight)
{
	u32 status = flight->type->finish(queue, flight);

	return status == DOCA_STATUS_START ? doca_flight_start(flight, queue) :
					     status;
}

/*
 * Return the status of a flight that has come back; DOCA_STATUS_AGAIN if it has more steps
 * to take here; DOCA_STATUS_PENDING if it is away again.
 */
static u32 doca_queue_end_flight(struct doca_queue *queue,
				 struct doca_flight *flight)
{
	bool runs = READ_ONCE(queue->state) == DOCA_QUEUE_RUN;
	u32 status = flight->status;

	if (status == DOCA_STATUS_START)
		status = runs ? doca_flight_start(flight, queue) :
				doca_flight_drop(flight);
	else if (!status && flight->type->finish)
		status = doca_queue_finish_flight(queue, flight);
	if (status == DOCA_STATUS_PENDING || (status == DOCA_STATUS_AGAIN && runs))
		return status;
	if (status == DOCA_STATUS_AGAIN)
		status = DOCA_STATUS_CANCELED;
	/* In a queue that still executes, it was recalled because a key was retired. */
	if (status == DOCA_STATUS_CANCELED && runs)
		status = DOCA_STATUS_BAD_KEY;
	WRITE_ONCE(queue->nr_flights, queue->nr_flights - 1);
	doca_queue_complete(queue, flight->op.sqe.user_data, status,
			    flight->op.done, flight->op.result);
	return status;
}

/* Return how many flights have ended, or taken a step here; recall all if the queue stops. */
static noinline unsigned int doca_queue_end_flights(struct doca_queue *queue)
{
	unsigned int ended = 0, polls = DOCA_WAIT_POLLS;
	struct doca_pool *pool = queue->pool;
	int left = DOCA_BATCH_LENGTH;
	struct doca_flight *flight;
	u32 status;

	doca_pool_issue(pool);
	if (READ_ONCE(queue->state) != DOCA_QUEUE_RUN && !pool->recalled) {
		/* Nothing starts from now on, so one recall reaches all flights. */
		pool->recalled = true;
		doca_pool_recall(pool);
	}
	if (!READ_ONCE(pool->due) || READ_ONCE(queue->halted))
		return 0;
	/*
	 * A flight that comes back sets it again, under the lock under which flights are
	 * taken here.
	 */
	WRITE_ONCE(pool->due, false);
	while ((flight = doca_pool_next_done(pool))) {
		status = doca_queue_end_flight(queue, flight);
		ended += status != DOCA_STATUS_PENDING;
		left -= flight->op.cost;
		if (status == DOCA_STATUS_AGAIN) {
			/* It took a step, which is the limit of a batch. */
			doca_flight_go_on(flight);
			break;
		}
		if (status != DOCA_STATUS_PENDING)
			doca_flight_free(flight);
		if (--polls && left > 0)
			continue;
		WRITE_ONCE(pool->due, true);
		break;
	}
	doca_pool_issue(pool);
	return ended;
}

bool doca_queue_is_due(const struct doca_queue *queue)
{
	return doca_waits_are_due(&queue->waits) ||
	       (READ_ONCE(queue->nr_flights) && READ_ONCE(queue->pool->due));
}

/* Poll some waits at a time; when a poll is due, all of them have to be polled. */
static unsigned int doca_queue_end_looked_at(struct doca_queue *queue)
{
	struct doca_waits *waits = &queue->waits;

	if (!READ_ONCE(waits->nr) && !READ_ONCE(waits->watcher.due))
		return 0;
	if (READ_ONCE(waits->watcher.due)) {
		WRITE_ONCE(waits->watcher.due, false);
		/* W: a change that these polls do not see makes others due. */
		smp_mb();
		doca_waits_owe(waits);
	}
	if (READ_ONCE(queue->halted))
		return 0;
	return doca_queue_poll_waits(queue);
}

unsigned int doca_queue_end_waits(struct doca_queue *queue)
{
	unsigned int ended;

	lockdep_assert_held(&queue->run->lock);
	/*
	 * Do this first: it clears the flag that announces a change of the state, which all
	 * of these check.
	 */
	ended = doca_queue_end_looked_at(queue);
	if (unlikely(queue->nr_flights))
		ended += doca_queue_end_flights(queue);
	if (ended) {
		doca_queue_publish(queue);
		doca_queue_notify(queue);
	}
	doca_queue_end_stall(queue);
	return ended;
}

bool doca_queue_catch_up(struct doca_queue *queue)
{
	struct doca_budget budget = {
		.entries = DOCA_BATCH_ENTRIES,
		.length = DOCA_BATCH_LENGTH,
	};
	enum doca_batch batch;

	if (likely(!queue->resumed))
		return false;
	batch = doca_queue_batch(queue, &budget);
	if (queue->pool)
		doca_pool_issue(queue->pool);
	if (batch == DOCA_BATCH_AGAIN)
		return true;
	WRITE_ONCE(queue->resumed, false);
	return false;
}

bool doca_queue_has_work(const struct doca_queue *queue)
{
	const struct doca_ring *ring = &queue->ring;
	bool due = doca_queue_is_due(queue);
	u32 used;

	if ((!due && !doca_queue_pending(queue)) || READ_ONCE(queue->halted))
		return false;
	if (due || READ_ONCE(queue->op.type))
		return true;
	if (READ_ONCE(queue->stall))
		return false;
	/* User space writes the line of its index: read it only if it matters. */
	if (READ_ONCE(ring->cq_room))
		return true;
	/* Decide like doca_queue_find_room(); breaking the queue is work, too. */
	used = READ_ONCE(ring->cq_tail) - READ_ONCE(ring->u->cq_head);
	return used > ring->cq_entries ||
	       used + doca_queue_nr_waiting(queue) < ring->cq_entries;
}
