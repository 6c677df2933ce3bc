// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * arm64: pages of 4, 16 or 64 KiB, tables of 2 to 5 levels. An image says what its pages are, and
 * kimage_voffset how far its addresses are from where it is. The linear map begins at an address that
 * the number of address bits tells, and memstart_addr is the physical address there.
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "../view/view.h"
#include "../vmcoreinfo.h"
#include "arch.h"

#define VALID (1ULL << 0)
#define IS_TABLE (1ULL << 1) /* at the last level: it is a page */
#define USER (1ULL << 6)
/* A block that nobody may use has one of them: since 6.11, and before. */
#define PRESENT_INVALID (1ULL << 11)
#define PROT_NONE (1ULL << 58)

#define BITS(high, low) ((2ULL << (high)) - (1ULL << (low)))

/* Where the header of an image says what it is */
enum { FLAGS_AT = 24, MAGIC_AT = 56 };

#define IMAGE_MAGIC 0x644d5241U /* "ARM\x64" */
#define HAS_MEM_MAP 2 /* a section has struct pages */

/*
 * Forms of tables. A kernel that was built for addresses of 52 bits makes do with fewer on a machine
 * that has not as many, but its linear map begins where it would. With pages of 64 KiB its tables do
 * not become smaller. Before 5.4 the linear map was the upper half.
 */
static const struct form {
	u8 page_shift;
	u8 bits; /* bits of an address that tables decode */
	u8 built_for, at_least; /* bits */
	bool upper;
	bool wide; /* entries have addresses of 52 bits (LPA2) */
} forms[] = {
	{ 12, 48, 48, 48, false, false }, { 12, 39, 39, 39, false, false },
	{ 12, 48, 52, 48, false, false }, { 12, 52, 52, 48, false, true },
	{ 14, 47, 47, 47, false, false }, { 14, 48, 48, 48, false, false },
	{ 14, 36, 36, 36, false, false }, { 14, 47, 52, 47, false, false },
	{ 14, 52, 52, 47, false, true },  { 16, 48, 48, 48, false, false },
	{ 16, 42, 42, 42, false, false }, { 16, 52, 52, 48, false, false },
	{ 12, 48, 48, 48, true, false },  { 12, 39, 39, 39, true, false },
	{ 14, 47, 47, 47, true, false },  { 14, 48, 48, 48, true, false },
	{ 14, 36, 36, 36, true, false },  { 16, 48, 48, 48, true, false },
	{ 16, 42, 42, 42, true, false },
};

/* The last level has a bit that no swap entry has, even where access was taken away. */
static enum entry decode(const struct kernel *k, u64 entry, int level,
			 u64 *frame)
{
	int highest_block = k->page_shift == 12 ? 3 : 2;

	*frame = entry & BITS(k->wide ? 49 : 47, k->page_shift);
	if (k->wide)
		*frame |= (entry >> 8 & 3) << 50;
	else if (k->page_shift == 16)
		*frame |= (entry >> 12 & 15) << 48;
	if (level == 1)
		return entry & IS_TABLE ? ENTRY_MEMORY : ENTRY_NONE;
	if (entry & VALID && entry & IS_TABLE)
		return ENTRY_TABLE;
	if (level > highest_block)
		return ENTRY_NONE;
	/* entries of memory that moves had a number in bit 11 before 6.11, and bit 6 */
	if (entry & VALID || entry & PROT_NONE ||
	    (entry & PRESENT_INVALID && !(entry & USER)))
		return ENTRY_MEMORY;
	return ENTRY_NONE;
}

/* The header may leave open what pages are. */
static bool has_pages(struct view *v, u64 text_pa, u8 page_shift)
{
	u64 flags, its;
	u32 magic;

	if (!view_physical(v, text_pa + MAGIC_AT, &magic, sizeof(magic)) ||
	    !view_physical(v, text_pa + FLAGS_AT, &flags, sizeof(flags)) ||
	    magic != IMAGE_MAGIC)
		return false;
	its = flags >> 1 & 3;
	return !its || 10 + 2 * its == page_shift;
}

static bool assume(struct view *v, struct kernel *k, u32 number)
{
	const struct form *f = &forms[number];
	u64 text, offset;
	u32 each = f->page_shift - 3;

	if (!has_pages(v, k->text_pa, f->page_shift) ||
	    !view_physical(v, k->text_pa + from_text(k, S_kimage_voffset),
			   &offset, sizeof(offset)))
		return false;
	text = k->text_pa + offset;
	k->levels = (int)((f->bits - f->page_shift + each - 1) / each);
	k->page_shift = f->page_shift;
	k->va_bits = k->user_bits = f->bits;
	k->wide = f->wide;
	k->form = number;
	k->delta = text - k->map.symbols[S__text];
	k->image_end = text + from_text(k, S__end);
	return text >= 1ULL << 63 && k->image_end > text &&
	       !(text & ((1ULL << f->page_shift) - 1));
}

static bool direct_map(struct view *v, struct kernel *k)
{
	const struct form *f = &forms[k->form];

	if (!view_read(v, NULL, kernel_symbol(k, S_memstart_addr),
		       &k->direct_pa, sizeof(k->direct_pa)))
		return false;
	if (f->upper) {
		k->direct_size = 1ULL << (f->bits - 1);
		k->page_offset = -k->direct_size;
	} else {
		k->page_offset = -(1ULL << f->built_for);
		k->direct_size = -(1ULL << (f->at_least - 1)) - k->page_offset;
	}
	return !(k->direct_pa & ((1ULL << f->page_shift) - 1));
}

/*
 * A section of memory has where the struct page of physical address 0 would be, and marks in the
 * lowest bits. Sections have had three sizes: a wrong one leads to another section, or to none.
 */
static bool page_structs(struct view *v, u64 *base)
{
	static const u8 sizes[] = { 27, 29, 30 };
	const struct kernel *k = v->kernel;
	u64 size = size_of_field(v, F_SECTION_SIZE), per_root, roots, root, map;

	if (!size || size > PAGE ||
	    !view_read(v, NULL, kernel_symbol(k, S_mem_section), &roots,
		       sizeof(roots)))
		return false;
	per_root = (1ULL << k->page_shift) / size;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		u64 nr = k->text_pa >> sizes[i];

		if (!view_read(v, NULL, roots + nr / per_root * sizeof(root),
			       &root, sizeof(root)) ||
		    !root)
			continue;
		map = view_field(v, root + nr % per_root * size, F_SECTION_MAP);
		*base = map & ~(PAGE - 1);
		if (map & HAS_MEM_MAP && *base >= 1ULL << 63)
			return true;
	}
	return false;
}

static bool place(const struct kernel *k, const char *info, u64 *text_pa)
{
	u64 root, offset;

	if (!vmcoreinfo_line(info, "SYMBOL(swapper_pg_dir)=", 16, &root) ||
	    !vmcoreinfo_line(info, VMCOREINFO_IMAGE_OFFSET, 16, &offset))
		return false;
	*text_pa = root - offset - from_text(k, S_swapper_pg_dir);
	return true;
}

static int note(const struct kernel *k, char *text, size_t size)
{
	u64 tables = kernel_symbol(k, S_swapper_pg_dir);

	return snprintf(text, size,
			"SYMBOL(swapper_pg_dir)=%lx\n" VMCOREINFO_IMAGE_OFFSET
			"0x%lx\n"
			"KERNELOFFSET=%lx\n",
			tables, tables - k->root, k->delta);
}

const struct arch arch_arm64 = {
	.name = "arm64",
	.machine = EM_AARCH64,
	.tables = S_swapper_pg_dir,
	.needs = { .first = F_SECTION_SIZE,
		   .last = F_SECTION_MAP,
		   .symbols = { S_kimage_voffset, S_memstart_addr,
				S_mem_section, S__end },
		   .nr_symbols = 4 },
	.align = 64 << 10,
	.direct_flaw = "its memstart_addr is not where its page tables map "
		       "memory",
	.nr_forms = ARRAY_SIZE(forms),
	.assume = assume,
	.direct_map = direct_map,
	.decode = decode,
	.page_structs = page_structs,
	.place = place,
	.note = note,
};
