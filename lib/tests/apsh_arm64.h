/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* An image of apsh_image.h of a machine of arm64, with tables of any form. */
#ifndef DOCA_TESTS_APSH_ARM64_H
#define DOCA_TESTS_APSH_ARM64_H

#include "apsh_image.h"

#define VALID 1ULL
#define TABLE 3ULL
#define HIGH 0x000c000000000000ULL /* bits 50 and 51 of an address */

/* As in the library's own table, which this is to find wrong. */
static const struct arm64 {
	u32 page_shift, levels;
	u32 bits, built_for, at_least;
	bool upper, wide;
} kinds[] = {
	{ 12, 3, 39, 39, 39, false, false }, { 12, 4, 48, 48, 48, false, false },
	{ 12, 4, 48, 52, 48, false, false }, { 12, 5, 52, 52, 48, false, true },
	{ 14, 2, 36, 36, 36, false, false }, { 14, 3, 47, 47, 47, false, false },
	{ 14, 4, 48, 48, 48, false, false }, { 14, 3, 47, 52, 47, false, false },
	{ 14, 4, 52, 52, 47, false, true },  { 16, 2, 42, 42, 42, false, false },
	{ 16, 3, 48, 48, 48, false, false }, { 16, 3, 52, 52, 48, false, false },
	{ 12, 4, 48, 48, 48, true, false },  { 16, 3, 48, 48, 48, true, false },
};

static const struct arm64 *kind;

/* Bits of an entry of a process; where an address takes the place of two of them, without these. */
static u64 attributes(void)
{
	return kind->wide ? 0x40000000000c04ULL : 0x40000000000f04ULL;
}

static u64 page_size(void)
{
	return 1ULL << kind->page_shift;
}

/* Size of what an entry of a level maps. */
static u64 size_at(int level)
{
	return 1ULL << (kind->page_shift + (kind->page_shift - 3) * (u32)(level - 1));
}

static u64 descriptor(u64 pa, u64 bits)
{
	if (kind->wide)
		return (pa & ~HIGH) | (pa & HIGH) >> 42 | bits;
	return (pa & ((1ULL << 48) - 1)) | (pa >> 48 & 15) << 12 | bits;
}

static u64 new_table(void)
{
	return pa_of(object(page_size(), page_size()));
}

/* Return the entry for an address in a table of that level; make the tables above. */
static u64 *entry_for(u64 root, u64 va, int to)
{
	u64 table = root, high = 1ULL << kind->bits;

	for (int level = (int)kind->levels;; level--) {
		u64 *entry = at_pa(table + (va & (high - 1)) / size_at(level) * 8);

		if (level == to)
			return entry;
		if (!*entry)
			*entry = descriptor(new_table(), TABLE);
		high = size_at(level);
		table = *entry & ~(page_size() - 1) & ((1ULL << 48) - 1);
	}
}

static void set_up_arm64_tables(u64 root)
{
	u64 block = size_at(2);

	for (u64 at = 0; at < 1 << 20; at += page_size())
		*entry_for(root, image.text_va + at, 1) =
			descriptor(image.text_pa + at, attributes() | TABLE);
	for (u64 at = 0; at < IMAGE_SIZE; at += block)
		*entry_for(root, image.direct + at, 2) = descriptor(at, attributes() | VALID);
}

static void set_up_header(void)
{
	*at_pa(image.text_pa + 24) = (kind->page_shift - 10) / 2 << 1 | 8;
	memcpy(at_pa(image.text_pa + 56), "ARM\x64", 4);
}

/* The machine has sections of 128 MiB; all memory of the image is in the first. */
static void set_up_sections(void)
{
	u64 roots = object(64, 64), sections = object(page_size(), 64);

	*(u64 *)at_va(symbol(S_mem_section)) = roots;
	*(u64 *)at_va(roots) = sections;
	/* struct pages are in the direct map, from 12 MiB on */
	set(sections, F_SECTION_MAP, (image.direct + (12 << 20)) | 7);
}

static u64 page_offset_of(const struct arm64 *k)
{
	return -(1ULL << (k->upper ? k->bits - 1 : k->built_for));
}

/* Without as many bits as it was built for, a kernel moves memory up to where these reach. */
static void set_up_arm64(const struct arm64 *of, u64 text_pa)
{
	u64 up = of->built_for > of->bits ? (1ULL << of->built_for) - (1ULL << of->bits) : 0;
	u64 base = -(1ULL << (of->upper ? of->bits : of->at_least - 1));

	kind = of;
	map_is_arm64 = true;
	make_image(IMAGE_SIZE, text_pa, base + 0x8230000);
	image.levels = (int)of->levels;
	image.direct = page_offset_of(of) + up + (1ULL << 29);
	set_up_arm64_tables(text_pa + image_at[S_swapper_pg_dir]);
	set_up_header();
	*(u64 *)at_va(symbol(S_kimage_voffset)) = image.text_va - image.text_pa;
	*(u64 *)at_va(symbol(S_memstart_addr)) = page_offset_of(of) - image.direct;
	set_up_sections();
	set_up_kernel();
}

static void tear_down_arm64(void)
{
	tear_down_image();
	map_is_arm64 = false;
}

#endif /* DOCA_TESTS_APSH_ARM64_H */
