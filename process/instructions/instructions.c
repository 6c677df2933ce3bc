// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * instructions TASKS BATCH: runs doca_task_submit*() and doca_pe_progress(),
 * for callgrind to count their instructions.
 */
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "instructions.h"

static struct doca_dma_task_memcpy *tasks[MAX_BATCH];
static struct doca_buf *dsts[MAX_BATCH];
static struct doca_pe *pe;

static void done(struct doca_dma_task_memcpy *task, union doca_data task_data,
		 union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
}

static void failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "a task");
}

static struct doca_dev *open_dev(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t nr;

	OK(doca_devinfo_create_list(&list, &nr));
	OK(doca_dev_open(list[0], &dev));
	OK(doca_devinfo_destroy_list(list));
	return dev;
}

static void make_tasks(struct doca_dev *dev, struct doca_dma *dma)
{
	struct doca_buf_inventory *inventory;
	struct doca_mmap *mmap;
	struct doca_buf *src;
	int i;

	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_set_memrange(mmap, mem, sizeof(mem)));
	OK(doca_mmap_add_dev(mmap, dev));
	OK(doca_mmap_start(mmap));
	OK(doca_buf_inventory_create(2 * MAX_BATCH, &inventory));
	OK(doca_buf_inventory_start(inventory));
	for (i = 0; i < MAX_BATCH; i++) {
		OK(doca_buf_inventory_buf_get_by_data(inventory, mmap,
						      mem[0][i], SIZE, &src));
		OK(doca_buf_inventory_buf_get_by_addr(
			inventory, mmap, mem[1][i], SIZE, &dsts[i]));
		OK(doca_dma_task_memcpy_alloc_init(
			dma, src, dsts[i], (union doca_data){ 0 }, &tasks[i]));
	}
}

static void submit_one(unsigned int i, unsigned int batch)
{
	struct doca_task *task = doca_dma_task_memcpy_as_task(tasks[i]);

	OK(doca_buf_reset_data_len(dsts[i]));
	if (batch == 1)
		OK(doca_task_submit(task));
	else
		OK(doca_task_submit_ex(
			task, i == batch - 1 ? DOCA_TASK_SUBMIT_FLAG_FLUSH :
					       DOCA_TASK_SUBMIT_FLAG_NONE));
}

static void complete_one(void)
{
	if (!doca_pe_progress(pe))
		check(DOCA_ERROR_UNEXPECTED, "no completion");
}

static void set_up(unsigned int batch)
{
	struct doca_dev *dev = open_dev();
	struct doca_dma *dma;

	(void)batch;
	OK(doca_pe_create(&pe));
	OK(doca_dma_create(dev, &dma));
	OK(doca_dma_task_memcpy_set_conf(dma, done, failed, MAX_BATCH));
	OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
	OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	make_tasks(dev, dma);
}
