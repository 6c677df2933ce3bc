/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Streams of LZ4 that are made at random, along with what they stand for. */
#ifndef PROCESS_TESTS_LZ4_MADE_H
#define PROCESS_TESTS_LZ4_MADE_H

#include <string.h>

#include "algo/lz4.h"
#include "any.h"

#define SIZE (1 << 20)

/* The stream, and its output. */
static u8 in[SIZE], out[SIZE];
static size_t in_size, out_size;

static void put_byte(u8 byte)
{
	in[in_size++] = byte;
}

static void put_word(u32 word)
{
	memcpy(in + in_size, &word, sizeof(word));
	in_size += sizeof(word);
}

static void set_in(size_t at, u32 word)
{
	memcpy(in + at, &word, sizeof(word));
}

static void put_rest(u32 length)
{
	if (length < 15)
		return;
	for (length -= 15; length >= 255; length -= 255)
		put_byte(255);
	put_byte(length);
}

static void put_literals(u32 nr, u32 match)
{
	u32 i;

	put_byte(min(nr, 15U) << 4 | min(match, 15U));
	put_rest(nr);
	for (i = 0; i < nr; i++)
		put_byte(out[out_size++] = any(4) ? any(256) : 'x');
}

/* A sequence with a match of @length bytes; its token was put. */
static void put_match(u32 offset, u32 length)
{
	put_byte(offset);
	put_byte(offset >> 8);
	put_rest(length - 4);
	for (; length; length--, out_size++)
		out[out_size] = out[out_size - offset];
}

static void put_sequence(u32 literals, u32 offset, u32 length)
{
	put_literals(literals, length - 4);
	put_match(offset, length);
}

static u32 nr_lengths = 7;

static u32 some_length(void)
{
	static const u32 most[] = { 3, 16, 16, 16, 40, 300, 1200 };

	return any(most[any(nr_lengths)]);
}

/* Put the bytes of a block, whose matches reach back to @from. */
static void put_block(u32 sequences, size_t from)
{
	static const u32 most[] = { 4, 16, 40, 1000, 65535 };
	size_t reach;
	u32 literals;

	for (; sequences; sequences--) {
		literals = some_length() + (out_size == from);
		reach = min_t(size_t, out_size + literals - from, most[any(ARRAY_SIZE(most))]);
		put_sequence(literals, any(8) ? 1 + any(reach) : reach, some_length() + 4);
	}
	put_literals(5 + some_length(), 0);
}

static void begin(void)
{
	in_size = 0;
	out_size = 0;
	nr_lengths = 7;
}

/* Streams of which each byte is tried. */
static void begin_small(void)
{
	begin();
	nr_lengths = 5;
}

static u32 sum_of(const u8 *data, size_t size)
{
	struct doca_xxh32 sum;

	doca_xxh32_init(&sum);
	doca_xxh32_update(&sum, data, size);
	return doca_xxh32_value(&sum);
}

static void put_stored(u32 nr)
{
	for (; nr; nr--)
		put_byte(out[out_size++] = any(256));
}

/* Put a block and what is around it. */
static void put_framed(u32 sequences, u32 flags)
{
	bool stored = !any(4);
	size_t at = in_size, size;

	put_word(0);
	if (stored)
		put_stored(any(40));
	else
		put_block(sequences, flags & DOCA_LZ4_INDEPENDENT ? out_size : 0);
	size = in_size - at - 4;
	set_in(at, stored ? size | 1U << 31 : size);
	if (flags & DOCA_LZ4_CHECKSUM)
		put_word(sum_of(in + at + 4, size));
}

#endif
