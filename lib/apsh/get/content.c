// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The content of files, from the page cache. */
#include <sys/stat.h>

#include "../arch/arch.h"
#include "../walk/walk.h"
#include "group.h"

enum { MAPPING_ANON = 1 };

/* Ones above zeroes, of which there are few as a page has at most 2^30 bytes: no struct page is there. */
static bool is_mask(u64 word)
{
	return word >> 32 == UINT32_MAX && !(~word & (~word + 1));
}

bool is_regular(struct view *v, u64 inode)
{
	return inode && S_ISREG(view_field(v, inode, F_INODE_MODE));
}

u64 pages_of_inode(struct view *v, u64 inode)
{
	u64 size = view_field(v, inode, F_INODE_SIZE);

	return size >> 63 ? 0 : (size + PAGE - 1) / PAGE;
}

/* The kernel counts in its own pages, of which each has one or more of 4 KiB. */
static u32 more_shift(const struct view *v)
{
	return v->kernel->page_shift - 12;
}

u64 first_page_of_area(struct view *v, const struct area *a)
{
	return view_field(v, a->va, F_VMA_OFFSET) << more_shift(v);
}

/* Return the frame of a struct page; 0 if it is not one. */
static u64 frame_of(struct view *v, u64 page)
{
	u64 size = size_of_field(v, F_PAGE_STRUCT), base;

	if (!v->kernel->arch->page_structs(v, &base) || page < base ||
	    (page - base) % size)
		return 0;
	return (page - base) / size;
}

/*
 * The first struct page of a compound page says whose it is. The others have something else in place of a
 * mapping, and a word with bit 0: the address of the first one, or since 7.1, where a struct page has
 * 2^n bytes, a mask that makes that of their own. Where that word cannot be read the mapping next to it
 * proves nothing.
 */
static bool first_of(struct view *v, u64 page, u64 *first)
{
	u64 word;

	*first = page;
	if (!has(v, F_PAGE_HEAD))
		return true;
	if (!view_read_field(v, page, F_PAGE_HEAD, &word, sizeof(word)))
		return false;
	if (word & 1)
		*first = is_mask(word - 1) ? page & (word - 1) : word - 1;
	return true;
}

bool page_is_private(struct view *v, u64 pa, bool *private)
{
	u64 size = size_of_field(v, F_PAGE_STRUCT), base, page, word;

	if (!v->kernel->arch->page_structs(v, &base) ||
	    !first_of(v, base + (pa >> v->kernel->page_shift) * size, &page) ||
	    !view_read_field(v, page, F_PAGE_MAPPING, &word, sizeof(word)))
		return false;
	*private = word & MAPPING_ANON;
	return true;
}

bool none_of_inode(struct view *v, u64 inode, u64 index)
{
	u64 mapping = view_field(v, inode, F_INODE_MAPPING);
	u64 misses = v->misses, broken = v->stats.broken;

	return mapping &&
	       !xarray_load(v, mapping + offset_of_field(v, F_MAPPING_PAGES),
			    index >> more_shift(v)) &&
	       !v->error && v->misses == misses && v->stats.broken == broken;
}

bool page_of_inode(struct view *v, u64 inode, u64 index, u8 page[PAGE])
{
	u64 mapping = view_field(v, inode, F_INODE_MAPPING);
	u64 own = index >> more_shift(v); /* the kernel's page that has it */
	u64 most = 1ULL << (v->kernel->page_shift - 3); /* in a folio */
	u64 folio, first, frame, misses = v->misses;

	if (!mapping)
		return false;
	folio = xarray_load(v, mapping + offset_of_field(v, F_MAPPING_PAGES),
			    own);
	/* a value says where the page was swapped to, or when it was evicted */
	if (!folio || folio & 3)
		return false;
	frame = frame_of(v, folio);
	first = view_field(v, folio, F_PAGE_INDEX);
	if (!frame || view_field(v, folio, F_PAGE_MAPPING) != mapping ||
	    own < first || own - first >= most) {
		if (!v->error)
			view_broken(v, misses, "a page of a file", folio);
		return false;
	}
	frame = ((frame + own - first) << more_shift(v)) +
		(index & ((1ULL << more_shift(v)) - 1));
	return frame <= PHYSICAL_MASK / PAGE &&
	       view_page(v, frame * PAGE, page);
}
