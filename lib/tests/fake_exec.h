/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of fake_driver.h: takes entries from the rings, executes and completes them. */
#ifndef DOCA_TESTS_FAKE_EXEC_H
#define DOCA_TESTS_FAKE_EXEC_H

#include <stdlib.h>
#include <string.h>

#include "fake_state.h"

static const struct doca_seg *list_of(const struct fake_queue *q, const struct doca_seg *seg,
				      uint32_t *n)
{
	if (seg->key || !seg->length || seg->length > FAKE_LIST_MAX ||
	    seg->address + seg->length > q->nr_segs)
		return NULL;
	*n = seg->length;
	return q->queue->ring.segs + seg->address;
}

static enum doca_status check(const struct doca_seg *segs, uint32_t n, uint32_t access,
			      uint64_t *bytes)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t key = segs[i].key;

		if (!key || key >= MAX_OBJECTS || !keys[key].length ||
		    keys[key].device != FAKE_DEVICE_ID)
			return DOCA_STATUS_BAD_KEY;
		if (segs[i].address < keys[key].addr ||
		    segs[i].address + segs[i].length > keys[key].addr + keys[key].length)
			return DOCA_STATUS_BAD_RANGE;
		if (!(keys[key].access & access))
			return DOCA_STATUS_BAD_ACCESS;
		*bytes += segs[i].length;
	}
	return DOCA_STATUS_SUCCESS;
}

static void copy(const struct doca_seg *src, const struct doca_seg *dst, uint64_t bytes)
{
	uint32_t s = 0, d = 0;

	while (bytes) {
		uint32_t n = src->length - s;

		if (n > dst->length - d)
			n = dst->length - d;
		memcpy((char *)dst->address + d, (char *)src->address + s, n);
		bytes -= n;
		s += n;
		d += n;
		if (s == src->length)
			src++, s = 0;
		if (d == dst->length)
			dst++, d = 0;
	}
}

static uint32_t state_of(const struct fake_queue *q)
{
	return __atomic_load_n(&q->kernel->state, __ATOMIC_RELAXED);
}

static void set_state(struct fake_queue *q, enum doca_queue_state state)
{
	__atomic_store_n(&q->kernel->state, state, __ATOMIC_RELEASE);
}

static enum doca_status invalidate(const struct doca_sqe *sqe)
{
	uint64_t bytes = 0;
	enum doca_status status;

	if (sqe->aux || sqe->flags || sqe->src.key || sqe->src.length || sqe->src.address ||
	    sqe->op[0] || sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	status = check(&sqe->dst, 1, DOCA_ACCESS_LOCAL_WRITE, &bytes);
	if (!status && bytes > FAKE_MAX_LENGTH)
		status = DOCA_STATUS_BAD_LENGTH;
	fake.invalidated = sqe->dst;
	return status;
}

#include "fake_hash.h"
#include "fake_inbox.h"
#include "fake_matrix.h"
#include "fake_gcm.h"
#include "fake_sync.h"

static void note_copy(const struct doca_sqe *sqe, uint64_t *result)
{
	memcpy(fake.copied, sqe->op, sizeof(fake.copied));
	fake.copied_flags = sqe->flags;
	*result = fake.copied_result;
}

static uint32_t execute(struct fake_queue *q, const struct doca_sqe *sqe, uint32_t *length,
			uint64_t *result)
{
	const struct doca_seg *src = &sqe->src, *dst = &sqe->dst;
	uint64_t src_bytes = 0, dst_bytes = 0;
	uint32_t nr_src = 1, nr_dst = 1;
	enum doca_status status;

	if (state_of(q) != DOCA_QUEUE_RUN)
		return DOCA_STATUS_CANCELED;
	if (sqe->opcode == DOCA_OP_INVALIDATE)
		return invalidate(sqe);
	if (sqe->opcode >= DOCA_OP_SYNC_GET && sqe->opcode <= DOCA_OP_SYNC_WAIT_NE)
		return execute_sync(q, sqe, length, result);
	if (sqe->opcode == DOCA_OP_MSG_SEND || sqe->opcode == DOCA_OP_SEND_TO)
		return fake_send(q, sqe, FAKE_PENDING);
	if (fake.variants && sqe->opcode == DOCA_OP_HASH)
		return execute_hash(q, sqe, length);
	if (fake.variants &&
	    (sqe->opcode == DOCA_OP_GCM_ENCRYPT || sqe->opcode == DOCA_OP_GCM_DECRYPT))
		return execute_gcm(q, sqe, length);
	if (fake.multiplies && sqe->opcode == DOCA_OP_GF_MATRIX)
		return execute_matrix(q, sqe, length);
	if (fake.copies >> sqe->opcode & 1)
		note_copy(sqe, result);
	else if (sqe->opcode != DOCA_OP_MEMCPY)
		return DOCA_STATUS_BAD_OPCODE;
	else if (sqe->aux || sqe->op[0] || sqe->op[1] ||
		 sqe->flags & ~(DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST))
		return DOCA_STATUS_BAD_ENTRY;
	if (sqe->flags & DOCA_SQE_SRC_LIST)
		src = list_of(q, src, &nr_src);
	if (sqe->flags & DOCA_SQE_DST_LIST)
		dst = list_of(q, dst, &nr_dst);
	if (!src || !dst)
		return DOCA_STATUS_BAD_ENTRY;
	status = fake.copied_status;
	if (!status && (sqe->opcode == DOCA_OP_MEMCPY || src->key || src->length))
		status = check(src, nr_src, DOCA_ACCESS_LOCAL_READ, &src_bytes);
	if (!status)
		status = check(dst, nr_dst, DOCA_ACCESS_LOCAL_WRITE, &dst_bytes);
	if (status)
		return status;
	if (src_bytes > dst_bytes || src_bytes > FAKE_MAX_LENGTH)
		return DOCA_STATUS_BAD_LENGTH;
	copy(src, dst, src_bytes);
	*length = src_bytes;
	return DOCA_STATUS_SUCCESS;
}

static void complete(struct fake_queue *q, uint64_t user_data, uint32_t status, uint32_t length,
		     uint64_t result)
{
	const struct ring *ring = &q->queue->ring;
	struct doca_cqe *cqe = &q->cqes[q->cq_tail & ring->cq_mask];

	if (q->cq_tail - __atomic_load_n(&ring->user->cq_head, __ATOMIC_ACQUIRE) > ring->cq_mask)
		abort();
	cqe->user_data = user_data;
	cqe->status = status;
	cqe->length = length;
	cqe->result[0] = result;
	cqe->result[1] = fake.consumed;
	__atomic_store_n(&cqe->phase, DOCA_RING_PHASE(q->cq_tail, ring->cq_order),
			 __ATOMIC_SEQ_CST);
	q->kernel->cq_tail = ++q->cq_tail;
	if (q->cq_tail == ring->user->notify_at)
		q->woken = true;
}

static bool has_work(const struct fake_queue *q)
{
	const struct ring *ring = &q->queue->ring;
	const uint16_t *phase = &ring->sqes[q->sq_head & ring->sq_mask].phase;

	return __atomic_load_n(phase, __ATOMIC_ACQUIRE) ==
	       DOCA_RING_PHASE(q->sq_head, ring->sq_order);
}

static void finish(struct fake_queue *q, uint64_t user_data, uint32_t status, uint32_t length,
		   uint64_t result)
{
	if (status && !(status & DOCA_STATUS_SOFT))
		set_state(q, DOCA_QUEUE_FLUSH);
	complete(q, user_data, status, length, status ? 0 : result);
}

static void look_at_waits(struct fake_queue *q)
{
	uint32_t i = 0;

	while (i < q->nr_waits) {
		struct doca_sqe sqe = q->waits[i];
		uint32_t status = DOCA_STATUS_CANCELED;
		uint64_t result = 0;

		if (state_of(q) == DOCA_QUEUE_RUN)
			status = look(&sqe, &result);
		if (status == FAKE_PENDING) {
			i++;
			continue;
		}
		q->nr_waits--;
		memmove(&q->waits[i], &q->waits[i + 1], (q->nr_waits - i) * sizeof(sqe));
		finish(q, sqe.user_data, status, 0, result);
	}
}

/* Take the oldest entry that was not taken. Return false if there is none. */
static bool take_entry(struct fake_queue *q, struct doca_sqe *sqe)
{
	const struct ring *ring = &q->queue->ring;
	struct doca_sqe *slot = &ring->sqes[q->sq_head & ring->sq_mask];

	if (!has_work(q))
		return false;
	*sqe = *slot;
	memset(slot, 0xee, sizeof(*slot)); /* the library must fill it anew */
	slot->phase = sqe->phase;
	__atomic_store_n(&q->kernel->sq_head, ++q->sq_head, __ATOMIC_RELEASE);
	return true;
}

/* Act as a producer that fills the oldest buffer of a consumer, or gives it back. */
static inline bool fake_received(const struct driver_queue *queue, struct doca_event event,
				 const char *data)
{
	struct doca_sqe sqe;

	if (!take_entry(find(queue), &sqe))
		return false;
	if (data) {
		event.length = strlen(data);
		memcpy((void *)(uintptr_t)sqe.dst.address, data, event.length);
	}
	event.type = DOCA_EVENT_RECEIVED;
	event.user_data = sqe.user_data;
	fake_event(queue, event, NULL);
	return true;
}

/* Complete the oldest @n held messages. */
static inline void fake_sent(const struct driver_queue *queue, unsigned int n, uint32_t status)
{
	for (unsigned int i = 0; i < n; i++)
		finish(find(queue), fake_inbox.held[i], status, 0, 0);
	fake_inbox.nr_held -= n;
	memmove(fake_inbox.held, fake_inbox.held + n,
		fake_inbox.nr_held * sizeof(fake_inbox.held[0]));
}

static void run(struct fake_queue *q, uint32_t n)
{
	const struct doca_event back = { .status = DOCA_STATUS_CANCELED };
	struct doca_sqe sqe;

	if (state_of(q) == DOCA_QUEUE_BROKEN)
		return;
	if (q->opcodes == 1ULL << DOCA_OP_POST_RECV) {
		while (state_of(q) != DOCA_QUEUE_RUN && fake_received(q->queue, back, NULL))
			;
		return;
	}
	while (n-- && take_entry(q, &sqe)) {
		uint32_t status, length = 0;
		uint64_t result = 0;

		status = __atomic_exchange_n(&fake.status, DOCA_STATUS_SUCCESS, __ATOMIC_RELAXED);
		if (!status && !(q->opcodes >> sqe.opcode & 1))
			status = DOCA_STATUS_BAD_OPCODE;
		if (!status)
			status = execute(q, &sqe, &length, &result);
		if (status != FAKE_PENDING)
			finish(q, sqe.user_data, status, length, result);
	}
	look_at_waits(q);
}

#endif /* DOCA_TESTS_FAKE_EXEC_H */
