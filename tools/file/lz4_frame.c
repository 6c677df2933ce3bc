// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include "lz4_frame.h"

/* The checksum is the driver's own function, with the kernel's types. */
typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
#include "kernel/algo/xxh32.h"

enum {
	VERSION = 0x40,
	VERSION_MASK = 0xc0,
	INDEPENDENT = 0x20,
	BLOCK_SUMS = 0x10,
	LENGTH = 0x08,
	SUM = 0x04,
	RESERVED = 0x02,
	DICTIONARY = 0x01,
};

struct lz4_sum {
	struct doca_xxh32 xxh32;
};

uint32_t lz4_get_word(const uint8_t *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

void lz4_put_word(uint8_t *at, uint32_t word)
{
	int i;

	for (i = 0; i < LZ4_WORD; i++)
		at[i] = word >> 8 * i;
}

bool lz4_is_skippable(uint32_t magic)
{
	return magic >> 4 == 0x184d2a5;
}

/* The two bytes behind the magic number. */
static bool read_flags(const uint8_t *data, struct lz4_frame *frame,
		       const char **why)
{
	uint8_t flags = data[0], size = data[1] >> 4 & 7;

	if ((flags & VERSION_MASK) != VERSION || (flags & RESERVED) ||
	    (data[1] & 0x8f) || size < 4) {
		*why = "this header is malformed, or of another version";
		return false;
	}
	if (flags & DICTIONARY) {
		*why = "this frame needs a dictionary, which devices do not take";
		return false;
	}
	*frame = (struct lz4_frame){
		.block_max = (size_t)1 << (8 + 2 * size),
		.are_independent = flags & INDEPENDENT,
		.has_block_sums = flags & BLOCK_SUMS,
		.has_sum = flags & SUM,
		.has_length = flags & LENGTH,
		.header = LZ4_WORD + 2 + (flags & LENGTH ? 8 : 0) + 1,
	};
	return true;
}

bool lz4_read_header(const uint8_t *data, size_t len, struct lz4_frame *frame,
		     const char **why)
{
	*why = "it ends within a header";
	if (len < LZ4_WORD + 3)
		return false;
	if (lz4_get_word(data) == LZ4_LEGACY) {
		*why = "this frame is of the legacy format: use lz4 -d";
		return false;
	}
	if (!read_flags(data + LZ4_WORD, frame, why))
		return false;
	*why = "it ends within a header";
	if (len < frame->header)
		return false;
	if (frame->has_length)
		frame->length = lz4_get_word(data + LZ4_WORD + 2) |
				(uint64_t)lz4_get_word(data + 2 * LZ4_WORD + 2)
					<< 32;
	*why = "the checksum of this header is wrong";
	return data[frame->header - 1] ==
	       (uint8_t)(lz4_sum_of(data + LZ4_WORD,
				    frame->header - LZ4_WORD - 1) >>
			 8);
}

struct lz4_sum *lz4_sum_new(void)
{
	return malloc(sizeof(struct lz4_sum));
}

void lz4_sum_begin(struct lz4_sum *sum)
{
	doca_xxh32_init(&sum->xxh32);
}

void lz4_sum_add(struct lz4_sum *sum, const void *data, size_t len)
{
	doca_xxh32_update(&sum->xxh32, data, len);
}

uint32_t lz4_sum_value(const struct lz4_sum *sum)
{
	return doca_xxh32_value(&sum->xxh32);
}

uint32_t lz4_sum_of(const void *data, size_t len)
{
	struct doca_xxh32 xxh32;

	doca_xxh32_init(&xxh32);
	doca_xxh32_update(&xxh32, data, len);
	return doca_xxh32_value(&xxh32);
}
