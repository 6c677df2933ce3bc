/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The kernel of a target: its map, and its place in memory. */
#ifndef DOCA_APSH_KERNEL_H
#define DOCA_APSH_KERNEL_H

#include <doca_error.h>

#include "fields.h"

/*
 * Where x86-64 has the image of its kernel: in 1 GiB if it is moved at random, else in the first half
 * of that, behind which modules are then.
 */
#define START_KERNEL_MAP 0xffffffff80000000ULL
#define KERNEL_IMAGE_SIZE (1ULL << 30)
#define PHYSICAL_MASK ((1ULL << 52) - 1)
/* The unit in which memory and files are read; the kernel's own pages may be larger. */
#define PAGE 4096ULL

struct arch;
struct view;

struct kernel {
	struct map map;
	const struct arch *arch; /* the kind of machine that it is for */
	u64 delta; /* to be added to an address in the map */
	u64 text_pa; /* physical address of _text */
	u64 image_end; /* the address behind its image; that of _text if tables must tell */
	u64 root; /* physical address of its top-level table */
	int levels; /* levels of page tables; 0: it was not found */
	u32 page_shift; /* its pages have 1 << page_shift bytes */
	u32 va_bits; /* bits of an address that tables decode */
	u32 user_bits; /* bits of an address of a process */
	u32 form; /* which one of the machine's it is */
	bool wide; /* entries of tables have another form (LPA2) */
	u64 page_offset; /* base of the direct map; 0: unknown */
	u64 direct_pa; /* physical address that is mapped there; may be below 0 */
	u64 direct_size;
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
