// SPDX-License-Identifier: GPL-2.0
/*
 * Pinning: charge, pin in batches, build the table; and back. The charge comes
 * first and is recorded in the object, so that release neither asks who is
 * running nor can fail.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>

#include "compat.h"
#include "hugetlb.h"
#include "pin.h"

/* Pages that are pinned with one call, unless there are fewer. */
#define DOCA_PIN_BATCH 4096UL

/* The same of huge pages, which may have to be cleared; one may be larger. */
#define DOCA_PIN_BATCH_BYTES (32UL << 20)

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

/* The address behind @nr pages from @addr on, of which the first is a part. */
static unsigned long doca_pin_behind(const struct doca_pin *pin,
				     unsigned long addr, unsigned long nr)
{
	return min(((addr >> pin->shift) + nr) << pin->shift,
		   pin->chunks.last + 1);
}

/* Unpin some pages at @addr, before @end; the address behind them. */
static unsigned long doca_pin_release_some(struct doca_pin *pin,
					   unsigned long addr,
					   unsigned long end)
{
	struct page *page = virt_to_page(doca_chunks_addr(&pin->chunks, addr));
	unsigned long len, nr = 1;

	if (pin->shift == PAGE_SHIFT) {
		len = min3(doca_chunks_contig(&pin->chunks, addr), end - addr,
			   DOCA_PIN_BATCH << PAGE_SHIFT);
		nr = len >> PAGE_SHIFT;
	}
	unpin_user_page_range_dirty_lock(page, nr, pin->writable);
	return doca_pin_behind(pin, addr, nr);
}

/* Unpin what is in the table: all up to @end. */
static void doca_pin_release_pages(struct doca_pin *pin, unsigned long end)
{
	unsigned long addr = pin->chunks.start;

	while (addr < end) {
		addr = doca_pin_release_some(pin, addr, end);
		cond_resched();
	}
}

/* How many of these pages, of which there is one, follow each other. */
static unsigned long doca_pin_run(const struct doca_pin *pin,
				  unsigned long addr, struct page **pages,
				  unsigned long nr)
{
	unsigned long step = 1UL << (pin->shift - PAGE_SHIFT);
	unsigned long next = step - ((addr >> PAGE_SHIFT) & (step - 1));
	unsigned long i;

	for (i = 1; i < nr; i++, next += step)
		if (pages[i] != nth_page(pages[0], next))
			break;
	return i;
}

/*
 * Put @nr pinned pages into the table, from @addr on, or unpin those that do
 * not fit in.
 */
static int doca_pin_add_pages(struct doca_pin *pin, unsigned long *addr,
			      struct page **pages, unsigned long nr)
{
	unsigned long run, end;
	int rc;

	while (nr) {
		run = doca_pin_run(pin, *addr, pages, nr);
		end = doca_pin_behind(pin, *addr, run);
		rc = doca_chunks_add(&pin->chunks, *addr, end - *addr,
				     page_address(pages[0]));
		if (rc) {
			unpin_user_pages(pages, nr);
			return rc;
		}
		*addr = end;
		pages += run;
		nr -= run;
	}
	return 0;
}

/* Pin some pages at @addr, at most @max. */
static long doca_pin_get_pages(struct doca_pin *pin, unsigned long addr,
			       struct page **batch, unsigned long max)
{
	unsigned long nr =
		(pin->chunks.last >> pin->shift) - (addr >> pin->shift) + 1;

	nr = min(nr, max);
	if (pin->shift == PAGE_SHIFT)
		return doca_pin_batch(addr, nr, pin->writable, batch);
	return doca_hugetlb_pin(addr, pin->shift, pin->writable, batch, nr);
}

/* All or nothing; @batch has room for @max pages. */
static int doca_pin_pages(struct doca_pin *pin, struct page **batch,
			  unsigned long max)
{
	unsigned long addr = pin->chunks.start;
	long nr;
	int rc;

	while (addr <= pin->chunks.last) {
		rc = -EINTR;
		if (fatal_signal_pending(current))
			goto err_release;
		nr = doca_pin_get_pages(pin, addr, batch, max);
		rc = nr ?: -EFAULT;
		if (nr <= 0)
			goto err_release;
		rc = doca_pin_add_pages(pin, &addr, batch, nr);
		if (rc)
			goto err_release;
		cond_resched();
	}
	return 0;

err_release:
	doca_pin_release_pages(pin, addr);
	return rc;
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
	unsigned long room;
	struct page **batch;
	int rc;

	rc = doca_pin_charge(pin, npages, limit);
	if (rc)
		return rc;
	pin->writable = writable;
	rc = doca_pin_allowed(addr & PAGE_MASK, npages, writable);
	if (rc)
		goto out_uncharge;
	rc = doca_hugetlb_shift(addr & PAGE_MASK, last + 1);
	if (rc < 0)
		goto out_uncharge;
	pin->shift = rc;
	room = pin->shift == PAGE_SHIFT ?
		       min(npages, DOCA_PIN_BATCH) :
		       max(DOCA_PIN_BATCH_BYTES >> pin->shift, 1UL);

	rc = -ENOMEM;
	batch = kmalloc_array(room, sizeof(*batch), GFP_KERNEL_ACCOUNT);
	if (!batch)
		goto out_uncharge;
	rc = doca_chunks_init(&pin->chunks, addr & PAGE_MASK,
			      npages << PAGE_SHIFT);
	if (rc)
		goto out_batch;
	rc = doca_pin_pages(pin, batch, room);
	if (rc)
		goto out_chunks;
	kfree(batch);
	return 0;

out_chunks:
	doca_chunks_free(&pin->chunks);
out_batch:
	kfree(batch);
out_uncharge:
	doca_pin_uncharge(pin);
	return rc;
}

void doca_unpin(struct doca_pin *pin)
{
	doca_pin_release_pages(pin, pin->chunks.last + 1);
	doca_chunks_free(&pin->chunks);
	doca_pin_uncharge(pin);
}
