/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* MEMCPY by a DMA engine. */
#ifndef DOCA_DMA_COPY_H
#define DOCA_DMA_COPY_H

#include <linux/kconfig.h>

#include "op.h"

struct doca_queue;

extern const struct doca_op_type doca_op_memcpy_dma;

/* Return whether a queue has an engine, and how much that has copied for it. */
#if IS_ENABLED(CONFIG_DMA_ENGINE)
bool doca_copy_has_engine(const struct doca_queue *queue);
u64 doca_copy_engine_bytes(const struct doca_queue *queue);
#else
static inline bool doca_copy_has_engine(const struct doca_queue *queue)
{
	return false;
}

static inline u64 doca_copy_engine_bytes(const struct doca_queue *queue)
{
	return 0;
}
#endif

#endif
