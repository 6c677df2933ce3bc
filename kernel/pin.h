/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that stays where it is, and what it is charged to: pinned pages of a
 * process here, dma-bufs in dmabuf.h. Nothing else in the driver pins, charges or
 * unpins.
 */
#ifndef DOCA_PIN_H
#define DOCA_PIN_H

#include <linux/nospec.h>
#include <linux/types.h>

struct mm_struct;
struct user_struct;

/*
 * A pinned range as an array of addresses of the kernel, one for each chunk of
 * 1 << @shift bytes of the process's addresses. They are in the linear map, and
 * @shift is the largest for which every chunk is contiguous there, page by page;
 * of a dma-buf they are where its exporter has mapped it. The first and the last
 * chunk may be covered only in part: their addresses are those that the whole
 * chunk would have, and nothing outside the range is ever used.
 */
struct doca_pin {
	unsigned long start; /* first address; page aligned if these are pages */
	unsigned long npages; /* that are charged */
	unsigned long nr_chunks;
	unsigned int shift;
	bool writable;
	void **chunks;
	struct mm_struct *mm; /* whose pinned_vm was charged; mmgrab() */
	struct user_struct *user; /* whose locked_vm was charged */
};

/* Why RLIMIT_MEMLOCK said no, in bytes. */
struct doca_pin_limit {
	u64 limit;
	u64 used;
};

/* No chunk is larger: what matters is that it covers a huge page. */
#define DOCA_PIN_MAX_SHIFT 30

/*
 * Charge the caller for pages, whoever gives them back: they are his user's and
 * his mm's from now on. -ENOMEM, and limit is filled in.
 */
int doca_pin_charge(struct doca_pin *pin, unsigned long npages,
		    struct doca_pin_limit *limit);
void doca_pin_uncharge(struct doca_pin *pin);

int doca_pin(struct doca_pin *pin, unsigned long addr, unsigned long length,
	     bool writable, struct doca_pin_limit *limit);

/* May sleep on the lock of a page: not in any path that a user waits for. */
void doca_unpin(struct doca_pin *pin);

/* Where @addr, which must be inside, is for the kernel. */
static inline void *doca_pin_addr(const struct doca_pin *pin,
				  unsigned long addr)
{
	unsigned long chunk =
		(addr >> pin->shift) - (pin->start >> pin->shift);

	chunk = array_index_nospec(chunk, pin->nr_chunks);
	return pin->chunks[chunk] + (addr & ((1UL << pin->shift) - 1));
}

/* How many bytes from @addr on are contiguous there, at least. */
static inline unsigned long doca_pin_contig(const struct doca_pin *pin,
					    unsigned long addr)
{
	return (1UL << pin->shift) - (addr & ((1UL << pin->shift) - 1));
}

#endif
