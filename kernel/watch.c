// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Watches: the tree of each memory, and wake-ups, some at a time. */
#include <linux/atomic.h>

#include "watch.h"

static atomic64_t doca_watcher_ids = ATOMIC64_INIT(0);

void doca_watched_init(struct doca_watched *watched)
{
	spin_lock_init(&watched->lock);
	watched->tree = RB_ROOT;
	watched->nr = 0;
}

void doca_watcher_init(struct doca_watcher *watcher,
		       void (*wake)(struct doca_watcher *watcher))
{
	watcher->id = atomic64_add_return(1, &doca_watcher_ids);
	watcher->due = false;
	watcher->wake = wake;
}

static struct doca_watch *doca_watch_of(const struct rb_node *node)
{
	return rb_entry(node, struct doca_watch, node);
}

/* Return true if a watch sorts before that of the watcher with this id. */
static bool doca_watch_is_before(const struct doca_watch *watch, u64 offset,
				 u64 id)
{
	if (watch->offset != offset)
		return watch->offset < offset;
	return watch->watcher->id < id;
}

static int doca_watch_cmp(struct rb_node *node, const struct rb_node *there)
{
	const struct doca_watch *a = doca_watch_of(node);
	const struct doca_watch *b = doca_watch_of(there);

	if (doca_watch_is_before(a, b->offset, b->watcher->id))
		return -1;
	return doca_watch_is_before(b, a->offset, a->watcher->id);
}

struct doca_watch *doca_watch_add(struct doca_watched *watched, u64 offset,
				  struct doca_watcher *watcher,
				  struct doca_watch *spare)
{
	struct doca_watch *watch = spare;
	struct rb_node *there;

	spare->watched = watched;
	spare->offset = offset;
	spare->watcher = watcher;
	spare->nr = 0;
	spin_lock(&watched->lock);
	there = rb_find_add(&spare->node, &watched->tree, doca_watch_cmp);
	if (there)
		watch = doca_watch_of(there);
	else
		WRITE_ONCE(watched->nr, watched->nr + 1);
	spin_unlock(&watched->lock);
	watch->nr++;
	return watch;
}

bool doca_watch_del(struct doca_watch *watch)
{
	struct doca_watched *watched = watch->watched;

	if (--watch->nr)
		return false;
	spin_lock(&watched->lock);
	rb_erase(&watch->node, &watched->tree);
	WRITE_ONCE(watched->nr, watched->nr - 1);
	spin_unlock(&watched->lock);
	return true;
}

/* Return the last watch of a value with a watcher id below @id, or NULL. */
static struct doca_watch *doca_watch_below(const struct doca_watched *watched,
					   u64 offset, u64 id)
{
	struct rb_node *node = watched->tree.rb_node;
	struct doca_watch *found = NULL;

	while (node) {
		if (doca_watch_is_before(doca_watch_of(node), offset, id)) {
			found = doca_watch_of(node);
			node = node->rb_right;
		} else {
			node = node->rb_left;
		}
	}
	return found && found->offset == offset ? found : NULL;
}

/* If a poll is due already, the executor was woken for it, or soon will be. */
static void doca_watcher_wake(struct doca_watcher *watcher)
{
	if (READ_ONCE(watcher->due))
		return;
	WRITE_ONCE(watcher->due, true);
	watcher->wake(watcher);
}

bool doca_watched_wake(struct doca_watched *watched, u64 offset, u64 *below)
{
	struct doca_watch *watch;
	unsigned int n;

	spin_lock(&watched->lock);
	watch = doca_watch_below(watched, offset, *below);
	for (n = 0; watch && n < DOCA_WATCHED_WAKES; n++) {
		doca_watcher_wake(watch->watcher);
		*below = watch->watcher->id;
		watch = doca_watch_below(watched, offset, *below);
	}
	spin_unlock(&watched->lock);
	return watch;
}
