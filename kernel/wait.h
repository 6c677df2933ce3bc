/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations that wait for something that a look tells of, such as the value of
 * a sync event. They stand aside of the queue's ring: what is submitted behind
 * them is executed meanwhile.
 *
 * An executor that is awake looks in each of its turns. One that sleeps is
 * woken by whoever changes what is waited for through the driver, and for
 * changes that the driver does not see it looks by itself, ever less often.
 *
 * W, the barriers that keep a change from being missed:
 *
 *  W  executor: enter the table, clear due, full barrier, look
 *     others: change the value, full barrier, look into the table, set due; or
 *     change the queue's state, full barrier, set due; then wake the executor
 *
 * Nothing is held from one look to the next: each resolves its keys anew. Where
 * to be woken is an address in the linear map, used as a name and never
 * followed; if it names something else by now, a look comes for nothing.
 */
#ifndef DOCA_WAIT_H
#define DOCA_WAIT_H

#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <linux/doca.h>

#include "op.h"

/* A look at all of them is part of each turn, so there must not be too many. */
#define DOCA_MAX_WAITS 1024U

/**
 * struct doca_wait - an operation that waits
 * @node: in doca_waits.pending or doca_waits.free
 * @waits: which it is one of
 * @type: its row
 * @sqe: the entry, copied
 * @where: what tells of a change
 * @entry: in the table of wait.c while it is pending
 */
struct doca_wait {
	struct list_head node;
	struct doca_waits *waits;
	const struct doca_op_type *type;
	struct doca_sqe sqe;
	void *where;
	struct wait_queue_entry entry;
};

/**
 * struct doca_waits - the waits of a queue
 * @nr: pending ones
 * @nr_slots: how many there may be
 * @due: what one of them waits for may have changed
 * @pending: struct doca_wait, in order of their beginning
 * @free: struct doca_wait
 * @slots: all of them
 * @wake: get the executor to look; called under a spinlock
 *
 * Protected by the run section, but @due, which anybody sets. @nr is read
 * anywhere, for a hint.
 */
struct doca_waits {
	u32 nr;
	u32 nr_slots;
	bool due;
	struct list_head pending;
	struct list_head free;
	struct doca_wait *slots;
	void (*wake)(struct doca_waits *waits);
};

/* At module load. */
void doca_wait_init(void);

int doca_waits_init(struct doca_waits *waits, u32 nr,
		    void (*wake)(struct doca_waits *waits));
void doca_waits_free(struct doca_waits *waits);

/*
 * Put an operation aside after a look that said DOCA_STATUS_AGAIN. Says
 * DOCA_STATUS_PENDING, or why not. Another look must follow, for a change may
 * have slipped in before.
 */
u32 doca_wait_begin(struct doca_waits *waits, const struct doca_op_type *type,
		    const struct doca_sqe *sqe, void *where);
void doca_wait_end(struct doca_wait *wait);
/* End all of them: nobody is woken any more when this returns. */
void doca_waits_drop(struct doca_waits *waits);

/* Something has changed: who waits for it is to look. */
void doca_wait_wake(void *where);

/*
 * How long an executor sleeps between looks that find nothing: first short,
 * then an eighth longer each time. So the end of a wait is seen late by about
 * an eighth of the time it took, but never by more than the last.
 */
#define DOCA_NAP_FIRST (50 * NSEC_PER_USEC)
#define DOCA_NAP_LAST (10 * NSEC_PER_MSEC)

static inline u64 doca_nap_longer(u64 ns)
{
	return clamp_t(u64, ns + ns / 8, DOCA_NAP_FIRST, DOCA_NAP_LAST);
}

#endif
