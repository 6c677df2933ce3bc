// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: what is kept of large maps from one start to the next. */
#include <fcntl.h>
#include <glob.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apsh/kernel/map_cache.h"
#include "apsh_map.h"
#include "clock.h"
#include "fault.h"
#include "ktap.h"
#include "logged.h"

#define OTHER_64 "YW5vdGhlcg=="

static char folder[] = "/tmp/doca-cache-XXXXXX";
static char map_path[64];

/* A map of a MiB: blanks may follow, and are read like everything else. */
static void write_large(const char *banner)
{
	char blanks[4096];
	FILE *f;

	write_map(map_path, banner, -1);
	f = fopen(map_path, "a");
	memset(blanks, ' ', sizeof(blanks));
	for (int i = 0; f && i < (1 << 20) / (int)sizeof(blanks); i++)
		fwrite(blanks, sizeof(blanks), 1, f);
	if (!f || fclose(f))
		abort();
}

static void set_up(void)
{
	strcpy(folder, "/tmp/doca-cache-XXXXXX");
	if (!mkdtemp(folder))
		abort();
	snprintf(map_path, sizeof(map_path), "%s/map.json", folder);
	setenv("XDG_CACHE_HOME", folder, 1);
	write_large(BANNER_64);
	clock_wall_ahead(60);
}

static void tear_down(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command))
		abort();
	logged();
}

/* Return true if reading the map took memory: then it was not the kept one. */
static bool is_read_anew(struct map *map)
{
	unsigned int calls;

	fault_at(FAULT_ALLOC, 0);
	EXPECT_EQ(isf_read(map_path, map), DOCA_SUCCESS);
	calls = fault_calls(FAULT_ALLOC);
	fault_at(FAULT_ALLOC, 0);
	return calls;
}

/* Return the path of what is kept, or "". */
static const char *kept(void)
{
	static char path[128];
	char pattern[128];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/open-doca/*", folder);
	*path = '\0';
	if (!glob(pattern, 0, NULL, &found)) {
		EXPECT_EQ(found.gl_pathc, 1);
		snprintf(path, sizeof(path), "%s", found.gl_pathv[0]);
		globfree(&found);
	}
	return path;
}

static bool alike(const struct map *a, const struct map *b)
{
	for (int i = 0; i < NR_FIELDS; i++)
		if (a->fields[i].offset != b->fields[i].offset ||
		    a->fields[i].size != b->fields[i].size ||
		    a->fields[i].there != b->fields[i].there ||
		    a->fields[i].shift != b->fields[i].shift ||
		    a->fields[i].bits != b->fields[i].bits)
			return false;
	for (u32 i = 0; i < a->nr_entries && a->nr_entries == b->nr_entries; i++)
		if (a->entries[i].address != b->entries[i].address ||
		    strcmp(a->entries[i].name, b->entries[i].name))
			return false;
	return a->nr_entries == b->nr_entries &&
	       !memcmp(a->symbols, b->symbols, sizeof(a->symbols)) &&
	       !memcmp(a->sizes, b->sizes, sizeof(a->sizes)) && !strcmp(a->banner, b->banner);
}

TEST(a_large_map_is_read_once)
{
	struct map first, again;

	set_up();
	EXPECT(is_read_anew(&first));
	EXPECT(!is_read_anew(&again));
	EXPECT(alike(&first, &again));
	EXPECT_STR(again.banner, BANNER);
	EXPECT_EQ(again.nr_entries, MAP_ENTRIES);
	EXPECT_EQ(again.sizes[S_sys_call_table], MAP_CALLS * 8);
	tear_down();
}

TEST(a_map_that_has_changed_is_read_again)
{
	struct map map;

	set_up();
	EXPECT(is_read_anew(&map));
	write_large(OTHER_64);
	EXPECT(is_read_anew(&map));
	EXPECT_STR(map.banner, "another");
	EXPECT(!is_read_anew(&map));
	EXPECT_STR(map.banner, "another");
	tear_down();
}

/* Only one file is there afterwards: see kept(). */
TEST(a_map_in_place_of_another_is_kept_in_its_place)
{
	struct map map;

	set_up();
	EXPECT(is_read_anew(&map));
	EXPECT(*kept());
	if (unlink(map_path))
		abort();
	write_large(OTHER_64);
	EXPECT(is_read_anew(&map));
	EXPECT(*kept());
	EXPECT(!is_read_anew(&map));
	EXPECT_STR(map.banner, "another");
	tear_down();
}

TEST(small_and_new_maps_are_not_kept)
{
	struct map map;

	set_up();
	write_map(map_path, BANNER_64, -1);
	EXPECT(is_read_anew(&map));
	EXPECT_STR(kept(), "");
	write_large(BANNER_64);
	clock_wall_ahead(0);
	EXPECT(is_read_anew(&map));
	EXPECT_STR(kept(), "");
	tear_down();
}

/* A time that the user may set does not tell that it is old. */
TEST(a_new_map_with_an_old_time_is_not_kept)
{
	const struct timespec old[2] = { { .tv_sec = 1000000 }, { .tv_sec = 1000000 } };
	struct map map;

	set_up();
	if (utimensat(AT_FDCWD, map_path, old, 0))
		abort();
	clock_wall_ahead(0);
	EXPECT(is_read_anew(&map));
	EXPECT_STR(kept(), "");
	clock_wall_ahead(60);
	EXPECT(is_read_anew(&map));
	EXPECT(!is_read_anew(&map));
	tear_down();
}

/* It may be of a process that was killed, and whose number this one has now. */
TEST(what_was_half_written_is_replaced)
{
	char path[160];
	struct map map;

	set_up();
	EXPECT(is_read_anew(&map));
	snprintf(path, sizeof(path), "%s/open-doca/new-%d-%s", folder, getpid(),
		 strrchr(kept(), '/') + 1);
	if (rename(kept(), path) || truncate(path, 7))
		abort();
	EXPECT(is_read_anew(&map));
	EXPECT(!is_read_anew(&map));
	EXPECT(*kept());
	tear_down();
}

/* Compress the map, in place. */
static void compress(void)
{
	static uint8_t in[2 << 20], out[1 << 20];
	size_t n, len = 0;
	FILE *f;

	f = fopen(map_path, "r");
	n = f ? fread(in, 1, sizeof(in), f) : 0;
	if (!f || fclose(f) ||
	    lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, in, n, out, &len, sizeof(out)))
		abort();
	f = fopen(map_path, "w");
	if (!f || fwrite(out, len, 1, f) != 1 || fclose(f))
		abort();
}

/* A small file, but it takes as long. */
TEST(a_compressed_map_is_kept)
{
	struct map map;

	set_up();
	compress();
	EXPECT(is_read_anew(&map));
	EXPECT(!is_read_anew(&map));
	EXPECT_STR(map.banner, BANNER);
	tear_down();
}

TEST(what_lacks_a_field_of_areas_is_of_no_use)
{
	struct map_stamp stamp;
	struct map map, again;

	set_up();
	EXPECT(is_read_anew(&map));
	stamp = map_stamp(map_path);
	EXPECT(map_cache_get(map_path, &stamp, &again));
	map.fields[F_MA64_SLOTS].there = false;
	map_cache_put(map_path, &stamp, &map, 2 << 20);
	EXPECT(!map_cache_get(map_path, &stamp, &again));
	tear_down();
}

TEST(what_has_functions_in_another_order_is_of_no_use)
{
	struct map_stamp stamp;
	struct map map, again;

	set_up();
	EXPECT(is_read_anew(&map));
	stamp = map_stamp(map_path);
	for (int i = 0; i < 3; i++) {
		struct map bad = map;

		if (i == 0)
			bad.entries[1].address = bad.entries[0].address;
		else if (i == 1)
			memset(bad.entries[1].name, 'a', sizeof(bad.entries[1].name));
		else
			bad.nr_entries = MAX_ENTRIES + 1;
		map_cache_put(map_path, &stamp, &bad, 2 << 20);
		EXPECT(!map_cache_get(map_path, &stamp, &again));
	}
	tear_down();
}

static void write_byte(const char *path, long at, int change)
{
	int fd = open(path, O_RDWR);
	unsigned char byte;

	if (fd < 0 || pread(fd, &byte, 1, at) != 1)
		abort();
	byte ^= change;
	if (pwrite(fd, &byte, 1, at) != 1)
		abort();
	close(fd);
}

TEST(what_is_damaged_is_of_no_use)
{
	struct map first, map;
	struct stat st;

	set_up();
	EXPECT(is_read_anew(&first));
	if (stat(kept(), &st))
		abort();
	for (long at = 0; at < st.st_size; at += 1213) {
		write_byte(kept(), at, 1);
		EXPECT(is_read_anew(&map));
		EXPECT(alike(&first, &map));
		/* It was replaced. */
		EXPECT(!is_read_anew(&map));
	}
	if (truncate(kept(), st.st_size - 1))
		abort();
	EXPECT(is_read_anew(&map));
	EXPECT(!is_read_anew(&map));
	tear_down();
}

TEST(what_others_may_write_is_of_no_use)
{
	char path[64], file[128], elsewhere[64];
	struct map map;

	set_up();
	EXPECT(is_read_anew(&map));
	snprintf(path, sizeof(path), "%s/open-doca", folder);
	if (chmod(path, 0770))
		abort();
	EXPECT(is_read_anew(&map));
	if (chmod(path, 0700) || chmod(kept(), 0602))
		abort();
	EXPECT(is_read_anew(&map));
	/* A link is not followed, though it leads to the user's own file. */
	snprintf(file, sizeof(file), "%s", kept());
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", folder);
	if (chmod(file, 0600) || rename(file, elsewhere) || symlink(elsewhere, file))
		abort();
	EXPECT(is_read_anew(&map));
	tear_down();
}

static bool has_folder(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/open-doca", folder);
	return !access(path, F_OK);
}

/* Not even a folder is made where it would be in the way of others. */
TEST(nothing_is_kept_in_a_folder_of_others)
{
	struct map map;

	set_up();
	if (chmod(folder, 0777))
		abort();
	EXPECT(is_read_anew(&map));
	EXPECT(!has_folder());
	if (chmod(folder, 0700))
		abort();
	EXPECT(is_read_anew(&map));
	EXPECT(has_folder());
	/* Only root can give a folder away, and has a user's with sudo. */
	if (!geteuid()) {
		if (chown(folder, 1, 1))
			abort();
		EXPECT(is_read_anew(&map));
	}
	tear_down();
}

TEST(nothing_fails_without_a_folder)
{
	struct map map;

	set_up();
	setenv("XDG_CACHE_HOME", "/dev/null", 1);
	EXPECT(is_read_anew(&map));
	EXPECT(is_read_anew(&map));
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", "/nowhere", 1);
	EXPECT(is_read_anew(&map));
	EXPECT(is_read_anew(&map));
	setenv("HOME", folder, 1);
	EXPECT(is_read_anew(&map));
	EXPECT(!is_read_anew(&map));
	tear_down();
}
