// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Streams of DEFLATE: those of ISA-L, or of zlib. */
#include "shim/kernel.h"

#include "algo.h"
#include "compute.h"

/* Libraries differ in the memory that a stream needs: so try. */
static bool fits(const struct compute_stream *stream, size_t size)
{
	void *run = kvmalloc_array(1, size, GFP_KERNEL);
	bool begun = run && stream->begin(run, size, 9);

	kvfree(run);
	return begun;
}

bool doca_algo_has_deflate(void)
{
	const struct compute *compute = compute_load();

	return compute && fits(compute->deflate, DOCA_DEFLATE_RUN);
}

bool doca_algo_has_inflate(void)
{
	const struct compute *compute = compute_load();

	return compute && fits(compute->inflate, DOCA_INFLATE_RUN);
}

static enum doca_algo_result result_of(enum compute_result result)
{
	switch (result) {
	case COMPUTE_MORE:
		return DOCA_ALGO_MORE;
	case COMPUTE_FULL:
		return DOCA_ALGO_FULL;
	case COMPUTE_END:
		return DOCA_ALGO_END;
	default:
		return DOCA_ALGO_BAD;
	}
}

static enum doca_algo_result run_stream(const struct compute_stream *stream,
					void *run, struct doca_algo_io *io,
					bool last)
{
	struct compute_io pieces = { io->in, io->in_left, io->out,
				     io->out_left };
	enum compute_result result = stream->run(run, &pieces, last);

	*io = (struct doca_algo_io){
		.in = pieces.in,
		.in_left = pieces.in_left,
		.out = pieces.out,
		.out_left = pieces.out_left,
	};
	return result_of(result);
}

int doca_algo_deflate_begin(void *run, u32 level)
{
	return compute_get()->deflate->begin(run, DOCA_DEFLATE_RUN, level) ?
		       0 :
		       -EINVAL;
}

enum doca_algo_result doca_algo_deflate(void *run, struct doca_algo_io *io,
					bool last)
{
	return run_stream(compute_get()->deflate, run, io, last);
}

int doca_algo_inflate_begin(void *run)
{
	return compute_get()->inflate->begin(run, DOCA_INFLATE_RUN, 0) ?
		       0 :
		       -EINVAL;
}

enum doca_algo_result doca_algo_inflate(void *run, struct doca_algo_io *io)
{
	return run_stream(compute_get()->inflate, run, io, false);
}
