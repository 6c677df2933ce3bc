/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Inventories: pools of buffers. A free buffer is on a stack, the one used last
 * on top, since its cache line is warm.
 */
#ifndef DOCA_CORE_BUF_INVENTORY_H
#define DOCA_CORE_BUF_INVENTORY_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf_inventory.h>

#include "buf.h"

struct inventory_chunk {
	struct inventory_chunk *next;
	struct doca_buf *bufs;
};

struct doca_buf_inventory {
	struct doca_buf *free;
	uint32_t nr_free;
	uint32_t nr_bufs;
	bool started;
	union doca_data user_data;
	struct inventory_chunk *chunks; /* more than one if it was expanded */
};

static inline void inventory_put(struct doca_buf_inventory *inventory,
				 struct doca_buf *buf)
{
	buf->refcount = 0;
	buf->tasks = 0;
	buf->chained = false;
	buf->next = inventory->free;
	inventory->free = buf;
	inventory->nr_free++;
}

#endif /* DOCA_CORE_BUF_INVENTORY_H */
