/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The pieces of a transfer. No address gets to an engine but from here, and these are of
 * live maps, within what the keys of the transfer name.
 */
#ifndef DOCA_DMA_PIECE_H
#define DOCA_DMA_PIECE_H

#include <linux/types.h>

struct doca_engine;
struct doca_flight;
struct doca_mapping;
struct doca_op;

/**
 * struct doca_piece - what is moved next
 * @from: mapping of the source
 * @to: mapping of the destination
 * @src_at: address of the source in @from
 * @dst_at: address of the destination in @to
 * @src: of the source, for the engine
 * @dst: of the destination, for the engine
 * @length: bytes
 * @by_cpu: it is not for the engine: not aligned, or the caches' lines at its edges
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

/* Where the cursors are, of at most @max bytes, DOCA_PIECE_MIN at least. */
void doca_engine_piece(const struct doca_engine *engine,
		       struct doca_flight *flight, u32 max,
		       struct doca_piece *piece);
/* Past it. */
void doca_piece_skip(struct doca_op *op, const struct doca_piece *piece);
/* How many bytes of the copy are for the CPU in any case. */
u64 doca_engine_unaligned(const struct doca_engine *engine,
			  const struct doca_op *op);

#endif
