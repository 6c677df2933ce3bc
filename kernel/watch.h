/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Watches: which executors to wake when a value is written. Each memory has a tree of
 * them, so a user of many watches slows down only users of the same memory.
 *
 * A watch belongs to an executor of waits. There is one for each value, however many of
 * its waits are for that value. So a write wakes the executor once.
 */
#ifndef DOCA_WATCH_H
#define DOCA_WATCH_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* Maximum that a call of doca_watched_wake() wakes: a step, under a spinlock. */
#define DOCA_WATCHED_WAKES 16

/**
 * struct doca_watched - the watches of a memory
 * @lock: protects all; taken in run sections, and held while executors are woken
 * @tree: struct doca_watch, ordered by offset, then by watcher
 * @nr: number of watches; read anywhere
 */
struct doca_watched {
	spinlock_t lock; /* see above */
	struct rb_root tree;
	u32 nr;
};

/**
 * struct doca_watcher - an executor that can be woken
 * @id: grows from one watcher to the next, and is never reused
 * @due: a poll is due: a watched value may have changed. Those that set it, other than the
 *	executor, call @wake afterwards
 * @wake: called under a spinlock
 */
struct doca_watcher {
	u64 id;
	bool due;
	void (*wake)(struct doca_watcher *watcher);
};

/**
 * struct doca_watch - one value that a watcher watches
 * @node: in doca_watched.tree, or
 * @free_node: in a list of unused watches
 * @watched: the tree
 * @offset: offset of the value in its memory
 * @watcher: the executor to wake
 * @nr: number of uses; for the watcher only
 */
struct doca_watch {
	union {
		struct rb_node node;
		struct list_head free_node;
	};
	struct doca_watched *watched;
	u64 offset;
	struct doca_watcher *watcher;
	u32 nr;
};

void doca_watched_init(struct doca_watched *watched);
void doca_watcher_init(struct doca_watcher *watcher,
		       void (*wake)(struct doca_watcher *watcher));

/*
 * Add a watch, or find the one of the same watcher and value. The value must be polled
 * afterwards, behind a full barrier.
 */
struct doca_watch *doca_watch_add(struct doca_watched *watched, u64 offset,
				  struct doca_watcher *watcher,
				  struct doca_watch *spare);
/* Return true if that was the last use: it wakes nothing any more. */
bool doca_watch_del(struct doca_watch *watch);

/* Return true if there is any watch. Call it behind a full barrier. */
static inline bool doca_watched_by_any(const struct doca_watched *watched)
{
	return READ_ONCE(watched->nr);
}

/*
 * The value at @offset has changed: wake some of the watchers with ids below *@below,
 * from the highest down, and set *@below to the last one woken. Return true if there are
 * more. New watchers have higher ids, so this comes to an end.
 */
bool doca_watched_wake(struct doca_watched *watched, u64 offset, u64 *below);

#endif
