/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Part of fake_driver.h: queues with an inbox. Calls are counted, and answered as the test has
 * set. A test makes the events, and sent messages go nowhere.
 */
#ifndef DOCA_TESTS_FAKE_INBOX_H
#define DOCA_TESTS_FAKE_INBOX_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/driver/endpoint.h"
#include "core/driver/inbox.h"
#include "fake_state.h"

#define FAKE_SENDS 2048

static struct fake_inbox {
	/* Tests set these: */
	int listen_error, connect_error, disconnect_error, attach_error, announce_error;
	bool holds; /* keep messages and data until fake_sent() */

	/* Tests read these: */
	unsigned int connects, disconnects, announces, executes;
	struct doca_queue_listen listen; /* the last one of each */
	struct doca_queue_connect connect;
	struct doca_queue_attach attach;
	uint32_t disconnected;
	const struct driver_queue *listener, *connector, *attached;
	struct doca_sqe sent; /* the last message or data */
	char message[4096];
	unsigned int nr_sent;
	uint64_t held[FAKE_SENDS]; /* user data of entries that are held, in order */
	unsigned int nr_held;
	uint32_t last_id;
} fake_inbox;

static struct fake_queue *find(const struct driver_queue *queue);

/* Place the areas of an inbox after those of the rings. Return the size of all. */
static inline size_t fake_lay_out(struct doca_queue_create *made,
				  const struct driver_queue_attr *attr, size_t kernel, size_t size)
{
	if (!attr->inbox)
		return size;
	size = (size + 63) & ~63UL;
	made->inbox_entries = attr->inbox;
	made->recv_slots = attr->recv_slots;
	made->slot_size = attr->slot_size;
	made->out_event_off = size - kernel;
	size += attr->inbox * sizeof(struct doca_event);
	made->out_recv_off = size - kernel;
	size += (size_t)attr->recv_slots * attr->slot_size;
	made->out_send_off = size;
	return size + (size_t)attr->send_slots * attr->slot_size;
}

static inline struct doca_event *fake_events(const struct driver_queue *queue)
{
	return (void *)((char *)queue->ring.kernel + queue->made.out_event_off);
}

/* Put an event, with a message in the first slot for received ones. */
static inline void fake_event(const struct driver_queue *queue, struct doca_event event,
			      const void *message)
{
	struct fake_queue *q = find(queue);
	uint32_t entries = queue->made.inbox_entries;
	struct doca_event *at = &fake_events(queue)[q->ev_tail & (entries - 1)];
	char *slot = (char *)queue->ring.kernel + queue->made.out_recv_off;

	if (q->ev_tail - queue->ring.user->ev_head >= entries)
		abort();
	if (message) {
		event.slot = q->ev_tail % queue->made.recv_slots;
		memcpy(slot + (size_t)event.slot * queue->made.slot_size, message, event.length);
	}
	event.phase = DOCA_RING_PHASE(q->ev_tail, __builtin_ctz(entries));
	*at = event;
	q->ev_tail++;
	if (q->ev_tail == queue->ring.user->ev_notify_at)
		q->woken = true;
}

static inline void fake_connected(const struct driver_queue *queue, uint32_t connection,
				  uint32_t length)
{
	fake_event(queue,
		   (struct doca_event){ .type = DOCA_EVENT_CONNECTED,
					.connection = connection,
					.length = length },
		   NULL);
}

static inline void fake_disconnected(const struct driver_queue *queue, uint32_t connection)
{
	fake_event(queue,
		   (struct doca_event){ .type = DOCA_EVENT_DISCONNECTED, .connection = connection },
		   NULL);
}

static inline void fake_message(const struct driver_queue *queue, uint32_t connection,
				const char *text)
{
	fake_event(queue,
		   (struct doca_event){ .type = DOCA_EVENT_MESSAGE,
					.connection = connection,
					.length = strlen(text) },
		   text);
}

/* Return SUCCESS, or @pending if the test will complete it. */
static inline uint32_t fake_send(struct fake_queue *q, const struct doca_sqe *sqe, uint32_t pending)
{
	const struct driver_queue *queue = q->queue;
	const char *slots = (char *)queue->ring.user + queue->made.out_send_off;

	fake_inbox.sent = *sqe;
	fake_inbox.nr_sent++;
	if (sqe->opcode == DOCA_OP_MSG_SEND)
		memcpy(fake_inbox.message, slots + sqe->src.address * queue->made.slot_size,
		       sqe->src.length);
	if (!fake_inbox.holds)
		return DOCA_STATUS_SUCCESS;
	if (fake_inbox.nr_held == FAKE_SENDS)
		abort();
	fake_inbox.held[fake_inbox.nr_held++] = sqe->user_data;
	return pending;
}

int driver_queue_call(const struct driver_queue *queue, unsigned long request, void *arg)
{
	switch (request) {
	case DOCA_QUEUE_LISTEN:
		fake_inbox.listen = *(struct doca_queue_listen *)arg;
		fake_inbox.listener = queue;
		return fake_inbox.listen_error;
	case DOCA_QUEUE_CONNECT:
		fake_inbox.connects++;
		fake_inbox.connector = queue;
		((struct doca_queue_connect *)arg)->out_connection = ++fake_inbox.last_id;
		fake_inbox.connect = *(struct doca_queue_connect *)arg;
		return fake_inbox.connect_error;
	case DOCA_QUEUE_DISCONNECT:
		fake_inbox.disconnects++;
		fake_inbox.disconnected = ((struct doca_queue_disconnect *)arg)->connection;
		return fake_inbox.disconnect_error;
	case DOCA_QUEUE_ATTACH:
		fake_inbox.attached = queue;
		((struct doca_queue_attach *)arg)->out_id = ++fake_inbox.last_id;
		fake_inbox.attach = *(struct doca_queue_attach *)arg;
		return fake_inbox.attach_error;
	case DOCA_QUEUE_ANNOUNCE:
		fake_inbox.announces++;
		return fake_inbox.announce_error;
	default:
		return -ENOTTY;
	}
}

#endif /* DOCA_TESTS_FAKE_INBOX_H */
