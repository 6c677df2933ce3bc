// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The sections of memory in a saved state of QEMU. Each record is a number, which has an
 * offset in its upper bits and says in the others what follows.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "qevm.h"

LOG_SOURCE("APSH");

enum {
	ZERO = 0x2,
	BLOCKS = 0x4,
	PAGE_IS_HERE = 0x8,
	END = 0x10,
	CONTINUE = 0x20, /* in the same block as the page before */
	XBZRLE = 0x40,
	HOOK = 0x80,
	COMPRESSED = 0x100,
	MULTIFD = 0x200,
};

enum { MAPPED_VERSION = 1, BITS = 64 };

static doca_error_t refuse(const struct qevm_scan *c, u64 flags)
{
	static const struct {
		u64 flag;
		const char *what;
	} known[] = {
		{ XBZRLE, "are differences of pages (xbzrle)" },
		{ HOOK, "were sent by RDMA" },
		{ COMPRESSED, "are compressed (compress)" },
		{ MULTIFD, "are in other channels (multifd)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (flags == known[i].flag)
			return FAIL(NOT_SUPPORTED,
				    "%s: pages of it %s, which is not read: "
				    "save the machine without that "
				    "capability, or " QEVM_DUMP,
				    c->path, known[i].what);
	return FAIL(INITIALIZATION,
		    "%s: in front of byte %lu is no record of memory: %#lx",
		    c->path, c->at, flags);
}

static struct qevm_block *find_block(struct qevm_scan *c, const char *name)
{
	for (u32 i = 0; i < c->nr_blocks; i++)
		if (!strcmp(c->blocks[i].name, name))
			return &c->blocks[i];
	return NULL;
}

/*
 * Check where the file says that a block has its bitmap, and the pages behind it. Those of a
 * file that was cut off may be behind its end.
 */
static bool keep_map(const struct qevm_scan *c, struct qevm_block *b,
		     u64 bitmap_at, u64 pages_at)
{
	u64 words = ((b->len >> c->q->shift) + BITS - 1) / BITS;

	if (bitmap_at < c->at || pages_at < bitmap_at ||
	    pages_at - bitmap_at < words * sizeof(u64) ||
	    pages_at > TARGET_MAX_ADDRESS)
		return false;
	b->bitmap_at = bitmap_at;
	b->pages_at = pages_at;
	b->has_map = true;
	return true;
}

/* Get where pages and bitmap of the block are, and go to the next block. */
static doca_error_t read_map(struct qevm_scan *c, struct qevm_block *b)
{
	u64 version, page, bitmap_at, pages_at;

	if (!qevm_number(c, 4, &version) || !qevm_number(c, 8, &page) ||
	    !qevm_number(c, 8, &bitmap_at) || !qevm_number(c, 8, &pages_at))
		return DOCA_SUCCESS;
	if (version != MAPPED_VERSION || page != 1ULL << c->q->shift)
		return FAIL(
			NOT_SUPPORTED,
			"%s: pages with fixed places (mapped-ram) of "
			"version %lu, and of %lu bytes, are not read: " QEVM_DUMP,
			c->path, version, page);
	if (!keep_map(c, b, bitmap_at, pages_at))
		return FAIL(INITIALIZATION,
			    "%s: block %s has pages at byte %lu, and a bitmap "
			    "at %lu, which cannot be",
			    c->path, b->name, pages_at, bitmap_at);
	qevm_skip(c, pages_at - c->at + b->len);
	return DOCA_SUCCESS;
}

static doca_error_t read_block(struct qevm_scan *c, u64 *left)
{
	struct qevm_block *b = &c->blocks[c->nr_blocks];
	char name[QEVM_NAME];
	u64 len;

	if (!qevm_name(c, name) || !qevm_number(c, 8, &len))
		return DOCA_SUCCESS;
	if (len > *left || find_block(c, name))
		return FAIL(INITIALIZATION,
			    "%s: block %s of %lu bytes is larger than all "
			    "that is left of them, or there twice",
			    c->path, name, len);
	*b = (struct qevm_block){ .len = len, .base = QEVM_NO_MEMORY };
	memcpy(b->name, name, sizeof(name));
	c->nr_blocks++;
	*left -= len;
	return c->mapped ? read_map(c, b) : DOCA_SUCCESS;
}

static doca_error_t read_blocks(struct qevm_scan *c, u64 left)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (c->nr_blocks || left >= TARGET_MAX_ADDRESS)
		return FAIL(INITIALIZATION,
			    "%s: its blocks of memory are listed twice, or "
			    "have %lu bytes",
			    c->path, left);
	while (left && !c->cut && ret == DOCA_SUCCESS) {
		if (c->nr_blocks == QEVM_MAX_BLOCKS)
			return FAIL(INITIALIZATION,
				    "%s: it has more than %d blocks of memory",
				    c->path, QEVM_MAX_BLOCKS);
		ret = read_block(c, &left);
	}
	return ret == DOCA_SUCCESS ? qevm_place(c) : ret;
}

static doca_error_t add_page(struct qevm_scan *c, u64 offset,
			     struct qevm_run run)
{
	if (c->cut || c->block->base == QEVM_NO_MEMORY)
		return DOCA_SUCCESS;
	run.page = (u32)((c->block->base + offset) >> c->q->shift);
	run.nr = 1;
	return qevm_add(c->q, c->path, run);
}

static doca_error_t read_page(struct qevm_scan *c, u64 offset, u64 flags)
{
	u64 size = 1ULL << c->q->shift;
	struct qevm_run run = { .kind = QEVM_STREAM };
	bool same = flags & CONTINUE;
	char name[QEVM_NAME] = "";
	u8 fill;

	flags &= ~(u64)CONTINUE;
	if (flags != ZERO && flags != PAGE_IS_HERE)
		return refuse(c, flags);
	if (!same) {
		if (!qevm_name(c, name))
			return DOCA_SUCCESS;
		c->block = find_block(c, name);
	}
	if (!c->block || c->block->len < size || offset > c->block->len - size)
		return FAIL(INITIALIZATION,
			    "%s: the page in front of byte %lu is in no block "
			    "of memory: %#lx of %s",
			    c->path, c->at, offset,
			    c->block ? c->block->name : name);
	if (flags == ZERO) {
		if (!qevm_get(c, &fill, 1))
			return DOCA_SUCCESS;
		return add_page(c, offset,
				(struct qevm_run){ .kind = QEVM_FILL,
						   .fill = fill });
	}
	run.at = c->at;
	qevm_skip(c, size);
	return add_page(c, offset, run);
}

doca_error_t qevm_ram(struct qevm_scan *c)
{
	u64 mask = (1ULL << c->q->shift) - 1, record;
	doca_error_t ret = DOCA_SUCCESS;

	while (ret == DOCA_SUCCESS && qevm_number(c, 8, &record)) {
		u64 flags = record & mask;

		if (flags == END)
			break;
		if (flags == BLOCKS)
			ret = read_blocks(c, record - flags);
		else if (flags != MULTIFD || !c->mapped)
			ret = read_page(c, record - flags, flags);
		if (c->cut)
			break;
	}
	return ret;
}

/* How many bits from @at on are equal to it; bits above @end do not count. */
static u64 equal_bits(u64 bits, u64 at, u64 end)
{
	u64 other = bits >> at & 1 ? ~bits >> at : bits >> at;
	u64 nr = other ? (u64)__builtin_ctzll(other) : BITS;

	return nr < end - at ? nr : end - at;
}

/* Pages without a bit are zeros, if the bitmap was written, which is at the end. */
static doca_error_t add_bits(struct qevm_scan *c, const struct qevm_block *b,
			     u64 first, u64 bits)
{
	u64 size = 1ULL << c->q->shift, left = (b->len >> c->q->shift) - first;
	u64 end = left < BITS ? left : BITS, nr;
	doca_error_t ret = DOCA_SUCCESS;

	for (u64 i = 0; i < end && ret == DOCA_SUCCESS; i += nr) {
		bool there = bits >> i & 1;
		u64 at = b->pages_at + (first + i) * size, whole;
		struct qevm_run run = {
			.page = (u32)((b->base >> c->q->shift) + first + i),
			.at = there ? at : 0,
			.kind = there ? QEVM_MAPPED : QEVM_FILL,
		};

		nr = equal_bits(bits, i, end);
		whole = at < c->s->file_size ? (c->s->file_size - at) / size :
					       0;
		if (!there)
			whole = c->done ? nr : 0;
		run.nr = (u32)(whole < nr ? whole : nr);
		if (run.nr)
			ret = qevm_add(c->q, c->path, run);
	}
	return ret;
}

static doca_error_t add_mapped(struct qevm_scan *c, const struct qevm_block *b)
{
	u64 nr = b->len >> c->q->shift, bits;
	doca_error_t ret = DOCA_SUCCESS;

	c->at = b->bitmap_at;
	for (u64 i = 0; i < nr && ret == DOCA_SUCCESS; i += BITS) {
		if (!qevm_get(c, &bits, sizeof(bits)))
			break;
		ret = add_bits(c, b, i, le64toh(bits));
	}
	return ret;
}

doca_error_t qevm_mapped(struct qevm_scan *c)
{
	doca_error_t ret = DOCA_SUCCESS;

	for (u32 i = 0; i < c->nr_blocks && ret == DOCA_SUCCESS; i++) {
		const struct qevm_block *b = &c->blocks[i];

		if (b->base != QEVM_NO_MEMORY && b->has_map)
			ret = add_mapped(c, b);
	}
	return ret;
}
