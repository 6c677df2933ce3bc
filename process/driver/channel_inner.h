/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The structure of a connection to another process, for the files that implement it. */
#ifndef INPROC_CHANNEL_INNER_H
#define INPROC_CHANNEL_INNER_H

#include "channel.h"
#include "channel_wire.h"
#include "conn.h"
#include "peers.h"
#include "taker.h"

struct putter;

/* A consumer of the other side that was announced. */
struct channel_consumer {
	u32 id;
	u32 imm_length;
};

/**
 * struct channel - a connection to another process
 * @far: the other side's end
 * @conn: the connection; a reference until the service thread has closed the socket
 * @here: our end of it
 * @watch: the socket
 * @place: place of the socket
 * @accepted: the other side is the client, and
 * @uid: its user
 * @node: in the list of all
 * @due_node: in the list of those with work for the service thread; with the list's lock
 *
 * For the service thread:
 *
 * @function: pair of the server, until the client has said HELLO; reference
 * @name: name of the server, likewise
 * @deadline: time limit of the client's HELLO; 0 once it is there
 * @greeted: both have said HELLO
 * @fillers: struct filler, producers of the other side that have begun to send
 * @nr_fillers: their number
 *
 * Under the lock of the connection:
 *
 * @closed: nothing is sent any more, and the service thread closes the socket
 * @full: the socket had no room, or has failed; the service thread is told of room
 * @credits: number of frames that may be sent
 * @nr_messages: messages that were sent, and whose credits are not back
 * @allowed: number of frames that the other side may send
 * @owed: credits that can be given back
 * @owed_messages: those of messages among them
 * @waiting: struct channel_waiting, frames for which there was no room
 * @urgent: struct channel_note, frames that need no credit and could not be sent
 * @notes: likewise, with a credit each
 * @answers: struct filler with an answer to be sent
 * @putters: struct putter
 * @thirsty: struct putter that wait for room
 * @consumers: those of the other side
 * @nr_consumers: their number
 */
struct channel {
	struct doca_far far;
	struct doca_conn *conn;
	struct doca_conn_end *here;
	struct peers_watch watch;
	int place;
	bool accepted;
	uid_t uid;
	struct list_head node;
	struct list_head due_node;

	struct doca_function *function;
	char name[DOCA_SERVER_NAME_SIZE];
	u64 deadline;
	bool greeted;
	struct list_head fillers;
	u32 nr_fillers;

	bool closed;
	bool full;
	u32 credits;
	u32 nr_messages;
	u32 allowed;
	u32 owed;
	u32 owed_messages;
	struct list_head waiting;
	struct list_head urgent;
	struct list_head notes;
	struct list_head answers;
	struct list_head putters;
	struct list_head thirsty;
	struct channel_consumer consumers[DOCA_MAX_ATTACHED];
	u32 nr_consumers;
};

/* A frame that has come, and waits for room in the inbox. */
struct channel_waiting {
	struct list_head node;
	struct doca_event event;
	u8 message[];
};

/* A frame that waits to be sent. */
struct channel_note {
	struct list_head node;
	struct channel_frame frame;
};

/**
 * struct filler - a producer of the other side, which has begun to send
 * @taker: takes the buffers
 * @channel: the connection
 * @node: in channel.fillers
 * @seq: number of its entry
 * @consumer: the id that the entry names
 * @event: event of the buffer, when all bytes are there; its @id is that of the producer
 * @asked: the entry waits for a buffer
 * @granted: it has one, and the bytes follow
 * @done: number of bytes that were written to it
 * @fed: it should try again; set anywhere
 * @bytes: bytes that came with the entry
 * @answer_node: in channel.answers, under the lock of the connection
 * @answer: likewise
 *
 * Members that are under no lock belong to the service thread.
 */
struct filler {
	struct doca_taker taker;
	struct channel *channel;
	struct list_head node;
	u32 seq;
	u32 consumer;
	struct doca_event event;
	bool asked;
	bool granted;
	u64 done;
	bool fed;
	u8 bytes[CHANNEL_FEW];
	struct list_head answer_node;
	struct channel_frame answer;
};

static inline struct channel *channel_of(struct doca_far *far)
{
	return container_of(far, struct channel, far);
}

/* Make a channel for a socket, with a reference to the connection; or NULL. */
struct channel *channel_new(struct doca_conn *conn, enum doca_conn_side here,
			    struct peers_watch watch, int place);
/* Add it to the list of all, and take it off. */
void channel_add(struct channel *channel);
void channel_remove(struct channel *channel);
/* Return any, or NULL. */
struct channel *channels_first(void);
/* Return true if one more client of the user may connect. */
bool channels_have_room(uid_t uid);
/*
 * Return a client that has not said HELLO in time, or NULL. *@any: there is one that has not said it
 * yet.
 */
struct channel *channel_next_late(bool *any);
/* Have the service thread look at it. Call it in any context. */
void channel_set_due(struct channel *channel);
/* Return one that is due, and is not any more; or NULL. */
struct channel *channel_next_due(void);

/* Begin a connection to a server, to which the socket is connected: a &enum doca_status. */
u32 channel_begin(int fd, int place, struct doca_conn *conn);
/* For struct doca_far_ops. */
void channel_accepted(struct doca_far *far);

/*
 * Call the functions below with the lock of the connection held.
 *
 * channel_shut() closes it as far as other threads can. channel_say() sends a frame, or returns
 * false if the socket has no room, or has failed.
 */
void channel_shut(struct channel *channel);
bool channel_say(struct channel *channel, const struct channel_frame *frame,
		 const void *bytes, u32 size);
/* Send a frame now, or when there is room. */
void channel_say_soon(struct channel *channel,
		      const struct channel_frame *frame);
/* Send what waits for room or for credits. */
void channel_flush(struct channel *channel);
void channel_drop_notes(struct channel *channel);

/* Sending, and what consumers here tell: for struct doca_far_ops. */
bool channel_send(struct doca_far *far, const void *message, u32 length);
int channel_announce(struct doca_far *far, u32 id, u32 imm_length);
void channel_gone(struct doca_far *far, u32 id);

/* Receiving. */
bool channel_deliver(struct doca_far *far);
/* Take a frame that must not change: -EPROTO, or another error that ends it. */
int channel_take(struct channel *channel, const struct channel_frame *frame,
		 const void *bytes, u32 size);
void channel_drop_waiting(struct channel *channel);

/* Producers here: for struct doca_far_ops, and for answers of the other side. */
void channel_part(struct doca_producer *producer);
u32 channel_produce(struct doca_queue *queue, struct doca_producer *producer,
		    struct doca_flight *flight);
void channel_forget(struct doca_producer *producer);
void channel_answered(struct channel *channel,
		      const struct channel_frame *frame);
/* Have those that wait for room go on. */
void channel_water(struct channel *channel);
/* The other side has gone: all of them fail. */
void channel_dry(struct channel *channel);

/* Producers of the other side; for the service thread, without a lock. */
int channel_fill(struct channel *channel, const struct channel_frame *frame,
		 const void *bytes, u32 size);
int channel_fill_more(struct channel *channel,
		      const struct channel_frame *frame, const void *bytes,
		      u32 size);
void channel_leave(struct channel *channel, u32 id);
/* Try again where there may be buffers. */
void channel_refill(struct channel *channel);
void channel_drop_fillers(struct channel *channel);

#endif /* INPROC_CHANNEL_INNER_H */
