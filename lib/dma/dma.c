// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The DMA context. */
#include <stddef.h>
#include <stdlib.h>

#include <doca_error.h>

#include "core/debug.h"
#include "core/log.h"
#include "dma.h"

LOG_SOURCE("DMA");

static doca_error_t dma_check(const struct doca_ctx *ctx)
{
	const struct doca_dma *dma =
		list_entry(ctx, const struct doca_dma, ctx);

	if (dma->memcpy.num)
		return DOCA_SUCCESS;
	LOG_ERR("cannot start DMA %p: no tasks are enabled; call "
		"doca_dma_task_memcpy_set_conf()",
		(const void *)dma);
	return DOCA_ERROR_INVALID_VALUE;
}

static const struct ctx_ops dma_ops = {
	.name = "DMA",
	.check = dma_check,
};

doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma)
{
	struct doca_dma *new;
	doca_error_t ret;

	if (!valid(dev) || !dma)
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	ret = dma_limits_get(&new->limits);
	if (ret != DOCA_SUCCESS) {
		free(new);
		return ret;
	}
	/* Each task owns the longest lists; see dma_limits_get(). */
	new->memcpy.type = &dma_memcpy_type;
	new->memcpy.list_segs = 2 * new->limits.list_len;
	doca_priv_ctx_init(&new->ctx, &dma_ops, dev, &new->memcpy, 1);
	*dma = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
	doca_error_t ret;

	if (!dma_valid(dma))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&dma->ctx), return DOCA_ERROR_IN_USE);
	ret = doca_priv_ctx_fini(&dma->ctx);
	if (ret == DOCA_SUCCESS)
		doca_priv_debug_free(dma);
	return ret;
}

struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma)
{
	return dma_valid(dma) ? &dma->ctx : NULL;
}

doca_error_t doca_dma_task_memcpy_set_conf(
	struct doca_dma *dma,
	doca_dma_task_memcpy_completion_cb_t task_completion_cb,
	doca_dma_task_memcpy_completion_cb_t task_error_cb,
	uint32_t num_memcpy_tasks)
{
	if (!dma_valid(dma) || !task_completion_cb || !task_error_cb ||
	    !num_memcpy_tasks)
		return DOCA_ERROR_INVALID_VALUE;
	if (!doca_priv_ctx_idle(&dma->ctx)) {
		LOG_ERR("cannot configure DMA %p: it is started", (void *)dma);
		return DOCA_ERROR_BAD_STATE;
	}
	if (num_memcpy_tasks > dma->limits.tasks) {
		LOG_ERR("%u tasks are more than one DMA context may have, %u",
			num_memcpy_tasks, dma->limits.tasks);
		return DOCA_ERROR_INVALID_VALUE;
	}
	dma->done = task_completion_cb;
	dma->failed = task_error_cb;
	dma->memcpy.num = num_memcpy_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma,
				     struct doca_gpu_dma **gpu_dma)
{
	if (!dma_valid(dma) || !gpu_dma)
		return DOCA_ERROR_INVALID_VALUE;
	LOG_ERR("DMA has no handle for a GPU: its tasks are submitted by the "
		"CPU only");
	return DOCA_ERROR_NOT_SUPPORTED;
}
