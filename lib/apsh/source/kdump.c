// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A compressed dump, of makedumpfile or of QEMU: a header, a bitmap of the pages in it, a
 * descriptor for each, and their content, plain or compressed. It may be flattened, as
 * QEMU's always are: written in pieces that say where they belong.
 *
 * The file is hostile: all reads are bounded, and a page that does not match its descriptor
 * is absent.
 */
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "../kernel/kernel.h"
#include "../secret.h"
#include "file.h"
#include "kdump_page.h"

LOG_SOURCE("APSH");

#define MAX_BITMAP (64ULL << 20) /* for 2 TiB of memory */
#define MAX_NOTE (64U << 10)
/* The largest page of a machine that is supported; QEMU takes it for all of arm64. */
#define MAX_BLOCK (64U << 10)
#define WORDS 8 /* bitmap words whose pages are counted together */

struct header {
	char signature[8];
	u32 version;
	char names[6][65];
	char time[22];
	u32 status;
	u32 block_size;
	u32 sub_size; /* in blocks */
	u32 bitmap_size; /* in blocks, of two bitmaps */
	u32 max_page;
	u32 others[5];
};

struct sub_header {
	u64 phys_base;
	u32 level;
	u32 split;
	u64 first_page, end_page;
	u64 note_at, note_size; /* VMCOREINFO as text */
	u64 others[6];
	u64 max_page; /* added in version 6 */
};

struct piece_header {
	u64 offset, size; /* big endian; UINT64_MAX: no more pieces */
};

struct page_desc {
	u64 offset;
	u32 size;
	u32 flags;
	u64 page_flags;
};

struct kdump {
	u64 *bitmap;
	u32 *counts; /* number of pages before each WORDS words of the bitmap */
	u64 nr_pages; /* bits of the bitmap */
	u64 descs; /* their position in the dump */
	u64 page; /* number of the page in content; UINT64_MAX: none */
	bool other; /* an unknown compression was found, and this was logged */
	u32 block; /* bytes of a page of the dump */
	u8 content[MAX_BLOCK];
	u8 packed[2 * MAX_BLOCK];
};

static_assert(sizeof(struct header) == 464 && sizeof(struct sub_header) == 104,
	      "as in the file");

/* Read at a position of the dump. Gaps between pieces are zeros, but nothing follows the last. */
static bool read_dump(struct source *s, void *to, size_t len, u64 at)
{
	u8 *p = to;

	while (len) {
		const struct segment *seg = source_segment(s, at);
		u64 n;

		if (!seg)
			return false;
		if (at < seg->pa) {
			n = seg->pa - at < len ? seg->pa - at : len;
			memset(p, 0, n);
		} else {
			n = seg->pa + seg->len - at;
			n = n < len ? n : len;
			if (!source_pread(s, p, n, seg->offset + at - seg->pa))
				return false;
		}
		p += n;
		at += n;
		len -= n;
	}
	return true;
}

static doca_error_t find_pieces(struct source *s, const char *path)
{
	u64 at = 4096;

	for (;;) {
		struct piece_header h;
		struct segment piece;
		doca_error_t ret;

		if (!source_pread(s, &h, sizeof(h), at)) {
			s->lacks = true;
			return DOCA_SUCCESS;
		}
		at += sizeof(h);
		if (h.offset == UINT64_MAX)
			return DOCA_SUCCESS;
		piece = (struct segment){ .pa = be64toh(h.offset),
					  .offset = at,
					  .len = be64toh(h.size) };
		if (!piece.len || piece.len > TARGET_MAX_ADDRESS)
			return FAIL(INITIALIZATION,
				    "%s: a piece at byte %lu has %lu bytes",
				    path, at, piece.len);
		ret = source_add(s, path, piece);
		if (ret != DOCA_SUCCESS)
			return ret;
		at += piece.len;
	}
}

static doca_error_t find_parts(struct source *s, const char *path)
{
	doca_error_t ret;
	char magic[12];

	if (source_pread(s, magic, sizeof(magic), 0) &&
	    !memcmp(magic, "makedumpfile", sizeof(magic)))
		ret = find_pieces(s, path);
	else
		ret = source_add(s, path,
				 (struct segment){ .len = s->file_size });
	return ret == DOCA_SUCCESS ? source_settle(s, path) : ret;
}

static bool has_page(const struct kdump *k, u64 page)
{
	return page < k->nr_pages && k->bitmap[page / 64] >> page % 64 & 1;
}

/* Count the pages before it: this is the number of its descriptor. */
static u64 rank_of(const struct kdump *k, u64 page)
{
	u64 word = page / 64, first = word / WORDS * WORDS;
	u64 n = k->counts[word / WORDS];

	for (u64 i = first; i < word; i++)
		n += (u64)__builtin_popcountll(k->bitmap[i]);
	return n + (u64)__builtin_popcountll(k->bitmap[word] &
					     ((1ULL << page % 64) - 1));
}

static doca_error_t read_bitmap(struct source *s, const char *path, u64 at)
{
	struct kdump *k = s->kdump;
	u64 words = (k->nr_pages + 63) / 64, n = 0;

	k->bitmap = calloc(words, sizeof(*k->bitmap));
	k->counts = calloc(words / WORDS + 1, sizeof(*k->counts));
	if (!k->bitmap || !k->counts)
		return OUT_OF_MEMORY("the bitmap of a dump");
	if (!read_dump(s, k->bitmap, (k->nr_pages + 7) / 8, at))
		return FAIL(INITIALIZATION,
			    "%s: its bitmap is not all there; is it truncated?",
			    path);
	for (u64 i = 0; i < words; i++) {
		if (i % WORDS == 0)
			k->counts[i / WORDS] = (u32)n;
		n += (u64)__builtin_popcountll(k->bitmap[i]);
	}
	return n ? DOCA_SUCCESS :
		   FAIL(INITIALIZATION, "%s: no memory is in it", path);
}

static doca_error_t read_note(struct source *s, const struct sub_header *sub)
{
	if (!sub->note_size || sub->note_size > MAX_NOTE)
		return DOCA_SUCCESS;
	s->vmcoreinfo = calloc(1, sub->note_size + 1);
	if (!s->vmcoreinfo)
		return OUT_OF_MEMORY("a note");
	if (!read_dump(s, s->vmcoreinfo, sub->note_size, sub->note_at))
		s->vmcoreinfo[0] = '\0';
	return DOCA_SUCCESS;
}

/* makedumpfile writes a core flattened, too; QEMU only dumps of this kind. */
static doca_error_t not_a_dump(struct source *s, const char *path)
{
	char magic[4];

	if (read_dump(s, magic, sizeof(magic), 0) &&
	    !memcmp(magic, "\177ELF", sizeof(magic)))
		return FAIL(NOT_SUPPORTED,
			    "%s is a flattened ELF core, which is not read: "
			    "makedumpfile -R makes an ELF core of it",
			    path);
	return FAIL(INITIALIZATION, "%s is no dump of kdump; is it truncated?",
		    path);
}

static bool is_block(u32 size)
{
	return size == 4 << 10 || size == 16 << 10 || size == 64 << 10;
}

static doca_error_t read_headers(struct source *s, const char *path)
{
	struct kdump *k = s->kdump;
	struct sub_header sub;
	struct header h;
	doca_error_t ret;
	u64 bitmap;

	if (!read_dump(s, &h, sizeof(h), 0) ||
	    memcmp(h.signature, "KDUMP   ", sizeof(h.signature)) != 0 ||
	    !read_dump(s, &sub, sizeof(sub), h.block_size))
		return not_a_dump(s, path);
	if (!is_block(h.block_size) || h.version < 1 || sub.split)
		return FAIL(NOT_SUPPORTED,
			    "%s: version %u, pages of %u bytes, %s; only "
			    "whole dumps of x86-64 and arm64 are supported%s",
			    path, h.version, h.block_size,
			    sub.split ? "split" : "whole",
			    sub.split ? ", and makedumpfile --reassemble makes "
					"one of the parts" :
					"");
	k->block = h.block_size;
	k->nr_pages = h.version >= 6 ? sub.max_page : h.max_page;
	bitmap = (u64)h.bitmap_size * k->block / 2;
	if (!k->nr_pages || bitmap > MAX_BITMAP ||
	    (k->nr_pages - 1) / 8 >= bitmap)
		return FAIL(INITIALIZATION,
			    "%s: %lu pages in a bitmap of %lu bytes cannot be",
			    path, k->nr_pages, bitmap);
	k->descs = (1 + (u64)h.sub_size + h.bitmap_size) * k->block;
	ret = read_bitmap(s, path, (1 + (u64)h.sub_size) * k->block + bitmap);
	return ret == DOCA_SUCCESS ? read_note(s, &sub) : ret;
}

doca_error_t source_kdump(struct source *s, const char *path)
{
	doca_error_t ret = find_parts(s, path);

	s->ops = &source_kdump_ops;
	if (ret != DOCA_SUCCESS)
		return ret;
	s->kdump = secret_alloc(sizeof(*s->kdump));
	if (!s->kdump)
		return OUT_OF_MEMORY("a dump");
	memset(s->kdump, 0, sizeof(*s->kdump));
	s->kdump->page = UINT64_MAX;
	return read_headers(s, path);
}

static bool is_known(struct kdump *k, const struct page_desc *d)
{
	u32 how = d->flags & ~KDUMP_STATUS;

	if (!how)
		return d->size == k->block;
	if (!kdump_page_is_known(how) && !k->other) {
		k->other = true;
		LOG_WARN("pages of the dump are compressed by none of zlib, "
			 "LZO, Snappy and zstd, and left out");
	}
	return kdump_page_is_known(how) && d->size && d->size <= 2 * k->block;
}

/* Return 1 if it is in content, 0 if it is damaged or cut off, or an errno. */
static int unpack_page(struct source *s, u64 page)
{
	struct kdump *k = s->kdump;
	struct page_desc d;
	u32 how;
	int ret = 1;

	if (!read_dump(s, &d, sizeof(d),
		       k->descs + rank_of(k, page) * sizeof(d)) ||
	    !is_known(k, &d))
		return 0;
	k->page = UINT64_MAX;
	how = d.flags & ~KDUMP_STATUS;
	if (!read_dump(s, how ? k->packed : k->content, d.size, d.offset))
		return 0;
	if (how)
		ret = kdump_page_unpack(how, k->packed, d.size, k->content,
					k->block);
	if (ret == 1)
		k->page = page;
	return ret;
}

/* Return 1 if it is in content, 0 if it is absent, or an errno. */
static int load_page(struct source *s, u64 page)
{
	struct kdump *k = s->kdump;
	int ret;

	if (page == k->page)
		return 1;
	if (!has_page(k, page))
		return 0;
	ret = unpack_page(s, page);
	if (!ret && !s->lacks) {
		s->lacks = true;
		LOG_WARN("pages of the dump are behind its end, or damaged, "
			 "and left out");
	}
	return ret;
}

static int read_range(struct source *s, struct source_range *r)
{
	u32 n, block = s->kdump->block;

	r->absent = false;
	for (u32 done = 0; done < r->len; done += n) {
		u64 at = r->pa + done;
		int there = load_page(s, at / block);

		if (there < 0)
			return there;
		if (!there) {
			r->absent = true;
			memset(r->to, 0, r->len);
			return 0;
		}
		n = (u32)(block - at % block);
		n = n < r->len - done ? n : r->len - done;
		memcpy((u8 *)r->to + done, s->kdump->content + at % block, n);
	}
	return 0;
}

static int read_kdump(struct source *s, struct source_range *r, unsigned int nr)
{
	int err = 0;

	s->rounds++;
	for (unsigned int i = 0; i < nr && !err; i++)
		err = read_range(s, &r[i]);
	return !err && s->error ? -EIO : err;
}

static bool next_data(struct source *s, u64 *pa, u64 *len)
{
	const struct kdump *k = s->kdump;
	u64 page = *pa / k->block, end;

	while (page < k->nr_pages && !has_page(k, page))
		page += page % 64 || k->bitmap[page / 64] ? 1 : 64;
	if (page >= k->nr_pages)
		return false;
	for (end = page + 1; has_page(k, end);)
		end++;
	if (page > *pa / k->block)
		*pa = page * k->block;
	*len = end * k->block - *pa;
	return true;
}

static void close_kdump(struct source *s)
{
	if (s->kdump) {
		free(s->kdump->bitmap);
		free(s->kdump->counts);
		secret_free(s->kdump, sizeof(*s->kdump), sizeof(*s->kdump));
	}
	source_file_close(s);
}

const struct source_ops source_kdump_ops = {
	.open = NULL, /* source_open() finds the kind by itself */
	.read = read_kdump,
	.next_data = next_data,
	.close = close_kdump,
};
