// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "area.h"
#include "sample.h"

void area_create(struct area *area, unsigned int pieces, size_t size,
		 struct doca_dev **devs, unsigned int nr)
{
	size_t total = pieces * size, i;

	area->pieces = pieces;
	area->size = size;
	area->source = calloc(2, total);
	if (!area->source)
		give_up(DOCA_ERROR_NO_MEMORY, "the memory");
	area->copy = area->source + total;
	/* No two pieces are alike, and none is empty. */
	for (i = 0; i < total; i++)
		area->source[i] = (char)(i % 251 + i / size + 1);

	check(doca_mmap_create(&area->mmap), "the memory map");
	check(doca_mmap_set_memrange(area->mmap, area->source, 2 * total),
	      "the memory map");
	check(doca_mmap_set_permissions(area->mmap,
					DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
	      "the memory map");
	check(doca_mmap_set_max_num_devices(area->mmap, nr), "the memory map");
	for (i = 0; i < nr; i++)
		check(doca_mmap_add_dev(area->mmap, devs[i]), "the memory map");
	check(doca_mmap_start(area->mmap), "start of the memory map");

	check(doca_buf_inventory_create(2 * pieces, &area->inventory),
	      "the inventory");
	check(doca_buf_inventory_start(area->inventory), "the inventory");
}

void area_destroy(struct area *area)
{
	check(doca_buf_inventory_destroy(area->inventory), "the inventory");
	check(doca_mmap_destroy(area->mmap), "the memory map");
	free(area->source);
}

void area_get(struct area *area, unsigned int piece, struct doca_buf **src,
	      struct doca_buf **dst)
{
	size_t at = piece * area->size;

	check(doca_buf_inventory_buf_get_by_data(area->inventory, area->mmap,
						 area->source + at, area->size,
						 src),
	      "a source buffer");
	check(doca_buf_inventory_buf_get_by_addr(area->inventory, area->mmap,
						 area->copy + at, area->size,
						 dst),
	      "a destination buffer");
}

struct doca_dma_task_memcpy *area_new_task(struct area *area,
					   struct doca_dma *dma,
					   unsigned int piece,
					   union doca_data data)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;

	area_get(area, piece, &src, &dst);
	check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task),
	      "a task");
	return task;
}

void area_free_task(struct doca_dma_task_memcpy *task)
{
	/* The task sees its source as const, but the reference is ours. */
	struct doca_buf *src =
		(struct doca_buf *)doca_dma_task_memcpy_get_src(task);

	check(doca_buf_dec_refcount(src, NULL), "a source buffer");
	check(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL),
	      "a destination buffer");
	doca_task_free(doca_dma_task_memcpy_as_task(task));
}

bool area_is_copied(const struct area *area, unsigned int piece)
{
	size_t at = piece * area->size;

	return !memcmp(area->source + at, area->copy + at, area->size);
}

unsigned int area_count(const struct area *area)
{
	unsigned int piece, count = 0;

	for (piece = 0; piece < area->pieces; piece++)
		count += area_is_copied(area, piece);
	return count;
}
