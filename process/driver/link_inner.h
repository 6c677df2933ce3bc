/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* What a link is, for the files that make it. */
#ifndef INPROC_LINK_INNER_H
#define INPROC_LINK_INNER_H

#include "core/driver/ring.h"
#include "link.h"
#include "peers.h"

/**
 * struct link - a connection
 * @ref: of each import, and of each piece that is neither free nor lost
 * @node: among all; under the lock of the list
 * @index: number, among all; constant
 * @id: of the exporter, as its blobs have it
 * @watch: the socket
 * @place: of the socket
 * @areas: the shared memory, and
 * @sizes: bytes of it
 * @data_key: key of the data area, in the exporter
 * @data_addr: where it is there
 * @opening: it is being made; under the lock of the list
 * @lock: protects what follows; nothing is waited for under it
 * @ring: our end
 * @pieces: by their tags
 * @free: by their classes
 * @starving: by their classes, struct relay_op, for which there was no piece
 * @armed: the other side is to call
 * @armed_at: when there are more completions than these
 * @stirred: the service thread is to reap; read anywhere
 * @dead: there will be no answers any more
 * @changed: wakes threads that wait for an answer, or for their turn to ask
 * @unsent: struct link_note, for which the socket had no room
 * @asking: a thread is asking a question
 * @seq: of the last question
 * @asked: it was not answered
 * @answer: to it
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
	struct wire_answer answer;
};

/* A message that is sent when there is room for it. */
struct link_note {
	struct list_head node;
	struct wire_msg msg;
};

void link_put(struct link *link);
void link_init_pieces(struct link *link);
void link_init_ring(struct link *link, const struct doca_queue_create *arg);
/* By the service thread, of one that is dead: all pieces in flight fail. */
void link_fail(struct link *link);
/* By the service thread: of one that was stirred. */
void link_settle(struct link *link);
/*
 * All with the lock. The connection ends: threads that wait for an answer are woken, and
 * the service thread is, by the socket.
 */
void link_kill(struct link *link);
/* Now, or when there is room. Nothing of it is lost before the link is. */
void link_say(struct link *link, const struct wire_msg *msg);
void link_say_rest(struct link *link);

#endif /* INPROC_LINK_INNER_H */
