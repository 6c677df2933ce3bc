// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Frames to another process: messages, consumers, and answers. What cannot be sent waits: messages
 * in the sender's queue, answers in their fillers, and the rest in notes, of which consumers and
 * producers here can cause a bounded number.
 */
#include "shim/kernel.h"

#include <sys/socket.h>

#include "channel_inner.h"

bool channel_say(struct channel *channel, const struct channel_frame *frame,
		 const void *bytes, u32 size)
{
	int rc;

	if (channel->full)
		return false;
	rc = channel_wire_send(channel->watch.fd, frame, sizeof(*frame), bytes,
			       size);
	if (!rc)
		return true;
	/* The other side must miss nothing. The service thread finds the end of the connection. */
	if (rc != -EAGAIN)
		shutdown(channel->watch.fd, SHUT_RDWR);
	channel->full = true;
	peers_watch_room(&channel->watch, true);
	return false;
}

static bool can_send(const struct channel *channel)
{
	return !channel->closed && !channel->far.lost && !channel->full;
}

static void say_answers(struct channel *channel)
{
	struct filler *filler;

	while ((filler = list_first_entry_or_null(
			&channel->answers, struct filler, answer_node))) {
		if (!channel_say(channel, &filler->answer, NULL, 0))
			return;
		list_del_init(&filler->answer_node);
	}
}

static void say_urgent(struct channel *channel)
{
	struct channel_note *note, *next;

	list_for_each_entry_safe(note, next, &channel->urgent, node) {
		if (!channel_say(channel, &note->frame, NULL, 0))
			return;
		list_del(&note->node);
		free(note);
	}
}

static void say_notes(struct channel *channel)
{
	struct channel_note *note, *next;

	list_for_each_entry_safe(note, next, &channel->notes, node) {
		if (!channel->credits ||
		    !channel_say(channel, &note->frame, NULL, 0))
			return;
		channel->credits--;
		list_del(&note->node);
		free(note);
	}
}

static void say_credits(struct channel *channel)
{
	const struct channel_frame frame = {
		.type = CHANNEL_CREDIT,
		.value = channel->owed,
		.length = channel->owed_messages,
	};

	if (!channel->owed || !channel_say(channel, &frame, NULL, 0))
		return;
	channel->allowed += channel->owed;
	channel->owed = 0;
	channel->owed_messages = 0;
}

void channel_flush(struct channel *channel)
{
	if (!can_send(channel))
		return;
	say_answers(channel);
	say_urgent(channel);
	say_credits(channel);
	say_notes(channel);
}

static void free_notes(struct list_head *notes)
{
	struct channel_note *note, *next;

	list_for_each_entry_safe(note, next, notes, node) {
		list_del(&note->node);
		free(note);
	}
}

void channel_drop_notes(struct channel *channel)
{
	free_notes(&channel->urgent);
	free_notes(&channel->notes);
}

/* The other side must miss nothing: without memory, the connection ends. */
static int add_note(struct channel *channel, struct list_head *notes,
		    const struct channel_frame *frame)
{
	struct channel_note *note;

	if (channel->closed || channel->far.lost)
		return -ENOTCONN;
	note = malloc(sizeof(*note));
	if (!note) {
		shutdown(channel->watch.fd, SHUT_RDWR);
		return -ENOMEM;
	}
	note->frame = *frame;
	list_add_tail(&note->node, notes);
	channel_flush(channel);
	return 0;
}

void channel_say_soon(struct channel *channel,
		      const struct channel_frame *frame)
{
	add_note(channel, &channel->urgent, frame);
}

/* A message must not overtake the news of a consumer that it may be about. */
bool channel_send(struct doca_far *far, const void *message, u32 length)
{
	static const struct channel_frame frame = { .type = CHANNEL_MESSAGE };
	struct channel *channel = channel_of(far);

	if (!can_send(channel) || !channel->credits ||
	    !list_empty(&channel->notes) ||
	    !channel_say(channel, &frame, message, length))
		return false;
	channel->credits--;
	channel->nr_messages++;
	return true;
}

int channel_announce(struct doca_far *far, u32 id, u32 imm_length)
{
	struct channel *channel = channel_of(far);

	return add_note(channel, &channel->notes,
			&(struct channel_frame){
				.type = CHANNEL_CONSUMER_NEW,
				.id = id,
				.imm_length = imm_length,
			});
}

void channel_gone(struct doca_far *far, u32 id)
{
	struct channel *channel = channel_of(far);

	add_note(channel, &channel->notes,
		 &(struct channel_frame){
			 .type = CHANNEL_CONSUMER_GONE,
			 .id = id,
		 });
}
