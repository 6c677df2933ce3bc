// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The compress context. */
#include <doca_error.h>
#include <open_doca.h>

#include "compress.h"

LOG_SOURCE("COMPRESS");

#define LEVEL_MAX 9

static const struct task_type *const tasks[COMPRESS_TASKS] = {
	[COMPRESS_DEFLATE] = &compress_deflate,
	[DECOMPRESS_DEFLATE] = &compress_inflate,
	[DECOMPRESS_LZ4_STREAM] = &compress_lz4_stream,
	[DECOMPRESS_LZ4_BLOCK] = &compress_lz4_block,
};

const struct ctx_type doca_compress_type = {
	CTX_OBJECT(doca_compress, tasks),
	.name = "compress",
};

DEFINE_CREATE(doca_compress_create, doca_compress)
DEFINE_DESTROY(doca_compress_destroy, doca_compress)
DEFINE_AS_CTX(doca_compress_as_ctx, doca_compress)
DEFINE_CAP_MAX_TASKS(doca_compress_cap_get_max_num_tasks, doca_compress,
		     COMPRESS_DEFLATE)

doca_error_t open_doca_compress_set_level(struct doca_compress *compress,
					  uint8_t level)
{
	if (!valid_ctx(compress, doca_compress))
		return DOCA_ERROR_INVALID_VALUE;
	if (level > LEVEL_MAX)
		return FAIL(INVALID_VALUE,
			    "invalid argument: there is no level %u, only 0 "
			    "to %u",
			    level, LEVEL_MAX);
	if (!doca_priv_ctx_idle(&compress->ctx))
		return FAIL(BAD_STATE,
			    "cannot configure compress %p: it is "
			    "started",
			    (void *)compress);
	compress->level = level;
	return DOCA_SUCCESS;
}
