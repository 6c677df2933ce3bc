// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Streams of DEFLATE: by the kernel's zlib. */
#include <linux/errno.h>
#include <linux/zlib.h>

#include "algo.h"

/* A window of 32 KiB, and no header. */
#define DOCA_ZLIB_RAW (-MAX_WBITS)

static size_t doca_deflate_space(void)
{
	return zlib_deflate_workspacesize(DOCA_ZLIB_RAW, DEF_MEM_LEVEL);
}

bool doca_algo_has_deflate(void)
{
	return sizeof(z_stream) + doca_deflate_space() <= DOCA_DEFLATE_RUN;
}

bool doca_algo_has_inflate(void)
{
	return sizeof(z_stream) + zlib_inflate_workspacesize() <=
	       DOCA_INFLATE_RUN;
}

/* The workspace is behind the stream. */
static z_stream *doca_zlib_begin(void *run)
{
	z_stream *stream = run;

	*stream = (z_stream){ .workspace = stream + 1 };
	return stream;
}

static void doca_zlib_load(z_stream *stream, const struct doca_algo_io *io)
{
	stream->next_in = io->in;
	stream->avail_in = io->in_left;
	stream->next_out = io->out;
	stream->avail_out = io->out_left;
}

static enum doca_algo_result doca_zlib_store(const z_stream *stream,
					     struct doca_algo_io *io, int rc)
{
	io->in = stream->next_in;
	io->in_left = stream->avail_in;
	io->out = stream->next_out;
	io->out_left = stream->avail_out;
	if (rc == Z_STREAM_END)
		return DOCA_ALGO_END;
	/* No progress is no error: the other piece is missing. */
	if (rc != Z_OK && rc != Z_BUF_ERROR)
		return DOCA_ALGO_BAD;
	return io->out_left ? DOCA_ALGO_MORE : DOCA_ALGO_FULL;
}

int doca_algo_deflate_begin(void *run, u32 level)
{
	int rc;

	rc = zlib_deflateInit2(doca_zlib_begin(run), level ? level : 1,
			       Z_DEFLATED, DOCA_ZLIB_RAW, DEF_MEM_LEVEL,
			       Z_DEFAULT_STRATEGY);
	return rc == Z_OK ? 0 : -EINVAL;
}

enum doca_algo_result doca_algo_deflate(void *run, struct doca_algo_io *io,
					bool last)
{
	doca_zlib_load(run, io);
	return doca_zlib_store(run, io,
			       zlib_deflate(run, last ? Z_FINISH : Z_NO_FLUSH));
}

int doca_algo_inflate_begin(void *run)
{
	int rc = zlib_inflateInit2(doca_zlib_begin(run), DOCA_ZLIB_RAW);

	return rc == Z_OK ? 0 : -EINVAL;
}

enum doca_algo_result doca_algo_inflate(void *run, struct doca_algo_io *io)
{
	doca_zlib_load(run, io);
	return doca_zlib_store(run, io, zlib_inflate(run, Z_NO_FLUSH));
}
