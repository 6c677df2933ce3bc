/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_COMPRESS_COMPRESS_H
#define DOCA_COMPRESS_COMPRESS_H

#include <doca_compress.h>

#include "core/exec/library.h"
#include "core/exec/task_bufs.h"

enum {
	COMPRESS_DEFLATE,
	DECOMPRESS_DEFLATE,
	DECOMPRESS_LZ4_STREAM,
	DECOMPRESS_LZ4_BLOCK,
	COMPRESS_TASKS,
};

struct doca_compress {
	struct doca_ctx ctx;
	struct task_pool pools[COMPRESS_TASKS];
	uint8_t level; /* 1 to 9; 0: the driver's choice */
};

extern const struct object_type doca_compress_object;

extern const struct task_type compress_deflate;
extern const struct task_type compress_inflate;
extern const struct task_type compress_lz4_stream;
extern const struct task_type compress_lz4_block;

/* Checksums of the bytes that are not compressed; 0 unless the task was successful. */
struct compress_sums {
	uint32_t crc;
	uint32_t other; /* Adler-32; or XXH32, as the big-endian word of frames */
};

/* task.c: validate() and a part of finish() of all types */
doca_error_t compress_validate(const struct doca_task *task);
void compress_finish(struct doca_task *task, uint32_t length,
		     const uint64_t *result, struct compress_sums *sums);

/* caps.c: the answer of the functions that tell how large buffers may be */
doca_error_t compress_max_buf_size(const struct doca_devinfo *devinfo,
				   const struct task_type *type, uint64_t *size,
				   const struct log_site *site);

/* NAME(devinfo, &max_buffer_size), for tasks of that type */
#define DEFINE_MAX_BUF_SIZE(name, type)                                       \
	doca_error_t name(const struct doca_devinfo *devinfo, uint64_t *size) \
	{                                                                     \
		static const struct log_site site = LOG_SITE;                 \
                                                                              \
		return compress_max_buf_size(devinfo, &type, size, &site);    \
	}

#endif /* DOCA_COMPRESS_COMPRESS_H */
