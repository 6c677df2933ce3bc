/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The kernel's addresses of a range: a table of its contiguous chunks. */
#ifndef DOCA_CHUNKS_H
#define DOCA_CHUNKS_H

#include <linux/build_bug.h>
#include <linux/types.h>

/**
 * struct doca_chunks - a range, divided into contiguous chunks of one size
 * @table: for each chunk the address of its first byte. The range may cover the first and
 *	the last chunk in part only; addresses outside of it are never used
 * @start: first address of the range
 * @last: last address of the range
 * @nr: number of chunks
 * @shift: a chunk is 1 << @shift bytes, and begins at a multiple of that; the largest
 *	size for which all are contiguous
 * @first: the first chunk begins at this multiple
 * @mask: mask of the bits of an address that are within its chunk
 * @size: 1 << @shift; 0 of doca_chunks_none
 *
 * With pages of 4 KiB the table takes 0.2 % of the range, with huge ones next to
 * nothing.
 */
struct doca_chunks {
	unsigned long *table;
	unsigned long start;
	unsigned long last;
	unsigned long nr;
	unsigned int shift;
	unsigned long first;
	unsigned long mask;
	unsigned long size;
};

/* Stands for a range that the CPU cannot reach: nothing in it is contiguous. */
extern const struct doca_chunks doca_chunks_none;

/* Initialize for @length bytes, not 0, which must not wrap around the address space. */
int doca_chunks_init(struct doca_chunks *chunks, unsigned long start,
		     unsigned long length);
void doca_chunks_free(struct doca_chunks *chunks);

/*
 * Add the @length bytes from @addr on, the first that is not added yet; they are at @at.
 * -ENOMEM: earlier additions remain.
 */
int doca_chunks_add(struct doca_chunks *chunks, unsigned long addr,
		    unsigned long length, const void *at);

/* Return the kernel's address of @addr, which must have been added, even on a mispredicted path. */
static inline void *doca_chunks_addr(const struct doca_chunks *chunks,
				     unsigned long addr)
{
	unsigned long i = (addr >> chunks->shift) - chunks->first;

	return (void *)(chunks->table[i] + (addr & chunks->mask));
}

/* Return how many bytes from @addr on are contiguous, at least; 0 if there are none. */
static inline unsigned long doca_chunks_contig(const struct doca_chunks *chunks,
					       unsigned long addr)
{
	return chunks->size - (addr & chunks->mask);
}

/* Return true if all @length bytes are contiguous. @addr + @length must not overflow. */
static inline bool doca_chunks_are_one(const struct doca_chunks *chunks,
				       unsigned long addr, unsigned long length)
{
	return (addr & chunks->mask) + length <= chunks->size;
}

#endif
