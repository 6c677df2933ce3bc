// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The decoder of LZ4, by libFuzzer: input and output in pieces of any sizes, each in memory of
 * its own, must give what liblz4 makes of them in one. An input is the stream, and before
 * it what chooses its form and the pieces; or it is text that liblz4 compresses first.
 *
 * liblz4 refuses an end that is too near to that of its destination, and takes offsets of 0.
 */
#include "fuzz/input.h"

#include "tests/lz4_pieces.h"

int LZ4_compress_default(const char *src, char *dst, int size, int room);
int LZ4_decompress_safe(const char *src, char *dst, int size, int room);
int LZ4_decompress_safe_usingDict(const char *src, char *dst, int size,
				  int room, const char *dict, int dict_size);

#define ROOM   \
	(256 * \
	 1024) /* that our decoder has; liblz4 has so much more that it is no matter */
#define MARGIN 64
#define PACKED (64 * 1024)

enum { BARE = 1 << 4, COMPRESS = 1 << 5, FLIP = 1 << 6, WHOLE = 1 << 7 };

/* The output of liblz4. */
static struct {
	u8 out[ROOM + MARGIN];
	size_t size;
	size_t consumed;
	bool good;
	const u8 *block; /* the last one that was decoded, with its sizes */
	u32 packed;
	u32 written;
} theirs;

static u8 ours[ROOM];
static u8 packed[PACKED + 8];

static u32 sum_of(const u8 *data, size_t size)
{
	struct doca_xxh32 sum;

	doca_xxh32_init(&sum);
	doca_xxh32_update(&sum, data, size);
	return doca_xxh32_value(&sum);
}

static int their_block(const u8 *from, u32 size, size_t room, bool alone)
{
	u8 *to = theirs.out + theirs.size;
	int dict = alone ? 0 : min_t(size_t, theirs.size, 65536);

	if (!dict)
		return LZ4_decompress_safe((const char *)from, (char *)to, size,
					   room);
	return LZ4_decompress_safe_usingDict((const char *)from, (char *)to,
					     size, room, (char *)to - dict,
					     dict);
}

static bool take_their_block(const u8 *from, u32 size, bool alone)
{
	int written = their_block(from, size, sizeof(theirs.out) - theirs.size,
				  alone);

	if (written < 0)
		return false;
	theirs.block = from;
	theirs.packed = size;
	theirs.written = written;
	theirs.size += written;
	return true;
}

static bool take_stored(const u8 *from, u32 size)
{
	if (size > sizeof(theirs.out) - theirs.size)
		return false;
	memcpy(theirs.out + theirs.size, from, size);
	theirs.size += size;
	return true;
}

static bool take_frame(const struct stream *stream)
{
	const u8 *at = stream->data, *end = at + stream->size;
	u32 word, size;

	while (at < end) {
		if (end - at < 4)
			return false;
		memcpy(&word, at, 4);
		at += 4;
		theirs.consumed = at - stream->data;
		if (!word)
			return true;
		size = word & 0x7fffffff;
		if (size > 4 << 20 || size > end - at)
			return false;
		if (!(word >> 31 ?
			      take_stored(at, size) :
			      take_their_block(at, size,
					       stream->flags &
						       DOCA_LZ4_INDEPENDENT)))
			return false;
		at += size;
		if (stream->flags & DOCA_LZ4_CHECKSUM) {
			if (end - at < 4)
				return false;
			memcpy(&word, at, 4);
			if (word != sum_of(at - size, size))
				return false;
			at += 4;
		}
		theirs.consumed = at - stream->data;
	}
	return true;
}

static void run_theirs(const struct stream *stream)
{
	theirs.size = 0;
	theirs.consumed = stream->size;
	theirs.block = NULL;
	theirs.good = stream->bare ? take_their_block(stream->data,
						      stream->size, true) :
				     take_frame(stream);
}

static bool skip_length(const u8 **at, const u8 *end, u32 nibble,
			size_t *length)
{
	*length = nibble;
	if (nibble == 15)
		do {
			if (*at == end)
				return false;
			*length += **at;
		} while (*(*at)++ == 255);
	return true;
}

static bool has_offset_0(const u8 *at, size_t size)
{
	const u8 *end = at + size;
	size_t length;
	u8 token;

	while (at < end) {
		token = *at++;
		if (!skip_length(&at, end, token >> 4, &length) ||
		    length + 2 > (size_t)(end - at))
			return false;
		at += length;
		if (!at[0] && !at[1])
			return true;
		at += 2;
		if (!skip_length(&at, end, token & 15, &length))
			return false;
	}
	return false;
}

/* Whether liblz4 accepted the last block for reasons that it should not have. */
static bool is_lenient(const struct stream *stream)
{
	if (!theirs.block)
		return false;
	if (has_offset_0(theirs.block, theirs.packed))
		return true;
	theirs.size -= theirs.written;
	return their_block(theirs.block, theirs.packed, theirs.written,
			   stream->bare ||
				   stream->flags & DOCA_LZ4_INDEPENDENT) < 0;
}

/* Replace the stream by one block, of what was text. */
static void compress(struct stream *stream, bool flips, u32 flip)
{
	int n = LZ4_compress_default((const char *)stream->data,
				     (char *)packed + 4, stream->size, PACKED);
	u32 sum;

	memcpy(packed, &n, 4);
	sum = sum_of(packed + 4, n);
	memcpy(packed + 4 + n, &sum, 4);
	if (flips)
		packed[4 + flip % n] ^= flip >> 16;
	stream->data = stream->bare ? packed + 4 : packed;
	stream->size = stream->bare			 ? n :
		       stream->flags & DOCA_LZ4_CHECKSUM ? n + 8 :
							   n + 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	u8 how = take(&in, 1);
	struct stream stream = { .flags = how & 3,
				 .bare = how & BARE,
				 .whole = how & WHOLE };
	struct end end;
	u32 flip;

	seed = take(&in, 2);
	flip = take(&in, 3);
	stream.data = in.data;
	stream.size = in.size;
	if (how & COMPRESS)
		compress(&stream, how & FLIP, flip);
	run_theirs(&stream);
	end = decode_in_pieces(&stream, ours, ROOM);
	if (end.good) {
		CHECK(theirs.good && theirs.size == end.written);
		CHECK(theirs.consumed == end.consumed);
		CHECK(!memcmp(theirs.out, ours, end.written));
	} else if (end.result == DOCA_LZ4_FULL) {
		CHECK(!theirs.good || theirs.size > ROOM ||
		      is_lenient(&stream));
	} else {
		CHECK(!theirs.good || is_lenient(&stream));
	}
	return 0;
}
