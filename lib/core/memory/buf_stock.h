/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The free buffers of an inventory or a pool: a stack with the last used buffer
 * on top, because its cache line is warm.
 */
#ifndef DOCA_CORE_BUF_STOCK_H
#define DOCA_CORE_BUF_STOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_types.h>

#include "core/objects.h"
#include "buf.h"

/* First member of inventories and pools, so it has their address. */
struct buf_stock {
	struct doca_buf *free;
	struct doca_buf *last_free; /* in debug mode, unless empty */
	uint32_t nr_free;
	uint32_t nr_bufs;
	bool started;
	bool told_empty; /* the log has said that there is none left */
	bool resident; /* buffers keep their memory, which start counts */
	union doca_data user_data;
};

static inline void stock_push(struct buf_stock *stock, struct doca_buf *buf)
{
	buf->next = stock->free;
	stock->free = buf;
}

/* Put a buffer last, so that it is reused as late as possible. */
static inline void stock_append(struct buf_stock *stock, struct doca_buf *buf)
{
	buf->next = NULL;
	if (stock->free)
		stock->last_free->next = buf;
	else
		stock->free = buf;
	stock->last_free = buf;
}

static inline void stock_put(struct buf_stock *stock, struct doca_buf *buf)
{
	if (doca_unlikely(doca_priv_debug))
		stock_append(stock, buf);
	else
		stock_push(stock, buf);
	stock->nr_free++;
}

/* Take a free buffer, which there must be, with a reference. The caller must update it. */
static inline struct doca_buf *stock_take(struct buf_stock *stock)
{
	struct doca_buf *buf = stock->free;

	stock->free = buf->next;
	stock->nr_free--;
	buf->next = NULL;
	buf->refcount = 1;
	buf->holds = 1;
	return buf;
}

static inline uint32_t stock_taken(const struct buf_stock *stock)
{
	return stock->nr_bufs - stock->nr_free;
}

/* Add the last first, so that the first is taken first. */
static inline void stock_fill(struct buf_stock *stock, struct doca_buf *bufs,
			      uint32_t n)
{
	uint32_t i;

	stock->nr_bufs += n;
	stock->nr_free += n;
	if (!stock->free)
		stock->last_free = &bufs[n - 1];
	for (i = n; i-- > 0;) {
		bufs[i] = (struct doca_buf){ .stock = stock };
		stock_push(stock, &bufs[i]);
	}
}

/* Release the memory of a buffer. */
void buf_put_memory(const struct doca_buf *buf);

#endif /* DOCA_CORE_BUF_STOCK_H */
