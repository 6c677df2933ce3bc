/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Memory for samples about tasks, so that they need not deal with it: pieces of a
 * source, each of which is to be copied to its place in a copy. dma_local_copy shows
 * what is behind it.
 */
#ifndef SAMPLES_AREA_H
#define SAMPLES_AREA_H

#include <stdbool.h>
#include <stddef.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

struct area {
	unsigned int pieces;
	size_t size; /* bytes of a piece */
	char *source;
	char *copy;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
};

/* Make an area that all of @nr devices can reach; fill the source, leave the copy empty. */
void area_create(struct area *area, unsigned int pieces, size_t size,
		 struct doca_dev **devs, unsigned int nr);
void area_destroy(struct area *area);

/* Get the buffers of a piece, to copy from and to. */
void area_get(struct area *area, unsigned int piece, struct doca_buf **src,
	      struct doca_buf **dst);

/* Make a task that copies a piece; and release it with its buffers. */
struct doca_dma_task_memcpy *area_new_task(struct area *area,
					   struct doca_dma *dma,
					   unsigned int piece,
					   union doca_data data);
void area_free_task(struct doca_dma_task_memcpy *task);

/* Return whether a piece was copied; and the number of those that were. */
bool area_is_copied(const struct area *area, unsigned int piece);
unsigned int area_count(const struct area *area);

#endif
