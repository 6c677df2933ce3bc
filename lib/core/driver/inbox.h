/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The library's end of a queue's inbox: a third ring, which the kernel writes,
 * and slots for messages. One thread at a time may use it. Letters name the
 * barriers of the kernel's inbox.h; D and E are those of ring.h.
 */
#ifndef DOCA_CORE_INBOX_H
#define DOCA_CORE_INBOX_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/doca.h>

#include "driver.h"

struct inbox {
	const struct doca_event *events;
	struct doca_ring_user *user; /* written by the library only */
	const struct doca_ring_kernel *kernel; /* written by the kernel only */
	uint32_t head; /* number of events consumed */
	uint32_t mask;
	uint32_t order; /* binary logarithm of the size */
	uint32_t slot_size;
	const char *received; /* first slot of received messages */
	char *slots; /* first slot of messages to send */
};

static inline void inbox_init(struct inbox *inbox,
			      const struct driver_queue *queue)
{
	const struct doca_queue_create *made = &queue->made;
	const char *kernel = (const char *)queue->ring.kernel;
	char *user = (char *)queue->ring.user;

	*inbox = (struct inbox){
		.events = (const void *)(kernel + made->out_event_off),
		.user = queue->ring.user,
		.kernel = queue->ring.kernel,
		.mask = made->inbox_entries - 1,
		.order = __builtin_ctz(made->inbox_entries),
		.slot_size = made->slot_size,
		.received = kernel + made->out_recv_off,
		.slots = user + made->out_send_off,
	};
}

/* Return the oldest event, or NULL. It and its message stay there until inbox_release(). */
static inline const struct doca_event *inbox_peek(const struct inbox *inbox)
{
	const struct doca_event *next =
		&inbox->events[inbox->head & inbox->mask];
	uint16_t phase = DOCA_RING_PHASE(inbox->head, inbox->order);

	if (__atomic_load_n(&next->phase, __ATOMIC_ACQUIRE) != phase) /* H */
		return NULL;
	return next;
}

/*
 * Give back the event that inbox_peek() returned. Return true if the kernel
 * must be called for it.
 */
static inline bool inbox_release(struct inbox *inbox)
{
	__atomic_store_n(&inbox->user->ev_head, ++inbox->head,
			 __ATOMIC_RELEASE); /* D */
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* I */
	return __atomic_load_n(&inbox->kernel->ev_starved, __ATOMIC_RELAXED);
}

/* Ask for a wake-up at the next event; otherwise like ring_arm(). */
static inline bool inbox_arm(struct inbox *inbox)
{
	__atomic_store_n(&inbox->user->ev_notify_at, inbox->head + 1,
			 __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* E */
	return inbox_peek(inbox);
}

static inline const char *inbox_message(const struct inbox *inbox,
					const struct doca_event *event)
{
	return inbox->received + (size_t)event->slot * inbox->slot_size;
}

static inline char *inbox_slot(const struct inbox *inbox, uint32_t slot)
{
	return inbox->slots + (size_t)slot * inbox->slot_size;
}

#endif /* DOCA_CORE_INBOX_H */
