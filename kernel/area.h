/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Memory that a queue shares with its program. */
#ifndef DOCA_AREA_H
#define DOCA_AREA_H

#include <linux/mm_types.h>
#include <linux/types.h>

struct doca_area_pages;
struct vm_area_struct;
struct vm_fault;

/**
 * struct doca_area - pages, all mapped into user space, and the first ones into the kernel
 * @pages: memory behind it, of which only area.c knows more
 * @nr_pages: number of pages
 * @addr: the kernel's address of those pages that exist from the beginning
 */
struct doca_area {
	struct doca_area_pages *pages;
	unsigned int nr_pages;
	void *addr;
};

/*
 * Make zeroed memory of @size bytes. The first @there bytes exist from the beginning, the pages
 * behind them come when they are touched. After -ENOMEM there is nothing to free.
 */
int doca_area_alloc(struct doca_area *area, size_t size, size_t there);
void doca_area_free(struct doca_area *area);

/* Return the address of any byte; NULL: its page does not exist yet, and is all 0. */
const void *doca_area_at(const struct doca_area *area, size_t offset);

int doca_area_mmap(const struct doca_area *area, struct vm_area_struct *vma);
vm_fault_t doca_area_fault(struct vm_fault *vmf);

#endif
