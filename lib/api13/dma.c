// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* DMA contexts; ctx.c has everything else about them. */
#include <stdlib.h>

#include <doca_log.h>

#include "api13.h"
#include "debug.h"

DOCA_LOG_REGISTER(API13::DMA);

PUBLIC doca_error_t doca_dma_create(struct doca_dma **dma)
{
	struct doca_dma *new;

	if (!given(dma))
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	pthread_mutex_init(&new->ctx.lock, NULL);
	doca_priv_debug_add(new, &api13_dma_object, sizeof(*new), 1);
	*dma = new;
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
	bool in_use;

	if (!valid(dma))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&dma->ctx.lock);
	in_use = dma->ctx.dev;
	pthread_mutex_unlock(&dma->ctx.lock);
	if (in_use) {
		DOCA_LOG_ERR("cannot destroy DMA %p: it is started, or has a "
			     "device; stop it and remove the device",
			     (void *)dma);
		return DOCA_ERROR_IN_USE;
	}
	pthread_mutex_destroy(&dma->ctx.lock);
	doca_priv_debug_free(dma);
	return DOCA_SUCCESS;
}

PUBLIC struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma)
{
	return valid(dma) ? &dma->ctx : NULL;
}

PUBLIC doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo,
					      uint32_t *caps)
{
	doca_error_t ret;

	if (!valid(devinfo) || !given(caps))
		return DOCA_ERROR_INVALID_VALUE;
	ret = v3_dma_cap_task_memcpy_is_supported(devinfo);
	if (ret != DOCA_SUCCESS && ret != DOCA_ERROR_NOT_SUPPORTED)
		return ret;
	*caps = ret == DOCA_SUCCESS ? DOCA_DMA_CAP_HW_OFFLOAD :
				      DOCA_DMA_CAP_NONE;
	return DOCA_SUCCESS;
}
