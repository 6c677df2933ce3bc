// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Import: copy from and to memory that another process has exported.
 *
 * A memory map made from a descriptor is used like any other, in buffers and tasks. Its
 * addresses are the exporter's and mean nothing here; pass them to
 * doca_buf_inventory_buf_get_by_data() and the like, but never dereference them. This
 * program copies the text of dma_copy_host, prints it, and copies it back into the
 * other half of the host's memory.
 *
 * Usage: dma_copy_dpu [-p PCI-ADDRESS] [-d DESCRIPTOR-FILE]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common/descriptor.h"
#include "../common/sample.h"

static char text[256];

static void on_end(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	bool *ended = task_data.ptr;

	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "the copy");
	*ended = true;
}

static void copy(struct doca_pe *pe, struct doca_dma *dma, struct doca_buf *src,
		 struct doca_buf *dst)
{
	struct doca_dma_task_memcpy *task;
	bool ended = false;
	union doca_data data = { .ptr = &ended };

	check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task),
	      "the task");
	check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
	      "submission");
	while (!ended)
		doca_pe_progress(pe);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
}

/* The descriptor says which memory it is. */
static char *import(struct doca_dev *dev, struct doca_mmap **mmap)
{
	char desc[DESCRIPTOR_MAX];
	void *addr;
	size_t len = descriptor_read(desc, sizeof(desc));

	check(doca_mmap_create_from_export(NULL, desc, len, dev, mmap),
	      "import");
	check(doca_mmap_get_memrange(*mmap, &addr, &len), "the range");
	if (len != 2 * sizeof(text))
		give_up(DOCA_ERROR_INVALID_VALUE, "the exported memory");
	return addr;
}

static struct doca_mmap *map_text(struct doca_dev *dev)
{
	struct doca_mmap *mmap;

	check(doca_mmap_create(&mmap), "the memory map");
	check(doca_mmap_set_memrange(mmap, text, sizeof(text)),
	      "the memory map");
	check(doca_mmap_set_permissions(mmap,
					DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
	      "the memory map");
	check(doca_mmap_add_dev(mmap, dev), "the memory map");
	check(doca_mmap_start(mmap), "start of the memory map");
	return mmap;
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { descriptor_flag, {} };
	struct doca_buf *theirs, *ours, *answer;
	struct doca_buf_inventory *inventory;
	struct doca_mmap *remote, *local;
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct doca_pe *pe;
	char *addr;

	sample_start("dma_copy_dpu", argc, argv, flags);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	addr = import(dev, &remote);
	local = map_text(dev);
	check(doca_buf_inventory_create(3, &inventory), "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	check(doca_buf_inventory_buf_get_by_data(inventory, remote, addr,
						 sizeof(text), &theirs),
	      "a buffer");
	check(doca_buf_inventory_buf_get_by_addr(inventory, local, text,
						 sizeof(text), &ours),
	      "a buffer");
	check(doca_buf_inventory_buf_get_by_addr(inventory, remote,
						 addr + sizeof(text),
						 sizeof(text), &answer),
	      "a buffer");
	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &dma), "the context");
	check(doca_dma_task_memcpy_set_conf(dma, on_end, on_end, 1),
	      "the kind of task");
	check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)), "the connection");
	check(doca_ctx_start(doca_dma_as_ctx(dma)), "start of the context");

	/* After the first copy the buffer of the text holds data. */
	copy(pe, dma, theirs, ours);
	printf("The host says: %.*s\n", (int)sizeof(text), text);
	copy(pe, dma, ours, answer);

	check(doca_ctx_stop(doca_dma_as_ctx(dma)), "stop of the context");
	check(doca_dma_destroy(dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	check(doca_buf_dec_refcount(answer, NULL), "a buffer");
	check(doca_buf_dec_refcount(ours, NULL), "a buffer");
	check(doca_buf_dec_refcount(theirs, NULL), "a buffer");
	check(doca_buf_inventory_destroy(inventory), "the inventory");
	check(doca_mmap_destroy(local), "the memory map");
	check(doca_mmap_destroy(remote), "the imported memory map");
	check(doca_dev_close(dev), "the device");
	return EXIT_SUCCESS;
}
