/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Blocks of LZ4 as they are in a frame, or a bare one, in any pieces of input and output. */
#ifndef DOCA_ALGO_LZ4_H
#define DOCA_ALGO_LZ4_H

#include "algo/lz4_block.h"
#include "algo/xxh32.h"

/* A larger block is in no frame. */
#define DOCA_LZ4_MAX_BLOCK (4 * 1024 * 1024)

enum {
	/* A checksum follows each block. */
	DOCA_LZ4_CHECKSUM = 1 << 0,
	/* Matches do not refer to earlier blocks. */
	DOCA_LZ4_INDEPENDENT = 1 << 1,
};

/**
 * struct doca_lz4 - blocks that are being decoded
 * @block: the block at hand; its @left also counts the bytes of a stored one
 * @sum: sum of its bytes
 * @word: a size or a checksum, of which @gathered bytes were read
 * @state: enum doca_lz4_part
 * @flags: DOCA_LZ4_*
 */
struct doca_lz4 {
	struct doca_lz4_block block;
	struct doca_xxh32 sum;
	u32 word;
	u8 gathered;
	u8 state;
	u8 flags;
};

/* Begin with blocks that each have their size before them, up to a size of 0. */
void doca_lz4_begin(struct doca_lz4 *lz4, u32 flags);

/* Begin with one block of @size bytes; one of no bytes is malformed. */
void doca_lz4_begin_bare(struct doca_lz4 *lz4, u32 size);

/*
 * Go on until a piece, or all, ends. @io is that of a struct doca_lz4_io; all of its pointers
 * lead somewhere, even to no bytes.
 */
enum doca_lz4_result doca_lz4_run(struct doca_lz4 *lz4, struct doca_lz4_io *io);

/* Return whether the input may end here. */
bool doca_lz4_may_end(const struct doca_lz4 *lz4);

#endif
