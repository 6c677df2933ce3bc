// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The smallest program that copies: first_calls counts its system calls. A call of getppid(), which
 * the libraries never make, ends each part.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

static char memory[2][64] = { "the first" };

static void check(doca_error_t error)
{
	if (error != DOCA_SUCCESS)
		_exit(EXIT_FAILURE);
}

static struct doca_dev *open_device(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t n;

	check(doca_devinfo_create_list(&list, &n));
	for (uint32_t i = 0; i < n && !dev; i++)
		if (doca_dma_cap_task_memcpy_is_supported(list[i]) == DOCA_SUCCESS)
			check(doca_dev_open(list[i], &dev));
	check(doca_devinfo_destroy_list(list));
	if (!dev)
		_exit(EXIT_FAILURE);
	return dev;
}

static struct doca_mmap *map(struct doca_dev *dev)
{
	struct doca_mmap *mmap;

	check(doca_mmap_create(&mmap));
	check(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	check(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	check(doca_mmap_add_dev(mmap, dev));
	check(doca_mmap_start(mmap));
	return mmap;
}

static void get_buffers(struct doca_mmap *mmap, struct doca_buf **src, struct doca_buf **dst)
{
	struct doca_buf_inventory *inventory;

	check(doca_buf_inventory_create(2, &inventory));
	check(doca_buf_inventory_start(inventory));
	check(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory[0], 64, src));
	check(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory[1], 64, dst));
}

static void on_end(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
	*(bool *)task_data.ptr = true;
}

static struct doca_dma *start(struct doca_dev *dev, struct doca_pe **pe)
{
	struct doca_dma *dma;

	check(doca_pe_create(pe));
	check(doca_dma_create(dev, &dma));
	check(doca_dma_task_memcpy_set_conf(dma, on_end, on_end, 1));
	check(doca_pe_connect_ctx(*pe, doca_dma_as_ctx(dma)));
	check(doca_ctx_start(doca_dma_as_ctx(dma)));
	return dma;
}

int main(void)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct doca_pe *pe;
	bool ended = false;
	union doca_data data = { .ptr = &ended };

	getppid();
	dev = open_device();
	getppid();
	get_buffers(map(dev), &src, &dst);
	getppid();
	dma = start(dev, &pe);
	getppid();
	check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
	check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	while (!ended)
		doca_pe_progress(pe);
	getppid();
	_exit(memory[1][0] == 't' ? EXIT_SUCCESS : EXIT_FAILURE);
}
