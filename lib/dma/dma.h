/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_DMA_DMA_H
#define DOCA_DMA_DMA_H

#include <stdint.h>

#include <doca_dma.h>

#include "core/ctx.h"
#include "core/task.h"

struct dma_limits {
	uint32_t tasks; /* of one context */
	uint32_t list_len; /* buffers in a list */
	uint64_t length; /* bytes of one task */
};

struct doca_dma {
	struct doca_ctx ctx;
	struct task_pool memcpy;
	doca_dma_task_memcpy_completion_cb_t done;
	doca_dma_task_memcpy_completion_cb_t failed;
	struct dma_limits limits;
};

struct doca_dma_task_memcpy {
	struct doca_task task;
};

/* As valid(), for the objects of this library. */
#define dma_valid(dma) ((dma) && valid(&(dma)->ctx))
#define memcpy_valid(copy) ((copy) && valid(&(copy)->task))
#define memcpy_known(copy) ((copy) && known(&(copy)->task))

extern const struct task_type dma_memcpy_type;

/* NOT_SUPPORTED if the kernel does not copy, DRIVER if it cannot be asked. */
doca_error_t dma_limits_get(struct dma_limits *limits);

#endif /* DOCA_DMA_DMA_H */
