// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task that decompresses blocks of LZ4 as they are in a frame. */
#include <endian.h>

#include <doca_error.h>

#include "compress.h"

LOG_SOURCE("COMPRESS::DECOMPRESS_LZ4_STREAM");

struct doca_compress_task_decompress_lz4_stream {
	struct doca_task task;
	struct compress_sums sums;
	uint8_t has_checksum; /* 0 or 1, as the next one */
	uint8_t independent;
};

static struct doca_compress_task_decompress_lz4_stream *
lz4_stream_of(struct doca_task *task)
{
	return list_entry(task, struct doca_compress_task_decompress_lz4_stream,
			  task);
}

static void lz4_stream_prepare(struct doca_task *task, struct doca_sqe *sqe,
			       struct doca_seg *run, uint32_t first)
{
	const struct doca_compress_task_decompress_lz4_stream *stream =
		lz4_stream_of(task);

	task_prepare_data(task, sqe, run, first);
	if (stream->has_checksum)
		sqe->flags |= DOCA_SQE_LZ4_CHECKSUM;
	if (stream->independent)
		sqe->flags |= DOCA_SQE_LZ4_INDEPENDENT;
}

static void lz4_stream_finish(struct doca_task *task, uint32_t length,
			      const uint64_t *result)
{
	struct doca_compress_task_decompress_lz4_stream *stream =
		lz4_stream_of(task);

	compress_finish(task, length, result, &stream->sums);
	stream->sums.other = htobe32(stream->sums.other);
}

DEFINE_TASK(doca_compress_task_decompress_lz4_stream)

const struct task_type compress_lz4_stream = {
	TASK_OBJECT(doca_compress_task_decompress_lz4_stream),
	.name = "decompress LZ4 stream",
	.src = { .name = "source", .list = true, .data = true, .empty = true },
	.dst = { .name = "destination", .list = true, .writes = true },
	.validate = compress_validate,
	.finish = lz4_stream_finish,
	.ring = { .opcode = DOCA_OP_LZ4, .prepare = lz4_stream_prepare },
};

DEFINE_CAP_SUPPORTED(doca_compress_cap_task_decompress_lz4_stream_is_supported,
		     compress_lz4_stream)
DEFINE_CAP_LIMIT(
	doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len,
	compress_lz4_stream, uint32_t, list_len)
DEFINE_MAX_BUF_SIZE(
	doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size,
	compress_lz4_stream)
DEFINE_SET_CONF(doca_compress_task_decompress_lz4_stream_set_conf,
		doca_compress, DECOMPRESS_LZ4_STREAM,
		doca_compress_task_decompress_lz4_stream)
DEFINE_ALLOC(doca_compress, DECOMPRESS_LZ4_STREAM,
	     doca_compress_task_decompress_lz4_stream)
DEFINE_AS_TASK(doca_compress_task_decompress_lz4_stream_as_task,
	       doca_compress_task_decompress_lz4_stream)
DEFINE_GET_BUF(doca_compress_task_decompress_lz4_stream_get_src,
	       doca_compress_task_decompress_lz4_stream, const struct doca_buf,
	       src)
DEFINE_GET_BUF(doca_compress_task_decompress_lz4_stream_get_dst,
	       doca_compress_task_decompress_lz4_stream, struct doca_buf, dst)
DEFINE_SET_BUF(doca_compress_task_decompress_lz4_stream_set_src,
	       doca_compress_task_decompress_lz4_stream, const struct doca_buf,
	       src)
DEFINE_SET_BUF(doca_compress_task_decompress_lz4_stream_set_dst,
	       doca_compress_task_decompress_lz4_stream, struct doca_buf, dst)
DEFINE_TASK_GET(doca_compress_task_decompress_lz4_stream_get_crc_cs,
		doca_compress_task_decompress_lz4_stream, uint32_t, sums.crc)
DEFINE_TASK_GET(doca_compress_task_decompress_lz4_stream_get_xxh_cs,
		doca_compress_task_decompress_lz4_stream, uint32_t, sums.other)
DEFINE_TASK_GET(doca_compress_task_decompress_lz4_stream_get_has_block_checksum,
		doca_compress_task_decompress_lz4_stream, uint8_t, has_checksum)
DEFINE_TASK_GET(
	doca_compress_task_decompress_lz4_stream_get_are_blocks_independent,
	doca_compress_task_decompress_lz4_stream, uint8_t, independent)

void doca_compress_task_decompress_lz4_stream_set_has_block_checksum(
	struct doca_compress_task_decompress_lz4_stream *task,
	uint8_t has_block_checksum)
{
	static const struct log_site site = LOG_SITE;

	if (task_may_set(TASK_OF(task),
			 &doca_compress_task_decompress_lz4_stream_object_,
			 &site))
		task->has_checksum = !!has_block_checksum;
}

void doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(
	struct doca_compress_task_decompress_lz4_stream *task,
	uint8_t are_blocks_independent)
{
	static const struct log_site site = LOG_SITE;

	if (task_may_set(TASK_OF(task),
			 &doca_compress_task_decompress_lz4_stream_object_,
			 &site))
		task->independent = !!are_blocks_independent;
}

doca_error_t doca_compress_task_decompress_lz4_stream_alloc_init(
	struct doca_compress *compress, uint8_t has_block_checksum,
	uint8_t are_blocks_independent, const struct doca_buf *src_buff,
	struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_lz4_stream **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_or_null(src_buff) || !valid_or_null(dst_buff))
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_compress_task_decompress_lz4_stream_alloc_(
		compress, user_data, task, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&(*task)->task, src_buff);
	task_set_dst(&(*task)->task, dst_buff);
	(*task)->has_checksum = !!has_block_checksum;
	(*task)->independent = !!are_blocks_independent;
	return DOCA_SUCCESS;
}
