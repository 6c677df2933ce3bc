/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The importer's end of a connection: one for each process that something is imported
 * from, and the entries that are under way on it, which are called pieces.
 *
 * Locks: a queue's run section, its pool's, then a link's. Nothing here waits but
 * link_import(). An operation for which there is something to do is claimed under the link's
 * lock, and completed without it.
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
	PIECE_LOST, /* its operation has ended; free when it is back */
};

/**
 * struct piece - an entry of a connection
 * @node: in the operation's list; among the free ones of its class
 * @link: the connection, which lives for as long as it is not free
 * @op: whose it is
 * @tag: number in the connection
 * @name: of the entry: the tag and how often it was used
 * @state: &enum piece_state
 * @status: when it is done
 * @length: likewise, of what was written
 * @result: likewise
 * @local: the half that is here, of a copy
 * @read: and is to be written
 * @slot: where the other half is, or goes from
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

/* What the other side has said of an import. */
struct link_import {
	struct link *link; /* with a reference */
	u32 key;
	u32 access;
	u64 addr;
	u64 length;
};

int link_import(const struct doca_blob *blob, struct link_import *import);
/* With the reference. */
void link_release(struct link *link, u32 key);

bool link_is_dead(const struct link *link);
/*
 * In state PIECE_SENT, but not sent; @length bytes of its slot are to be used. NULL if there is none: @op starves, and is started when
 * it is its turn, unless the link is dead, or the piece would be for a wait.
 */
struct piece *link_take(struct link *link, enum piece_class class,
			struct relay_op *op, u32 length);
/* Of one that starves: true if it is its turn, or it is to starve no more: @always. */
bool link_begin_turn(struct relay_op *op, bool always);
/* It has taken what it needs, or can get: the next may be called. */
void link_end_turn(struct relay_op *op);
/* Entries go when link_flush() is called. user_data is filled in here. */
void link_put_entry(struct piece *piece, const struct doca_sqe *sqe);
/* Where the slot is for the other side. */
struct doca_seg link_slot(const struct piece *piece, u32 length);
void link_flush(struct link *link);
/* Reap completions. */
void link_reap(struct link *link);
/* Of one that is done. */
void link_give(struct piece *piece);
/* Let go of all, whatever becomes of it. Under the pool's lock: nothing is completed. */
void link_forget(struct relay_op *op);
/* Be called by the other side for the next completion. True if there is one already. */
bool link_arm(struct link *link);
/* Have the service thread reap. */
void link_stir(struct link *link);

#endif /* INPROC_LINK_H */
