// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "view.h"

#define PRESENT (1ULL << 0)
#define LARGE (1ULL << 7)
#define PROTNONE (1ULL << 8) /* if it is not present */
#define ERRATUM (3ULL << 5) /* some processors set these in empty entries */
#define FRAME 0x000ffffffffff000ULL

/* The kernel inverts the frame of an entry that is not present (L1TF). */
static bool frame_of(u64 entry, int level, u64 *frame)
{
	if (entry & PRESENT) {
		*frame = entry & FRAME;
		return true;
	}
	if (level > 2 || !(entry & PROTNONE))
		return false;
	*frame = ~entry & FRAME;
	return true;
}

/* Return in *entry the last entry on the way to va; ~0 if it cannot be read. */
static bool walk(struct view *v, u64 root, int levels, u64 va, u64 *pa,
		 u64 *left, u64 *entry)
{
	u64 table = root & FRAME;

	*entry = ~0ULL;
	if (levels != 4 && levels != 5)
		return false;
	for (int level = levels; level; level--) {
		int shift = 12 + 9 * (level - 1);
		u64 size = 1ULL << shift, frame;

		*left = size - (va & (size - 1));
		if (!view_physical(v, table + (va >> shift & 511) * 8, entry,
				   sizeof(*entry))) {
			*entry = ~0ULL;
			return false;
		}
		if (!frame_of(*entry, level, &frame))
			return false;
		if (level == 1 || (level <= 3 && *entry & LARGE)) {
			*pa = (frame & ~(size - 1)) | (va & (size - 1));
			return true;
		}
		if (!(*entry & PRESENT))
			return false;
		table = frame;
	}
	return false;
}

bool x86_64_walk(struct view *v, u64 root, int levels, u64 va, u64 *pa,
		 u64 *left)
{
	u64 entry;

	return walk(v, root, levels, va, pa, left, &entry);
}

bool x86_64_none(struct view *v, u64 root, int levels, u64 va)
{
	u64 pa, left, entry;

	return !walk(v, root, levels, va, &pa, &left, &entry) &&
	       !(entry & ~ERRATUM);
}
