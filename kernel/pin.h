/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that does not move, and its charges: pinned pages of a process here, dma-bufs in
 * dmabuf.h. Nothing else in the driver pins, charges or unpins.
 */
#ifndef DOCA_PIN_H
#define DOCA_PIN_H

#include "chunks.h"

struct doca_locked;
struct doca_memory_ops;
struct doca_pin_limit;
struct mm_struct;

/**
 * struct doca_pin - memory that does not move
 * @chunks: the CPU's addresses, in the linear map or in the mapping of a dma-buf's
 *	exporter
 * @npages: pages of the range, which are charged to pinned_vm
 * @prepaid: pages charged to @locked before it is known whether they belong to compound
 *	pages
 * @shift: a pinned page is 1 << @shift bytes. One reference pins a huge page, which may
 *	be covered in part only at either end
 * @writable: pinned for writing: the pages are dirty when they are unpinned
 * @backing: owners of the pages, &enum doca_backing
 * @mm: its pinned_vm was charged; mmgrab()
 * @locked: the account that is charged; set by the owner, which keeps it alive
 *
 * Belongs to one memory; only its owner calls the functions here.
 */
struct doca_pin {
	struct doca_chunks chunks;
	unsigned long npages;
	unsigned long prepaid;
	unsigned int shift;
	bool writable;
	unsigned int backing;
	struct mm_struct *mm;
	struct doca_locked *locked;
};

/*
 * Charge pages to the caller's user and mm, no matter which process gives them back.
 * -ENOMEM: limit is filled in.
 */
int doca_pin_charge(struct doca_pin *pin, unsigned long npages,
		    struct doca_pin_limit *limit);
void doca_pin_uncharge(struct doca_pin *pin);

/* The kind of a process's own pages. */
extern const struct doca_memory_ops doca_pages_ops;

#endif
