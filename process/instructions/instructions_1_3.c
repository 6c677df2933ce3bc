// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * instructions_1_3 JOBS BATCH: like instructions.c, for doca_workq_submit() and
 * doca_workq_progress_retrieve() of DOCA 1.3.
 */
#include <doca_dma.h>

#include "instructions.h"

static struct doca_dma_job_memcpy jobs[MAX_BATCH];
static struct doca_workq *workq;

static struct doca_dev *open_dev(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;

	OK(doca_devinfo_list_create(&list));
	OK(doca_dev_open(list[0], &dev));
	OK(doca_devinfo_list_destroy(list));
	return dev;
}

static void make_jobs(struct doca_dev *dev, struct doca_ctx *ctx)
{
	struct doca_buf_inventory *inventory;
	struct doca_mmap *mmap;
	struct doca_buf *src;
	int i;

	OK(doca_mmap_create(NULL, &mmap));
	OK(doca_mmap_start(mmap));
	OK(doca_mmap_populate(mmap, mem, sizeof(mem), 4096, NULL, NULL));
	OK(doca_mmap_dev_add(mmap, dev));
	OK(doca_buf_inventory_create(NULL, 2 * MAX_BATCH, 0, &inventory));
	OK(doca_buf_inventory_start(inventory));
	for (i = 0; i < MAX_BATCH; i++) {
		OK(doca_buf_inventory_buf_by_addr(inventory, mmap, mem[0][i],
						  SIZE, &src));
		jobs[i].src_buff = src;
		OK(doca_buf_inventory_buf_by_addr(inventory, mmap, mem[1][i],
						  SIZE, &jobs[i].dst_buff));
		jobs[i].base.type = DOCA_DMA_JOB_MEMCPY;
		jobs[i].base.ctx = ctx;
		jobs[i].num_bytes_to_copy = SIZE;
	}
}

static void submit_one(unsigned int i, unsigned int batch)
{
	(void)batch;
	OK(doca_workq_submit(workq, &jobs[i].base));
}

static void complete_one(void)
{
	struct doca_event ev;

	OK(doca_workq_progress_retrieve(workq, &ev, 0));
	OK((doca_error_t)ev.result.u64);
}

static void set_up(unsigned int batch)
{
	struct doca_dev *dev = open_dev();
	struct doca_dma *dma;

	OK(doca_dma_create(&dma));
	OK(doca_ctx_dev_add(doca_dma_as_ctx(dma), dev));
	OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	OK(doca_workq_create(batch, &workq));
	OK(doca_ctx_workq_add(doca_dma_as_ctx(dma), workq));
	make_jobs(dev, doca_dma_as_ctx(dma));
}
