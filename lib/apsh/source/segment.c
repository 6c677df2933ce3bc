// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The parts of a file that are memory. */
#include <stdlib.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "source.h"

LOG_SOURCE("APSH");

bool source_pread(const struct source *s, void *to, size_t len, u64 offset)
{
	return pread(s->fd, to, len, (off_t)offset) == (ssize_t)len;
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

doca_error_t source_add(struct source *s, const char *path, u64 pa, u64 offset,
			u64 len)
{
	u64 end, file_end;

	if (!len)
		return DOCA_SUCCESS;
	if (__builtin_add_overflow(pa, len, &end) || end > TARGET_MAX_ADDRESS)
		return FAIL(INITIALIZATION,
			    "%s: %#lx bytes at %#lx are beyond any memory",
			    path, len, pa);
	if (__builtin_add_overflow(offset, len, &file_end) ||
	    file_end > s->file_size)
		return FAIL(
			INITIALIZATION,
			"%s: it has %lu bytes, but its memory at %#lx would "
			"end at byte %lu; is it truncated?",
			path, s->file_size, pa, offset + len);
	if (s->nr_segs == SOURCE_MAX_PARTS)
		return FAIL(INITIALIZATION, "%s: it has more than %d parts",
			    path, SOURCE_MAX_PARTS);
	if (s->nr_segs == s->max_segs && !make_room(s))
		return OUT_OF_MEMORY("the parts of a file");
	s->segs[s->nr_segs++] = (struct segment){ pa, offset, len };
	return DOCA_SUCCESS;
}

static int by_address(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	return x->pa < y->pa ? -1 : x->pa > y->pa;
}

doca_error_t source_settle(struct source *s, const char *path)
{
	if (!s->segs)
		return DOCA_SUCCESS;
	qsort(s->segs, s->nr_segs, sizeof(*s->segs), by_address);
	for (u32 i = 1; i < s->nr_segs; i++)
		if (s->segs[i - 1].pa + s->segs[i - 1].len > s->segs[i].pa)
			return FAIL(INITIALIZATION,
				    "%s: two parts of it are memory at %#lx",
				    path, s->segs[i].pa);
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
