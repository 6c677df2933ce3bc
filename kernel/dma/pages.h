/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Maps a process's own pages for a DMA engine. */
#ifndef DOCA_DMA_PAGES_H
#define DOCA_DMA_PAGES_H

#include <linux/dma-direction.h>

struct device;
struct doca_chunks;
struct sg_table;

/* Map whole pages, in the order of their addresses, in runs of up to @max bytes. */
struct sg_table *doca_pages_map(const struct doca_chunks *chunks,
				struct device *dev, unsigned long max,
				enum dma_data_direction direction);
void doca_pages_unmap(struct sg_table *sgt, struct device *dev,
		      enum dma_data_direction direction);

#endif
