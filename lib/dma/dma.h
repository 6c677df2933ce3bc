/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_DMA_DMA_H
#define DOCA_DMA_DMA_H

#include <doca_dma.h>

#include "core/exec/library.h"

enum { DMA_MEMCPY, DMA_TASKS };

struct doca_dma {
	struct doca_ctx ctx;
	struct task_pool pools[DMA_TASKS];
};

struct doca_dma_task_memcpy {
	struct doca_task task;
};

extern const struct object_type doca_dma_object;
extern const struct task_type dma_memcpy;

#endif /* DOCA_DMA_DMA_H */
