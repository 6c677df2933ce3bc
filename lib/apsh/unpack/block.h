/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Parts of all decoders: bytes are copied from the input, or from earlier output. */
#ifndef DOCA_APSH_UNPACK_BLOCK_H
#define DOCA_APSH_UNPACK_BLOCK_H

#include <string.h>

#include "../types.h"

struct block {
	const u8 *from;
	size_t left; /* rest of the input */
	u8 *to;
	size_t done, room; /* bytes written, and size of the output */
	bool bad; /* it is damaged; nothing is read or written any more */
};

static inline u32 block_byte(struct block *b)
{
	if (!b->left) {
		b->bad = true;
		return 0;
	}
	b->left--;
	return *b->from++;
}

/* A little-endian number. */
static inline u32 block_number(struct block *b, int bytes)
{
	u32 n = 0;

	for (int i = 0; i < bytes; i++)
		n |= block_byte(b) << 8 * i;
	return n;
}

static inline void block_literals(struct block *b, size_t len)
{
	if (b->bad || len > b->left || len > b->room - b->done) {
		b->bad = true;
		return;
	}
	memcpy(b->to + b->done, b->from, len);
	b->from += len;
	b->left -= len;
	b->done += len;
}

/* Copy byte for byte: a copy may begin less than its length before its end. */
static inline void block_copy(struct block *b, size_t distance, size_t len)
{
	if (b->bad || !distance || distance > b->done ||
	    len > b->room - b->done) {
		b->bad = true;
		return;
	}
	for (; len; len--, b->done++)
		b->to[b->done] = b->to[b->done - distance];
}

#endif /* DOCA_APSH_UNPACK_BLOCK_H */
