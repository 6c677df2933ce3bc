/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that are built against, from 6.1 on. Nothing
 * else looks at the version.
 */
#ifndef DOCA_COMPAT_H
#define DOCA_COMPAT_H

#include <linux/mm.h>
#include <linux/version.h>

/*
 * The flags of a mapping are assigned before 6.3 and changed by a function since,
 * which locks the mapping.
 */
static inline void doca_vm_flags_mod(struct vm_area_struct *vma,
				     unsigned long set, unsigned long clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/*
 * A read-only pin must break copy-on-write sharing with other processes, or it
 * keeps pages that the owner no longer has after its next write. From 6.3 on
 * FOLL_LONGTERM does that for every private mapping; before, only a write fault
 * does, forced where the mapping is read-only. Forcing fails with EFAULT on
 * shared read-only mappings, which have nothing to break: pin those plainly.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define DOCA_FOLL_READ 0
#else
#define DOCA_FOLL_READ (FOLL_WRITE | FOLL_FORCE)
#endif

#endif /* DOCA_COMPAT_H */
