/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The kernel of a target: its map, and its place in memory. */
#ifndef DOCA_APSH_KERNEL_H
#define DOCA_APSH_KERNEL_H

#include <doca_error.h>

#include "fields.h"

#define START_KERNEL_MAP 0xffffffff80000000ULL
#define KERNEL_IMAGE_SIZE (1ULL << 30)
#define PHYSICAL_MASK ((1ULL << 52) - 1)
#define PAGE 4096ULL

struct view;

struct kernel {
	struct map map;
	u64 delta; /* to be added to an address in the map */
	u64 text_pa; /* physical address of _text */
	u64 root; /* physical address of its top-level table */
	int levels; /* levels of page tables: 4 or 5 */
	u64 page_offset; /* base of the direct map */
	const char *found; /* way in which it was found, for the log */
	bool lacking; /* not found, but memory that leads to it is missing */
	u64 flawed; /* a place that has its banner, but is not that of the kernel */
	const char *flaw; /* the reason; NULL: there is no such place */
};

static inline u64 kernel_symbol(const struct kernel *k, enum symbol s)
{
	return k->map.symbols[s] ? k->map.symbols[s] + k->delta : 0;
}

/*
 * Find the kernel of the map in the memory that a view reads, by a physical address of
 * its top-level table, a VMCOREINFO, or its banner. INITIALIZATION, logged, if it is not
 * there, or is another one.
 */
struct find_hints {
	u64 kpgd; /* 0: not given */
	const char *vmcoreinfo; /* NULL: none */
};

doca_error_t kernel_find(struct kernel *k, struct view *v,
			 const struct find_hints *hints);

#endif /* DOCA_APSH_KERNEL_H */
