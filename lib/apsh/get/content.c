// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The content of files, from the page cache. */
#include <sys/stat.h>

#include "../walk/walk.h"
#include "group.h"

enum { MAX_IN_FOLIO = 512, MAPPING_ANON = 1 };

bool is_regular(struct view *v, u64 inode)
{
	return inode && S_ISREG(view_field(v, inode, F_INODE_MODE));
}

u64 pages_of_inode(struct view *v, u64 inode)
{
	u64 size = view_field(v, inode, F_INODE_SIZE);

	return size >> 63 ? 0 : (size + PAGE - 1) / PAGE;
}

/* Return the frame of a struct page; 0 if it is not one. */
static u64 frame_of(struct view *v, u64 page)
{
	u64 size = size_of_field(v, F_PAGE_STRUCT), base;

	if (!view_read(v, NULL, kernel_symbol(v->kernel, S_vmemmap_base), &base,
		       sizeof(base)) ||
	    page < base || (page - base) % size)
		return 0;
	return (page - base) / size;
}

/*
 * The first struct page of a compound page says whose it is. The others have its address and 1, and
 * something else in place of a mapping.
 */
bool page_is_private(struct view *v, u64 pa)
{
	u64 size = size_of_field(v, F_PAGE_STRUCT), base, page, head;

	if (!view_read(v, NULL, kernel_symbol(v->kernel, S_vmemmap_base), &base,
		       sizeof(base)))
		return false;
	page = base + pa / PAGE * size;
	head = view_field(v, page, F_PAGE_HEAD);
	if (head & 1)
		page = head - 1;
	return view_field(v, page, F_PAGE_MAPPING) & MAPPING_ANON;
}

bool none_of_inode(struct view *v, u64 inode, u64 index)
{
	u64 mapping = view_field(v, inode, F_INODE_MAPPING);
	u64 misses = v->misses, broken = v->stats.broken;

	return mapping &&
	       !xarray_load(v, mapping + offset_of_field(v, F_MAPPING_PAGES),
			    index) &&
	       !v->error && v->misses == misses && v->stats.broken == broken;
}

bool page_of_inode(struct view *v, u64 inode, u64 index, u8 page[PAGE])
{
	u64 mapping = view_field(v, inode, F_INODE_MAPPING);
	u64 folio, first, frame, misses = v->misses;

	if (!mapping)
		return false;
	folio = xarray_load(v, mapping + offset_of_field(v, F_MAPPING_PAGES),
			    index);
	/* a value says where the page was swapped to, or when it was evicted */
	if (!folio || folio & 3)
		return false;
	frame = frame_of(v, folio);
	first = view_field(v, folio, F_PAGE_INDEX);
	if (!frame || view_field(v, folio, F_PAGE_MAPPING) != mapping ||
	    index < first || index - first >= MAX_IN_FOLIO) {
		if (!v->error)
			view_broken(v, misses, "a page of a file", folio);
		return false;
	}
	frame += index - first;
	return frame <= PHYSICAL_MASK / PAGE &&
	       view_page(v, frame * PAGE, page);
}
