/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Locked memory of a user, by what is really kept: a compound page is kept whole by
 * a pin of any part, so it counts once and as a whole, however many registrations
 * have parts of it. Other pages count for each registration.
 */
#ifndef DOCA_LOCKED_H
#define DOCA_LOCKED_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/xarray.h>

struct user_struct;

/**
 * struct doca_locked - what a user has locked
 * @user: its locked_vm is charged, as elsewhere in the kernel; reference
 * @compounds: number of pinned pages of each compound page, by the pfn of its first
 *	page; charged as long as the entry is there
 * @releasing: memories that cannot be used any more and are still charged
 * @released: woken when @releasing has become 0
 */
struct doca_locked {
	struct user_struct *user;
	struct xarray compounds;
	atomic_t releasing;
	wait_queue_head_t released;
};

/* Of the current user. */
void doca_locked_init(struct doca_locked *locked);
/* Nothing is charged any more. */
void doca_locked_destroy(struct doca_locked *locked);

/* Why RLIMIT_MEMLOCK refused, in bytes. */
struct doca_pin_limit {
	u64 limit;
	u64 used;
};

/* Charge for pages under the caller's limit: -ENOMEM. @limit is filled in. */
int doca_locked_charge(struct doca_locked *locked, unsigned long npages,
		       struct doca_pin_limit *limit);
void doca_locked_uncharge(struct doca_locked *locked, unsigned long npages);

/* More pages of a compound page that is charged already; false if it is not. */
bool doca_locked_share(struct doca_locked *locked, unsigned long pfn,
		       unsigned long npages);
/* The first, after it was charged; -EBUSY if another thread inserted it first. */
int doca_locked_insert(struct doca_locked *locked, unsigned long pfn,
		       unsigned long npages);
/* True if these were the last: the caller takes its charge over. */
bool doca_locked_unshare(struct doca_locked *locked, unsigned long pfn,
			 unsigned long npages);

/* Around the release of a revoked memory's pages. */
static inline void doca_locked_release_begin(struct doca_locked *locked)
{
	atomic_inc(&locked->releasing);
}

void doca_locked_release_end(struct doca_locked *locked);

static inline bool doca_locked_is_releasing(const struct doca_locked *locked)
{
	return atomic_read(&locked->releasing);
}

/* Wait shortly until all releases have ended. */
void doca_locked_wait(struct doca_locked *locked);

#endif
