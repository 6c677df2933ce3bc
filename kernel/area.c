// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Memory of queues: refcounted pages, so that a mapping can never outlive them, charged to the
 * caller's memory cgroup. In a process process/driver/area.c stands for it.
 */
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "area.h"

/**
 * struct doca_area_pages - pages of an area
 * @nr_there: number of those that exist from the beginning, before the others
 * @page: all; NULL where none was touched yet
 */
struct doca_area_pages {
	unsigned int nr_there;
	struct page *page[];
};

static struct page *doca_area_page(void)
{
	return alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
}

/* Nobody maps it any more, so nobody can touch a page. */
void doca_area_free(struct doca_area *area)
{
	unsigned int i;

	vunmap(area->addr);
	for (i = 0; i < area->nr_pages; i++)
		if (area->pages->page[i])
			put_page(area->pages->page[i]);
	kvfree(area->pages);
}

int doca_area_alloc(struct doca_area *area, size_t size, size_t there)
{
	unsigned int nr = DIV_ROUND_UP(size, PAGE_SIZE), i;
	struct doca_area_pages *pages;

	pages = kvzalloc(struct_size(pages, page, nr), GFP_KERNEL_ACCOUNT);
	if (!pages)
		return -ENOMEM;
	area->pages = pages;
	area->nr_pages = nr;
	pages->nr_there = DIV_ROUND_UP(there, PAGE_SIZE);
	for (i = 0; i < pages->nr_there; i++) {
		pages->page[i] = doca_area_page();
		if (!pages->page[i])
			goto err;
	}
	area->addr = vmap(pages->page, pages->nr_there, VM_MAP, PAGE_KERNEL);
	if (area->addr)
		return 0;
err:
	doca_area_free(area);
	return -ENOMEM;
}

const void *doca_area_at(const struct doca_area *area, size_t offset)
{
	struct page *page = READ_ONCE(area->pages->page[offset >> PAGE_SHIFT]);

	return page ? page_address(page) + offset_in_page(offset) : NULL;
}

int doca_area_mmap(const struct doca_area *area, struct vm_area_struct *vma)
{
	unsigned long nr = area->pages->nr_there;

	if (vma_pages(vma) != area->nr_pages)
		return -EINVAL;
	/* The offset has selected the area; it is not an offset into its pages. */
	vma->vm_pgoff = 0;
	return vm_insert_pages(vma, vma->vm_start, area->pages->page, &nr);
}

/* Threads may touch a page at once: the first one's stays. */
static struct page *doca_area_get(struct page **place)
{
	struct page *page = READ_ONCE(*place), *first;

	if (page)
		return page;
	page = doca_area_page();
	if (!page)
		return NULL;
	first = cmpxchg(place, NULL, page);
	if (!first)
		return page;
	put_page(page);
	return first;
}

vm_fault_t doca_area_fault(struct vm_fault *vmf)
{
	struct doca_area *area = vmf->vma->vm_private_data;
	struct page *page;

	if (vmf->pgoff >= area->nr_pages)
		return VM_FAULT_SIGBUS;
	page = doca_area_get(&area->pages->page[vmf->pgoff]);
	if (!page)
		return VM_FAULT_OOM;
	get_page(page);
	vmf->page = page;
	return 0;
}
