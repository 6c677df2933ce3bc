// SPDX-License-Identifier: GPL-2.0
/*
 * Pinning: charge, pin in batches, build the table; and back. The charge comes
 * first and is recorded in the object, so that release neither asks who is
 * running nor can fail.
 */
#include <linux/bitops.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>

#include "compat.h"
#include "pin.h"

#define DOCA_PIN_BATCH (PAGE_SIZE / sizeof(struct page *))

int doca_pin_charge(struct doca_pin *pin, unsigned long npages,
		    struct doca_pin_limit *limit)
{
	struct user_struct *user = current_user();
	unsigned long max = ULONG_MAX;
	unsigned long used, new;

	if (rlimit(RLIMIT_MEMLOCK) != RLIM_INFINITY && !capable(CAP_IPC_LOCK))
		max = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;

	used = atomic_long_read(&user->locked_vm);
	do {
		limit->limit = max == ULONG_MAX ? U64_MAX :
						  (u64)max << PAGE_SHIFT;
		limit->used = (u64)used << PAGE_SHIFT;
		if (check_add_overflow(used, npages, &new) || new > max)
			return -ENOMEM;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, (long *)&used,
					  new));

	pin->npages = npages;
	pin->user = get_uid(user);
	pin->mm = current->mm;
	mmgrab(pin->mm);
	atomic64_add(npages, &pin->mm->pinned_vm);
	return 0;
}

void doca_pin_uncharge(struct doca_pin *pin)
{
	atomic64_sub(pin->npages, &pin->mm->pinned_vm);
	atomic_long_sub(pin->npages, &pin->user->locked_vm);
	free_uid(pin->user);
	mmdrop(pin->mm);
}

/*
 * Unpin the first @npages pages of a table that still has one entry a page, or
 * of a compacted one.
 */
static void doca_pin_release_pages(struct doca_pin *pin, unsigned long npages)
{
	unsigned long addr = pin->start;
	unsigned long end = addr + (npages << PAGE_SHIFT);

	while (addr < end) {
		unsigned long len = min3(doca_pin_contig(pin, addr), end - addr,
					 DOCA_PIN_BATCH << PAGE_SHIFT);
		struct page *page = virt_to_page(doca_pin_addr(pin, addr));

		unpin_user_page_range_dirty_lock(page, len >> PAGE_SHIFT,
						 pin->writable);
		addr += len;
		cond_resched();
	}
}

/* Pin everything, one entry of the table for each page. */
static int doca_pin_pages(struct doca_pin *pin)
{
	struct page **batch;
	unsigned long done = 0;
	long nr = 0;
	long i;

	batch = (struct page **)__get_free_page(GFP_KERNEL_ACCOUNT);
	if (!batch)
		return -ENOMEM;

	while (done < pin->npages) {
		if (fatal_signal_pending(current)) {
			nr = -EINTR;
			break;
		}
		nr = min_t(unsigned long, pin->npages - done, DOCA_PIN_BATCH);
		nr = doca_pin_batch(pin->start + (done << PAGE_SHIFT), nr,
				    pin->writable, batch);
		if (nr <= 0) {
			nr = nr ?: -EFAULT;
			break;
		}
		for (i = 0; i < nr; i++)
			pin->chunks[done + i] = page_address(batch[i]);
		done += nr;
		cond_resched();
	}

	free_page((unsigned long)batch);
	if (nr < 0) {
		doca_pin_release_pages(pin, done);
		return nr;
	}
	return 0;
}

/*
 * The largest chunk: where two neighbours are not contiguous, the boundary
 * between them must be one between chunks.
 */
static unsigned int doca_pin_find_shift(const struct doca_pin *pin)
{
	unsigned int shift = DOCA_PIN_MAX_SHIFT;
	unsigned long i;

	for (i = 1; i < pin->npages && shift > PAGE_SHIFT; i++) {
		if (!(i % DOCA_PIN_BATCH))
			cond_resched();
		if (pin->chunks[i] != pin->chunks[i - 1] + PAGE_SIZE)
			shift = min_t(unsigned int, shift,
				      __ffs(pin->start + (i << PAGE_SHIFT)));
	}
	return shift;
}

/* One entry a chunk instead of one a page. */
static void doca_pin_compact(struct doca_pin *pin)
{
	unsigned int shift = doca_pin_find_shift(pin);
	unsigned long mask = (1UL << shift) - 1;
	unsigned long end = pin->start + (pin->npages << PAGE_SHIFT);
	unsigned long nr = ((end - 1) >> shift) - (pin->start >> shift) + 1;
	unsigned long addr = pin->start;
	unsigned long i;
	void **chunks;

	if (shift == PAGE_SHIFT)
		return;
	chunks = kvmalloc_array(nr, sizeof(*chunks), GFP_KERNEL_ACCOUNT);
	if (!chunks)
		return; /* the long table serves as well */

	for (i = 0; i < nr; i++) {
		unsigned long page = (addr - pin->start) >> PAGE_SHIFT;

		chunks[i] = pin->chunks[page] - (addr & mask);
		addr = (addr | mask) + 1;
	}
	kvfree(pin->chunks);
	pin->chunks = chunks;
	pin->nr_chunks = nr;
	pin->shift = shift;
}

/**
 * doca_pin() - pin a range of the caller's memory
 * @pin: filled in
 * @addr: first byte
 * @length: bytes, not 0; the caller has checked that the end does not overflow
 * @writable: whether the pages are going to be written
 * @limit: filled in: RLIMIT_MEMLOCK and what was in use before
 *
 * Return: 0, -ENOMEM, -EFAULT, or -EINTR if the caller is being killed.
 */
int doca_pin(struct doca_pin *pin, unsigned long addr, unsigned long length,
	     bool writable, struct doca_pin_limit *limit)
{
	unsigned long last = addr + (length - 1);
	unsigned long npages = (last >> PAGE_SHIFT) - (addr >> PAGE_SHIFT) + 1;
	int rc;

	rc = doca_pin_charge(pin, npages, limit);
	if (rc)
		return rc;
	pin->start = addr & PAGE_MASK;
	pin->nr_chunks = npages;
	pin->shift = PAGE_SHIFT;
	pin->writable = writable;

	rc = -ENOMEM;
	if (npages > INT_MAX / sizeof(*pin->chunks))
		goto out_uncharge; /* more than kvmalloc() would ever give */
	pin->chunks = kvmalloc_array(npages, sizeof(*pin->chunks),
				     GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!pin->chunks)
		goto out_uncharge;

	rc = doca_pin_allowed(pin->start, npages, writable);
	if (rc)
		goto out_free;
	rc = doca_pin_pages(pin);
	if (rc)
		goto out_free;
	doca_pin_compact(pin);
	return 0;

out_free:
	kvfree(pin->chunks);
out_uncharge:
	doca_pin_uncharge(pin);
	return rc;
}

void doca_unpin(struct doca_pin *pin)
{
	doca_pin_release_pages(pin, pin->npages);
	kvfree(pin->chunks);
	doca_pin_uncharge(pin);
}
