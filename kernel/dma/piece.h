/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The pieces of a transfer. An engine gets addresses from here only: those of live maps,
 * within what the keys of the transfer name.
 */
#ifndef DOCA_DMA_PIECE_H
#define DOCA_DMA_PIECE_H

#include <linux/types.h>

struct doca_engine;
struct doca_flight;
struct doca_mapping;
struct doca_op;

/**
 * struct doca_piece - the next part to move
 * @from: mapping of the source
 * @to: mapping of the destination
 * @src_at: address of the source in @from
 * @dst_at: address of the destination in @to
 * @src: the engine's address of the source
 * @dst: the engine's address of the destination
 * @length: bytes
 * @by_cpu: not for the engine: it is not aligned, or covers only parts of cache lines
 */
struct doca_piece {
	const struct doca_mapping *from;
	const struct doca_mapping *to;
	u64 src_at;
	u64 dst_at;
	u64 src;
	u64 dst;
	u32 length;
	bool by_cpu;
};

/* Make the piece at the cursors, of at most @max bytes, which are DOCA_PIECE_MIN at least. */
void doca_engine_piece(const struct doca_engine *engine,
		       struct doca_flight *flight, u32 max,
		       struct doca_piece *piece);
/* Move the cursors past the piece. */
void doca_piece_skip(struct doca_op *op, const struct doca_piece *piece);
/* Return how many bytes of the copy are for the CPU in any case. */
u64 doca_engine_unaligned(const struct doca_engine *engine,
			  const struct doca_op *op);

#endif
