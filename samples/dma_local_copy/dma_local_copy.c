// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * All that a copy needs, from the device to the callback. The other samples have
 * parts of this in common/; here is all of it, in the order of creation, and
 * destroyed in reverse:
 *
 *  device     that will do it
 *  mmap       memory that the device may reach
 *  inventory  of buffers, each a piece of that memory
 *  engine     which calls the program back
 *  context    of the device, for DMA
 *  task       of the context: from this buffer to that one
 *
 * Usage: dma_local_copy [-p PCI-ADDRESS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common/sample.h"

static struct {
	char from[32];
	char to[32];
} memory = { .from = "Copied by DMA" };

/* Called on success and on failure: doca_task_get_status() tells which. */
static void on_end(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	bool *ended = task_data.ptr;

	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "the copy");
	*ended = true;
}

static struct doca_mmap *map_memory(struct doca_dev *dev)
{
	struct doca_mmap *mmap;

	check(doca_mmap_create(&mmap), "the memory map");
	check(doca_mmap_set_memrange(mmap, &memory, sizeof(memory)),
	      "the memory map");
	check(doca_mmap_set_permissions(mmap,
					DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
	      "the memory map");
	check(doca_mmap_add_dev(mmap, dev), "the memory map");
	check(doca_mmap_start(mmap), "start of the memory map");
	return mmap;
}

/* Run one task of a context that runs only for that long. */
static void copy(struct doca_pe *pe, struct doca_dma *dma, struct doca_buf *src,
		 struct doca_buf *dst)
{
	struct doca_ctx *ctx = doca_dma_as_ctx(dma);
	struct doca_dma_task_memcpy *task;
	bool ended = false;
	union doca_data data = { .ptr = &ended };

	check(doca_dma_task_memcpy_set_conf(dma, on_end, on_end, 1),
	      "the kind of task");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");
	check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task),
	      "the task");
	check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
	      "the task's submission");
	while (!ended)
		doca_pe_progress(pe);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	check(doca_ctx_stop(ctx), "stop of the context");
}

int main(int argc, char **argv)
{
	struct doca_buf_inventory *inventory;
	struct doca_buf *src, *dst;
	struct doca_mmap *mmap;
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct doca_pe *pe;
	size_t len;

	sample_start("dma_local_copy", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	mmap = map_memory(dev);

	/* A source holds data; a copy is appended to the data of its destination. */
	check(doca_buf_inventory_create(2, &inventory), "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	check(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory.from,
						 sizeof(memory.from), &src),
	      "the source");
	check(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory.to,
						 sizeof(memory.to), &dst),
	      "the destination");

	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &dma), "the context");
	copy(pe, dma, src, dst);
	check(doca_buf_get_data_len(dst, &len), "the destination");

	check(doca_dma_destroy(dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	check(doca_buf_dec_refcount(dst, NULL), "the destination");
	check(doca_buf_dec_refcount(src, NULL), "the source");
	check(doca_buf_inventory_destroy(inventory), "the inventory");
	check(doca_mmap_destroy(mmap), "the memory map");
	check(doca_dev_close(dev), "the device");

	printf("%zu bytes: %s\n", len, memory.to);
	if (len != sizeof(memory.from) ||
	    memcmp(memory.from, memory.to, sizeof(memory.from)))
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
