/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Buffers: descriptors, one cache line each, of a part of an mmap. They come from
 * an inventory or a pool and go back to it. The head of a list has the reference count of
 * the whole list; every other element has the count 1 and is marked as chained.
 *
 * Addresses of buffers may be those of another process: nothing in the library
 * dereferences them.
 */
#ifndef DOCA_CORE_BUF_H
#define DOCA_CORE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include "mmap.h"

struct doca_buf {
	void *head;
	size_t len;
	void *data;
	size_t data_len;
	struct doca_buf *next; /* in the list, or in the stock if free */
	struct doca_mmap *mmap;
	struct buf_stock *stock; /* where it belongs */
	uint32_t tasks; /* in flight with it */
	uint16_t refcount; /* 0: free, or waiting for its last task */
	bool chained; /* not the head of its list */
};

_Static_assert(sizeof(struct doca_buf) == 64, "one cache line");

/* For the data path of the libraries: no checks, no calls. */

static inline uint64_t doca_priv_buf_data(const struct doca_buf *buf)
{
	return (uintptr_t)buf->data;
}

static inline size_t doca_priv_buf_data_len(const struct doca_buf *buf)
{
	return buf->data_len;
}

/* First byte behind the data, where output is appended. */
static inline uint64_t doca_priv_buf_tail(const struct doca_buf *buf)
{
	return (uintptr_t)buf->data + buf->data_len;
}

/* Bytes that can be appended; 0 also if the data lies outside of the buffer. */
static inline size_t doca_priv_buf_tailroom(const struct doca_buf *buf)
{
	uintptr_t end = (uintptr_t)buf->head + buf->len;
	uintptr_t tail = (uintptr_t)buf->data + buf->data_len;

	return tail < end ? end - tail : 0;
}

static inline void doca_priv_buf_append(struct doca_buf *buf, size_t len)
{
	buf->data_len += len;
}

static inline struct doca_buf *doca_priv_buf_next(const struct doca_buf *buf)
{
	return buf->next;
}

static inline uint32_t doca_priv_buf_key(const struct doca_buf *buf,
					 const struct doca_dev *dev)
{
	return doca_priv_mmap_key(buf->mmap, dev);
}

/*
 * A task in flight holds the head of its list: a buffer that the program
 * releases meanwhile goes back to its stock only when the task is done. It is
 * no reference that the program could see.
 */
DOCA_STABLE void doca_priv_buf_free(struct doca_buf *buf);

static inline void doca_priv_buf_hold(struct doca_buf *buf)
{
	buf->tasks++;
}

static inline void doca_priv_buf_unhold(struct doca_buf *buf)
{
	if (buf->tasks && --buf->tasks == 0 && buf->refcount == 0)
		doca_priv_buf_free(buf);
}

#endif /* DOCA_CORE_BUF_H */
