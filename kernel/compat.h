/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Differences between the kernels that this is built for, from 6.1 on. Kbuild detects the
 * features in the kernel's headers; only this file uses the results.
 */
#ifndef DOCA_COMPAT_H
#define DOCA_COMPAT_H

#include <linux/backing-dev.h>
#include <linux/dma-buf.h>
#include <linux/hugetlb_inline.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>

/*
 * Flags of a mapping are assigned before 6.3. Since then a function changes them, and
 * locks the mapping.
 */
static inline void doca_vm_flags_mod(struct vm_area_struct *vma,
				     unsigned long set, unsigned long clear)
{
#ifdef DOCA_HAVE_VM_FLAGS_MOD
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/*
 * Since 6.2 the caller of the exporter's functions holds the reservation's lock, or calls
 * a variant that takes it.
 */
#ifndef DOCA_HAVE_DMABUF_UNLOCKED
#define dma_buf_vmap_unlocked dma_buf_vmap
#define dma_buf_vunmap_unlocked dma_buf_vunmap
#define dma_buf_map_attachment_unlocked dma_buf_map_attachment
#define dma_buf_unmap_attachment_unlocked dma_buf_unmap_attachment
#endif

/*
 * Pinning changed in 6.5, together with the arguments of pin_user_pages(), which reveal
 * the change.
 *
 * doca_pin_batch() - pin some pages of the caller
 *
 * A read-only pin must break copy-on-write sharing with other processes. Otherwise it
 * keeps pages that the owner no longer has after its next write. Today FOLL_LONGTERM does
 * that for every private mapping. Before, only a write fault did, which is forced if the
 * mapping is read-only. Shared mappings have nothing to break.
 *
 * Writable long-term pins corrupt files whose dirty pages are tracked. Today pinning
 * refuses them. Before, the pages themselves must be checked, because the mapping may
 * change until they are pinned.
 *
 * doca_pin_huge() - pin a page of hugetlbfs in a mapping of the caller, under the mmap
 * lock; dirty pages of these files are not tracked
 *
 * doca_huge_is_stable() - check that page tables stay while doca_pin_huge() walks them
 *
 * Processes may share page tables of huge pages. Since 6.3 pinning keeps other processes
 * from freeing them.
 *
 * doca_pin_allowed() - check what pinning itself does not check on this kernel
 *
 * A forced fault does not check whether the mapping is readable.
 */
#ifndef DOCA_HAVE_GUP_VMAS
static inline long doca_pin_batch(unsigned long addr, unsigned long nr,
				  bool writable, struct page **pages)
{
	return pin_user_pages_fast(addr, nr,
				   FOLL_LONGTERM | (writable ? FOLL_WRITE : 0),
				   pages);
}

static inline long doca_pin_huge(struct vm_area_struct *vma, unsigned long addr,
				 bool writable, struct page **page)
{
	return pin_user_pages(addr, 1,
			      FOLL_LONGTERM | (writable ? FOLL_WRITE : 0),
			      page);
}

static inline bool doca_huge_is_stable(struct vm_area_struct *vma)
{
	return true;
}

static inline int doca_pin_allowed(unsigned long addr, unsigned long nr)
{
	return 0;
}
#else
/* A locked page of a file keeps its mapping. Returns true if the caller is killed. */
static inline bool doca_page_is_tracked(struct page *page)
{
	struct folio *folio = page_folio(page);
	struct address_space *mapping;
	bool tracked;

	if (folio_test_anon(folio))
		return false;
	if (folio_lock_killable(folio))
		return true;
	mapping = folio_mapping(folio);
	tracked = mapping && mapping_can_writeback(mapping);
	folio_unlock(folio);
	return tracked;
}

static inline long doca_pin_writable(unsigned long addr, unsigned long nr,
				     unsigned int force, struct page **pages)
{
	long i, pinned;

	pinned = pin_user_pages_fast(addr, nr,
				     FOLL_LONGTERM | FOLL_WRITE | force, pages);
	for (i = 0; i < pinned; i++) {
		if (doca_page_is_tracked(pages[i])) {
			unpin_user_pages(pages, pinned);
			return -EFAULT;
		}
	}
	return pinned;
}

/* Huge pages cannot be forced; pinning breaks the sharing of anonymous ones. */
static inline bool doca_pin_forced(struct vm_area_struct *vma)
{
	return is_cow_mapping(vma->vm_flags) &&
	       !(is_vm_hugetlb_page(vma) && !(vma->vm_flags & VM_WRITE));
}

static inline long doca_pin_batch(unsigned long addr, unsigned long nr,
				  bool writable, struct page **pages)
{
	struct vm_area_struct *vma;
	bool force = true;

	if (writable)
		return doca_pin_writable(addr, nr, 0, pages);

	addr = untagged_addr(addr);
	mmap_read_lock(current->mm);
	vma = find_vma(current->mm, addr);
	if (vma) {
		nr = min(nr, (vma->vm_end - addr) >> PAGE_SHIFT);
		force = doca_pin_forced(vma);
	}
	mmap_read_unlock(current->mm);
	if (force)
		return doca_pin_writable(addr, nr, FOLL_FORCE, pages);
	return pin_user_pages_fast(addr, nr, FOLL_LONGTERM, pages);
}

static inline long doca_pin_huge(struct vm_area_struct *vma, unsigned long addr,
				 bool writable, struct page **page)
{
	if (!writable)
		writable = doca_pin_forced(vma);
	return pin_user_pages(addr, 1,
			      FOLL_LONGTERM | (writable ? FOLL_WRITE : 0), page,
			      NULL);
}

static inline bool doca_huge_is_stable(struct vm_area_struct *vma)
{
	return !(vma->vm_flags & VM_MAYSHARE) ||
	       ALIGN(vma->vm_start, PUD_SIZE) >=
	       ALIGN_DOWN(vma->vm_end, PUD_SIZE);
}

static inline int doca_pin_allowed(unsigned long addr, unsigned long nr)
{
	struct vm_area_struct *vma;
	unsigned long end;
	int rc = 0;

	addr = untagged_addr(addr);
	end = addr + (nr << PAGE_SHIFT);
	mmap_read_lock(current->mm);
	while (!rc && addr < end) {
		vma = find_vma(current->mm, addr);
		if (!vma || vma->vm_start > addr ||
		    !(vma->vm_flags & (VM_READ | VM_WRITE)))
			rc = -EFAULT;
		else
			addr = vma->vm_end;
	}
	mmap_read_unlock(current->mm);
	return rc;
}
#endif

#endif /* DOCA_COMPAT_H */
