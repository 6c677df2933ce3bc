// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task that decompresses DEFLATE. */
#include <doca_error.h>
#include <open_doca.h>

#include "compress.h"

LOG_SOURCE("COMPRESS::DECOMPRESS_DEFLATE");

struct doca_compress_task_decompress_deflate {
	struct doca_task task;
	struct compress_sums sums;
	uint64_t consumed; /* bytes of the source */
};

static void inflate_finish(struct doca_task *base, uint32_t length,
			   const uint64_t *result)
{
	struct doca_compress_task_decompress_deflate *task = list_entry(
		base, struct doca_compress_task_decompress_deflate, task);

	task->consumed = result[1];
	compress_finish(base, length, result, &task->sums);
}

DEFINE_TASK(doca_compress_task_decompress_deflate)

const struct task_type compress_inflate = {
	TASK_OBJECT(doca_compress_task_decompress_deflate),
	.name = "decompress deflate",
	.src = { .name = "source", .list = true, .data = true, .empty = true },
	.dst = { .name = "destination", .list = true, .writes = true },
	.validate = compress_validate,
	.finish = inflate_finish,
	.ring = { .opcode = DOCA_OP_INFLATE, .prepare = task_prepare_data },
};

DEFINE_CAP_SUPPORTED(doca_compress_cap_task_decompress_deflate_is_supported,
		     compress_inflate)
DEFINE_CAP_LIMIT(doca_compress_cap_task_decompress_deflate_get_max_buf_list_len,
		 compress_inflate, uint32_t, list_len)
DEFINE_MAX_BUF_SIZE(doca_compress_cap_task_decompress_deflate_get_max_buf_size,
		    compress_inflate)
DEFINE_SET_CONF(doca_compress_task_decompress_deflate_set_conf, doca_compress,
		DECOMPRESS_DEFLATE, doca_compress_task_decompress_deflate)
DEFINE_ALLOC_SRC_DST(doca_compress_task_decompress_deflate_alloc_init,
		     doca_compress, DECOMPRESS_DEFLATE,
		     doca_compress_task_decompress_deflate)
DEFINE_AS_TASK(doca_compress_task_decompress_deflate_as_task,
	       doca_compress_task_decompress_deflate)
DEFINE_GET_BUF(doca_compress_task_decompress_deflate_get_src,
	       doca_compress_task_decompress_deflate, const struct doca_buf,
	       src)
DEFINE_GET_BUF(doca_compress_task_decompress_deflate_get_dst,
	       doca_compress_task_decompress_deflate, struct doca_buf, dst)
DEFINE_SET_BUF(doca_compress_task_decompress_deflate_set_src,
	       doca_compress_task_decompress_deflate, const struct doca_buf,
	       src)
DEFINE_SET_BUF(doca_compress_task_decompress_deflate_set_dst,
	       doca_compress_task_decompress_deflate, struct doca_buf, dst)
DEFINE_TASK_GET(doca_compress_task_decompress_deflate_get_crc_cs,
		doca_compress_task_decompress_deflate, uint32_t, sums.crc)
DEFINE_TASK_GET(doca_compress_task_decompress_deflate_get_adler_cs,
		doca_compress_task_decompress_deflate, uint32_t, sums.other)
DEFINE_TASK_GET(open_doca_compress_task_decompress_deflate_get_consumed,
		doca_compress_task_decompress_deflate, uint64_t, consumed)
