// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task that decompresses one block of LZ4. */
#include <endian.h>

#include <doca_error.h>

#include "compress.h"

LOG_SOURCE("COMPRESS::DECOMPRESS_LZ4_BLOCK");

struct doca_compress_task_decompress_lz4_block {
	struct doca_task task;
	struct compress_sums sums;
};

static void lz4_block_prepare(struct doca_task *task, struct doca_sqe *sqe,
			      struct doca_seg *run, uint32_t first)
{
	task_prepare_data(task, sqe, run, first);
	sqe->flags |= DOCA_SQE_LZ4_BLOCK;
}

static void lz4_block_finish(struct doca_task *base, uint32_t length,
			     const uint64_t *result)
{
	struct doca_compress_task_decompress_lz4_block *task = list_entry(
		base, struct doca_compress_task_decompress_lz4_block, task);

	compress_finish(base, length, result, &task->sums);
	task->sums.other = htobe32(task->sums.other);
}

DEFINE_TASK(doca_compress_task_decompress_lz4_block)

const struct task_type compress_lz4_block = {
	TASK_OBJECT(doca_compress_task_decompress_lz4_block),
	.name = "decompress LZ4 block",
	.src = { .name = "source", .list = true, .data = true, .empty = true },
	.dst = { .name = "destination", .list = true, .writes = true },
	.validate = compress_validate,
	.finish = lz4_block_finish,
	.ring = { .opcode = DOCA_OP_LZ4, .prepare = lz4_block_prepare },
};

DEFINE_CAP_SUPPORTED(doca_compress_cap_task_decompress_lz4_block_is_supported,
		     compress_lz4_block)
DEFINE_CAP_LIMIT(
	doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len,
	compress_lz4_block, uint32_t, list_len)
DEFINE_MAX_BUF_SIZE(doca_compress_cap_task_decompress_lz4_block_get_max_buf_size,
		    compress_lz4_block)
DEFINE_SET_CONF(doca_compress_task_decompress_lz4_block_set_conf, doca_compress,
		DECOMPRESS_LZ4_BLOCK, doca_compress_task_decompress_lz4_block)
DEFINE_ALLOC_SRC_DST(doca_compress_task_decompress_lz4_block_alloc_init,
		     doca_compress, DECOMPRESS_LZ4_BLOCK,
		     doca_compress_task_decompress_lz4_block)
DEFINE_AS_TASK(doca_compress_task_decompress_lz4_block_as_task,
	       doca_compress_task_decompress_lz4_block)
DEFINE_GET_BUF(doca_compress_task_decompress_lz4_block_get_src,
	       doca_compress_task_decompress_lz4_block, const struct doca_buf,
	       src)
DEFINE_GET_BUF(doca_compress_task_decompress_lz4_block_get_dst,
	       doca_compress_task_decompress_lz4_block, struct doca_buf, dst)
DEFINE_SET_BUF(doca_compress_task_decompress_lz4_block_set_src,
	       doca_compress_task_decompress_lz4_block, const struct doca_buf,
	       src)
DEFINE_SET_BUF(doca_compress_task_decompress_lz4_block_set_dst,
	       doca_compress_task_decompress_lz4_block, struct doca_buf, dst)
DEFINE_TASK_GET(doca_compress_task_decompress_lz4_block_get_crc_cs,
		doca_compress_task_decompress_lz4_block, uint32_t, sums.crc)
DEFINE_TASK_GET(doca_compress_task_decompress_lz4_block_get_xxh_cs,
		doca_compress_task_decompress_lz4_block, uint32_t, sums.other)
