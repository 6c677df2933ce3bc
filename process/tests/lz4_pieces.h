/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* LZ4 in pieces of input and output, each in memory of just its size. */
#ifndef PROCESS_TESTS_LZ4_PIECES_H
#define PROCESS_TESTS_LZ4_PIECES_H

#include "algo/lz4.h"
#include "pieces.h"

struct stream {
	const u8 *data;
	size_t size;
	u32 flags;
	bool bare;
	bool whole; /* not in pieces */
};

struct end {
	enum doca_lz4_result result;
	size_t written;
	size_t consumed;
	bool good;
};

/* A piece of output: behind some of what was written before, of which the rest is elsewhere. */
struct piece {
	u8 *start;
	u8 *past;
	size_t kept;
	size_t past_size;
	size_t size;
};

static void begin_piece(struct piece *piece, struct doca_lz4_io *io, const u8 *out, size_t written,
			size_t size)
{
	piece->kept = any(2) ? 0 : min_t(size_t, written, any(any(2) ? 100 : 70000));
	piece->past_size = min_t(size_t, written - piece->kept, DOCA_LZ4_HISTORY);
	piece->past = own_copy(out + written - piece->kept - piece->past_size, piece->past_size);
	piece->start = own_copy(out + written - piece->kept, piece->kept + size);
	piece->size = size;
	io->past = piece->past;
	io->past_size = piece->past_size;
	io->start = piece->start;
	io->out = piece->start + piece->kept;
	io->out_end = io->out + size;
}

static size_t end_piece(struct piece *piece, struct doca_lz4_io *io, u8 *out, size_t written)
{
	size_t n = io->out - piece->start - piece->kept;

	if (io->out > io->out_end)
		abort();
	memcpy(out + written, piece->start + piece->kept, n);
	drop(piece->start, piece->kept + piece->size);
	drop(piece->past, piece->past_size);
	return n;
}

/* Decode to @out, which has @room bytes. */
static struct end decode_in_pieces(const struct stream *stream, u8 *out, size_t room)
{
	struct end end = { .result = DOCA_LZ4_MORE };
	u32 pieces = 0, outs = 0;
	struct doca_lz4_io io;
	struct piece piece;
	struct doca_lz4 lz4;
	const u8 *in;
	size_t n;

	if (stream->bare)
		doca_lz4_begin_bare(&lz4, stream->size);
	else
		doca_lz4_begin(&lz4, stream->flags);
	do {
		n = piece_size(stream->whole, stream->size - end.consumed, &pieces);
		in = own_copy(stream->data + end.consumed, n);
		io.in = in;
		io.in_end = in + n;
		begin_piece(&piece, &io, out, end.written,
			    piece_size(stream->whole, room - end.written, &outs));
		end.result = doca_lz4_run(&lz4, &io);
		end.written += end_piece(&piece, &io, out, end.written);
		if (io.in > io.in_end)
			abort();
		end.consumed += io.in - in;
		drop(in, n);
	} while ((end.result == DOCA_LZ4_MORE && end.consumed < stream->size) ||
		 (end.result == DOCA_LZ4_FULL && end.written < room));
	end.good = end.result == DOCA_LZ4_END ||
		   (end.result == DOCA_LZ4_MORE && doca_lz4_may_end(&lz4));
	return end;
}

#endif
