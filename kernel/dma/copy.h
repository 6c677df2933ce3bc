/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* MEMCPY by a DMA engine. */
#ifndef DOCA_DMA_COPY_H
#define DOCA_DMA_COPY_H

#include <linux/kconfig.h>

#include "op.h"

struct doca_queue;

extern const struct doca_op_type doca_op_memcpy_dma;

/* What the engine has copied for a queue of its device. */
#if IS_ENABLED(CONFIG_DMA_ENGINE)
u64 doca_copy_engine_bytes(const struct doca_queue *queue);
#else
static inline u64 doca_copy_engine_bytes(const struct doca_queue *queue)
{
	return 0;
}
#endif

#endif
