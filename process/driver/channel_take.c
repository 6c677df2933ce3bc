// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Frames from another process. They are in memory that it does not share, and nothing in them is
 * trusted.
 */
#include "shim/kernel.h"

#include "channel_inner.h"
#include "message.h"

#define LAST_ID 65534U

static bool is_id(u32 id)
{
	return id && id <= LAST_ID;
}

static struct channel_consumer *find_consumer(struct channel *channel, u32 id)
{
	u32 i;

	for (i = 0; i < channel->nr_consumers; i++)
		if (channel->consumers[i].id == id)
			return &channel->consumers[i];
	return NULL;
}

/* Note it, or that it has gone: false if that cannot be. */
static bool learn_consumer(struct channel *channel,
			   const struct channel_frame *frame)
{
	struct channel_consumer *consumer = find_consumer(channel, frame->id);

	if (frame->type == CHANNEL_CONSUMER_GONE) {
		if (consumer)
			*consumer = channel->consumers[--channel->nr_consumers];
		return consumer;
	}
	if (consumer || !is_id(frame->id) || frame->imm_length > DOCA_MAX_IMM ||
	    channel->nr_consumers == DOCA_MAX_ATTACHED)
		return false;
	channel->consumers[channel->nr_consumers++] = (struct channel_consumer){
		.id = frame->id,
		.imm_length = frame->imm_length,
	};
	return true;
}

/* Make the event of which the inbox tells: false if the frame is wrong. */
static bool make_event(struct channel *channel,
		       const struct channel_frame *frame, u32 size,
		       struct doca_event *event)
{
	*event = (struct doca_event){ .type = DOCA_EVENT_MESSAGE };
	if (frame->type == CHANNEL_MESSAGE) {
		event->length = size;
		return size && size <= channel->conn->max_message;
	}
	if (size || !learn_consumer(channel, frame))
		return false;
	event->id = frame->id;
	event->type = DOCA_EVENT_CONSUMER_GONE;
	if (frame->type == CHANNEL_CONSUMER_NEW) {
		event->type = DOCA_EVENT_CONSUMER_NEW;
		event->length = frame->imm_length;
	}
	return true;
}

/* Its credit goes back with those of others that come at the same time. */
static void put_is_done(struct channel *channel, const struct doca_event *event)
{
	channel->owed++;
	channel->owed_messages += event->type == DOCA_EVENT_MESSAGE;
}

static int wait_for_room(struct channel *channel,
			 const struct doca_event *event, const void *message)
{
	u32 size = event->type == DOCA_EVENT_MESSAGE ? event->length : 0;
	struct channel_waiting *waiting;

	/* Such an inbox never has room again. */
	if (READ_ONCE(channel->here->endpoint->inbox.broken))
		return -EPIPE;
	waiting = malloc(sizeof(*waiting) + size);
	if (!waiting)
		return -ENOMEM;
	waiting->event = *event;
	memcpy(waiting->message, message, size);
	list_add_tail(&waiting->node, &channel->waiting);
	return 0;
}

/* Take a frame for the inbox, with the lock of the connection held. */
static int take_for_inbox(struct channel *channel,
			  const struct channel_frame *frame, const void *bytes,
			  u32 size)
{
	struct doca_event event;

	if (channel->conn->closed)
		return 0;
	if (!channel->allowed || !make_event(channel, frame, size, &event))
		return -EPROTO;
	channel->allowed--;
	if (!list_empty(&channel->waiting) ||
	    !doca_far_put(channel->here, &event, bytes))
		return wait_for_room(channel, &event, bytes);
	put_is_done(channel, &event);
	return 0;
}

bool channel_deliver(struct doca_far *far)
{
	struct channel *channel = channel_of(far);
	struct channel_waiting *waiting;

	waiting = list_first_entry_or_null(&channel->waiting,
					   struct channel_waiting, node);
	if (waiting) {
		if (!doca_far_put(channel->here, &waiting->event,
				  waiting->message))
			return false;
		list_del(&waiting->node);
		put_is_done(channel, &waiting->event);
		free(waiting);
		/* The service thread gives back the credits of all that have room. */
		channel_set_due(channel);
	}
	if (!list_empty(&channel->waiting))
		return true;
	doca_far_rest(channel->here);
	return true;
}

void channel_drop_waiting(struct channel *channel)
{
	struct channel_waiting *waiting, *next;

	list_for_each_entry_safe(waiting, next, &channel->waiting, node) {
		list_del(&waiting->node);
		free(waiting);
	}
}

/* The other side has given credits back, but not more than it has got of each kind. */
static int take_credits(struct channel *channel, u32 nr, u32 nr_messages)
{
	u32 out = CHANNEL_WINDOW - channel->credits;

	if (nr > out || nr_messages > min(nr, channel->nr_messages) ||
	    nr - nr_messages > out - channel->nr_messages)
		return -EPROTO;
	if (channel->conn->closed)
		return 0;
	channel->nr_messages -= nr_messages;
	doca_message_arrived(channel->here, nr_messages);
	channel->credits += nr;
	channel_flush(channel);
	doca_message_deliver_all(channel->here);
	return 0;
}

static int take_locked(struct channel *channel,
		       const struct channel_frame *frame, const void *bytes,
		       u32 size)
{
	switch (frame->type) {
	case CHANNEL_CREDIT:
		return size ? -EPROTO :
			      take_credits(channel, frame->value,
					   frame->length);
	case CHANNEL_GRANT:
	case CHANNEL_DONE:
		channel_answered(channel, frame);
		return size ? -EPROTO : 0;
	default:
		return take_for_inbox(channel, frame, bytes, size);
	}
}

int channel_take(struct channel *channel, const struct channel_frame *frame,
		 const void *bytes, u32 size)
{
	int rc;

	switch (frame->type) {
	case CHANNEL_SEND:
		return is_id(frame->id) ?
			       channel_fill(channel, frame, bytes, size) :
			       -EPROTO;
	case CHANNEL_DATA:
		return channel_fill_more(channel, frame, bytes, size);
	case CHANNEL_LEAVE:
		channel_leave(channel, frame->id);
		return size ? -EPROTO : 0;
	case CHANNEL_MESSAGE:
	case CHANNEL_CONSUMER_NEW:
	case CHANNEL_CONSUMER_GONE:
	case CHANNEL_CREDIT:
	case CHANNEL_GRANT:
	case CHANNEL_DONE:
		break;
	default:
		return -EPROTO;
	}
	spin_lock(&channel->conn->lock);
	rc = take_locked(channel, frame, bytes, size);
	spin_unlock(&channel->conn->lock);
	return rc;
}
