// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Chunks are as large as possible, until a page is added that is not contiguous with what
 * precedes it: then they become so small that one begins there.
 */
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "chunks.h"

/* Larger chunks are useless: a chunk need only cover a huge page. */
#define DOCA_CHUNKS_MAX_SHIFT 30

#define DOCA_CHUNKS_GFP (GFP_KERNEL_ACCOUNT | __GFP_NOWARN)

/*
 * A mispredicted check may look up an address here nevertheless, and a copy of no bytes
 * does. Both find this entry.
 */
static unsigned long doca_chunks_nothing;
static unsigned long doca_chunks_nowhere[2] = {
	(unsigned long)&doca_chunks_nothing,
	(unsigned long)&doca_chunks_nothing,
};

const struct doca_chunks doca_chunks_none = {
	.table = doca_chunks_nowhere,
	.last = ULONG_MAX,
	.nr = ARRAY_SIZE(doca_chunks_nowhere),
	.shift = BITS_PER_LONG - 1,
};

static unsigned long *doca_chunks_alloc(unsigned long nr)
{
	size_t size = nr * sizeof(unsigned long);

	if (nr > INT_MAX / sizeof(unsigned long))
		return NULL; /* more than any range needs */
	/* kmalloc() would round it up to a power of two. */
	if (size > PAGE_SIZE && roundup_pow_of_two(size) - size > size / 4)
		return __vmalloc(size, DOCA_CHUNKS_GFP);
	return kvmalloc_array(nr, sizeof(unsigned long), DOCA_CHUNKS_GFP);
}

/* Set an empty table; the caller frees the old one. */
static int doca_chunks_set_shift(struct doca_chunks *chunks, unsigned int shift)
{
	unsigned long first = chunks->start >> shift;
	unsigned long nr = (chunks->last >> shift) - first + 1;
	unsigned long *table = doca_chunks_alloc(nr);

	if (!table)
		return -ENOMEM;
	chunks->table = table;
	chunks->nr = nr;
	chunks->shift = shift;
	chunks->first = first;
	chunks->mask = (1UL << shift) - 1;
	chunks->size = 1UL << shift;
	return 0;
}

int doca_chunks_init(struct doca_chunks *chunks, unsigned long start,
		     unsigned long length)
{
	chunks->start = start;
	chunks->last = start + (length - 1);
	return doca_chunks_set_shift(chunks, DOCA_CHUNKS_MAX_SHIFT);
}

void doca_chunks_free(struct doca_chunks *chunks)
{
	kvfree(chunks->table);
}

/* Make the chunks smaller, so that one begins at @addr. Those before it are filled in. */
static int doca_chunks_split(struct doca_chunks *chunks, unsigned long addr)
{
	unsigned int shift = __ffs(addr);
	struct doca_chunks old = *chunks;
	unsigned long nr = (addr >> shift) - (old.start >> shift);
	unsigned long i;

	if (doca_chunks_set_shift(chunks, shift))
		return -ENOMEM;
	addr = old.start >> shift << shift;
	for (i = 0; i < nr; i++) {
		unsigned long from = (addr >> old.shift) - old.first;

		chunks->table[i] = old.table[from] + (addr & old.mask);
		addr += 1UL << shift;
		if (!(i % PAGE_SIZE))
			cond_resched();
	}
	doca_chunks_free(&old);
	return 0;
}

int doca_chunks_add(struct doca_chunks *chunks, unsigned long addr,
		    unsigned long length, const void *at)
{
	unsigned long last = addr + (length - 1);
	unsigned long i = 0;

	if (addr != chunks->start) {
		if (at != doca_chunks_addr(chunks, addr - 1) + 1 &&
		    chunks->shift > __ffs(addr) &&
		    doca_chunks_split(chunks, addr))
			return -ENOMEM;
		i = ((addr - 1) >> chunks->shift) + 1;
		i -= chunks->first;
	}
	for (; i <= (last >> chunks->shift) - chunks->first; i++)
		chunks->table[i] =
			(unsigned long)at +
			((chunks->first + i) << chunks->shift) - addr;
	return 0;
}
