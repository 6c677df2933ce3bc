// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The parts of a file that are memory. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "source.h"

LOG_SOURCE("APSH");

bool source_pread(struct source *s, void *to, size_t len, u64 offset)
{
	ssize_t got;

	do {
		got = pread(s->fd, to, len, (off_t)offset);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		s->error = errno;
	return got == (ssize_t)len;
}

static bool make_room(struct source *s)
{
	u32 max = s->max_segs ? 2 * s->max_segs : 16;
	struct segment *segs = reallocarray(s->segs, max, sizeof(*segs));

	if (!segs)
		return false;
	s->segs = segs;
	s->max_segs = max;
	return true;
}

/*
 * Take what the file has of it: one that was cut off may lack the end, or all. A part of
 * a packed segment is of no use.
 */
static void cut_off(struct source *s, struct segment *seg)
{
	u64 there = seg->offset < s->file_size ? s->file_size - seg->offset : 0;

	if (seg->packed)
		there = seg->packed <= there ? seg->len : 0;
	if (seg->len <= there)
		return;
	s->cut += seg->len - there;
	s->lacks = true;
	seg->len = there;
}

doca_error_t source_add(struct source *s, const char *path, struct segment seg)
{
	u64 end;

	if (__builtin_add_overflow(seg.pa, seg.len, &end) ||
	    end > TARGET_MAX_ADDRESS)
		return FAIL(INITIALIZATION,
			    "%s: %#lx bytes at %#lx are beyond any memory",
			    path, seg.len, seg.pa);
	cut_off(s, &seg);
	if (!seg.len)
		return DOCA_SUCCESS;
	if (s->nr_segs == SOURCE_MAX_PARTS && seg.packed)
		return FAIL(NOT_SUPPORTED,
			    "%s: it has more than %d packed parts, 256 GiB; "
			    "avml-convert makes LiME of it",
			    path, SOURCE_MAX_PARTS);
	if (s->nr_segs == SOURCE_MAX_PARTS)
		return FAIL(INITIALIZATION, "%s: it has more than %d parts",
			    path, SOURCE_MAX_PARTS);
	if (s->nr_segs == s->max_segs && !make_room(s))
		return OUT_OF_MEMORY("the parts of a file");
	s->segs[s->nr_segs++] = seg;
	return DOCA_SUCCESS;
}

static u64 end_of(const struct segment *seg)
{
	return seg->pa + seg->len;
}

static int copies_last(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	if (x->copy != y->copy)
		return x->copy - y->copy;
	return x->pa < y->pa ? -1 : x->pa > y->pa;
}

/*
 * Join parts that overlap: memory that is mapped twice is in the file once. Return false if
 * the file has two contents for an address.
 */
static bool join(struct segment *segs, u32 *nr, u64 *wrong)
{
	u32 last = 0;

	for (u32 i = 1; i < *nr; i++) {
		struct segment *a = &segs[last], *b = &segs[i];

		if (end_of(a) <= b->pa) {
			segs[++last] = *b;
			continue;
		}
		*wrong = b->pa;
		if (a->packed || b->packed || a->part != b->part ||
		    b->offset - a->offset != b->pa - a->pa)
			return false;
		if (end_of(b) > end_of(a))
			a->len = end_of(b) - a->pa;
	}
	if (*nr)
		*nr = last + 1;
	return true;
}

/*
 * Fill gaps between parts by what copies have there. Both are sorted. Each step ends a
 * copy, or a gap, so @to gets at most two parts for each gap and one for each copy.
 */
static u32 fill_gaps(const struct segment *own, u32 nr_own,
		     const struct segment *copies, u32 nr_copies,
		     struct segment *to)
{
	u64 done = 0; /* all below this address is decided */
	u32 nr = 0, c = 0;

	for (u32 i = 0; i <= nr_own; i++) {
		u64 gap_end = i < nr_own ? own[i].pa : TARGET_MAX_ADDRESS;

		while (c < nr_copies && copies[c].pa < gap_end) {
			struct segment part = copies[c];
			u64 end = end_of(&part) < gap_end ? end_of(&part) :
							    gap_end;

			if (part.pa < done) {
				part.offset += done - part.pa;
				part.pa = done;
			}
			if (part.pa < end) {
				part.len = end - part.pa;
				to[nr++] = part;
				done = end;
			}
			if (end_of(&copies[c]) > gap_end)
				break; /* there may be more of it behind */
			c++;
		}
		if (i < nr_own) {
			to[nr++] = own[i];
			done = end_of(&own[i]);
		}
	}
	return nr;
}

static doca_error_t add_copies(struct source *s, u32 nr_own,
			       const struct segment *copies, u32 nr_copies)
{
	struct segment *all;

	all = calloc(2 * (size_t)nr_own + nr_copies + 1, sizeof(*all));
	if (!all)
		return OUT_OF_MEMORY("the parts of a file");
	s->nr_segs = fill_gaps(s->segs, nr_own, copies, nr_copies, all);
	free(s->segs);
	s->segs = all;
	return DOCA_SUCCESS;
}

static void warn_if_cut_off(const struct source *s, const char *path)
{
	if (s->cut)
		LOG_WARN("%s: it was cut off: %lu bytes would be behind its "
			 "end, and are missing",
			 path, s->cut);
	else if (s->lacks)
		LOG_WARN("%s: it was cut off between two parts, and all that "
			 "would follow is missing",
			 path);
}

doca_error_t source_settle(struct source *s, const char *path)
{
	u32 nr_own = 0, nr_copies;
	struct segment *copies;
	u64 wrong = 0;

	warn_if_cut_off(s, path);
	if (!s->nr_segs)
		return DOCA_SUCCESS;
	qsort(s->segs, s->nr_segs, sizeof(*s->segs), copies_last);
	while (nr_own < s->nr_segs && !s->segs[nr_own].copy)
		nr_own++;
	copies = s->segs + nr_own;
	nr_copies = s->nr_segs - nr_own;
	if (!join(s->segs, &nr_own, &wrong) ||
	    !join(copies, &nr_copies, &wrong))
		return FAIL(INITIALIZATION,
			    "%s: two parts of it are memory at %#lx", path,
			    wrong);
	if (nr_copies)
		return add_copies(s, nr_own, copies, nr_copies);
	s->nr_segs = nr_own;
	return DOCA_SUCCESS;
}

const struct segment *source_segment(const struct source *s, u64 pa)
{
	u32 low = 0, high = s->nr_segs;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (s->segs[mid].pa + s->segs[mid].len <= pa)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->nr_segs ? &s->segs[low] : NULL;
}
