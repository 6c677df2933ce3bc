// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Maps pages of a process for a device, with one entry for each contiguous run. */
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "chunks.h"
#include "pages.h"

/* Return how many bytes from @addr on are contiguous for the CPU, across chunks. */
static unsigned long doca_pages_run(const struct doca_chunks *chunks,
				    unsigned long addr, unsigned long max)
{
	unsigned long left = min(chunks->last - addr + 1, max);
	void *at = doca_chunks_addr(chunks, addr);
	unsigned long len = 0;

	while (len < left && doca_chunks_addr(chunks, addr + len) == at + len)
		len += doca_chunks_contig(chunks, addr + len);
	return min(len, left);
}

/* Count the runs, and put them into a list if there is one. */
static unsigned int doca_pages_runs(const struct doca_chunks *chunks,
				    unsigned long max, struct scatterlist *sg)
{
	unsigned long addr = chunks->start;
	unsigned int nr = 0;
	unsigned long len;

	for (; addr <= chunks->last; addr += len, nr++) {
		len = doca_pages_run(chunks, addr, max);
		if (sg) {
			sg_set_buf(sg, doca_chunks_addr(chunks, addr), len);
			sg = sg_next(sg);
		}
		cond_resched();
	}
	return nr;
}

struct sg_table *doca_pages_map(const struct doca_chunks *chunks,
				struct device *dev, unsigned long max,
				enum dma_data_direction direction)
{
	unsigned int nr = doca_pages_runs(chunks, max, NULL);
	struct sg_table *sgt;
	int rc;

	sgt = kzalloc(sizeof(*sgt), GFP_KERNEL_ACCOUNT);
	if (!sgt)
		return ERR_PTR(-ENOMEM);
	rc = sg_alloc_table(sgt, nr, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (rc)
		goto err_free;
	doca_pages_runs(chunks, max, sgt->sgl);
	rc = dma_map_sgtable(dev, sgt, direction,
			     DMA_ATTR_SKIP_CPU_SYNC | DMA_ATTR_NO_WARN);
	if (rc)
		goto err_table;
	return sgt;

err_table:
	sg_free_table(sgt);
err_free:
	kfree(sgt);
	return ERR_PTR(rc);
}

void doca_pages_unmap(struct sg_table *sgt, struct device *dev,
		      enum dma_data_direction direction)
{
	dma_unmap_sgtable(dev, sgt, direction, DMA_ATTR_SKIP_CPU_SYNC);
	sg_free_table(sgt);
	kfree(sgt);
}
