// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The page size of a mapping can change while the mmap lock is not held. It is checked
 * once to choose how to pin, and again whenever pages are pinned.
 */
#include <linux/hugetlb.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/userfaultfd_k.h>

#include "compat.h"
#include "hugetlb.h"

/*
 * Under the lock pinning cannot wait for a userfaultfd handler. So a mapping with
 * userfaultfd is pinned page by page: there newer kernels wait.
 */
static unsigned int doca_hugetlb_vma_shift(struct vm_area_struct *vma)
{
	if (!is_vm_hugetlb_page(vma) || userfaultfd_armed(vma) ||
	    !doca_huge_is_stable(vma))
		return PAGE_SHIFT;
	return huge_page_shift(hstate_vma(vma));
}

/* Find the caller's mapping at @addr. Call it with the mmap lock held. */
static unsigned int doca_hugetlb_shift_at(unsigned long addr,
					  struct vm_area_struct **vma)
{
	*vma = vma_lookup(current->mm, addr);
	return *vma ? doca_hugetlb_vma_shift(*vma) : PAGE_SHIFT;
}

int doca_hugetlb_shift(unsigned long addr, unsigned long end)
{
	unsigned long length = end - addr;
	struct vm_area_struct *vma;
	unsigned int shift;

	addr = untagged_addr(addr);
	end = addr + length;
	if (mmap_read_lock_killable(current->mm))
		return -EINTR;
	shift = doca_hugetlb_shift_at(addr, &vma);
	while (shift != PAGE_SHIFT && vma->vm_end < end)
		if (doca_hugetlb_shift_at(vma->vm_end, &vma) != shift)
			shift = PAGE_SHIFT;
	mmap_read_unlock(current->mm);
	return shift;
}

/* Pin pages of one mapping, up to the first failure. Return the error if none was pinned. */
static long doca_hugetlb_pin_vma(struct vm_area_struct *vma, unsigned long addr,
				 unsigned int shift, bool writable,
				 struct page **pages, unsigned long nr)
{
	unsigned long end = vma->vm_end - untagged_addr(addr) + addr;
	unsigned long i;
	long rc = 0;

	for (i = 0; i < nr && addr < end; i++) {
		rc = doca_pin_huge(vma, addr, writable, pages + i);
		if (rc <= 0)
			break;
		addr = ALIGN(addr + 1, 1UL << shift);
	}
	return i ?: rc;
}

long doca_hugetlb_pin(unsigned long addr, unsigned int shift, bool writable,
		      struct page **pages, unsigned long nr)
{
	struct vm_area_struct *vma;
	long rc = -EFAULT;

	if (mmap_read_lock_killable(current->mm))
		return -EINTR;
	if (doca_hugetlb_shift_at(untagged_addr(addr), &vma) == shift)
		rc = doca_hugetlb_pin_vma(vma, addr, shift, writable, pages,
					  nr);
	mmap_read_unlock(current->mm);
	return rc;
}
