/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Locked memory of a user, by what is really kept. A pin of any part of a compound page
 * keeps the whole page. So it counts once and as a whole, however many registrations have
 * parts of it. Other pages count for each registration.
 */
#ifndef DOCA_LOCKED_H
#define DOCA_LOCKED_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/xarray.h>

struct user_struct;

/**
 * struct doca_locked - locked memory of a user
 * @user: its locked_vm is charged, as elsewhere in the kernel; reference
 * @compounds: number of pinned pages of each compound page, by the pfn of its first page;
 *	the page is charged as long as the entry exists
 * @releasing: number of memories that are out of use, but still charged
 * @released: woken when @releasing has become 0
 */
struct doca_locked {
	struct user_struct *user;
	struct xarray compounds;
	atomic_t releasing;
	wait_queue_head_t released;
};

/* Initialize for the current user. */
void doca_locked_init(struct doca_locked *locked);
/* Destroy when nothing is charged any more. */
void doca_locked_destroy(struct doca_locked *locked);

/* The reason of a refusal by RLIMIT_MEMLOCK, in bytes. */
struct doca_pin_limit {
	u64 limit;
	u64 used;
};

/* Charge pages, below the caller's limit. -ENOMEM: @limit is filled in. */
int doca_locked_charge(struct doca_locked *locked, unsigned long npages,
		       struct doca_pin_limit *limit);
void doca_locked_uncharge(struct doca_locked *locked, unsigned long npages);
/* Return what the user has locked in the whole kernel, which the limit is compared with. */
u64 doca_locked_bytes(const struct doca_locked *locked);

/* Add pinned pages to a compound page that is charged already; false if it is not. */
bool doca_locked_share(struct doca_locked *locked, unsigned long pfn,
		       unsigned long npages);
/* Insert a compound page after it was charged. -EBUSY if another thread was first. */
int doca_locked_insert(struct doca_locked *locked, unsigned long pfn,
		       unsigned long npages);
/* Return true if these pages were the last: the caller takes over the page's charge. */
bool doca_locked_unshare(struct doca_locked *locked, unsigned long pfn,
			 unsigned long npages);

/* Call these around the release of a revoked memory's pages. */
static inline void doca_locked_release_begin(struct doca_locked *locked)
{
	atomic_inc(&locked->releasing);
}

void doca_locked_release_end(struct doca_locked *locked);

static inline bool doca_locked_is_releasing(const struct doca_locked *locked)
{
	return atomic_read(&locked->releasing);
}

/* Wait, not for long, until all releases have ended. */
void doca_locked_wait(struct doca_locked *locked);

#endif
