/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* One block of LZ4, decoded in any pieces of input and output. */
#ifndef DOCA_ALGO_LZ4_BLOCK_H
#define DOCA_ALGO_LZ4_BLOCK_H

#include <linux/types.h>

/* Matches reach back so far, a byte less to be exact. */
#define DOCA_LZ4_HISTORY (64 * 1024)

enum doca_lz4_result {
	DOCA_LZ4_GO, /* never returned to callers */
	DOCA_LZ4_MORE, /* all input was read, and some is missing */
	DOCA_LZ4_FULL, /* all output was written, and there is more */
	DOCA_LZ4_END,
	DOCA_LZ4_BAD, /* the input is malformed; so is any further call */
	DOCA_LZ4_BAD_SUM, /* the checksum of a block is not that of its bytes */
};

/**
 * struct doca_lz4_io - the pieces of a call, in linear memory
 * @in: the next byte to read; calls move it on
 * @in_end: end of the input
 * @out: the next byte to write; calls move it on. Bytes behind it, up to @out_end, may be
 *	written to before they are output
 * @out_end: end of the output; nothing is written behind it
 * @start: output of earlier calls lies from here to @out
 * @past: where the output before that is, of which it holds the last @past_size bytes;
 *	not within @start to @out_end
 * @past_size: DOCA_LZ4_HISTORY less what lies from @start to @out is enough; matches that
 *	reach back further are malformed
 *
 * Others may write to any of this during a call: then the output is undefined, and nothing
 * else. A call works no longer than input and output of its size take.
 */
struct doca_lz4_io {
	const u8 *in;
	const u8 *in_end;
	u8 *out;
	u8 *out_end;
	const u8 *start;
	const u8 *past;
	size_t past_size;
};

/**
 * struct doca_lz4_block - a block that is being decoded
 * @length: bytes of the literals or the match at hand that are not written yet
 * @left: bytes of the block that are not read yet
 * @offset: offset of the match
 * @reach: bytes of output that matches may refer to; exact below DOCA_LZ4_HISTORY
 * @token: token of the sequence
 * @state: enum doca_lz4_state
 */
struct doca_lz4_block {
	u64 length;
	u32 left;
	u32 offset;
	u32 reach;
	u8 token;
	u8 state;
};

/*
 * Begin a block of @size bytes. Its matches may refer to the last @reach bytes of what was
 * written before.
 */
void doca_lz4_block_begin(struct doca_lz4_block *block, u32 size, u32 reach);

/* Return how many bytes matches may refer to, when @written more have been. */
static inline u32 doca_lz4_reach(u32 reach, size_t written)
{
	return written < DOCA_LZ4_HISTORY - reach ? reach + written :
						    DOCA_LZ4_HISTORY;
}

/* Go on with the block until it or a piece ends; never DOCA_LZ4_BAD_SUM. */
enum doca_lz4_result doca_lz4_block_run(struct doca_lz4_block *block,
					struct doca_lz4_io *io);

#endif
