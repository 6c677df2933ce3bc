// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Snappy: the length of the output, and then elements, whose first byte has their kind in
 * its low two bits.
 */
#include "block.h"
#include "unpack.h"

enum { LITERALS, COPY_1, COPY_2, COPY_4 };

/* Seven bits a byte, of which the last one has no high bit. */
static u64 read_length(struct block *b)
{
	u64 n = 0;

	for (int shift = 0; shift < 35 && !b->bad; shift += 7) {
		u32 byte = block_byte(b);

		n |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
	b->bad = true;
	return 0;
}

/* Long literals have their length, less one, in up to four bytes. */
static void literals(struct block *b, u32 tag)
{
	size_t len = tag >> 2;

	if (len >= 60)
		len = block_number(b, (int)len - 59);
	block_literals(b, len + 1);
}

static void element(struct block *b)
{
	u32 tag = block_byte(b), high;

	switch (tag & 3) {
	case LITERALS:
		literals(b, tag);
		break;
	case COPY_1:
		high = tag >> 5 << 8;
		block_copy(b, high | block_byte(b), (tag >> 2 & 7) + 4);
		break;
	case COPY_2:
		block_copy(b, block_number(b, 2), (tag >> 2) + 1);
		break;
	default:
		block_copy(b, block_number(b, 4), (tag >> 2) + 1);
	}
}

ssize_t unpack_snappy(const void *from, size_t len, void *to, size_t room)
{
	struct block b = { .from = from, .left = len, .to = to, .room = room };
	u64 whole = read_length(&b);

	if (whole > room)
		return -1;
	b.room = whole;
	while (b.left && !b.bad)
		element(&b);
	return b.bad || b.done != whole ? -1 : (ssize_t)whole;
}
