/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Where a memory is for a DMA engine: what a kind of memory says when it is mapped. */
#ifndef DOCA_DMA_MAPPED_H
#define DOCA_DMA_MAPPED_H

#include <linux/dma-direction.h>
#include <linux/types.h>

struct device;
struct dma_buf_attachment;
struct sg_table;

/**
 * struct doca_mapped - a memory that is mapped for a device
 * @dev: the device
 * @direction: what it may do
 * @max_run: bytes that an entry has at most, if it is the kind that makes it
 * @sgt: what was mapped: whole pages, in the order of their addresses
 * @skip: how many of its bytes are before the memory's first page
 * @attach: of the kind dma-buf
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
