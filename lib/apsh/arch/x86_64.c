// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * x86-64: tables of 4 or 5 levels. The image is in the last 2 GiB of all addresses, and the
 * direct map is where page_offset_base says.
 */
#include <elf.h>
#include <stdio.h>

#include "../view/view.h"
#include "../vmcoreinfo.h"
#include "arch.h"

#define PRESENT (1ULL << 0)
#define LARGE (1ULL << 7)
#define PROTNONE (1ULL << 8) /* if it is not present */
#define ERRATUM (3ULL << 5) /* some processors set these in empty entries */
#define FRAME 0x000ffffffffff000ULL
#define LARGE_PAGE (2ULL << 20)

/* The kernel inverts the frame of an entry that is not present (L1TF). */
static enum entry decode(const struct kernel *k, u64 entry, int level,
			 u64 *frame)
{
	(void)k;
	if (!(entry & PRESENT)) {
		*frame = ~entry & FRAME;
		return entry & PROTNONE && (level == 1 ||
					    (level == 2 && entry & LARGE)) ?
			       ENTRY_MEMORY :
			       ENTRY_NONE;
	}
	*frame = entry & FRAME;
	return level == 1 || (level <= 3 && entry & LARGE) ? ENTRY_MEMORY :
							     ENTRY_TABLE;
}

static bool table(struct view *v, u64 at, u32 index, u64 *next)
{
	u64 entry;

	if (!view_physical(v, at + index * 8, &entry, 8) || !(entry & PRESENT))
		return false;
	*next = entry & FRAME;
	return !(entry & LARGE);
}

/* Get the virtual address at which the image's tables map it. */
static bool address_of_text(struct view *v, const struct kernel *k, u64 *va)
{
	u64 at = k->root, entry, pa = k->text_pa;

	if (!table(v, at, 511, &at) ||
	    (k->levels == 5 && !table(v, at, 511, &at)) ||
	    !table(v, at, 510, &at))
		return false;
	for (u64 i = 0; i < 512; i++) {
		if (!view_physical(v, at + i * 8, &entry, 8))
			return false;
		if ((entry & (LARGE | PRESENT)) == (LARGE | PRESENT) &&
		    (entry & FRAME & ~(LARGE_PAGE - 1)) ==
			    (pa & ~(LARGE_PAGE - 1))) {
			*va = START_KERNEL_MAP + i * LARGE_PAGE +
			      (pa & (LARGE_PAGE - 1));
			return true;
		}
	}
	return false;
}

static bool assume(struct view *v, struct kernel *k, u32 form)
{
	u64 va;

	k->levels = 5 - (int)form;
	k->page_shift = 12;
	k->va_bits = k->levels == 5 ? 57 : 48;
	k->user_bits = k->va_bits - 1;
	if (!address_of_text(v, k, &va))
		return false;
	k->delta = va - k->map.symbols[S__text];
	k->image_end = va;
	if (kernel_symbol(k, S__end) > va &&
	    kernel_symbol(k, S__end) <= START_KERNEL_MAP + KERNEL_IMAGE_SIZE)
		k->image_end = kernel_symbol(k, S__end);
	return true;
}

static bool direct_map(struct view *v, struct kernel *k)
{
	k->direct_pa = 0;
	k->direct_size = k->levels == 5 ? 1ULL << 52 : 1ULL << 46;
	return view_read(v, NULL, kernel_symbol(k, S_page_offset_base),
			 &k->page_offset, sizeof(k->page_offset)) &&
	       k->page_offset >= 1ULL << 63 &&
	       !(k->page_offset & ((1ULL << 30) - 1));
}

static bool page_structs(struct view *v, u64 *base)
{
	return view_read(v, NULL, kernel_symbol(v->kernel, S_vmemmap_base),
			 base, sizeof(*base));
}

static bool place(const struct kernel *k, const char *info, u64 *text_pa)
{
	u64 root, phys_base;

	if (!vmcoreinfo_line(info, "SYMBOL(swapper_pg_dir)=", 16, &root) ||
	    !vmcoreinfo_line(info, "NUMBER(phys_base)=", 10, &phys_base))
		return false;
	*text_pa = root - START_KERNEL_MAP + phys_base -
		   from_text(k, S_init_top_pgt);
	return true;
}

static int note(const struct kernel *k, char *text, size_t size)
{
	u64 tables = kernel_symbol(k, S_init_top_pgt);

	return snprintf(text, size,
			"SYMBOL(swapper_pg_dir)=%lx\n"
			"NUMBER(phys_base)=%ld\n"
			"KERNELOFFSET=%lx\n",
			tables, (long)(k->root - (tables - START_KERNEL_MAP)),
			k->delta);
}

const struct arch arch_x86_64 = {
	.name = "x86-64",
	.machine = EM_X86_64,
	.tables = S_init_top_pgt,
	/* the field is needed of each kernel: a need has at least one */
	.needs = { .first = F_PAGE_STRUCT,
		   .last = F_PAGE_STRUCT,
		   .symbols = { S_page_offset_base, S_vmemmap_base },
		   .nr_symbols = 2 },
	.align = LARGE_PAGE,
	.direct_flaw = "its page_offset_base is not where its page tables map "
		       "memory",
	.nr_forms = 2,
	.assume = assume,
	.direct_map = direct_map,
	.decode = decode,
	.ignored = ERRATUM,
	.page_structs = page_structs,
	.place = place,
	.note = note,
};
