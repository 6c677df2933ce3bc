/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The importer's end of a connection: one for each process that memory is imported from; and
 * the entries in flight on it, which are called pieces.
 *
 * Locks: a queue's run section, its pool's, then a link's. Only link_import() waits. An
 * operation with work to do is claimed under the link's lock, and completed without it.
 */
#ifndef INPROC_LINK_H
#define INPROC_LINK_H

#include "shim/kernel.h"

#include "wire.h"

struct link;
struct relay_op;
struct remote_space;

/* Connections of a process to exporters. */
#define LINKS_MAX 64

enum piece_class {
	PIECE_SLOT, /* with WIRE_SLOT_SIZE bytes at @slot */
	PIECE_VALUE,
	PIECE_WAIT,
	PIECE_CLASSES,
};

enum piece_state {
	PIECE_FREE,
	PIECE_SENT,
	PIECE_DONE,
	PIECE_LOST, /* its operation has ended; free once it is back */
};

/**
 * struct piece - an entry of a connection
 * @node: in the operation's list, or among the free pieces of its class
 * @link: the connection, which lives while the piece is not free
 * @op: its operation
 * @tag: number in the connection
 * @name: name of the entry: the tag and the number of times it was used
 * @state: &enum piece_state
 * @status: result, when it is done
 * @length: likewise, bytes that were written
 * @result: likewise
 * @local: the local half of a copy
 * @read: it is to be written when the piece is back
 * @slot: memory that the other half is copied to or from
 */
struct piece {
	struct list_head node;
	struct link *link;
	struct relay_op *op;
	u32 tag;
	u64 name;
	enum piece_state state;
	u32 status;
	u64 length;
	u64 result[2];
	struct doca_seg local;
	bool read;
	void *slot;
};

/* The other side's answer to an import. */
struct link_import {
	struct link *link; /* reference */
	u32 key;
	u32 access;
	u64 addr;
	u64 length;
};

int link_import(const struct doca_blob *blob, struct link_import *import);
/* Release an import, and its reference to the link. */
void link_release(struct link *link, u32 key);

bool link_is_dead(const struct link *link);
/*
 * Take a piece in state PIECE_SENT, to be filled in; @length bytes of its slot will be used. NULL
 * if there is none: @op then starves, and is started when its turn comes, unless the link is dead,
 * or the piece would be for a wait.
 */
struct piece *link_take(struct link *link, enum piece_class class,
			struct relay_op *op, u32 length);
/*
 * Return true if it is the turn of an operation that starves, or if it shall starve no
 * more: @always.
 */
bool link_begin_turn(struct relay_op *op, bool always);
/* The operation has taken all it needs, or can get: the next may be called. */
void link_end_turn(struct relay_op *op);
/* Put an entry into the ring, and fill in its user_data; link_flush() announces entries. */
void link_put_entry(struct piece *piece, const struct doca_sqe *sqe);
/* Return the slot as the other side names it. */
struct doca_seg link_slot(const struct piece *piece, u32 length);
void link_flush(struct link *link);
/* Reap completions. */
void link_reap(struct link *link);
/* Free a piece that is done. */
void link_give(struct piece *piece);
/*
 * Let go of all its pieces, whatever becomes of them. Call it under the pool's lock:
 * nothing is completed.
 */
void link_forget(struct relay_op *op);
/* Ask the other side to ring for the next completion. True if there is one already. */
bool link_arm(struct link *link);
/* Have the service thread reap. */
void link_stir(struct link *link);

/* For the service thread: reap links that were stirred, and free those without references. */
void link_run(void);
void link_reap_closed(void);
void link_end(void);

#endif /* INPROC_LINK_H */
