// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The decoder of DEFLATE that a process has, by libFuzzer: input and output in pieces of any
 * sizes, each in memory of its own, must give what zlib makes of them in one, with its checksums.
 * So must a decoder that is plain. An input is the stream, and before it what chooses the
 * pieces; or it is text that zlib compresses first, in any of its ways.
 *
 * ISA-L takes codes that are not complete, as long as nothing comes that has none; so what it makes
 * of a stream that zlib refuses is compared with a plain decoder that takes them, too. All decoders
 * stop at the same place of a malformed stream, but this one leaves out what the call has written
 * that fails: what it has written before must be the beginning of what others have.
 */
#include <zlib.h>

#include "fuzz/input.h"

#include "algo.h"
#include "algo/adler32.h"
#include "compute.h"
#include "fuzz/plain_inflate.h"
#include "tests/pieces.h"

#define ROOM (256 * 1024)
#define MAX_TEXT (200 * 1024)

enum { COMPRESS = 1 << 5, FLIP = 1 << 6, WHOLE = 1 << 7 };

struct end {
	bool good;
	size_t written;
	size_t consumed;
	u32 crc32; /* these two of the driver's decoder alone */
	u32 adler32;
};

static u8 ours[ROOM + 1], theirs[ROOM], text[MAX_TEXT], packed[2 * MAX_TEXT];

static struct end run_theirs(const u8 *data, size_t size)
{
	z_stream z = { .next_in = (Bytef *)data,
		       .avail_in = size,
		       .next_out = theirs,
		       .avail_out = ROOM };
	struct end end;

	CHECK(inflateInit2(&z, -MAX_WBITS) == Z_OK);
	end.good = inflate(&z, Z_FINISH) == Z_STREAM_END;
	end.written = ROOM - z.avail_out;
	end.consumed = size - z.avail_in;
	inflateEnd(&z);
	return end;
}

/* Write a piece of at most @size bytes to where the output goes on. */
static enum doca_algo_result write_piece(void *run, struct doca_algo_io *io,
					 size_t size, struct end *end)
{
	u8 *out = malloc(size ?: 1);
	enum doca_algo_result result;
	size_t written;

	CHECK(out);
	io->out = out;
	io->out_left = size;
	result = doca_algo_inflate(run, io);
	written = size - io->out_left;
	CHECK(written <= size && io->out == out + written);
	end->crc32 = doca_algo_crc32(end->crc32, out, written);
	end->adler32 = doca_algo_adler32(end->adler32, out, written);
	memcpy(ours + end->written, out, written);
	end->written += written;
	free(out);
	return result;
}

static struct end run_ours(const u8 *data, size_t size, bool whole)
{
	static u64 run[DOCA_INFLATE_RUN / sizeof(u64)];
	struct end end = { .crc32 = DOCA_CRC32_INIT,
			   .adler32 = DOCA_ADLER32_INIT };
	u32 pieces = 0, outs = 0;
	enum doca_algo_result result;
	struct doca_algo_io io;
	size_t n;
	u8 *in;

	CHECK(!doca_algo_inflate_begin(run));
	do {
		n = piece_size(whole, size - end.consumed, &pieces);
		in = own_copy(data + end.consumed, n);
		io.in = in;
		io.in_left = n;
		result = write_piece(
			run, &io,
			piece_size(whole, sizeof(ours) - end.written, &outs),
			&end);
		/* The end may lie in an earlier piece. */
		CHECK(io.in_left <= n || result == DOCA_ALGO_END);
		end.consumed += n - io.in_left;
		CHECK(end.consumed <= size);
		drop(in, n);
	} while ((result == DOCA_ALGO_MORE && end.consumed < size) ||
		 (result == DOCA_ALGO_FULL && end.written < sizeof(ours)));
	/* There is room for more, so that the others have all that it may write. */
	end.good = result == DOCA_ALGO_END && end.written <= ROOM;
	return end;
}

/* Make a text of what is left of the input: again and again, with a few other bytes. */
static size_t make_text(struct input *in, u32 times)
{
	size_t size = 0, n, i;

	while (times-- && in->size && size < MAX_TEXT) {
		n = min_t(size_t, in->size, MAX_TEXT - size);
		memcpy(text + size, in->data, n);
		for (i = any(8); i; i--)
			text[size + any(n)] = any(256);
		size += n;
	}
	return size;
}

static size_t compress_text(size_t size, u32 how)
{
	z_stream z = { .next_in = text,
		       .avail_in = size,
		       .next_out = packed,
		       .avail_out = sizeof(packed) };

	CHECK(deflateInit2(&z, how % 10, Z_DEFLATED, -(9 + (int)(how >> 4) % 7),
			   1 + (how >> 8) % 9, (how >> 12) % 5) == Z_OK);
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&z);
	return sizeof(packed) - z.avail_out;
}

static u8 plain[ROOM];

static struct end run_plain(const u8 *data, size_t size, bool is_lenient)
{
	struct plain p = {
		.is_lenient = is_lenient,
		.in = data,
		.size = size,
		.out = plain,
		.room = sizeof(plain),
	};
	bool good = plain_inflate(&p);

	return (struct end){
		.good = good,
		.written = p.written,
		.consumed = (p.bit + 7) / 8,
	};
}

static void expect_same(const struct end *end, const u8 *out,
			const struct end *other, const u8 *other_out)
{
	CHECK(end->good == other->good);
	CHECK(end->written == other->written);
	CHECK(!end->good || end->consumed == other->consumed);
	CHECK(!memcmp(out, other_out, end->written));
}

/* The driver's decoder, with what others make of a stream if it is good, and make before it is not. */
static void expect_ours(const struct end *our, const struct end *other,
			const u8 *out)
{
	size_t written = min_t(size_t, our->written, ROOM);

	CHECK(written <= other->written && !memcmp(ours, out, written));
	CHECK(our->crc32 == crc32(0, ours, our->written));
	CHECK(our->adler32 == adler32(1, ours, our->written));
	if (our->good)
		expect_same(our, ours, other, out);
}

/* Replace the input by what zlib makes of it. */
static void compress_input(struct input *in, bool flips, u32 flip)
{
	u32 form = take(in, 2);
	size_t size = compress_text(make_text(in, 1 + any(64)), form);

	if (flips)
		packed[flip % size] ^= flip >> 16;
	in->data = packed;
	in->size = size;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	CHECK(compute_load() && doca_algo_has_inflate());
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	u8 how = take(&in, 1);
	struct end our_end, their_end, plain_end;
	u32 flip;

	seed = take(&in, 2);
	flip = take(&in, 3);
	if (how & COMPRESS)
		compress_input(&in, how & FLIP, flip);
	their_end = run_theirs(in.data, in.size);
	plain_end = run_plain(in.data, in.size, false);
	expect_same(&plain_end, plain, &their_end, theirs);
	our_end = run_ours(in.data, in.size, how & WHOLE);
	CHECK(our_end.good || !their_end.good);
	if (!their_end.good)
		plain_end = run_plain(in.data, in.size, true);
	expect_ours(&our_end, &plain_end, plain);
	return 0;
}
