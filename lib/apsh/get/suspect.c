// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "suspect.h"

enum {
	TMPFS_MAGIC = 0x01021994,
	RAMFS_MAGIC = 0x858458f6,
	HUGETLBFS_MAGIC = 0x958458f6,
};

static bool has_path(struct view *v, const struct area *a)
{
	u64 dentry = view_field(v, a->file, F_FILE_DENTRY);

	return view_field(v, dentry, F_DENTRY_PPREV);
}

static void find_origin(struct suspect *s)
{
	struct view *v = &s->c->view;
	u64 sb = view_field(v, view_field(v, s->a->file, F_FILE_DENTRY),
			    F_DENTRY_SB);
	u32 magic = (u32)view_field(v, sb, F_SB_MAGIC);

	s->index = first_page_of_area(v, s->a);
	s->pages = pages_of_inode(v, s->a->inode);
	if (magic == HUGETLBFS_MAGIC)
		s->origin = HUGE_PAGES;
	else if (has_path(v, s->a))
		s->origin = ON_DISK;
	else if (magic == TMPFS_MAGIC || magic == RAMFS_MAGIC)
		s->origin = IN_MEMORY;
	else
		s->origin = s->a->flags & AREA_SHARED ? REMOVED : ON_DISK;
}

bool suspect_begin(struct suspect *s, struct call *c, const struct area *a)
{
	struct view *v = &c->view;
	u64 misses = v->misses;

	*s = (struct suspect){ .c = c, .a = a };
	if (area_is_special(c, a))
		s->origin = KERNELS;
	else if (!a->file || !is_regular(v, a->inode))
		s->origin = NO_FILE;
	else
		find_origin(s);
	return a->whole && v->misses == misses && !a->file == !a->inode;
}

static bool is_zero(const u8 *bytes, size_t len)
{
	return !bytes[0] && !memcmp(bytes, bytes + 1, len - 1);
}

static enum verdict of_content(const struct suspect *s, u64 va,
			       const u8 begin[GRANULE])
{
	if (va == s->a->start && !memcmp(begin, "\177ELF", 4))
		return SUSPECT_ELF;
	return SUSPECT_CODE;
}

/* Most pages with code are told by their beginning. */
static enum verdict judge_frame(const struct suspect *s, u64 va, u64 pa)
{
	struct view *v = &s->c->view;
	enum verdict verdict;
	u8 page[PAGE];

	if (!view_granule(v, pa, page))
		verdict = SUSPECT_UNKNOWN;
	else if (!is_zero(page, GRANULE))
		verdict = of_content(s, va, page);
	else if (!view_page(v, pa, page))
		verdict = SUSPECT_UNKNOWN;
	else
		verdict = is_zero(page, PAGE) ? SUSPECT_NOT : SUSPECT_CODE;
	explicit_bzero(page, sizeof(page));
	return verdict;
}

/*
 * A file's memory stays where no process has mapped it. It is not there if it was swapped out,
 * of which the file has an entry; or on the disk, of which it has none.
 */
static enum verdict judge_not_cached(const struct suspect *s, u64 index)
{
	return s->origin == IN_MEMORY &&
			       none_of_inode(&s->c->view, s->a->inode, index) ?
		       SUSPECT_NOT :
		       SUSPECT_UNKNOWN;
}

static enum verdict judge_unmapped(const struct suspect *s, u64 va, u64 *left)
{
	u64 index = s->index + (va - s->a->start) / PAGE;
	struct view *v = &s->c->view;
	enum verdict verdict;
	u8 page[PAGE];

	if (s->origin == HUGE_PAGES) {
		*left = PAGE;
		return SUSPECT_UNKNOWN;
	}
	if (s->origin != IN_MEMORY && s->origin != REMOVED)
		return SUSPECT_NOT;
	if (index >= s->pages) {
		*left = s->a->end - va;
		return SUSPECT_NOT;
	}
	*left = PAGE;
	if (!page_of_inode(v, s->a->inode, index, page))
		return judge_not_cached(s, index);
	verdict = is_zero(page, PAGE) ? SUSPECT_NOT : of_content(s, va, page);
	explicit_bzero(page, sizeof(page));
	return verdict;
}

/* Only a write makes a private copy of a file's page; it may have written the same. */
static enum verdict compare(const struct suspect *s, u64 va, u64 pa)
{
	u64 index = s->index + (va - s->a->start) / PAGE;
	struct view *v = &s->c->view;
	u8 page[PAGE], of_file[PAGE];
	enum verdict verdict = SUSPECT_UNKNOWN;
	u64 misses = v->misses, absent = v->stats.absent;
	u64 broken = v->stats.broken;

	if (!view_page(v, pa, page))
		return SUSPECT_UNKNOWN;
	if (index >= s->pages)
		verdict = is_zero(page, PAGE) ? SUSPECT_NOT : SUSPECT_CHANGED;
	else if (page_of_inode(v, s->a->inode, index, of_file))
		verdict = memcmp(page, of_file, PAGE) ? SUSPECT_CHANGED :
							SUSPECT_NOT;
	else if (v->misses == misses && v->stats.absent == absent &&
		 v->stats.broken == broken)
		verdict = SUSPECT_COPIED;
	explicit_bzero(page, sizeof(page));
	explicit_bzero(of_file, sizeof(of_file));
	return verdict;
}

static enum verdict judge_mapped(const struct suspect *s, u64 va, u64 pa)
{
	bool private;

	if (s->origin == IN_MEMORY || s->origin == REMOVED ||
	    s->origin == HUGE_PAGES || (s->origin == NO_FILE && !s->a->file))
		return judge_frame(s, va, pa);
	if (!page_is_private(&s->c->view, pa, &private))
		return SUSPECT_UNKNOWN;
	if (s->origin == KERNELS)
		return private ? SUSPECT_VDSO : SUSPECT_NOT;
	if (s->origin == ON_DISK)
		return private ? compare(s, va, pa) : SUSPECT_NOT;
	/* a device's memory may do something when it is read */
	return private ? judge_frame(s, va, pa) : SUSPECT_UNKNOWN;
}

enum verdict suspect_judge(const struct suspect *s, u64 va, u64 *left)
{
	struct view *v = &s->c->view;
	enum verdict verdict;
	u64 pa;

	if (view_translate(v, &s->c->space, va, &pa, left)) {
		verdict = judge_mapped(s, va, pa & ~(PAGE - 1));
		*left = PAGE;
	} else if (view_none(v, &s->c->space, va)) {
		verdict = judge_unmapped(s, va, left);
	} else {
		verdict = SUSPECT_UNKNOWN;
		*left = PAGE;
	}
	if (*left < PAGE)
		*left = PAGE;
	if (*left > s->a->end - va)
		*left = s->a->end - va;
	return verdict;
}

enum verdict suspect_header(const struct suspect *s)
{
	u64 left;
	enum verdict verdict = suspect_judge(s, s->a->start, &left);

	return verdict == SUSPECT_CODE ? SUSPECT_NOT : verdict;
}
