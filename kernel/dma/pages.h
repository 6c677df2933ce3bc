/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Maps a process's own pages for a DMA engine. */
#ifndef DOCA_DMA_PAGES_H
#define DOCA_DMA_PAGES_H

struct doca_mapped;
struct doca_memory;

int doca_pages_map_dma(struct doca_memory *memory, struct doca_mapped *mapped);
void doca_pages_unmap_dma(struct doca_memory *memory,
			  struct doca_mapped *mapped);

#endif
