/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A target whose files and code are read. */
#ifndef DOCA_TESTS_APSH_CONTENT_H
#define DOCA_TESTS_APSH_CONTENT_H

#include "apsh_stage.h"
#include "apsh_watch.h"

enum { STRUCT_PAGE = 24, FRAMES = IMAGE_SIZE / 4096 };

static struct doca_apsh_system *s;
static int nr;
static u64 vmemmap, mapping, node;

static u64 inode_of(u64 file)
{
	return *(u64 *)at_va(field_va(file, F_FILE_INODE));
}

static u64 page_struct(u64 va)
{
	return vmemmap + pa_of(va) / 4096 * STRUCT_PAGE;
}

/* Begin with an empty page cache of the program, with one node. */
static void begin(u64 size)
{
	u64 inode;

	doca_apsh_system_destroy(set_up(4));
	vmemmap = object(FRAMES * STRUCT_PAGE, 64);
	*(u64 *)at_va(symbol(S_vmemmap_base)) = vmemmap;
	inode = inode_of(has_.exe);
	mapping = object(64, 64);
	node = object(image.map.fields[F_XA_NODE_SIZE].size, 64);
	set(inode, F_INODE_SIZE, size);
	set(inode, F_INODE_MAPPING, mapping);
	*(u64 *)at_va(field_va(mapping, F_MAPPING_PAGES) + image.map.fields[F_XARRAY_HEAD].offset) =
		node + 2;
}

static void end(void)
{
	doca_apsh_processes_free(processes);
	tear_down(s);
}

static u64 *slot(int i)
{
	return (u64 *)at_va(field_va(node, F_XA_NODE_SLOTS)) + i;
}

/* Add pages of one folio from index i on. Return their address. */
static u64 new_pages(int i, int pages, u8 fill)
{
	u64 va = object((size_t)pages * 4096, 4096), folio = page_struct(va);

	set(folio, F_PAGE_MAPPING, mapping);
	set(folio, F_PAGE_INDEX, (u64)i);
	*slot(i) = folio;
	for (int k = 1; k < pages; k++)
		*slot(i + k) = (u64)i << 2 | 2;
	for (int k = 0; k < pages; k++)
		memset((u8 *)at_va(va) + k * 4096, fill + k, 4096);
	return va;
}

/* Return the address of the entry of the process's page at USER_VA. */
static inline u64 own_entry_va(void)
{
	u64 at = *(u64 *)at_va(field_va(has_.mm, F_MM_PGD));

	for (int level = 4; level > 1; level--)
		at = image.direct +
		     (((u64 *)at_va(at))[USER_VA >> (3 + 9 * level) & 511] & ~4095ULL);
	return at + (USER_VA >> 12 & 511) * 8;
}

static inline u64 *own_entry(void)
{
	return at_va(own_entry_va());
}

static inline void set_area(int i, u64 file, u64 flags)
{
	u64 area = slots(has_.leaf)[i];

	set(area, F_VMA_FILE, file);
	set(area, F_VMA_FLAGS, flags);
}

#endif /* DOCA_TESTS_APSH_CONTENT_H */
