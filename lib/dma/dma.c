// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The DMA context. */
#include <doca_error.h>

#include "dma.h"

LOG_SOURCE("DMA");

static const struct task_type *const tasks[DMA_TASKS] = { &dma_memcpy };

const struct ctx_type doca_dma_type = {
	CTX_OBJECT(doca_dma, tasks),
	.name = "DMA",
};

DEFINE_CREATE(doca_dma_create, doca_dma)
DEFINE_DESTROY(doca_dma_destroy, doca_dma)
DEFINE_AS_CTX(doca_dma_as_ctx, doca_dma)
DEFINE_CAP_MAX_TASKS(doca_dma_cap_get_max_num_tasks, doca_dma, DMA_MEMCPY)

doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma,
				     struct doca_gpu_dma **gpu_dma)
{
	if (!valid_ctx(dma, doca_dma) || !given(gpu_dma))
		return DOCA_ERROR_INVALID_VALUE;
	return FAIL(NOT_SUPPORTED, "DMA has no handle for a GPU: its tasks are "
				   "submitted by the CPU only");
}
