// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The folder and its files must be the user's own, and no other's to write. What a file says is
 * checked as a map is.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/crc32c.h"
#include "core/base/log.h"

#include "../arch/arch.h"
#include "map_cache.h"

LOG_SOURCE("APSH");

enum {
	WORTH = 1 << 20, /* smaller maps are read in no time */
	/* seconds; a file may change twice within a tick of its clock */
	SETTLED = 2,
};

#define MAGIC "DOCAMAP4"

struct kept {
	char magic[8];
	u32 sum; /* crc32c of all that follows */
	u32 specs; /* sum of what is looked for in a map, and by which release */
	struct map_stamp stamp;
	struct {
		u32 offset, size;
		u8 there, shift, bits, unused;
	} fields[NR_FIELDS];
	u64 symbols[NR_SYMBOLS];
	u32 sizes[NR_SYMBOLS];
	u32 nr_entries;
	struct map_entry entries[MAX_ENTRIES];
	char banner[MAX_BANNER];
};

struct map_stamp map_stamp(const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return (struct map_stamp){ 0 };
	return (struct map_stamp){
		.dev = st.st_dev,
		.ino = st.st_ino,
		.size = (u64)st.st_size,
		.written = { (u64)st.st_mtim.tv_sec, (u64)st.st_mtim.tv_nsec },
		.changed = { (u64)st.st_ctim.tv_sec, (u64)st.st_ctim.tv_nsec },
	};
}

static bool same(const struct map_stamp *a, const struct map_stamp *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Another release may look for other fields, or find them elsewhere. */
static u32 sum_of_specs(void)
{
	u32 sum = crc32c(OPEN_DOCA_VERSION, strlen(OPEN_DOCA_VERSION));

	for (int i = 0; i < NR_FIELDS; i++) {
		const struct field_spec *f = &field_specs[i];

		sum = sum * 31 + crc32c(f->type, strlen(f->type));
		sum = sum * 31 + crc32c(f->path, strlen(f->path));
		sum = sum * 31 + f->size + f->needed;
	}
	for (int i = 0; i < NR_SYMBOLS; i++)
		sum = sum * 31 + crc32c(symbol_specs[i].name,
					strlen(symbol_specs[i].name));
	return sum;
}

static u32 sum_of(const struct kept *k)
{
	size_t head = offsetof(struct kept, specs);

	return crc32c((const char *)k + head, sizeof(*k) - head);
}

static bool is_ours(int fd, mode_t kind)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == kind &&
	       st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Return -1 for a folder of somebody else's, such as that of the user who has run sudo. */
static int open_ours(int dir, const char *path, int flags)
{
	int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);

	if (fd >= 0 && !is_ours(fd, S_IFDIR)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Close the folder above. */
static int open_below(int dir, const char *name, bool make)
{
	int fd;

	if (dir < 0)
		return -1;
	if (make)
		mkdirat(dir, name, 0700);
	fd = open_ours(dir, name, O_NOFOLLOW);
	close(dir);
	return fd;
}

static int open_folder(bool make)
{
	const char *cache = secure_getenv("XDG_CACHE_HOME");
	const char *home = secure_getenv("HOME");
	int parent = -1;

	if (cache && *cache == '/')
		parent = open_ours(AT_FDCWD, cache, 0);
	else if (home && *home == '/')
		parent = open_below(open_ours(AT_FDCWD, home, 0), ".cache",
				    make);
	return open_below(parent, "open-doca", make);
}

/* A new map at the same place replaces what is kept of the old one. */
static bool name_of(const char *path, char *name, size_t size)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return false;
	snprintf(name, size, "map-%08x", crc32c(real, strlen(real)));
	return true;
}

static bool read_kept(const char *path, struct kept *k)
{
	int dir = open_folder(false), fd = -1;
	char name[32];
	ssize_t n;

	if (dir < 0)
		return false;
	if (name_of(path, name, sizeof(name)))
		fd = openat(dir, name,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(dir);
	if (fd < 0)
		return false;
	n = is_ours(fd, S_IFREG) ? read(fd, k, sizeof(*k)) : -1;
	close(fd);
	return n == (ssize_t)sizeof(*k);
}

static bool take_fields(const struct kept *k, struct map *map)
{
	for (int i = 0; i < NR_FIELDS; i++) {
		struct field_at *at = &map->fields[i];

		*at = (struct field_at){ k->fields[i].offset, k->fields[i].size,
					 k->fields[i].there, k->fields[i].shift,
					 k->fields[i].bits };
		if (at->there ? !field_fits(&field_specs[i], at) :
				field_specs[i].needed)
			return false;
	}
	return true;
}

static bool take_entries(const struct kept *k, struct map *map)
{
	if (k->nr_entries > MAX_ENTRIES)
		return false;
	map->nr_entries = k->nr_entries;
	memcpy(map->entries, k->entries, sizeof(map->entries));
	for (u32 i = 0; i < map->nr_entries; i++) {
		const struct map_entry *e = &map->entries[i];

		if (e->name[sizeof(e->name) - 1] ||
		    (i && e[-1].address >= e->address))
			return false;
	}
	return true;
}

static bool take(const struct kept *k, struct map *map)
{
	if (!take_fields(k, map) || map_lacks(map) < NR_FIELDS ||
	    !take_entries(k, map))
		return false;
	memcpy(map->sizes, k->sizes, sizeof(map->sizes));
	for (int i = 0; i < NR_SYMBOLS; i++) {
		map->symbols[i] = k->symbols[i];
		if (!k->symbols[i] && symbol_specs[i].needed)
			return false;
	}
	memcpy(map->banner, k->banner, sizeof(map->banner));
	return arch_of(map) && *map->banner && !map->banner[MAX_BANNER - 1];
}

bool map_cache_get(const char *path, const struct map_stamp *stamp,
		   struct map *map)
{
	struct kept k;

	if (!read_kept(path, &k) || memcmp(k.magic, MAGIC, sizeof(k.magic)) ||
	    k.sum != sum_of(&k) || k.specs != sum_of_specs() ||
	    !same(&k.stamp, stamp))
		return false;
	memset(map, 0, sizeof(*map));
	if (take(&k, map))
		return true;
	memset(map, 0, sizeof(*map));
	return false;
}

static void fill(struct kept *k, const struct map_stamp *stamp,
		 const struct map *map)
{
	memset(k, 0, sizeof(*k));
	memcpy(k->magic, MAGIC, sizeof(k->magic));
	k->specs = sum_of_specs();
	k->stamp = *stamp;
	for (int i = 0; i < NR_FIELDS; i++) {
		k->fields[i].offset = map->fields[i].offset;
		k->fields[i].size = map->fields[i].size;
		k->fields[i].there = map->fields[i].there;
		k->fields[i].shift = map->fields[i].shift;
		k->fields[i].bits = map->fields[i].bits;
	}
	memcpy(k->symbols, map->symbols, sizeof(k->symbols));
	memcpy(k->sizes, map->sizes, sizeof(k->sizes));
	k->nr_entries = map->nr_entries;
	memcpy(k->entries, map->entries, sizeof(k->entries));
	memcpy(k->banner, map->banner, sizeof(k->banner));
	k->sum = sum_of(k);
}

/* A reader finds the old file meanwhile, or all of the new one. */
static bool write_kept(int dir, const char *path, const struct kept *k)
{
	char name[32], new[64];
	bool written;
	int fd;

	if (!name_of(path, name, sizeof(name)))
		return false;
	snprintf(new, sizeof(new), "new-%d-%s", getpid(), name);
	/* One that had this number before may have been killed. */
	unlinkat(dir, new, 0);
	fd = openat(dir, new,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	written = write(fd, k, sizeof(*k)) == (ssize_t)sizeof(*k);
	if (close(fd) || !written || renameat(dir, new, dir, name)) {
		unlinkat(dir, new, 0);
		return false;
	}
	return true;
}

static bool is_settled(const struct map_stamp *stamp)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (u64)now.tv_sec > stamp->written[0] + SETTLED &&
	       (u64)now.tv_sec > stamp->changed[0] + SETTLED;
}

void map_cache_put(const char *path, const struct map_stamp *stamp,
		   const struct map *map, size_t length)
{
	struct map_stamp now = map_stamp(path);
	struct kept k;
	int dir;

	if (length < WORTH || !stamp->size || !same(&now, stamp) ||
	    !is_settled(stamp))
		return;
	dir = open_folder(true);
	if (dir < 0) {
		LOG_DBG("nothing is kept of %s: each of $XDG_CACHE_HOME, or "
			"$HOME and its .cache, and open-doca below must be a "
			"folder of this user's that nobody else may write to",
			path);
		return;
	}
	fill(&k, stamp, map);
	if (write_kept(dir, path, &k))
		LOG_DBG("what is needed of %s is kept for the next time", path);
	close(dir);
}
