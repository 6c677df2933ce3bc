// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The source of a block may change between two looks, so there is one: here each byte that
 * tells of lengths changes as soon as it was read.
 */
#include "shim/kernel.h"

static const u8 *spoiled_end;

static void spoil(const void *at, size_t size)
{
	u8 *byte = (u8 *)at;

	while (size--)
		*byte++ ^= 0xff;
	spoiled_end = byte;
}

#undef OPTIMIZER_HIDE_VAR
#define OPTIMIZER_HIDE_VAR(value) spoil(at, sizeof(*at))
#define doca_lz4_block_begin once_begin
#define doca_lz4_block_run once_run
#include "algo/lz4_block.c"

#include "ktap.h"

static u8 in[4096], out[65536], expected[65536];
static size_t in_size, out_size;

static void put_literals(u32 nr, u32 match)
{
	u32 rest;

	in[in_size++] = min(nr, 15U) << 4 | min(match, 15U);
	if (nr >= 15) {
		for (rest = nr - 15; rest >= 255; rest -= 255)
			in[in_size++] = 255;
		in[in_size++] = rest;
	}
	for (; nr; nr--, in_size++)
		expected[out_size++] = in[in_size] = in_size * 7;
}

static void put_sequence(u32 literals, u32 offset, u32 length)
{
	u32 rest = length - 4;

	put_literals(literals, rest);
	in[in_size++] = offset;
	in[in_size++] = offset >> 8;
	if (rest >= 15) {
		for (rest -= 15; rest >= 255; rest -= 255)
			in[in_size++] = 255;
		in[in_size++] = rest;
	}
	for (; length; length--, out_size++)
		expected[out_size] = expected[out_size - offset];
}

static void put_block(void)
{
	u32 i;

	in_size = 0;
	out_size = 0;
	for (i = 1; i < 40; i++)
		put_sequence(i % 7 ? i : 300 + i, i, i % 5 ? i + 3 : 600);
	put_literals(20, 0);
}

static bool is_decoded_by(size_t in_piece, size_t out_piece)
{
	struct doca_lz4_io io = { .in = in, .in_end = in, .out = out, .out_end = out, .start = out };
	enum doca_lz4_result result = DOCA_LZ4_MORE;
	struct doca_lz4_block block;

	put_block();
	doca_lz4_block_begin(&block, in_size, 0);
	do {
		if (result == DOCA_LZ4_MORE)
			io.in_end = min(io.in + in_piece, (const u8 *)in + in_size);
		else
			io.out_end = min(io.out + out_piece, out + sizeof(out));
		result = doca_lz4_block_run(&block, &io);
	} while (result == DOCA_LZ4_MORE || result == DOCA_LZ4_FULL);
	return result == DOCA_LZ4_END && io.out == out + out_size &&
	       !memcmp(out, expected, out_size);
}

TEST(each_byte_that_tells_a_length_is_read_once)
{
	size_t piece;

	for (piece = 1; piece < 700; piece += 1 + piece / 20) {
		EXPECT(is_decoded_by(piece, sizeof(out)));
		EXPECT(is_decoded_by(sizeof(in), piece));
		EXPECT(is_decoded_by(piece, piece));
	}
	EXPECT(is_decoded_by(sizeof(in), sizeof(out)));
	EXPECT(spoiled_end > in);
}
