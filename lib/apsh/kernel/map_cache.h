/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The fields and symbols of a large map, kept in a file below $XDG_CACHE_HOME or ~/.cache for
 * the next start. Nothing fails for lack of it.
 */
#ifndef DOCA_APSH_MAP_CACHE_H
#define DOCA_APSH_MAP_CACHE_H

#include "fields.h"

/* Distinguishes a file, and its contents at a time, from all others. */
struct map_stamp {
	u64 dev, ino;
	u64 size; /* 0: there is no such file */
	u64 written[2], changed[2]; /* seconds and nanoseconds */
};

struct map_stamp map_stamp(const char *path);

/* Return true if the map of this file was kept. */
bool map_cache_get(const char *path, const struct map_stamp *stamp,
		   struct map *map);
/*
 * Keep it, unless the file has changed since or is too new to tell, or its text of @length bytes
 * is read in no time.
 */
void map_cache_put(const char *path, const struct map_stamp *stamp,
		   const struct map *map, size_t length);

#endif /* DOCA_APSH_MAP_CACHE_H */
