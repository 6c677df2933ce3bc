// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <string.h>

#include "fields.h"

#define X(name, type, path, size, needed) \
	[F_##name] = { type, path, size, needed },
const struct field_spec field_specs[NR_FIELDS] = { FIELDS(X) };
#undef X

#define X(name, needed) [S_##name] = { #name, needed },
const struct symbol_spec symbol_specs[NR_SYMBOLS] = { SYMBOLS(X) };
#undef X

bool field_fits(const struct field_spec *spec, const struct field_at *at)
{
	return at->offset <= MAX_TYPE && at->size <= MAX_TYPE &&
	       (at->size || *spec->path) &&
	       (!at->bits || (at->size == 1 && at->shift + at->bits <= 8)) &&
	       (!spec->size || at->size == spec->size);
}

int map_lacks(const struct map *map)
{
	static const struct {
		enum field root, first, last, node;
	} trees[] = {
		{ F_MM_ROOT, F_MAPLE_SIZE, F_MA64_SLOTS, F_MAPLE_SIZE },
		{ F_MM_RB, F_RB_PARENT, F_RB_LEFT, F_VMA_RB },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trees); i++) {
		if (!map->fields[trees[i].root].there)
			continue;
		for (int f = trees[i].first; f <= (int)trees[i].last; f++)
			if (!map->fields[f].there)
				return f;
		return map->fields[trees[i].node].there ? NR_FIELDS :
							  (int)trees[i].node;
	}
	return F_MM_ROOT;
}

u32 map_lacks_of(const struct map *map, const struct need *need, char name[128])
{
	u32 nr = 0;

	for (int f = need->first; f <= (int)need->last; f++) {
		const struct field_spec *spec = &field_specs[f];

		if (map->fields[f].there || nr++)
			continue;
		snprintf(name, 128, "struct %s, %s", spec->type,
			 *spec->path ? spec->path : "size");
	}
	for (u32 i = 0; i < need->nr_symbols; i++)
		if (!map->symbols[need->symbols[i]] && !nr++)
			snprintf(name, 128, "symbol %s",
				 symbol_specs[need->symbols[i]].name);
	return nr;
}

bool map_is_entry(const char *name, size_t len)
{
	static const char *const begin[] = { "__x64_sys_", "__ia32_sys_",
					     "__ia32_compat_sys_",
					     "__x32_compat_sys_",
					     "__x64_compat_sys_" };

	/* the kernels before 5.8 have one for all numbers that are not used */
	if (len == strlen("sys_ni_syscall") &&
	    !memcmp(name, "sys_ni_syscall", len))
		return true;
	/* a part of a function has a dot */
	if (memchr(name, '.', len))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(begin); i++)
		if (len > strlen(begin[i]) &&
		    !memcmp(name, begin[i], strlen(begin[i])))
			return true;
	return false;
}

const struct map_entry *map_entry_at(const struct map *map, u64 address)
{
	u32 low = 0, high = map->nr_entries;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (map->entries[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &map->entries[low - 1] : NULL;
}
