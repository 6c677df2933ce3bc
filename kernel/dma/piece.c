// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A piece ends at the end of a segment, where pages are not contiguous for the engine,
 * and at the provider's maximum. Maps cover whole pages, so below the size of a page, an
 * engine's address has the alignment of the process's address.
 */
#include <linux/cache.h>
#include <linux/dma-mapping.h>
#include <linux/minmax.h>

#include "access.h"
#include "engine.h"
#include "flight.h"
#include "map.h"
#include "piece.h"

/* Both addresses and the length must be multiples of this. */
static u32 doca_engine_align(const struct doca_engine *engine)
{
	return 1U << engine->align;
}

/* The destination must be a multiple of this: others may write to the rest of a cache line. */
static u32 doca_engine_line(const struct doca_engine *engine)
{
	u32 align = doca_engine_align(engine);

	return engine->coherent ? align :
				  max_t(u32, align, dma_get_cache_alignment());
}

/* Skip segments that are used up. */
static const struct doca_seg *doca_piece_seg(struct doca_op_side *side)
{
	while (side->offset == side->segs[side->index].length) {
		side->index++;
		side->offset = 0;
	}
	return &side->segs[side->index];
}

static u64 doca_piece_at(const struct doca_mapping *mapping, u64 address)
{
	u64 offset = doca_mapping_offset(mapping, address);

	return (unsigned long)doca_chunks_addr(&mapping->dma->chunks,
					       mapping->addr + offset);
}

/* Return how many bytes of one side an engine can take at once. */
static u64 doca_piece_run(const struct doca_engine *engine,
			  const struct doca_mapping *mapping, u64 address,
			  u64 at)
{
	u64 boundary = dma_get_seg_boundary(engine->dev);
	u64 run = doca_chunks_contig(&mapping->dma->chunks, address);

	/* Adding 1 to the maximum would overflow. */
	return boundary == U64_MAX ? run : min(run, boundary - (at & boundary) + 1);
}

/* Return how many bytes their files have not lost, chunk by chunk. */
static u64 doca_piece_there(const struct doca_mapping *mapping, u64 address,
			    u64 length)
{
	u64 there = 0;

	while (there < length) {
		u64 run = min_t(u64, length - there,
				doca_chunks_contig(mapping->chunks,
						   address + there));
		u64 good = doca_backed_there(doca_mapping_at(mapping,
							     address + there),
					     run);

		there += good;
		if (good < run)
			break;
	}
	return there;
}

/* Leave @length bytes to the CPU, as far as the segments of both sides reach. */
static void doca_piece_set_edge(struct doca_piece *piece, u32 length)
{
	piece->by_cpu = true;
	piece->length = length;
}

/*
 * @room: bytes up to the end of either segment, or of the copy.
 */
static void doca_piece_cut(const struct doca_engine *engine, u32 room, u32 max,
			   struct doca_piece *piece)
{
	u32 align = doca_engine_align(engine), line = doca_engine_line(engine);
	u32 head = -piece->dst_at & (line - 1);
	u64 length;

	if ((piece->src_at ^ piece->dst_at) & (align - 1)) {
		doca_piece_set_edge(piece, room);
		return;
	}
	if (head || room < line) {
		doca_piece_set_edge(piece, min(room, head ?: room));
		return;
	}
	piece->src = doca_piece_at(piece->from, piece->src_at);
	piece->dst = doca_piece_at(piece->to, piece->dst_at);
	length = min3((u64)room, (u64)max, (u64)engine->max_seg);
	length = min3(length,
		      doca_piece_run(engine, piece->from, piece->src_at,
				     piece->src),
		      doca_piece_run(engine, piece->to, piece->dst_at,
				     piece->dst));
	/* The CPU takes lost memory, and reports it. */
	if (doca_mapping_is_backed(piece->from))
		length = doca_piece_there(piece->from, piece->src_at, length);
	if (doca_mapping_is_backed(piece->to))
		length = doca_piece_there(piece->to, piece->dst_at, length);
	length = round_down(length, line);
	if (length)
		piece->length = length;
	else
		doca_piece_set_edge(piece, line);
}

void doca_engine_piece(const struct doca_engine *engine,
		       struct doca_flight *flight, u32 max,
		       struct doca_piece *piece)
{
	struct doca_op *op = &flight->op;
	const struct doca_seg *src = doca_piece_seg(&op->src);
	const struct doca_seg *dst = doca_piece_seg(&op->dst);
	u32 room = min3(src->length - op->src.offset,
			dst->length - op->dst.offset,
			(u32)min_t(u64, op->length - op->done, U32_MAX));

	*piece = (struct doca_piece){
		.from = flight->mappings[op->src.index],
		.to = flight->mappings[op->src.nr + op->dst.index],
		.src_at = src->address + op->src.offset,
		.dst_at = dst->address + op->dst.offset,
	};
	doca_piece_cut(engine, room, max, piece);
}

void doca_piece_skip(struct doca_op *op, const struct doca_piece *piece)
{
	op->src.offset += piece->length;
	op->dst.offset += piece->length;
	op->done += piece->length;
}

/* Go span by span: places of pages make no difference. */
u64 doca_engine_unaligned(const struct doca_engine *engine,
			  const struct doca_op *op)
{
	u32 align = doca_engine_align(engine), line = doca_engine_line(engine);
	const struct doca_seg *src = op->src.segs, *dst = op->dst.segs;
	u64 left = op->length, bytes = 0;
	u32 from = 0, to = 0;

	if (line == 1)
		return 0;
	while (left) {
		u32 room = min3(src->length - from, dst->length - to, (u32)left);
		u64 src_at = src->address + from, dst_at = dst->address + to;

		if ((src_at ^ dst_at) & (align - 1))
			bytes += room;
		else
			bytes += min_t(u32, room,
				       (-dst_at & (line - 1)) +
					       ((dst_at + room) & (line - 1)));
		left -= room;
		from += room;
		to += room;
		if (from == src->length) {
			src++;
			from = 0;
		}
		if (to == dst->length) {
			dst++;
			to = 0;
		}
	}
	return bytes;
}
