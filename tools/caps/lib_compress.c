// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_compress.h>

#include "lib.h"

/* Bytes that a task may have; programs are told less for one reason only. */
#define TASK_MAX (128ULL << 20)

static const char *lowered_by(const struct doca_devinfo *info)
{
	uint64_t size;

	if (doca_compress_cap_task_decompress_lz4_block_get_max_buf_size(
		    info, &size) != DOCA_SUCCESS ||
	    size == TASK_MAX)
		return NULL;
	return "RLIMIT_MEMLOCK";
}

const struct cap compress_caps[] = {
	{ .name = "task_compress_deflate",
	  .is_supported =
		  doca_compress_cap_task_compress_deflate_is_supported },
	{ .name = "task_compress_deflate_max_buf_size",
	  .get_u64 = doca_compress_cap_task_compress_deflate_get_max_buf_size },
	{ .name = "task_compress_deflate_max_buf_list_len",
	  .get_u32 =
		  doca_compress_cap_task_compress_deflate_get_max_buf_list_len },
	{ .name = "task_decompress_deflate",
	  .is_supported =
		  doca_compress_cap_task_decompress_deflate_is_supported },
	{ .name = "task_decompress_deflate_max_buf_size",
	  .get_u64 =
		  doca_compress_cap_task_decompress_deflate_get_max_buf_size },
	{ .name = "task_decompress_deflate_max_buf_list_len",
	  .get_u32 =
		  doca_compress_cap_task_decompress_deflate_get_max_buf_list_len },
	{ .name = "task_decompress_lz4_stream",
	  .is_supported =
		  doca_compress_cap_task_decompress_lz4_stream_is_supported },
	{ .name = "task_decompress_lz4_stream_max_buf_size",
	  .get_u64 =
		  doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size },
	{ .name = "task_decompress_lz4_stream_max_buf_list_len",
	  .get_u32 =
		  doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len },
	{ .name = "task_decompress_lz4_block",
	  .is_supported =
		  doca_compress_cap_task_decompress_lz4_block_is_supported },
	{ .name = "task_decompress_lz4_block_max_buf_size",
	  .get_u64 =
		  doca_compress_cap_task_decompress_lz4_block_get_max_buf_size },
	{ .name = "task_decompress_lz4_block_max_buf_list_len",
	  .get_u32 =
		  doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len },
	{ .name = "max_buf_size_lowered_by", .get_text = lowered_by },
	{},
};
