// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Locked memory: RLIMIT_MEMLOCK, and compound pages, which count once. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>

#include "locked.h"

/* A caller over its limit waits this long for memory that it may just have freed. */
#define DOCA_RELEASE_PATIENCE HZ

void doca_locked_init(struct doca_locked *locked)
{
	locked->user = get_uid(current_user());
	xa_init_flags(&locked->compounds, XA_FLAGS_ACCOUNT);
	atomic_set(&locked->releasing, 0);
	init_waitqueue_head(&locked->released);
}

/* An insertion that failed for lack of memory may have left nodes, but no entries. */
void doca_locked_destroy(struct doca_locked *locked)
{
	unsigned long index = 0;

	WARN_ON_ONCE(xa_find(&locked->compounds, &index, ULONG_MAX, XA_PRESENT));
	xa_destroy(&locked->compounds);
	free_uid(locked->user);
}

int doca_locked_charge(struct doca_locked *locked, unsigned long npages,
		       struct doca_pin_limit *limit)
{
	atomic_long_t *locked_vm = &locked->user->locked_vm;
	unsigned long max = ULONG_MAX;
	unsigned long used, new;

	if (rlimit(RLIMIT_MEMLOCK) != RLIM_INFINITY && !capable(CAP_IPC_LOCK))
		max = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;

	used = atomic_long_read(locked_vm);
	do {
		limit->limit = max == ULONG_MAX ? U64_MAX :
						  (u64)max << PAGE_SHIFT;
		limit->used = (u64)used << PAGE_SHIFT;
		if (check_add_overflow(used, npages, &new) || new > max)
			return -ENOMEM;
	} while (!atomic_long_try_cmpxchg(locked_vm, (long *)&used, new));
	return 0;
}

void doca_locked_uncharge(struct doca_locked *locked, unsigned long npages)
{
	atomic_long_sub(npages, &locked->user->locked_vm);
}

u64 doca_locked_bytes(const struct doca_locked *locked)
{
	return (u64)atomic_long_read(&locked->user->locked_vm) << PAGE_SHIFT;
}

/* Call it under the table's lock. The entry exists, so this needs no memory. */
static void doca_locked_set(struct doca_locked *locked, unsigned long pfn,
			    unsigned long npages)
{
	__xa_store(&locked->compounds, pfn, xa_mk_value(npages), 0);
}

bool doca_locked_share(struct doca_locked *locked, unsigned long pfn,
		       unsigned long npages)
{
	void *entry;

	xa_lock(&locked->compounds);
	entry = xa_load(&locked->compounds, pfn);
	if (entry)
		doca_locked_set(locked, pfn, xa_to_value(entry) + npages);
	xa_unlock(&locked->compounds);
	return entry;
}

int doca_locked_insert(struct doca_locked *locked, unsigned long pfn,
		       unsigned long npages)
{
	return xa_insert(&locked->compounds, pfn, xa_mk_value(npages),
			 GFP_KERNEL_ACCOUNT);
}

bool doca_locked_unshare(struct doca_locked *locked, unsigned long pfn,
			 unsigned long npages)
{
	unsigned long left;

	xa_lock(&locked->compounds);
	left = xa_to_value(xa_load(&locked->compounds, pfn)) - npages;
	if (left)
		doca_locked_set(locked, pfn, left);
	else
		__xa_erase(&locked->compounds, pfn);
	xa_unlock(&locked->compounds);
	return !left;
}

void doca_locked_release_end(struct doca_locked *locked)
{
	if (atomic_dec_and_test(&locked->releasing))
		wake_up_all(&locked->released);
}

void doca_locked_wait(struct doca_locked *locked)
{
	wait_event_killable_timeout(locked->released,
				    !doca_locked_is_releasing(locked),
				    DOCA_RELEASE_PATIENCE);
}
