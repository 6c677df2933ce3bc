/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that stays where it is, and what it is charged to: pinned pages of a
 * process here, dma-bufs in dmabuf.h. Nothing else in the driver pins, charges
 * or unpins.
 */
#ifndef DOCA_PIN_H
#define DOCA_PIN_H

#include "chunks.h"

struct doca_locked;
struct doca_memory_ops;
struct doca_pin_limit;
struct mm_struct;

/**
 * struct doca_pin - memory that stays where it is
 * @chunks: where it is, in the linear map or in a dma-buf's exporter's mapping
 * @npages: pages of the range; those of which pinned_vm was charged
 * @prepaid: pages that are charged to @locked, and of which it is not known yet
 *	what they belong to
 * @shift: a page that is pinned is 1 << @shift bytes: a huge one by one
 *	reference, of which there may be less at either end
 * @writable: pinned for writing: its pages are dirty when they are unpinned
 * @mm: whose pinned_vm was charged; mmgrab()
 * @locked: what is charged: by its user, who is set by the owner and whom the owner
 *	keeps
 *
 * Belongs to one memory, whose owner alone calls what is here.
 */
struct doca_pin {
	struct doca_chunks chunks;
	unsigned long npages;
	unsigned long prepaid;
	unsigned int shift;
	bool writable;
	struct mm_struct *mm;
	struct doca_locked *locked;
};

/*
 * Charge the caller for pages, whoever gives them back: they are his user's and
 * his mm's from now on. -ENOMEM, and limit is filled in.
 */
int doca_pin_charge(struct doca_pin *pin, unsigned long npages,
		    struct doca_pin_limit *limit);
void doca_pin_uncharge(struct doca_pin *pin);

/* The kind of a process's own pages. */
extern const struct doca_memory_ops doca_pages_ops;

#endif
