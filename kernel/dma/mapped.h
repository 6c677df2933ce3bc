/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Addresses of a memory for a DMA engine, filled in by the kind of memory. */
#ifndef DOCA_DMA_MAPPED_H
#define DOCA_DMA_MAPPED_H

#include <linux/dma-direction.h>
#include <linux/types.h>

struct device;
struct dma_buf_attachment;
struct sg_table;

/**
 * struct doca_mapped - a memory mapped for a device
 * @dev: the device
 * @direction: allowed transfers
 * @max_run: maximum bytes of an entry, for kinds that make the entries
 * @sgt: the mapped pages, whole ones, in the order of their addresses
 * @skip: bytes in @sgt before the memory's first page
 * @attach: for the kind dma-buf
 *
 * The first three are set by the caller, the others by the kind.
 */
struct doca_mapped {
	struct device *dev;
	enum dma_data_direction direction;
	unsigned long max_run;
	struct sg_table *sgt;
	u64 skip;
	struct dma_buf_attachment *attach;
};

#endif
