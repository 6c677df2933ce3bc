// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Functions that tasks of all types share. */
#include <doca_error.h>

#include "compress.h"

doca_error_t compress_validate(const struct doca_task *task)
{
	struct task_bytes bytes;

	return doca_priv_task_check(task, &bytes);
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
