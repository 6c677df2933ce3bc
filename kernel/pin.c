// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Memory kind pages: charge, pin in batches, build the table; and the reverse. The pages
 * of the range are charged first. Only when they are pinned it is known which of them
 * belong to compound pages. Then compound and single pages take from that charge, and the
 * difference is charged or given back. All of this is recorded in the object, so release
 * does not depend on the current process and cannot fail.
 */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "backed.h"
#include "compat.h"
#include "hugetlb.h"
#include "locked.h"
#include "memory.h"
#include "pin.h"

/* Maximum of pages that one call pins. */
#define DOCA_PIN_BATCH 4096UL

/* The limit for huge pages, which may have to be cleared; a single one may be larger. */
#define DOCA_PIN_BATCH_BYTES (32UL << 20)

int doca_pin_charge(struct doca_pin *pin, unsigned long npages,
		    struct doca_pin_limit *limit)
{
	int rc;

	rc = doca_locked_charge(pin->locked, npages, limit);
	if (rc)
		return rc;
	pin->npages = npages;
	pin->prepaid = npages;
	pin->mm = current->mm;
	mmgrab(pin->mm);
	atomic64_add(npages, &pin->mm->pinned_vm);
	return 0;
}

void doca_pin_uncharge(struct doca_pin *pin)
{
	doca_locked_uncharge(pin->locked, pin->prepaid);
	atomic64_sub(pin->npages, &pin->mm->pinned_vm);
	mmdrop(pin->mm);
}

/*
 * Take pages from those that were charged in advance, and charge the missing ones. If
 * that is refused, set limit->used to all that would be locked, without the range itself.
 */
static int doca_pin_take(struct doca_pin *pin, unsigned long npages,
			 struct doca_pin_limit *limit)
{
	unsigned long more = npages - min(npages, pin->prepaid);
	struct doca_pin_limit why;

	if (more && doca_locked_charge(pin->locked, more, &why)) {
		limit->used = why.used + (more << PAGE_SHIFT) -
			      (pin->npages << PAGE_SHIFT);
		return -ENOMEM;
	}
	pin->prepaid += more - npages;
	return 0;
}

/* A compound page with pinned pages is charged once for each user. */
static int doca_pin_take_compound(struct doca_pin *pin, struct folio *folio,
				  unsigned long nr, struct doca_pin_limit *limit)
{
	unsigned long size = folio_nr_pages(folio);
	unsigned long pfn = folio_pfn(folio);
	int rc;

	while (!doca_locked_share(pin->locked, pfn, nr)) {
		/* Charge before the insertion, because others rely on entries of the table. */
		rc = doca_pin_take(pin, size, limit);
		if (rc)
			return rc;
		rc = doca_locked_insert(pin->locked, pfn, nr);
		if (!rc)
			return 0;
		pin->prepaid += size;
		if (rc != -EBUSY)
			return rc;
	}
	return 0;
}

/* Return the charge of @nr pages, of a compound page if @size is not 1. */
static void doca_pin_give(struct doca_pin *pin, unsigned long pfn,
			  unsigned long size, unsigned long nr)
{
	if (size == 1)
		pin->prepaid += nr;
	else if (doca_locked_unshare(pin->locked, pfn, nr))
		pin->prepaid += size;
}

/* Return the address behind @nr pages from @addr on; the first may be covered in part only. */
static unsigned long doca_pin_behind(const struct doca_pin *pin,
				     unsigned long addr, unsigned long nr)
{
	return min(((addr >> pin->shift) + nr) << pin->shift,
		   pin->chunks.last + 1);
}

static bool doca_page_is_single(struct page *page)
{
	return !folio_test_large(page_folio(page));
}

/* Return how many of @nr adjacent pages belong to the same compound page, or to none. */
static unsigned long doca_pin_alike(struct page *page, unsigned long nr)
{
	struct folio *folio = page_folio(page);
	unsigned long i = 1;

	if (folio_test_large(folio))
		return min_t(unsigned long, nr,
			     folio_nr_pages(folio) -
				     folio_page_idx(folio, page));
	while (i < nr && doca_page_is_single(nth_page(page, i)))
		i++;
	return i;
}

/* Unpin some pages at @addr, before @end. Return the address behind them. */
static unsigned long doca_pin_release_some(struct doca_pin *pin,
					   unsigned long addr,
					   unsigned long end)
{
	struct page *page = virt_to_page(doca_chunks_addr(&pin->chunks, addr));
	unsigned long len, behind, pfn, size, refs = 1;
	struct folio *folio;

	if (pin->shift == PAGE_SHIFT) {
		len = min3(doca_chunks_contig(&pin->chunks, addr), end - addr,
			   DOCA_PIN_BATCH << PAGE_SHIFT);
		refs = doca_pin_alike(page, len >> PAGE_SHIFT);
	}
	behind = doca_pin_behind(pin, addr, refs);
	folio = page_folio(page);
	pfn = folio_pfn(folio);
	size = folio_nr_pages(folio);
	unpin_user_page_range_dirty_lock(page, refs, pin->writable);
	doca_pin_give(pin, pfn, size, (behind - addr) >> PAGE_SHIFT);
	return behind;
}

/* Unpin all pages of the table up to @end. */
static void doca_pin_release_pages(struct doca_pin *pin, unsigned long end)
{
	unsigned long addr = pin->chunks.start;

	while (addr < end) {
		addr = doca_pin_release_some(pin, addr, end);
		cond_resched();
	}
}

/*
 * Return how many of these pages, at least one, are contiguous and belong to the same
 * compound page, or to none.
 */
static unsigned long doca_pin_run(const struct doca_pin *pin,
				  unsigned long addr, struct page **pages,
				  unsigned long nr)
{
	unsigned long step = 1UL << (pin->shift - PAGE_SHIFT);
	unsigned long next = step - ((addr >> PAGE_SHIFT) & (step - 1));
	struct folio *folio = page_folio(pages[0]);
	bool single = !folio_test_large(folio);
	unsigned long i;

	for (i = 1; i < nr; i++, next += step) {
		if (pages[i] != nth_page(pages[0], next))
			break;
		if (single ? !doca_page_is_single(pages[i]) :
			     page_folio(pages[i]) != folio)
			break;
	}
	return i;
}

/* Charge @nr pinned pages and add them to the table, or do neither. */
static int doca_pin_add_run(struct doca_pin *pin, unsigned long addr,
			    unsigned long end, struct page *page,
			    struct doca_pin_limit *limit)
{
	unsigned long nr = (end - addr) >> PAGE_SHIFT;
	struct folio *folio = page_folio(page);
	int rc;

	rc = folio_test_large(folio) ?
		     doca_pin_take_compound(pin, folio, nr, limit) :
		     doca_pin_take(pin, nr, limit);
	if (rc)
		return rc;
	rc = doca_chunks_add(&pin->chunks, addr, end - addr,
			     page_address(page));
	if (rc)
		doca_pin_give(pin, folio_pfn(folio), folio_nr_pages(folio), nr);
	return rc;
}

/*
 * Take over @nr pinned pages from @addr on. Unpin those that cannot be charged or added
 * to the table.
 */
static int doca_pin_add_pages(struct doca_pin *pin, unsigned long *addr,
			      struct page **pages, unsigned long nr,
			      struct doca_pin_limit *limit)
{
	unsigned long run, end;
	int rc;

	pin->backing |= doca_backing_of(pages, nr);
	while (nr) {
		run = doca_pin_run(pin, *addr, pages, nr);
		end = doca_pin_behind(pin, *addr, run);
		rc = doca_pin_add_run(pin, *addr, end, pages[0], limit);
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

/* Pin all or nothing; @batch has room for @max pages. */
static int doca_pin_pages(struct doca_pin *pin, struct page **batch,
			  unsigned long max, struct doca_pin_limit *limit)
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
		rc = doca_pin_add_pages(pin, &addr, batch, nr, limit);
		if (rc)
			goto err_release;
		cond_resched();
	}
	return 0;

err_release:
	doca_pin_release_pages(pin, addr);
	return rc;
}

/* Pin a range of the caller's memory. */
static int doca_pin_range(struct doca_pin *pin, unsigned long addr,
			  unsigned long length, bool writable,
			  struct doca_pin_limit *limit)
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
	rc = doca_pin_allowed(addr & PAGE_MASK, npages);
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
	rc = doca_pin_pages(pin, batch, room, limit);
	if (rc)
		goto out_chunks;
	kfree(batch);
	/* Some compound pages were charged before, by other registrations. */
	doca_locked_uncharge(pin->locked, pin->prepaid);
	pin->prepaid = 0;
	return 0;

out_chunks:
	doca_chunks_free(&pin->chunks);
out_batch:
	kfree(batch);
out_uncharge:
	doca_pin_uncharge(pin);
	return rc;
}

/* May sleep on the lock of a page, so it must not run where a user waits. */
static void doca_pages_unpin(struct doca_memory *memory)
{
	struct doca_pin *pin = &memory->pin;

	doca_pin_release_pages(pin, pin->chunks.last + 1);
	doca_chunks_free(&pin->chunks);
	doca_pin_uncharge(pin);
}

/* Returns -ENOMEM, -EFAULT, or -EINTR if the caller is being killed. */
static int doca_pages_pin(struct doca_memory *memory,
			  const struct doca_mem_reg *arg, bool writable,
			  struct doca_pin_limit *limit)
{
	int rc = writable ? doca_backed_is_tracked(arg->addr, arg->length) : 0;

	if (rc < 0)
		return rc;
	if (rc && !(arg->access & ~DOCA_ACCESS_WRITE_MASK))
		return -EFAULT;
	/* Pinning refuses a mapping that appears between this and the pinning. */
	if (rc)
		writable = false;
	return doca_pin_range(&memory->pin, arg->addr, arg->length, writable,
			      limit);
}

const struct doca_memory_ops doca_pages_ops = {
	.pin = doca_pages_pin,
	.unpin = doca_pages_unpin,
};
