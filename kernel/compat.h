/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that are built against, from 6.1 on. Kbuild
 * looks for the features in the kernel's headers; nothing else asks for them.
 */
#ifndef DOCA_COMPAT_H
#define DOCA_COMPAT_H

#include <linux/backing-dev.h>
#include <linux/dma-buf.h>
#include <linux/mm.h>
#include <linux/sched.h>

/*
 * The flags of a mapping are assigned before 6.3 and changed by a function
 * since, which locks the mapping.
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
 * The exporter's mapping takes the lock of the reservation since 6.2: the
 * caller has it, or asks for it to be taken.
 */
#ifndef DOCA_HAVE_DMABUF_UNLOCKED
#define dma_buf_vmap_unlocked dma_buf_vmap
#define dma_buf_vunmap_unlocked dma_buf_vunmap
#endif

/*
 * Pinning changed in 6.5, together with the arguments of pin_user_pages(),
 * which is how it is recognized.
 *
 * doca_pin_batch() - pin some pages of the caller
 *
 * A read-only pin must break copy-on-write sharing with other processes, or it
 * keeps pages that the owner no longer has after its next write. Today
 * FOLL_LONGTERM does that for every private mapping; before, only a write fault
 * did, forced where the mapping is read-only. Forcing fails with EFAULT on
 * shared read-only mappings, which have nothing to break: these are pinned
 * plainly, up to the end of the mapping and not beyond.
 *
 * doca_pin_allowed() - check what pinning itself does not, on this kernel
 *
 * Writable long-term pins of files whose dirty pages are tracked corrupt them.
 * Pinning refuses them today. And because a forced fault does not ask
 * whether the mapping is readable, that is asked here.
 */
#ifndef DOCA_HAVE_GUP_VMAS
static inline long doca_pin_batch(unsigned long addr, unsigned long nr,
				  bool writable, struct page **pages)
{
	return pin_user_pages_fast(addr, nr,
				   FOLL_LONGTERM | (writable ? FOLL_WRITE : 0),
				   pages);
}

static inline int doca_pin_allowed(unsigned long addr, unsigned long nr,
				   bool writable)
{
	return 0;
}
#else
static inline long doca_pin_batch(unsigned long addr, unsigned long nr,
				  bool writable, struct page **pages)
{
	unsigned int flags = FOLL_LONGTERM | FOLL_WRITE;
	struct vm_area_struct *vma;
	long rc;

	rc = pin_user_pages_fast(addr, nr,
				 flags | (writable ? 0 : FOLL_FORCE), pages);
	if (writable || rc != -EFAULT)
		return rc;

	mmap_read_lock(current->mm);
	vma = find_vma(current->mm, addr);
	if (vma)
		nr = min(nr, (vma->vm_end - addr) >> PAGE_SHIFT);
	mmap_read_unlock(current->mm);
	return pin_user_pages_fast(addr, nr, FOLL_LONGTERM, pages);
}

static inline int doca_pin_allowed(unsigned long addr, unsigned long nr,
				   bool writable)
{
	unsigned long end = addr + (nr << PAGE_SHIFT);
	struct vm_area_struct *vma;
	int rc = 0;

	mmap_read_lock(current->mm);
	while (!rc && addr < end) {
		vma = find_vma(current->mm, addr);
		if (!vma || vma->vm_start > addr ||
		    !(vma->vm_flags & (VM_READ | VM_WRITE)))
			rc = -EFAULT;
		else if (writable && (vma->vm_flags & VM_SHARED) &&
			 vma->vm_file &&
			 mapping_can_writeback(vma->vm_file->f_mapping))
			rc = -EFAULT;
		else
			addr = vma->vm_end;
	}
	mmap_read_unlock(current->mm);
	return rc;
}
#endif

#endif /* DOCA_COMPAT_H */
