// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Streams of DEFLATE: by ISA-L, or by zlib where that is not. */
#include "compute.h"

#ifdef COMPUTE_ISAL
#include <isa-l.h>

/* The rest of the state is for the tables of its level. */
static bool deflate_begin(void *state, size_t size, unsigned int level)
{
	struct isal_zstream *stream = state;

	if (size < sizeof(*stream) + ISAL_DEF_LVL3_SMALL)
		return false;
	isal_deflate_init(stream);
	stream->level = !level ? 1 : level > 3 ? 3 : level;
	stream->level_buf = (uint8_t *)(stream + 1);
	stream->level_buf_size = size - sizeof(*stream);
	return true;
}

static enum compute_result deflate_run(void *state, struct compute_io *io,
				       bool last)
{
	struct isal_zstream *stream = state;
	int rc;

	stream->next_in = (uint8_t *)io->in;
	stream->avail_in = io->in_left;
	stream->next_out = io->out;
	stream->avail_out = io->out_left;
	stream->end_of_stream = last;
	rc = isal_deflate(stream);
	io->in = stream->next_in;
	io->in_left = stream->avail_in;
	io->out = stream->next_out;
	io->out_left = stream->avail_out;
	if (rc != COMP_OK)
		return COMPUTE_BAD;
	if (stream->internal_state.state == ZSTATE_END)
		return COMPUTE_END;
	return io->out_left ? COMPUTE_MORE : COMPUTE_FULL;
}

static bool inflate_begin(void *state, size_t size, unsigned int level)
{
	(void)level;
	if (size < sizeof(struct inflate_state))
		return false;
	isal_inflate_init(state);
	return true;
}

/*
 * Where it ends, it may hold some bytes that are behind the stream. Where it fails, its counts are
 * not those of its pointers, and may be below 0: nothing of the call counts.
 */
static enum compute_result inflate_run(void *state, struct compute_io *io,
				       bool last)
{
	struct inflate_state *stream = state;
	int rc;

	(void)last;
	stream->next_in = (uint8_t *)io->in;
	stream->avail_in = io->in_left;
	stream->next_out = io->out;
	stream->avail_out = io->out_left;
	rc = isal_inflate(stream);
	if (rc < 0)
		return COMPUTE_BAD;
	io->in = stream->next_in;
	io->in_left = stream->avail_in;
	io->out = stream->next_out;
	io->out_left = stream->avail_out;
	if (stream->block_state == ISAL_BLOCK_FINISH) {
		io->in_left += stream->read_in_length / 8;
		return COMPUTE_END;
	}
	if (!io->out_left)
		return COMPUTE_FULL;
	return io->in_left ? COMPUTE_BAD : COMPUTE_MORE;
}

const struct compute_stream compute_deflate = {
	.begin = deflate_begin,
	.run = deflate_run,
};

const struct compute_stream compute_inflate = {
	.begin = inflate_begin,
	.run = inflate_run,
};
#else
#include <zlib.h>

/* A window of 32 KiB, and no header. */
#define RAW (-MAX_WBITS)
#define MEMORY 8 /* zlib's own choice */

/* A stream, and behind it what it would allocate. */
struct stream {
	z_stream z;
	size_t left;
	uint64_t memory[];
};

static void *take(void *opaque, unsigned int items, unsigned int size)
{
	struct stream *stream = opaque;
	size_t bytes = ((size_t)items * size + 15) & ~(size_t)15;

	if (bytes > stream->left)
		return NULL;
	stream->left -= bytes;
	return (uint8_t *)stream->memory + stream->left;
}

static void give_back(void *opaque, void *memory)
{
	(void)opaque, (void)memory;
}

static z_stream *begin(struct stream *stream, size_t size)
{
	stream->z = (z_stream){
		.zalloc = take,
		.zfree = give_back,
		.opaque = stream,
	};
	stream->left = (size - sizeof(*stream)) & ~(size_t)15;
	return &stream->z;
}

/* How much it allocates differs from one zlib to the next. */
static bool deflate_begin(void *state, size_t size, unsigned int level)
{
	return size >= sizeof(struct stream) + 16 &&
	       deflateInit2(begin(state, size), level ? level : 1, Z_DEFLATED,
			    RAW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* It allocates its window with the first output, so see that there is memory for it. */
static bool has_window(struct stream *stream)
{
	static const Bytef stored[] = { 0, 1, 0, 0xfe, 0xff, 0 };
	Bytef out[2];

	stream->z.next_in = (Bytef *)stored;
	stream->z.avail_in = sizeof(stored);
	stream->z.next_out = out;
	stream->z.avail_out = sizeof(out);
	return inflate(&stream->z, Z_NO_FLUSH) == Z_OK &&
	       inflateReset(&stream->z) == Z_OK;
}

static bool inflate_begin(void *state, size_t size, unsigned int level)
{
	(void)level;
	return size >= sizeof(struct stream) + 16 &&
	       inflateInit2(begin(state, size), RAW) == Z_OK &&
	       has_window(state);
}

static z_stream *load(void *state, const struct compute_io *io)
{
	struct stream *stream = state;

	stream->z.next_in = (Bytef *)io->in;
	stream->z.avail_in = io->in_left;
	stream->z.next_out = io->out;
	stream->z.avail_out = io->out_left;
	return &stream->z;
}

static enum compute_result store(const z_stream *z, struct compute_io *io,
				 int rc)
{
	io->in = z->next_in;
	io->in_left = z->avail_in;
	io->out = z->next_out;
	io->out_left = z->avail_out;
	if (rc == Z_STREAM_END)
		return COMPUTE_END;
	if (rc != Z_OK && rc != Z_BUF_ERROR)
		return COMPUTE_BAD;
	return io->out_left ? COMPUTE_MORE : COMPUTE_FULL;
}

static enum compute_result deflate_run(void *state, struct compute_io *io,
				       bool last)
{
	z_stream *z = load(state, io);

	return store(z, io, deflate(z, last ? Z_FINISH : Z_NO_FLUSH));
}

static enum compute_result inflate_run(void *state, struct compute_io *io,
				       bool last)
{
	z_stream *z = load(state, io);

	(void)last;
	return store(z, io, inflate(z, Z_NO_FLUSH));
}

const struct compute_stream compute_deflate = {
	.begin = deflate_begin,
	.run = deflate_run,
};

const struct compute_stream compute_inflate = {
	.begin = inflate_begin,
	.run = inflate_run,
};
#endif
