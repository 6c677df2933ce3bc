// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The decoder of LZ4. Sequences are made at random, along with what they stand for, and
 * decoded in random pieces, each of which is in memory of just its size.
 */
#include <dlfcn.h>

#include "selftests/lib/rounds.h"

#include "ktap.h"
#include "lz4_made.h"
#include "lz4_pieces.h"

static u8 got[SIZE];

static struct end decode(u32 flags, size_t room)
{
	const struct stream stream = { .data = in, .size = in_size, .flags = flags };

	return decode_in_pieces(&stream, got, room);
}

static struct end decode_bare(size_t room)
{
	const struct stream stream = { .data = in, .size = in_size, .bare = true };

	return decode_in_pieces(&stream, got, room);
}

static bool is_right(const struct end *end)
{
	return end->good && end->written == out_size && !memcmp(got, out, out_size);
}

TEST(a_block_is_the_same_in_any_pieces)
{
	struct end end;
	u32 i;

	for (i = 0; i < cuts(); i++) {
		begin();
		put_block(any(200), 0);
		end = decode_bare(out_size + any(2) * any(100));
		ASSERT(is_right(&end) && end.consumed == in_size);
	}
}

TEST(blocks_are_the_same_in_any_pieces)
{
	struct end end;
	u32 i, nr, flags;

	for (i = 0; i < cuts(); i++) {
		begin();
		flags = any(4);
		for (nr = any(8); nr; nr--)
			put_framed(any(100), flags);
		end = decode(flags, out_size);
		ASSERT(is_right(&end) && end.consumed == in_size);
		put_word(0);
		end = decode(flags, out_size);
		ASSERT(is_right(&end) && end.result == DOCA_LZ4_END && end.consumed == in_size);
	}
}

TEST(nothing_behind_the_end_mark_is_read)
{
	struct end end;

	begin();
	put_framed(3, 0);
	put_word(0);
	put_word(0xffffffff);
	end = decode(0, out_size);
	EXPECT(is_right(&end));
	EXPECT_EQ(end.consumed, in_size - 4);
}

/* Each small stream, cut short at any byte, gives what was there, and does not pass for whole. */
TEST(a_stream_that_is_cut_short_is_told)
{
	size_t whole, ends[4], byte;
	u32 i, nr, flags;
	struct end end;

	for (i = 0; i < 100; i++) {
		begin_small();
		flags = any(4);
		for (nr = 0; nr < 3; nr++) {
			ends[nr] = in_size;
			put_framed(any(6), flags);
		}
		ends[3] = in_size;
		whole = in_size;
		for (byte = 0; byte < whole; byte++) {
			in_size = byte;
			end = decode(flags, out_size);
			for (nr = 0; nr < 3 && ends[nr] != byte; nr++)
				;
			ASSERT(end.result == DOCA_LZ4_MORE && end.consumed == byte);
			ASSERT(end.good == (nr < 3));
			ASSERT(!memcmp(got, out, end.written));
		}
	}
}

/* It may be a block: one of less. */
TEST(a_block_that_is_cut_short_is_less)
{
	struct end end;
	u32 i;

	for (i = 0; i < 100; i++) {
		begin_small();
		put_block(1 + any(6), 0);
		while (in_size--) {
			end = decode_bare(out_size);
			ASSERT(!end.good || end.written < out_size);
			ASSERT(!memcmp(got, out, end.written));
		}
	}
}

TEST(a_flipped_bit_of_a_sum_or_its_block_is_found)
{
	size_t bit;
	struct end end;
	u32 i;

	for (i = 0; i < 10; i++) {
		begin_small();
		put_framed(any(6), DOCA_LZ4_CHECKSUM);
		put_word(0);
		for (bit = 32; bit < (in_size - 4) * 8; bit++) {
			in[bit / 8] ^= 1 << bit % 8;
			end = decode(DOCA_LZ4_CHECKSUM, out_size);
			in[bit / 8] ^= 1 << bit % 8;
			ASSERT(!end.good && end.result >= DOCA_LZ4_FULL);
		}
		in[in_size - 5] ^= 1;
		end = decode(DOCA_LZ4_CHECKSUM, out_size);
		ASSERT(end.result == DOCA_LZ4_BAD_SUM);
	}
}

TEST(any_bytes_are_decoded_to_some_end)
{
	struct end end;
	u32 i, nr;

	for (i = 0; i < 1000; i++) {
		begin();
		put_block(any(30), 0);
		for (nr = 1 + any(5); nr; nr--)
			in[any(in_size)] = any(3) ? any(256) : any(2) * 255;
		end = decode_bare(out_size);
		ASSERT(end.written <= out_size && end.consumed <= in_size);
		ASSERT(end.result != DOCA_LZ4_GO);
	}
}

/* Far from the end of the block, and near to it. */
static enum doca_lz4_result with_offset(u32 literals, u32 offset, u32 length, u32 behind)
{
	begin();
	put_literals(literals, length - 4);
	put_byte(offset);
	put_byte(offset >> 8);
	put_rest(length - 4);
	put_literals(behind, 0);
	return decode_bare(SIZE).result;
}

TEST(an_offset_of_0_or_before_all_output_is_malformed)
{
	static const u32 lengths[] = { 4, 18, 19, 5000 };
	u32 i, behind;

	for (i = 0; i < ARRAY_SIZE(lengths); i++)
		for (behind = 5; behind < 200; behind += 97) {
			EXPECT_EQ(with_offset(10, 0, lengths[i], behind), DOCA_LZ4_BAD);
			EXPECT_EQ(with_offset(10, 11, lengths[i], behind), DOCA_LZ4_BAD);
			EXPECT_EQ(with_offset(10, 10, lengths[i], behind), DOCA_LZ4_END);
			EXPECT_EQ(with_offset(0, 1, lengths[i], behind), DOCA_LZ4_BAD);
			EXPECT_EQ(with_offset(10, 65535, lengths[i], behind), DOCA_LZ4_BAD);
		}
}

/* A block that begins with a match, behind @before bytes. */
static void put_far_match(u32 before, u32 offset)
{
	size_t at;

	begin();
	put_word(before | 1U << 31);
	put_stored(before);
	at = in_size;
	put_word(0);
	put_sequence(0, offset, 40);
	put_literals(60, 0);
	set_in(at, in_size - at - 4);
}

TEST(linked_blocks_reach_back_over_64_KiB_alone)
{
	struct end end;
	u32 i;

	for (i = 0; i < 20; i++) {
		put_far_match(65535 + any(2) * any(70000), 65535);
		end = decode(0, out_size);
		EXPECT(is_right(&end));
		end = decode(DOCA_LZ4_INDEPENDENT, out_size);
		EXPECT_EQ(end.result, DOCA_LZ4_BAD);
	}
	put_far_match(100, 100);
	in[4 + 100 + 4 + 1] = 101;
	end = decode(0, SIZE);
	EXPECT_EQ(end.result, DOCA_LZ4_BAD);
}

/* A caller that kept too little must not be read before it. */
TEST(no_more_history_is_read_than_there_is)
{
	struct doca_lz4_block block;
	u8 *past = own_copy(out, 50);
	struct doca_lz4_io io;

	begin();
	put_literals(1, 0);
	put_byte(52);
	put_byte(0);
	put_literals(100, 0);
	io = (struct doca_lz4_io){ .in = in, .in_end = in + in_size, .past = past, .past_size = 50 };
	io.out = got;
	io.start = got;
	io.out_end = got + 1000;
	doca_lz4_block_begin(&block, in_size, DOCA_LZ4_HISTORY);
	EXPECT_EQ(doca_lz4_block_run(&block, &io), DOCA_LZ4_BAD);
	drop(past, 50);
}

TEST(a_block_of_nothing_is_malformed_and_one_token_is_not)
{
	struct end end;

	begin();
	end = decode_bare(0);
	EXPECT_EQ(end.result, DOCA_LZ4_BAD);
	put_byte(0);
	end = decode_bare(0);
	EXPECT(end.result == DOCA_LZ4_END && !end.written);
}

TEST(no_bytes_and_an_end_mark_and_empty_stored_blocks_are_streams)
{
	struct end end;
	u32 i;

	begin();
	end = decode(0, 0);
	EXPECT(end.good && end.result == DOCA_LZ4_MORE);
	for (i = 0; i < 1000; i++)
		put_word(1U << 31);
	end = decode(0, 0);
	EXPECT(end.good && end.consumed == in_size);
	put_word(0);
	end = decode(0, 0);
	EXPECT(end.result == DOCA_LZ4_END && end.consumed == in_size);
}

TEST(a_block_over_4_MiB_is_malformed)
{
	struct end end;

	begin();
	put_word(4 << 20);
	end = decode(0, 10);
	EXPECT_EQ(end.result, DOCA_LZ4_MORE);
	set_in(0, (4 << 20) + 1);
	end = decode(0, 10);
	EXPECT_EQ(end.result, DOCA_LZ4_BAD);
	set_in(0, ((4 << 20) + 1) | 1U << 31);
	end = decode(0, 10);
	EXPECT_EQ(end.result, DOCA_LZ4_BAD);
}

TEST(output_that_is_short_by_a_byte_is_told)
{
	struct end end;
	u32 i;

	for (i = 0; i < 200; i++) {
		begin();
		put_framed(1 + any(50), 0);
		if (!out_size)
			continue;
		end = decode(0, out_size - 1);
		ASSERT(end.result == DOCA_LZ4_FULL && end.written == out_size - 1);
		ASSERT(!memcmp(got, out, out_size - 1));
	}
}

TEST(a_match_has_five_literals_behind_it)
{
	u32 behind;

	for (behind = 0; behind < 8; behind++) {
		EXPECT_EQ(with_offset(20, 7, 9, behind), behind < 5 ? DOCA_LZ4_BAD : DOCA_LZ4_END);
		EXPECT_EQ(with_offset(20, 7, 90, behind), behind < 5 ? DOCA_LZ4_BAD : DOCA_LZ4_END);
	}
}

TEST(a_malformed_stream_stays_so)
{
	static const u8 bytes[] = { 1, 0, 0, 0, 0xff };
	struct doca_lz4_io io = {
		.in = bytes, .in_end = bytes + 5, .out = got, .out_end = got, .start = got
	};
	struct doca_lz4 lz4;

	doca_lz4_begin(&lz4, 0);
	EXPECT_EQ(doca_lz4_run(&lz4, &io), DOCA_LZ4_BAD);
	io.in = bytes;
	EXPECT_EQ(doca_lz4_run(&lz4, &io), DOCA_LZ4_BAD);
	EXPECT(io.in == bytes);
	EXPECT(!doca_lz4_may_end(&lz4));
}

/* They add up to more than there is anywhere. */
TEST(lengths_of_any_size_are_no_other_lengths)
{
	struct end end;

	begin();
	put_byte(0x1f);
	put_byte('x');
	put_byte(1);
	put_byte(0);
	memset(in + in_size, 255, SIZE - 100);
	in_size += SIZE - 100;
	put_byte(0);
	put_literals(5, 0);
	end = decode_bare(1000);
	EXPECT(end.result == DOCA_LZ4_FULL && end.written == 1000);
	begin();
	memset(in, 255, SIZE);
	in_size = SIZE;
	end = decode_bare(1000);
	EXPECT(end.result == DOCA_LZ4_BAD && !end.written);
}

/* The functions of liblz4, which is not needed otherwise. */
static void *of_liblz4(const char *name)
{
	void *library = dlopen("liblz4.so.1", RTLD_NOW);

	return library ? dlsym(library, name) : NULL;
}

TEST(what_liblz4_has_made_is_decoded)
{
	int (*compress)(const char *src, char *dst, int size, int room, int level);
	u32 i, n, at;
	struct end end;

	compress = of_liblz4("LZ4_compress_HC");
	if (!compress)
		SKIP("liblz4-1 is not installed");
	for (i = 0; i < 200; i++) {
		begin();
		for (n = any(20000); out_size < n;) {
			at = any(out_size + 1);
			if (any(3) && out_size > at)
				memmove(out + out_size, out + at,
					any(min_t(u32, out_size - at, 2000)) + 1);
			else
				memset(out + out_size, any(256), 2000);
			out_size += any(200);
		}
		in_size = compress((char *)out, (char *)in, out_size, SIZE, any(13));
		end = decode_bare(out_size);
		ASSERT(is_right(&end));
	}
}
