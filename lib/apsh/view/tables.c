// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Page tables: what differs between machines is how many levels there are, and what entries mean. */
#include "../arch/arch.h"
#include "view.h"

/* Return in *entry the last entry on the way to va; ~0 if it cannot be read. */
static bool walk(struct view *v, u64 root, u64 va, u64 *pa, u64 *left,
		 u64 *entry)
{
	const struct kernel *k = v->kernel;
	u32 each = k->page_shift - 3, high = k->va_bits;
	u64 table = root & ~7ULL, frame;

	*entry = ~0ULL;
	for (int level = k->levels; level; level--) {
		u32 shift = k->page_shift + each * (u32)(level - 1);
		u64 size = 1ULL << shift;
		u64 index = (va & ((1ULL << high) - 1)) >> shift;

		high = shift;
		*left = size - (va & (size - 1));
		if (!view_physical(v, table + index * 8, entry,
				   sizeof(*entry))) {
			*entry = ~0ULL;
			return false;
		}
		switch (k->arch->decode(k, *entry, level, &frame)) {
		case ENTRY_NONE:
			return false;
		case ENTRY_MEMORY:
			*pa = (frame & ~(size - 1)) | (va & (size - 1));
			return true;
		case ENTRY_TABLE:
			table = frame;
		}
	}
	return false;
}

bool tables_walk(struct view *v, u64 root, u64 va, u64 *pa, u64 *left)
{
	u64 entry;

	return walk(v, root, va, pa, left, &entry);
}

bool tables_none(struct view *v, u64 root, u64 va)
{
	u64 pa, left, entry;

	return !walk(v, root, va, &pa, &left, &entry) &&
	       !(entry & ~v->kernel->arch->ignored);
}
