// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A page that its file has lost stays pinned, but leaves the file's cache. A folio that
 * is lost in part may stay there as a whole; then the file's size tells which pages are
 * lost.
 */
#include <linux/fs.h>
#include <linux/hugetlb.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "backed.h"
#include "compat.h"
#include "poison.h"

static bool doca_backed_vma_is_tracked(const struct vm_area_struct *vma)
{
	const unsigned long both = VM_SHARED | VM_WRITE;

	return (vma->vm_flags & both) == both && vma->vm_file &&
	       mapping_can_writeback(vma->vm_file->f_mapping);
}

int doca_backed_is_tracked(unsigned long addr, unsigned long length)
{
	struct vm_area_struct *vma;
	unsigned long end;
	bool tracked = false;

	addr = untagged_addr(addr);
	end = addr + length;
	if (mmap_read_lock_killable(current->mm))
		return -EINTR;
	vma = find_vma(current->mm, addr);
	while (vma && vma->vm_start < end && !tracked) {
		tracked = doca_backed_vma_is_tracked(vma);
		vma = find_vma(current->mm, vma->vm_end);
	}
	mmap_read_unlock(current->mm);
	return tracked;
}

unsigned int doca_backing_of(struct page **pages, unsigned long nr)
{
	unsigned int backing = 0;
	unsigned long i;

	for (i = 0; i < nr; i++) {
		struct folio *folio = page_folio(pages[i]);

		if (!folio_test_anon(folio))
			backing |= READ_ONCE(folio->mapping) ?
					   DOCA_BACKED_BY_FILE :
					   DOCA_BACKED_BY_NOBODY;
	}
	return backing;
}

/* Return true if a file of this size has the page. The size of a device says nothing. */
static bool doca_backed_is_within(struct inode *inode, struct folio *folio,
				  struct page *page)
{
	loff_t index = folio->index + folio_page_idx(folio, page);

	return !S_ISREG(inode->i_mode) || index << PAGE_SHIFT < i_size_read(inode);
}

/* RCU: an inode is freed after a grace period, and its mapping with it. */
static bool doca_backed_folio_is_there(struct folio *folio, struct page *page)
{
	struct address_space *mapping;
	bool there;

	if (folio_test_anon(folio))
		return true;
	rcu_read_lock();
	mapping = READ_ONCE(folio->mapping);
	there = mapping;
	/* Huge pages of hugetlbfs are lost as a whole. */
	if (there && folio_test_large(folio) && !folio_test_hugetlb(folio))
		there = doca_backed_is_within(mapping->host, folio, page);
	rcu_read_unlock();
	return there;
}

/* Pages of a folio are adjacent in the linear map; those of a huge page count as one. */
static u64 doca_backed_step(struct folio *folio, const void *at)
{
	unsigned long size = PAGE_SIZE;

	if (folio_test_hugetlb(folio))
		size = folio_size(folio);
	return size - ((unsigned long)at & (size - 1));
}

u64 doca_backed_there(const void *at, u64 length)
{
	u64 there = 0;

	while (there < length) {
		struct page *page = virt_to_page(at + there);
		struct folio *folio = page_folio(page);

		if (!doca_backed_folio_is_there(folio, page))
			return there;
		there += doca_backed_step(folio, at + there);
	}
	return length;
}

u32 doca_backed_copy(struct doca_backed_side to, struct doca_backed_side from,
		     u32 length)
{
	u32 there = length;

	if (to.backed)
		there = doca_backed_there(to.at, there);
	if (from.backed)
		there = doca_backed_there(from.at, there);
	return length - there + doca_poison_copy(to.at, from.at, there);
}
