/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The structure of a link, for the files that implement it. */
#ifndef INPROC_LINK_INNER_H
#define INPROC_LINK_INNER_H

#include "core/driver/ring.h"
#include "link.h"
#include "peers.h"

/**
 * struct link - a connection
 * @ref: a reference for each import, and for each piece that is neither free
 *	nor lost
 * @node: in the list of all; under the lock of the list
 * @index: number among all; constant
 * @id: the exporter's id, as in its blobs
 * @watch: the socket
 * @place: place of the socket
 * @areas: the shared memory, and
 * @sizes: bytes of it
 * @data_key: key of the data area in the exporter
 * @data_addr: address of the data area there
 * @opening: it is being made; under the lock of the list
 * @lock: protects the members below it; nothing is waited for under it
 * @ring: our end
 * @pieces: by their tags
 * @free: free pieces by class
 * @starving: struct relay_op by class, for which there was no piece
 * @armed: the other side shall ring
 * @armed_at: number of completions beyond which it rings
 * @stirred: the service thread shall reap; read anywhere
 * @dead: no answers will come any more
 * @changed: wakes threads that wait for an answer, or for their turn to ask
 * @unsent: struct link_note, for which the socket had no room
 * @asking: a thread is asking a question
 * @seq: number of the last question
 * @asked: the last question was not answered
 * @late: earlier questions that were not answered, and for which nobody waits any more
 * @answer: answer to the last question
 */
struct link {
	struct kref ref;
	struct list_head node;
	u32 index;
	u8 id[16];
	struct peers_watch watch;
	int place;
	void *areas[WIRE_AREAS];
	size_t sizes[WIRE_AREAS];
	u32 data_key;
	u64 data_addr;
	bool opening;

	pthread_mutex_t lock; /* see above */
	struct ring ring;
	struct piece pieces[WIRE_TAGS];
	struct list_head free[PIECE_CLASSES];
	struct list_head starving[PIECE_CLASSES];
	bool armed;
	u32 armed_at;
	bool stirred;
	bool dead;
	pthread_cond_t changed;
	struct list_head unsent;
	bool asking;
	u32 seq;
	bool asked;
	u32 late;
	struct wire_answer answer;
};

/* A message that waits until the socket has room. */
struct link_note {
	struct list_head node;
	struct wire_msg msg;
};

void link_put(struct link *link);
/*
 * Return the link to an exporter. If one was *found, the caller gets a reference; otherwise
 * it is a new one, which the caller must open, and pass to link_opened().
 */
struct link *link_get_any(const u8 id[16], bool *found, u64 until);
void link_opened(struct link *link, bool failed);
/* Wait until a time of local_clock(), at most: then return -ETIMEDOUT. */
int link_wait(pthread_cond_t *cond, pthread_mutex_t *lock, u64 until);
/* Return true if any link was stirred since the last call. */
bool link_were_stirred(void);
/* Return a stirred link, with a reference, or NULL. */
struct link *link_next_stirred(void);
void link_init_pieces(struct link *link);
void link_init_ring(struct link *link, const struct doca_queue_create *arg);
/* The link is dead: all pieces in flight fail. For the service thread. */
void link_fail(struct link *link);
/* Reap a stirred link. For the service thread. */
void link_settle(struct link *link);
/*
 * Call these with the lock held. link_kill() ends the connection: it wakes threads that
 * wait for an answer, and, by the socket, the service thread.
 */
void link_kill(struct link *link);
/* Send it now, or when there is room. No message is lost before the link is. */
void link_say(struct link *link, const struct wire_msg *msg);
void link_say_rest(struct link *link);

#endif /* INPROC_LINK_INNER_H */
