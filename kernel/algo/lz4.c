// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Sizes and checksums around the blocks of an LZ4 frame. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "algo/lz4.h"

enum doca_lz4_part {
	DOCA_LZ4_SIZE,
	DOCA_LZ4_PACKED,
	DOCA_LZ4_STORED,
	DOCA_LZ4_BARE,
	DOCA_LZ4_SUM,
	DOCA_LZ4_OVER,
	DOCA_LZ4_BROKEN,
};

#define DOCA_LZ4_IS_STORED 0x80000000U

/* Read the bytes of a word that are there. */
static enum doca_lz4_result doca_lz4_gather(struct doca_lz4 *lz4,
					    struct doca_lz4_io *io)
{
	u32 byte;

	for (; lz4->gathered < sizeof(lz4->word); lz4->gathered++) {
		if (io->in == io->in_end)
			return DOCA_LZ4_MORE;
		byte = *io->in++;
		lz4->word |= byte << (8 * lz4->gathered);
	}
	return DOCA_LZ4_GO;
}

static void doca_lz4_expect_word(struct doca_lz4 *lz4, enum doca_lz4_part part)
{
	lz4->state = part;
	lz4->word = 0;
	lz4->gathered = 0;
}

static enum doca_lz4_result doca_lz4_size(struct doca_lz4 *lz4,
					  struct doca_lz4_io *io)
{
	enum doca_lz4_result result = doca_lz4_gather(lz4, io);
	u32 size = lz4->word & ~DOCA_LZ4_IS_STORED;
	u32 reach = lz4->block.reach;

	if (result)
		return result;
	if (size > DOCA_LZ4_MAX_BLOCK)
		return DOCA_LZ4_BAD;
	lz4->state = lz4->word == 0		       ? DOCA_LZ4_OVER :
		     lz4->word & DOCA_LZ4_IS_STORED ? DOCA_LZ4_STORED :
						       DOCA_LZ4_PACKED;
	doca_lz4_block_begin(&lz4->block, size,
			     lz4->flags & DOCA_LZ4_INDEPENDENT ? 0 : reach);
	doca_xxh32_init(&lz4->sum);
	return DOCA_LZ4_GO;
}

static enum doca_lz4_result doca_lz4_stored(struct doca_lz4_block *block,
					    struct doca_lz4_io *io)
{
	size_t n = min_t(size_t, block->left,
			 min(io->in_end - io->in, io->out_end - io->out));

	memcpy(io->out, io->in, n);
	io->in += n;
	io->out += n;
	block->left -= n;
	block->reach = doca_lz4_reach(block->reach, n);
	if (!block->left)
		return DOCA_LZ4_END;
	return io->out == io->out_end ? DOCA_LZ4_FULL : DOCA_LZ4_MORE;
}

static enum doca_lz4_result doca_lz4_content(struct doca_lz4 *lz4,
					     struct doca_lz4_io *io)
{
	const u8 *in = io->in;
	enum doca_lz4_result result;

	if (lz4->state == DOCA_LZ4_STORED)
		result = doca_lz4_stored(&lz4->block, io);
	else
		result = doca_lz4_block_run(&lz4->block, io);
	if (lz4->flags & DOCA_LZ4_CHECKSUM)
		doca_xxh32_update(&lz4->sum, in, io->in - in);
	if (result != DOCA_LZ4_END)
		return result;
	if (lz4->state == DOCA_LZ4_BARE)
		lz4->state = DOCA_LZ4_OVER;
	else
		doca_lz4_expect_word(lz4, lz4->flags & DOCA_LZ4_CHECKSUM ?
						  DOCA_LZ4_SUM :
						  DOCA_LZ4_SIZE);
	return DOCA_LZ4_GO;
}

static enum doca_lz4_result doca_lz4_check(struct doca_lz4 *lz4,
					   struct doca_lz4_io *io)
{
	enum doca_lz4_result result = doca_lz4_gather(lz4, io);

	if (result)
		return result;
	if (lz4->word != doca_xxh32_value(&lz4->sum))
		return DOCA_LZ4_BAD_SUM;
	doca_lz4_expect_word(lz4, DOCA_LZ4_SIZE);
	return DOCA_LZ4_GO;
}

void doca_lz4_begin(struct doca_lz4 *lz4, u32 flags)
{
	lz4->flags = flags;
	lz4->block.reach = 0;
	doca_lz4_expect_word(lz4, DOCA_LZ4_SIZE);
}

void doca_lz4_begin_bare(struct doca_lz4 *lz4, u32 size)
{
	lz4->flags = 0;
	lz4->state = DOCA_LZ4_BARE;
	doca_lz4_block_begin(&lz4->block, size, 0);
}

enum doca_lz4_result doca_lz4_run(struct doca_lz4 *lz4, struct doca_lz4_io *io)
{
	enum doca_lz4_result result;

	do {
		switch (lz4->state) {
		case DOCA_LZ4_SIZE:
			result = doca_lz4_size(lz4, io);
			break;
		case DOCA_LZ4_SUM:
			result = doca_lz4_check(lz4, io);
			break;
		case DOCA_LZ4_OVER:
			return DOCA_LZ4_END;
		case DOCA_LZ4_BROKEN:
			return DOCA_LZ4_BAD;
		default:
			result = doca_lz4_content(lz4, io);
		}
	} while (result == DOCA_LZ4_GO);
	if (result >= DOCA_LZ4_BAD)
		lz4->state = DOCA_LZ4_BROKEN;
	return result;
}

bool doca_lz4_may_end(const struct doca_lz4 *lz4)
{
	return lz4->state == DOCA_LZ4_OVER ||
	       (lz4->state == DOCA_LZ4_SIZE && !lz4->gathered);
}
