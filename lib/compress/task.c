// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Functions that tasks of all types share. */
#include <doca_error.h>

#include "compress.h"

doca_error_t compress_validate(const struct doca_task *task)
{
	struct task_bytes bytes;

	return doca_priv_task_check(task, &bytes);
}

void compress_prepare(struct doca_task *task, struct doca_sqe *sqe,
		      struct doca_seg *run, uint32_t first)
{
	struct doca_buf *src = task_hold_src(task);
	struct doca_buf *dst = task_hold_dst(task);
	struct segs segs = {
		.dev = task->ctx->dev,
		.run = run,
		.first = first,
		.max = task->pool->limits.list_len,
	};

	sqe->opcode = task->opcode;
	sqe->flags = segs_from_data(&segs, src, &sqe->src) |
		     segs_from_destination(&segs, dst, &sqe->dst);
}

void compress_finish(struct doca_task *task, uint32_t length,
		     const uint64_t *result, struct compress_sums *sums)
{
	*sums = (struct compress_sums){ 0 };
	if (task->status == DOCA_SUCCESS) {
		sums->crc = result[0];
		sums->other = result[0] >> 32;
	}
	task_finish_bufs(task, length);
}
