// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A block is a row of sequences: a token, literals, and a match, which the last one lacks.
 * Far from the ends of the pieces a loop decodes whole sequences, and copies more bytes than
 * it must; what it cannot end there it leaves to steps that may stop at any byte.
 *
 * Each byte of input is read once, and what it says is checked and used from a register.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "algo/lz4_block.h"

enum doca_lz4_state {
	DOCA_LZ4_TOKEN,
	DOCA_LZ4_LITERALS_LENGTH,
	DOCA_LZ4_LITERALS,
	DOCA_LZ4_OFFSET_LOW,
	DOCA_LZ4_OFFSET_HIGH,
	DOCA_LZ4_MATCH_LENGTH,
	DOCA_LZ4_MATCH,
	DOCA_LZ4_DONE,
};

/* Either half of a token, if more bytes tell the rest of the length. */
#define DOCA_LZ4_LONG 15
#define DOCA_LZ4_MIN_MATCH 4
/* A token and the last five bytes are behind each match. */
#define DOCA_LZ4_BEHIND 6

/* Copies of the loop write fewer bytes than this behind their end. */
#define DOCA_LZ4_ROUNDED 32
/* A sequence of short lengths reads and writes at most this, rounded up as copies are. */
#define DOCA_LZ4_IN_ROOM 32
#define DOCA_LZ4_OUT_ROOM 64

/* The loop's part of the pieces. */
struct doca_lz4_run {
	const u8 *in;
	const u8 *in_end; /* end of the block or of the piece */
	u8 *out;
	u8 *out_end;
	const u8 *low; /* first byte of this piece that matches may refer to */
};

/* Read a byte, which the compiler cannot do again. */
static __always_inline u32 doca_lz4_byte(const u8 *at)
{
	u32 value = *at;

	OPTIMIZER_HIDE_VAR(value);
	return value;
}

static __always_inline u32 doca_lz4_two_bytes(const u8 (*at)[2])
{
	__le16 bytes;
	u32 value;

	memcpy(&bytes, at, sizeof(bytes));
	value = le16_to_cpu(bytes);
	OPTIMIZER_HIDE_VAR(value);
	return value;
}

static __always_inline void doca_lz4_copy_8(u8 *to, const u8 *from)
{
	u64 word;

	memcpy(&word, from, sizeof(word));
	memcpy(to, &word, sizeof(word));
}

static __always_inline void doca_lz4_copy_16(u8 *to, const u8 *from)
{
	struct {
		u64 words[2];
	} both;

	memcpy(&both, from, sizeof(both));
	memcpy(to, &both, sizeof(both));
}

/* Copy from at least 16 bytes before, if not from elsewhere; read and write up to 31 bytes more. */
static __always_inline void doca_lz4_copy_wide(u8 *to, const u8 *from,
					       size_t length)
{
	const u8 *end = to + length;

	do {
		doca_lz4_copy_16(to, from);
		doca_lz4_copy_16(to + 16, from + 16);
		to += 32;
		from += 32;
	} while (to < end);
}

/* Repeat the last @offset bytes before @to; it writes up to 31 bytes more. */
static __always_inline void doca_lz4_repeat(u8 *to, u32 offset, size_t length)
{
	/* The first multiple of an offset below 8 that is not. */
	static const u8 multiples[] = { 0, 8, 8, 9, 8, 10, 12, 14 };
	const u8 *from = to - offset, *end = to + length;
	int i;

	if (likely(offset >= 16)) {
		doca_lz4_copy_wide(to, from, length);
		return;
	}
	if (offset < 8) {
		for (i = 0; i < 8; i++)
			to[i] = from[i];
		to += 8;
		from = to - multiples[offset];
	}
	while (to < end) {
		doca_lz4_copy_8(to, from);
		to += 8;
		from += 8;
	}
}

/* Return whether the bytes that tell the rest of a length have ended. */
static __always_inline bool doca_lz4_run_length(struct doca_lz4_run *run,
						u64 *length)
{
	u32 byte;

	do {
		if (unlikely(run->in == run->in_end))
			return false;
		byte = doca_lz4_byte(run->in++);
		*length += byte;
	} while (byte == 255);
	return true;
}

/* Leave the loop within a sequence. */
static __always_inline bool doca_lz4_leave(struct doca_lz4_block *block,
					   enum doca_lz4_state state, u32 token,
					   u64 length, u32 offset)
{
	block->state = state;
	block->token = token;
	block->length = length;
	block->offset = offset;
	return false;
}

static __always_inline bool doca_lz4_run_literals(struct doca_lz4_block *block,
						  struct doca_lz4_run *run,
						  u32 token)
{
	u64 length = token >> 4;

	if (likely(length < DOCA_LZ4_LONG)) {
		doca_lz4_copy_16(run->out, run->in);
	} else {
		if (!doca_lz4_run_length(run, &length))
			return doca_lz4_leave(block, DOCA_LZ4_LITERALS_LENGTH,
					      token, length, 0);
		if (length + DOCA_LZ4_IN_ROOM > (u64)(run->in_end - run->in) ||
		    length + DOCA_LZ4_OUT_ROOM > (u64)(run->out_end - run->out))
			return doca_lz4_leave(block, DOCA_LZ4_LITERALS, token,
					      length, 0);
		doca_lz4_copy_wide(run->out, run->in, length);
	}
	run->in += length;
	run->out += length;
	return true;
}

/* A match that begins before this piece, and ends there, too. */
static __always_inline bool doca_lz4_run_past(const struct doca_lz4_block *block,
					      const struct doca_lz4_io *io,
					      u8 *out, u64 length, u32 offset)
{
	size_t here = out - io->start, past = offset - here;
	const u8 *from;

	if (offset <= here || past < length ||
	    offset > block->reach + (size_t)(out - io->out))
		return false;
	from = io->past + io->past_size - past;
	if (length <= DOCA_LZ4_ROUNDED && past >= DOCA_LZ4_ROUNDED)
		doca_lz4_copy_wide(out, from, DOCA_LZ4_ROUNDED);
	else
		memcpy(out, from, length);
	return true;
}

static __always_inline bool doca_lz4_run_match(struct doca_lz4_block *block,
					       struct doca_lz4_run *run,
					       const struct doca_lz4_io *io,
					       u32 token)
{
	u32 offset = doca_lz4_two_bytes((const void *)run->in);
	u64 length = (token & DOCA_LZ4_LONG) + DOCA_LZ4_MIN_MATCH;
	const u8 *from;
	/* An offset of 0 is none that is small enough. */
	bool here = offset - 1UL < (size_t)(run->out - run->low);

	run->in += 2;
	if ((token & DOCA_LZ4_LONG) == DOCA_LZ4_LONG) {
		if (!doca_lz4_run_length(run, &length))
			return doca_lz4_leave(block, DOCA_LZ4_MATCH_LENGTH,
					      token, length, offset);
		if (run->in_end - run->in < DOCA_LZ4_BEHIND ||
		    length + DOCA_LZ4_OUT_ROOM > (u64)(run->out_end - run->out))
			return doca_lz4_leave(block, DOCA_LZ4_MATCH, token,
					      length, offset);
	} else if (likely(here && offset >= 8)) {
		from = run->out - offset;
		doca_lz4_copy_8(run->out, from);
		doca_lz4_copy_8(run->out + 8, from + 8);
		doca_lz4_copy_8(run->out + 16, from + 16);
		run->out += length;
		return true;
	}
	if (likely(here))
		doca_lz4_repeat(run->out, offset, length);
	else if (!doca_lz4_run_past(block, io, run->out, length, offset))
		return doca_lz4_leave(block, DOCA_LZ4_MATCH, token, length,
				      offset);
	run->out += length;
	return true;
}

/* Read and write on: all bytes up to @in and @out are done with. */
static __always_inline void doca_lz4_advance(struct doca_lz4_block *block,
					     struct doca_lz4_io *io,
					     const u8 *in, u8 *out)
{
	block->left -= in - io->in;
	block->reach = doca_lz4_reach(block->reach, out - io->out);
	io->in = in;
	io->out = out;
}

/* Decode whole sequences as long as all ends are far. */
static void doca_lz4_run_far(struct doca_lz4_block *block,
			     struct doca_lz4_io *io)
{
	size_t in_room = min_t(size_t, io->in_end - io->in, block->left);
	size_t out_room = io->out_end - io->out;
	struct doca_lz4_run run = {
		.in = io->in,
		.in_end = io->in + in_room,
		.out = io->out,
		.out_end = io->out_end,
		.low = io->out -
		       min_t(size_t, block->reach, io->out - io->start),
	};
	const u8 *in_safe;
	u8 *out_safe;
	u32 token;

	if (in_room < DOCA_LZ4_IN_ROOM || out_room < DOCA_LZ4_OUT_ROOM)
		return;
	in_safe = run.in_end - DOCA_LZ4_IN_ROOM;
	out_safe = run.out_end - DOCA_LZ4_OUT_ROOM;
	do {
		token = doca_lz4_byte(run.in++);
		if (!doca_lz4_run_literals(block, &run, token) ||
		    !doca_lz4_run_match(block, &run, io, token))
			break;
	} while (run.in <= in_safe && run.out <= out_safe);
	doca_lz4_advance(block, io, run.in, run.out);
}

/* Read a byte of the block. */
static enum doca_lz4_result doca_lz4_take(struct doca_lz4_block *block,
					  struct doca_lz4_io *io, u32 *byte)
{
	if (!block->left)
		return DOCA_LZ4_BAD;
	if (io->in == io->in_end)
		return DOCA_LZ4_MORE;
	*byte = doca_lz4_byte(io->in);
	doca_lz4_advance(block, io, io->in + 1, io->out);
	return DOCA_LZ4_GO;
}

static enum doca_lz4_result doca_lz4_literals(struct doca_lz4_block *block,
					      struct doca_lz4_io *io)
{
	size_t n;

	if (block->length > block->left)
		return DOCA_LZ4_BAD;
	n = min_t(u64, block->length,
		  min(io->in_end - io->in, io->out_end - io->out));
	memcpy(io->out, io->in, n);
	doca_lz4_advance(block, io, io->in + n, io->out + n);
	block->length -= n;
	if (block->length)
		return io->out == io->out_end ? DOCA_LZ4_FULL : DOCA_LZ4_MORE;
	block->state = block->left ? DOCA_LZ4_OFFSET_LOW : DOCA_LZ4_DONE;
	return DOCA_LZ4_GO;
}

/* Repeat bytes up to the end of the piece: only the last ones one by one. */
static void doca_lz4_repeat_exactly(u8 *to, u32 offset, size_t length)
{
	size_t i = 0;

	if (length > 2 * DOCA_LZ4_ROUNDED) {
		i = length - DOCA_LZ4_ROUNDED;
		doca_lz4_repeat(to, offset, i);
	}
	for (; i < length; i++)
		to[i] = *(to + i - offset);
}

static enum doca_lz4_result doca_lz4_match(struct doca_lz4_block *block,
					   struct doca_lz4_io *io)
{
	size_t here = io->out - io->start;
	size_t n, past;

	if (!block->offset || block->offset > block->reach ||
	    block->left < DOCA_LZ4_BEHIND)
		return DOCA_LZ4_BAD;
	if (io->out == io->out_end)
		return DOCA_LZ4_FULL;
	n = min_t(u64, block->length, io->out_end - io->out);
	if (block->offset > here) {
		past = block->offset - here;
		n = min(n, past);
		memcpy(io->out, io->past + io->past_size - past, n);
	} else {
		doca_lz4_repeat_exactly(io->out, block->offset, n);
	}
	doca_lz4_advance(block, io, io->in, io->out + n);
	block->length -= n;
	if (!block->length)
		block->state = DOCA_LZ4_TOKEN;
	return DOCA_LZ4_GO;
}

/* Find how a sequence goes on, byte by byte. */
static enum doca_lz4_result doca_lz4_parse(struct doca_lz4_block *block,
					   struct doca_lz4_io *io)
{
	enum doca_lz4_result result;
	u32 byte;

	result = doca_lz4_take(block, io, &byte);
	if (result)
		return result;
	switch (block->state) {
	case DOCA_LZ4_TOKEN:
		block->token = byte;
		block->length = byte >> 4;
		block->state = block->length == DOCA_LZ4_LONG ?
				       DOCA_LZ4_LITERALS_LENGTH :
				       DOCA_LZ4_LITERALS;
		break;
	case DOCA_LZ4_OFFSET_LOW:
		block->offset = byte;
		block->state = DOCA_LZ4_OFFSET_HIGH;
		break;
	case DOCA_LZ4_OFFSET_HIGH:
		block->offset |= byte << 8;
		block->length = block->token & DOCA_LZ4_LONG;
		block->state = block->length == DOCA_LZ4_LONG ?
				       DOCA_LZ4_MATCH_LENGTH :
				       DOCA_LZ4_MATCH;
		block->length += DOCA_LZ4_MIN_MATCH;
		break;
	default:
		/* The literals or the match come next. */
		block->length += byte;
		if (byte < 255)
			block->state++;
	}
	return DOCA_LZ4_GO;
}

void doca_lz4_block_begin(struct doca_lz4_block *block, u32 size, u32 reach)
{
	*block = (struct doca_lz4_block){
		.left = size,
		.reach = reach,
		.state = DOCA_LZ4_TOKEN,
	};
}

enum doca_lz4_result doca_lz4_block_run(struct doca_lz4_block *block,
					struct doca_lz4_io *io)
{
	enum doca_lz4_result result;

	block->reach = min_t(size_t, block->reach,
			     io->out - io->start + io->past_size);
	do {
		if (block->state == DOCA_LZ4_TOKEN)
			doca_lz4_run_far(block, io);
		if (block->state == DOCA_LZ4_LITERALS)
			result = doca_lz4_literals(block, io);
		else if (block->state == DOCA_LZ4_MATCH)
			result = doca_lz4_match(block, io);
		else if (block->state == DOCA_LZ4_DONE)
			result = DOCA_LZ4_END;
		else
			result = doca_lz4_parse(block, io);
	} while (result == DOCA_LZ4_GO);
	return result;
}
