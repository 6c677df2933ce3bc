/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory of hugetlbfs. Its pages are always mapped as a whole, so one reference pins all
 * that a process sees of a page.
 */
#ifndef DOCA_HUGETLB_H
#define DOCA_HUGETLB_H

#include <linux/mm.h>

#ifdef CONFIG_HUGETLB_PAGE
/*
 * Return the page size of the caller's memory from @addr to @end, as a shift: the size of
 * huge pages if all have the same, else PAGE_SHIFT. -EINTR if the caller is being killed.
 */
int doca_hugetlb_shift(unsigned long addr, unsigned long end);

/*
 * Pin the huge page of that size at @addr and up to @nr - 1 that follow. Return how many
 * were pinned, or an error: -EFAULT if the page is not there any more.
 */
long doca_hugetlb_pin(unsigned long addr, unsigned int shift, bool writable,
		      struct page **pages, unsigned long nr);
#else
static inline int doca_hugetlb_shift(unsigned long addr, unsigned long end)
{
	return PAGE_SHIFT;
}

static inline long doca_hugetlb_pin(unsigned long addr, unsigned int shift,
				    bool writable, struct page **pages,
				    unsigned long nr)
{
	return -EFAULT;
}
#endif

#endif
