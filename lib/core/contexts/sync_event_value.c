// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The synchronous functions of sync events. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <time.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "core/device/dev.h"
#include "core/memory/mmap.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

static inline void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

doca_error_t sync_remote_create(struct doca_sync_event *event)
{
	struct sync_remote *remote = &event->remote;
	struct driver_queue_attr attr = { .entries = 1 };
	int err;

	if (!dev_alive(event->ctx.dev) ||
	    dev_has_driver(event->ctx.dev) != DOCA_SUCCESS)
		return DOCA_ERROR_INITIALIZATION;
	attr.device_id = doca_priv_dev_id(event->ctx.dev);
	err = driver_queue_create(&remote->queue, &attr);
	if (err) {
		LOG_ERR("sync event %p: no queue on device %s: %s",
			(void *)event, event->ctx.dev->info.name,
			err == -EDQUOT ? "the user has too many" :
					 errno_text(err));
		return DOCA_ERROR_INITIALIZATION;
	}
	remote->has_queue = true;
	remote->failed = false;
	remote->told = false;
	return DOCA_SUCCESS;
}

void sync_remote_destroy(struct doca_sync_event *event)
{
	if (event->remote.has_queue)
		driver_queue_destroy(&event->remote.queue);
	event->remote.has_queue = false;
}

static void remote_fill(const struct doca_sync_event *event,
			struct doca_sqe *sqe, uint16_t opcode, uint64_t operand)
{
	struct doca_seg *seg = opcode == DOCA_OP_SYNC_GET ? &sqe->src :
							    &sqe->dst;

	sqe->opcode = opcode;
	sqe->op[0] = operand;
	seg->key = doca_priv_mmap_key(event->mmap, event->ctx.dev);
	seg->length = sizeof(uint64_t);
	seg->address = event->seg.address;
}

/* Sleep until the queue has something, or for a moment. */
static void remote_sleep(struct driver_queue *queue)
{
	struct pollfd pfd = { .fd = queue->fd, .events = POLLIN };

	driver_queue_rearm(queue);
	if (!ring_arm(&queue->ring))
		poll(&pfd, 1, 100);
}

/* Seconds for which a call waits for the exporter. */
#define PATIENCE 1.9

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

/*
 * Execute the queue until it has answered. The driver in the process has to ask the
 * exporter's process for some operations, so the call is repeated until that has answered
 * or died, or the time is over. Return NULL if there is no answer.
 */
static const struct doca_cqe *remote_await(struct driver_queue *queue)
{
	struct ring *ring = &queue->ring;
	const struct doca_cqe *cqe;
	double end = 0;

	for (;;) {
		driver_queue_enter(queue);
		cqe = ring_peek(ring);
		if (cqe || !driver_is_in_process() || ring_dead(ring) ||
		    ring_state(ring) == DOCA_QUEUE_BROKEN)
			return cqe;
		if (!end)
			end = now() + PATIENCE;
		else if (now() > end)
			return NULL;
		else
			remote_sleep(queue);
	}
}

static const char *remote_fault(const struct ring *ring,
				const struct doca_cqe *cqe)
{
	if (cqe && cqe->status == DOCA_STATUS_BAD_KEY)
		return "its exporter has stopped it or exited";
	if (!cqe && !ring_dead(ring))
		return "its exporter does not answer; it may be stopped";
	return "its device was removed";
}

/* Execute one operation in the kernel, in this thread. Call it with the lock held. */
static doca_error_t remote_execute(struct doca_sync_event *event,
				   uint16_t opcode, uint64_t operand,
				   uint64_t *result)
{
	struct sync_remote *remote = &event->remote;
	struct ring *ring = &remote->queue.ring;
	const struct doca_cqe *cqe;

	if (remote->failed)
		return FAIL_AGAIN(remote->told, IO_FAILED,
				  "sync event %p has failed before; it must be "
				  "stopped",
				  (void *)event);
	remote_fill(event, ring_get_sqe(ring), opcode, operand);
	ring_submit(ring);
	cqe = remote_await(&remote->queue);
	if (cqe && cqe->status == DOCA_STATUS_SUCCESS) {
		*result = cqe->result[0];
		ring_release(ring);
		return DOCA_SUCCESS;
	}
	/* Whatever the failure, the queue answers nothing any more. */
	remote->failed = true;
	LOG_ERR("sync event %p: %s", (void *)event, remote_fault(ring, cqe));
	return DOCA_ERROR_IO_FAILED;
}

/* Refuse it in the child of a fork: a thread of the parent may have held the lock. */
static doca_error_t remote_do(struct doca_sync_event *event, uint16_t opcode,
			      uint64_t operand, uint64_t *result)
{
	doca_error_t ret;
	int state;

	if (!driver_current(event->remote.queue.generation))
		return FAIL(BAD_STATE,
			    "sync event %p was started before a fork",
			    (void *)event);
	state = lock_uncancelled(&event->remote.lock);
	ret = remote_execute(event, opcode, operand, result);
	unlock_uncancelled(&event->remote.lock, state);
	return ret;
}

static doca_error_t check_started(const struct doca_sync_event *event)
{
	if (event->as_ctx) {
		LOG_ERR("sync event %p is a context: use its tasks",
			(const void *)event);
		return DOCA_ERROR_BAD_STATE;
	}
	if (sync_started(event))
		return DOCA_SUCCESS;
	LOG_ERR("sync event %p is not started", (const void *)event);
	return DOCA_ERROR_BAD_STATE;
}

/* The event must be started. */
static doca_error_t load(struct doca_sync_event *event, uint64_t *value)
{
	if (!event->value)
		return remote_do(event, DOCA_OP_SYNC_GET, 0, value);
	*value = __atomic_load_n(event->value, __ATOMIC_ACQUIRE); /* V */
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value)
{
	doca_error_t ret;

	if (!sync_valid(event) || !given(value))
		return DOCA_ERROR_INVALID_VALUE;
	ret = check_started(event);
	return ret == DOCA_SUCCESS ? load(event, value) : ret;
}

doca_error_t doca_sync_event_update_set(struct doca_sync_event *event,
					uint64_t value)
{
	uint64_t nothing;
	doca_error_t ret;

	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	ret = check_started(event);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!event->value)
		return remote_do(event, DOCA_OP_SYNC_SET, value, &nothing);
	__atomic_store_n(event->value, value, __ATOMIC_RELEASE); /* V */
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_update_add(struct doca_sync_event *event,
					uint64_t value, uint64_t *fetched)
{
	doca_error_t ret;

	if (!sync_valid(event) || !given(fetched))
		return DOCA_ERROR_INVALID_VALUE;
	ret = check_started(event);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!event->value)
		return remote_do(event, DOCA_OP_SYNC_ADD, value, fetched);
	*fetched = __atomic_fetch_add(event->value, value,
				      __ATOMIC_ACQ_REL); /* V */
	return DOCA_SUCCESS;
}

static bool is_over(enum sync_kind kind, uint64_t value, uint64_t with)
{
	switch (kind) {
	case SYNC_WAIT_GT:
		return value > with;
	case SYNC_WAIT_EQ:
		return value == with;
	default:
		return value != with;
	}
}

static doca_error_t wait_for(struct doca_sync_event *event, enum sync_kind kind,
			     uint64_t with, uint64_t mask, bool yield)
{
	doca_error_t ret;
	uint64_t value;

	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	ret = check_started(event);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!sync_can_end(kind, with, mask)) {
		LOG_ERR("a wait for sync event %p would have no end: no value "
			"under mask 0x%llx is what it waits for, given %llu",
			(void *)event, (unsigned long long)mask,
			(unsigned long long)with);
		return DOCA_ERROR_INVALID_VALUE;
	}
	for (;;) {
		ret = load(event, &value);
		if (ret != DOCA_SUCCESS || is_over(kind, value & mask, with))
			return ret;
		if (yield)
			sched_yield();
		else
			relax();
	}
}

doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event,
				     uint64_t value, uint64_t mask)
{
	return wait_for(event, SYNC_WAIT_GT, value, mask, false);
}

doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event,
					   uint64_t value, uint64_t mask)
{
	return wait_for(event, SYNC_WAIT_GT, value, mask, true);
}

doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event,
				     uint64_t value, uint64_t mask)
{
	return wait_for(event, SYNC_WAIT_EQ, value, mask, false);
}

doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event,
					   uint64_t value, uint64_t mask)
{
	return wait_for(event, SYNC_WAIT_EQ, value, mask, true);
}

doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event,
				      uint64_t value, uint64_t mask)
{
	return wait_for(event, SYNC_WAIT_NEQ, value, mask, false);
}

doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event,
					    uint64_t value, uint64_t mask)
{
	return wait_for(event, SYNC_WAIT_NEQ, value, mask, true);
}
