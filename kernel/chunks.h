/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The kernel's addresses of a range: a table of contiguous pieces. */
#ifndef DOCA_CHUNKS_H
#define DOCA_CHUNKS_H

#include <linux/build_bug.h>
#include <linux/types.h>

/**
 * struct doca_chunks - a range, in contiguous pieces of one size
 * @table: for each chunk the address of its first byte, or where that would be: the
 *	first and the last may be covered only in part, and nothing outside of the
 *	range is ever used
 * @start: first address of the range
 * @last: last one
 * @nr: chunks
 * @shift: a chunk is 1 << @shift bytes, and begins at a multiple of that; the
 *	largest for which all are contiguous
 * @first: which multiple the first chunk begins at
 * @mask: of the bits of an address that are within its chunk
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

/* For a range that the CPU does not reach: nothing in it is contiguous. */
extern const struct doca_chunks doca_chunks_none;

/* A range of @length bytes, not 0, that does not wrap around the address space. */
int doca_chunks_init(struct doca_chunks *chunks, unsigned long start,
		     unsigned long length);
void doca_chunks_free(struct doca_chunks *chunks);

/*
 * The @length bytes from @addr on, the first not yet added, are at @at.
 * -ENOMEM; what was added before remains.
 */
int doca_chunks_add(struct doca_chunks *chunks, unsigned long addr,
		    unsigned long length, const void *at);

/*
 * The kernel's address of @addr, which must have been added, even on a mispredicted
 * path.
 */
static inline void *doca_chunks_addr(const struct doca_chunks *chunks,
				     unsigned long addr)
{
	unsigned long i = (addr >> chunks->shift) - chunks->first;

	return (void *)(chunks->table[i] + (addr & chunks->mask));
}

/* How many bytes from @addr on are contiguous there, at least; 0 if there are none. */
static inline unsigned long doca_chunks_contig(const struct doca_chunks *chunks,
					       unsigned long addr)
{
	return chunks->size - (addr & chunks->mask);
}

/* Whether all @length bytes are contiguous; adding @length must not overflow. */
static inline bool doca_chunks_are_one(const struct doca_chunks *chunks,
				       unsigned long addr, unsigned long length)
{
	return (addr & chunks->mask) + length <= chunks->size;
}

#endif
