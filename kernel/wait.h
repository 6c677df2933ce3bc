/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Operations that wait for something that can be polled, such as the value of a sync
 * event. They are set aside from the queue's ring: later submissions are executed
 * meanwhile.
 *
 * An executor that is awake polls in each of its batches. A sleeping one is woken when
 * the value is changed through the driver; for changes that the driver does not see it
 * polls, with growing backoff.
 *
 * W, the barriers that keep a change from being missed:
 *
 *  W  executor: add a watch, clear due, full barrier, poll the value
 *     others: change the value, full barrier, search for watches, set due; or
 *     change the queue's state, full barrier, set due; then wake the executor
 *
 * Each poll resolves the keys of the entry anew. Between polls only the structure of the
 * memory is held, for its tree of watches: neither its pages nor the key.
 */
#ifndef DOCA_WAIT_H
#define DOCA_WAIT_H

#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>

#include <linux/doca.h>

#include "op.h"
#include "watch.h"

#define DOCA_MAX_WAITS 1024U

/* Maximum that a batch polls. */
#define DOCA_WAIT_POLLS 64

/**
 * struct doca_wait - an operation that waits
 * @node: in doca_waits.pending or doca_waits.free
 * @type: its row
 * @sqe: the entry, copied
 * @watch: wakes the executor when the wait may be over; shared with other waits
 */
struct doca_wait {
	struct list_head node;
	const struct doca_op_type *type;
	struct doca_sqe sqe;
	struct doca_watch *watch;
};

/* Memory for a wait, and for a watch, which may be another wait's. */
struct doca_wait_slot {
	struct doca_wait wait;
	struct doca_watch watch;
};

/**
 * struct doca_waits - the waits of a queue
 * @nr: number of pending waits
 * @nr_slots: maximum number
 * @owed: how many of @pending, from the first on, must be polled before the executor
 *	sleeps
 * @watcher: the executor, as a watcher
 * @pending: struct doca_wait; polled ones move to the end
 * @free: struct doca_wait
 * @free_watches: struct doca_watch
 * @slots: all of them
 *
 * Protected by the run section until the queue has ended, except @watcher.due, which is set
 * anywhere. @nr and @owed are read anywhere, as a hint.
 */
struct doca_waits {
	u32 nr;
	u32 nr_slots;
	u32 owed;
	struct doca_watcher watcher;
	struct list_head pending;
	struct list_head free;
	struct list_head free_watches;
	struct doca_wait_slot *slots;
};

int doca_waits_init(struct doca_waits *waits, u32 nr,
		    void (*wake)(struct doca_watcher *watcher));
void doca_waits_free(struct doca_waits *waits);

/*
 * Set an operation aside after a poll that returned DOCA_STATUS_AGAIN. Returns
 * DOCA_STATUS_PENDING, or the reason of failure. Another poll is due then: the value may
 * have changed before the watch was added.
 */
u32 doca_wait_begin(struct doca_waits *waits, const struct doca_op_type *type,
		    const struct doca_sqe *sqe, const struct doca_look *look);
void doca_wait_end(struct doca_waits *waits, struct doca_wait *wait);
/* End all of them: no more wake-ups come. */
void doca_waits_drop(struct doca_waits *waits);

/* Called by the executor, when its backoff is over: all waits must be polled. */
static inline void doca_waits_owe(struct doca_waits *waits)
{
	WRITE_ONCE(waits->owed, READ_ONCE(waits->nr));
}

/* Return true if the executor must poll before it sleeps. */
static inline bool doca_waits_are_due(const struct doca_waits *waits)
{
	return READ_ONCE(waits->watcher.due) || READ_ONCE(waits->owed);
}

/*
 * The sleep between polls that find nothing is short at first, then grows by an eighth
 * each time. So the end of a wait is noticed late by about an eighth of its duration, but
 * never by more than DOCA_BACKOFF_LAST.
 */
#define DOCA_BACKOFF_FIRST (50 * NSEC_PER_USEC)
#define DOCA_BACKOFF_LAST (10 * NSEC_PER_MSEC)

static inline u64 doca_backoff_longer(u64 ns)
{
	return clamp_t(u64, ns + ns / 8, DOCA_BACKOFF_FIRST, DOCA_BACKOFF_LAST);
}

#endif
