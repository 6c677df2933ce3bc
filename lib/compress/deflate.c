// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task that compresses to DEFLATE. */
#include <doca_error.h>

#include "compress.h"

LOG_SOURCE("COMPRESS::COMPRESS_DEFLATE");

struct doca_compress_task_compress_deflate {
	struct doca_task task;
	struct compress_sums sums;
};

static void deflate_prepare(struct doca_task *task, struct doca_sqe *sqe,
			    struct doca_seg *run, uint32_t first)
{
	const struct doca_compress *compress =
		list_entry(task->ctx, struct doca_compress, ctx);

	task_prepare_data(task, sqe, run, first);
	sqe->deflate.level = compress->level;
}

static void deflate_finish(struct doca_task *base, uint32_t length,
			   const uint64_t *result)
{
	struct doca_compress_task_compress_deflate *task = list_entry(
		base, struct doca_compress_task_compress_deflate, task);

	compress_finish(base, length, result, &task->sums);
}

DEFINE_TASK(doca_compress_task_compress_deflate)

const struct task_type compress_deflate = {
	TASK_OBJECT(doca_compress_task_compress_deflate),
	.name = "compress deflate",
	.src = { .name = "source", .list = true, .data = true, .empty = true },
	.dst = { .name = "destination", .list = true, .writes = true },
	.validate = compress_validate,
	.finish = deflate_finish,
	.ring = { .opcode = DOCA_OP_DEFLATE, .prepare = deflate_prepare },
};

DEFINE_CAP_SUPPORTED(doca_compress_cap_task_compress_deflate_is_supported,
		     compress_deflate)
DEFINE_CAP_LIMIT(doca_compress_cap_task_compress_deflate_get_max_buf_list_len,
		 compress_deflate, uint32_t, list_len)
DEFINE_MAX_BUF_SIZE(doca_compress_cap_task_compress_deflate_get_max_buf_size,
		    compress_deflate)
DEFINE_SET_CONF(doca_compress_task_compress_deflate_set_conf, doca_compress,
		COMPRESS_DEFLATE, doca_compress_task_compress_deflate)
DEFINE_ALLOC_SRC_DST(doca_compress_task_compress_deflate_alloc_init,
		     doca_compress, COMPRESS_DEFLATE,
		     doca_compress_task_compress_deflate)
DEFINE_AS_TASK(doca_compress_task_compress_deflate_as_task,
	       doca_compress_task_compress_deflate)
DEFINE_GET_BUF(doca_compress_task_compress_deflate_get_src,
	       doca_compress_task_compress_deflate, const struct doca_buf, src)
DEFINE_GET_BUF(doca_compress_task_compress_deflate_get_dst,
	       doca_compress_task_compress_deflate, struct doca_buf, dst)
DEFINE_SET_BUF(doca_compress_task_compress_deflate_set_src,
	       doca_compress_task_compress_deflate, const struct doca_buf, src)
DEFINE_SET_BUF(doca_compress_task_compress_deflate_set_dst,
	       doca_compress_task_compress_deflate, struct doca_buf, dst)
DEFINE_TASK_GET(doca_compress_task_compress_deflate_get_crc_cs,
		doca_compress_task_compress_deflate, uint32_t, sums.crc)
DEFINE_TASK_GET(doca_compress_task_compress_deflate_get_adler_cs,
		doca_compress_task_compress_deflate, uint32_t, sums.other)
