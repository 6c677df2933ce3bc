// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The formats in which a kernel's build can pack it: gzip, bzip2, LZMA, xz, LZ4 and zstd by
 * libarchive, which may run a program for lzop, so that is read here.
 */
#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "apsh/unpack/unpack.h"
#include "unpack.h"

#define MAX_IMAGE ((uint32_t)1 << 30)

static const char lzop_magic[] = { (char)0x89, 'L', 'Z', 'O' };

/* The part of an lzop file that is not read yet. */
struct lzop {
	const unsigned char *at;
	size_t left;
	bool bad; /* it ends early */
};

/* Checksums of each block, in the order in which they are there, and other parts. */
enum lzop_flags {
	LZOP_ADLER = 1, /* the unpacked block's */
	LZOP_ADLER_PACKED = 2,
	LZOP_EXTRA = 0x40,
	LZOP_CRC = 0x100,
	LZOP_CRC_PACKED = 0x200,
	LZOP_FILTER = 0x800,
};

/* Numbers have their high byte first. */
static uint32_t take(struct lzop *z, size_t bytes)
{
	uint32_t n = 0;

	if (z->left < bytes) {
		z->bad = true;
		return 0;
	}
	for (size_t i = 0; i < bytes; i++)
		n = n << 8 | z->at[i];
	z->at += bytes;
	z->left -= bytes;
	return n;
}

static void skip(struct lzop *z, size_t bytes)
{
	if (z->left < bytes) {
		z->bad = true;
		return;
	}
	z->at += bytes;
	z->left -= bytes;
}

/* Version, method, flags, times and a name. Return the flags. */
static uint32_t lzop_header(struct lzop *z)
{
	uint32_t version, flags;

	skip(z, sizeof(lzop_magic) + 5);
	version = take(z, 2);
	skip(z, 2);
	if (version >= 0x940)
		skip(z, 2);
	skip(z, version >= 0x940 ? 2 : 1);
	flags = take(z, 4);
	skip(z, (flags & LZOP_FILTER ? 4 : 0) + (version >= 0x940 ? 12 : 8));
	skip(z, take(z, 1));
	skip(z, 4);
	if (flags & LZOP_EXTRA)
		z->bad = true;
	return flags;
}

static bool lzop_block(struct lzop *z, uint32_t flags, uint32_t size,
		       struct bytes *to, size_t done)
{
	uint32_t packed = take(z, 4);
	uint32_t adler = flags & LZOP_ADLER ? take(z, 4) : 0;
	uint32_t crc = flags & LZOP_CRC ? take(z, 4) : 0;

	if (packed < size)
		skip(z, (flags & LZOP_ADLER_PACKED ? 4 : 0) +
				(flags & LZOP_CRC_PACKED ? 4 : 0));
	if (z->bad || packed > size || packed > z->left ||
	    size > to->size - done)
		return false;
	if (packed == size)
		memcpy(to->data + done, z->at, size);
	else if (unpack_lzo(z->at, packed, to->data + done, size) !=
		 (ssize_t)size)
		return false;
	skip(z, packed);
	return (!(flags & LZOP_ADLER) ||
		adler == adler32_z(1, to->data + done, size)) &&
	       (!(flags & LZOP_CRC) ||
		crc == crc32_z(0, to->data + done, size));
}

static bool unpack_lzop(const struct bytes *from, struct bytes *to)
{
	struct lzop z = { from->data, from->size, false };
	uint32_t flags = lzop_header(&z), size;
	size_t done = 0;

	while ((size = take(&z, 4))) {
		if (!lzop_block(&z, flags, size, to, done))
			return false;
		done += size;
	}
	return !z.bad && done == to->size;
}

static struct archive *new_reader(void)
{
	struct archive *a = archive_read_new();

	if (!a)
		fail("out of memory");
	return a;
}

/* A filter that libarchive was built without is a program, which is not to run. */
static bool is_built_in(int (*filter)(struct archive *a))
{
	struct archive *a = new_reader();
	bool is = filter(a) == ARCHIVE_OK;

	archive_read_free(a);
	return is;
}

static struct archive *reader(void)
{
	static int (*const filters[])(struct archive * a) = {
		archive_read_support_filter_gzip,
		archive_read_support_filter_bzip2,
		archive_read_support_filter_lzma,
		archive_read_support_filter_xz,
		archive_read_support_filter_lz4,
		archive_read_support_filter_zstd,
	};
	struct archive *a = new_reader();

	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		if (is_built_in(filters[i]))
			filters[i](a);
	archive_read_support_format_raw(a);
	return a;
}

static bool unpack_archive(const char *path, const struct bytes *from,
			   struct bytes *to)
{
	struct archive *a = reader();
	struct archive_entry *entry;
	char more;
	bool done;

	if (archive_read_open_memory(a, from->data, from->size) ||
	    archive_read_next_header(a, &entry))
		fail("the kernel in %s cannot be unpacked: %s", path,
		     archive_error_string(a));
	if (archive_filter_code(a, 0) == ARCHIVE_FILTER_NONE)
		fail("%s is packed by none of gzip, bzip2, LZMA, xz, LZ4, LZO "
		     "and zstd; give the image that is in it by --vmlinux",
		     path);
	/* checksums are compared at the end, except gzip's */
	done = archive_read_data(a, to->data, to->size) == (ssize_t)to->size &&
	       !archive_read_data(a, &more, 1);
	archive_read_free(a);
	return done;
}

static bool is_gzip(const struct bytes *b)
{
	return b->data[0] == 0x1f && b->data[1] == 0x8b;
}

/* libarchive does not look at it. */
static bool gzip_is_sound(const struct bytes *from, const struct bytes *to)
{
	return from->size >= 18 && get32(from->data + from->size - 8) ==
					   crc32_z(0, to->data, to->size);
}

struct bytes unpack(const char *path, const struct bytes *packed)
{
	struct bytes from = *packed, to = { .size = 0 };
	bool done;

	to.size = get32(packed->data + packed->size - 4);
	if (!to.size || to.size > MAX_IMAGE)
		fail("%s says that its kernel has %zu bytes", path, to.size);
	/* gzip ends with the size, too; with others it is not part of the format */
	if (!is_gzip(packed))
		from.size -= 4;
	to.data = need(to.size + 1);
	if (!memcmp(from.data, lzop_magic, sizeof(lzop_magic)))
		done = unpack_lzop(&from, &to);
	else
		done = unpack_archive(path, &from, &to) &&
		       (!is_gzip(packed) || gzip_is_sound(&from, &to));
	if (!done)
		fail("the kernel in %s cannot be unpacked: it is damaged",
		     path);
	return to;
}
