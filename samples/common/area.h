/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Memory for samples about tasks, which are no longer about memory: pieces of a source,
 * each of which is to be copied to its place in a copy. dma_local_copy shows what is
 * behind it.
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
	size_t size; /* of a piece, in bytes */
	char *source;
	char *copy;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
};

/* The source is filled, the copy is empty. All of @nr devices can reach both. */
void area_create(struct area *area, unsigned int pieces, size_t size,
		 struct doca_dev **devs, unsigned int nr);
void area_destroy(struct area *area);

/* The buffers of a piece, to copy from and to. */
void area_get(struct area *area, unsigned int piece, struct doca_buf **src,
	      struct doca_buf **dst);

/* A task that copies a piece; and to release it with its buffers. */
struct doca_dma_task_memcpy *area_new_task(struct area *area,
					   struct doca_dma *dma,
					   unsigned int piece,
					   union doca_data data);
void area_free_task(struct doca_dma_task_memcpy *task);

/* Whether a piece was copied; and how many were. */
bool area_is_copied(const struct area *area, unsigned int piece);
unsigned int area_count(const struct area *area);

#endif
