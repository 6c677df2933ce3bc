/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Buffers: descriptors of a part of an mmap. They come from an inventory or a pool and
 * go back to it. The head of a list has the reference count of the whole list; every
 * other element has the count 1 and is marked as chained.
 *
 * Buffers are used more often than changed: so what an entry says of one is kept
 * ready in it, in the cache line that is all that most tasks need.
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

#include <linux/doca.h>

#include "mmap.h"

struct doca_buf {
	/*
	 * Its data as a source, and what is behind it as a destination, if that is
	 * all there is to say: not if it is the head of a list, if its mmap has not
	 * just one device, or if a length is too large for a segment. The source has
	 * no key, which the kernel refuses, where there is nothing to read.
	 */
	struct doca_seg source;
	struct doca_seg room;
	uint32_t holds; /* one of the program, and one of each task in flight */
	uint16_t refcount; /* the program's; 0: free, or waiting for its last task */
	bool chained; /* not the head of its list */
	bool plain; /* see above */
	size_t data_len;
	struct doca_buf *next; /* in the list, or in the stock if free */
	struct doca_mmap *mmap;

	void *head;
	size_t len;
	void *data;
	struct buf_stock *stock; /* where it belongs */
} __attribute__((aligned(64)));

_Static_assert(offsetof(struct doca_buf, head) == 64, "one cache line");

/* What stands for a buffer where there is none: it is not plain. */
DOCA_STABLE extern const struct doca_buf doca_priv_no_buf;

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

/* Does its data lie within it? */
static inline bool doca_priv_buf_fits(const struct doca_buf *buf)
{
	size_t offset = (uintptr_t)buf->data - (uintptr_t)buf->head;

	return offset <= buf->len && buf->data_len <= buf->len - offset;
}

/* Bytes that can be appended; 0 also if the data lies outside of the buffer. */
static inline size_t doca_priv_buf_tailroom(const struct doca_buf *buf)
{
	size_t offset = (uintptr_t)buf->data - (uintptr_t)buf->head;

	if (doca_unlikely(!doca_priv_buf_fits(buf)))
		return 0;
	return buf->len - offset - buf->data_len;
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

static inline uint32_t seg_length(size_t len)
{
	return len < UINT32_MAX ? len : UINT32_MAX;
}

/* To be called after each change of its data, its memory or its place in a list. */
static inline void doca_priv_buf_update(struct doca_buf *buf)
{
	uint32_t key = doca_priv_mmap_only_key(buf->mmap);
	size_t room = doca_priv_buf_tailroom(buf);
	bool readable = buf->data_len && doca_priv_buf_fits(buf);

	buf->source = (struct doca_seg){
		.key = readable ? key : 0,
		.length = seg_length(buf->data_len),
		.address = doca_priv_buf_data(buf),
	};
	buf->room = (struct doca_seg){
		.key = key,
		.length = seg_length(room),
		.address = doca_priv_buf_tail(buf),
	};
	/* Filled up, it must not be too large either. */
	buf->plain = key && buf->refcount && !buf->next &&
		     buf->data_len <= UINT32_MAX &&
		     room <= UINT32_MAX - buf->data_len;
}

static inline void doca_priv_buf_append(struct doca_buf *buf, size_t len)
{
	buf->data_len += len;
	doca_priv_buf_update(buf);
}

/*
 * The same of a buffer that was plain, unless there is not so much room. It has data
 * now, so it can be a source.
 */
static inline bool doca_priv_buf_fill(struct doca_buf *buf, uint32_t len)
{
	if (doca_unlikely(len > buf->room.length))
		return false;
	buf->room.length -= len;
	buf->room.address += len;
	buf->source.key = buf->room.key;
	buf->source.length += len;
	buf->data_len += len;
	return true;
}

/* The last reference to the head of a list is gone: it goes back to its stock. */
DOCA_STABLE void doca_priv_buf_free(struct doca_buf *buf);

/*
 * A task in flight holds the head of its list: a buffer that the program
 * releases meanwhile goes back to its stock only when the task is done. It is
 * no reference that the program could see.
 */
static inline void doca_priv_buf_hold(struct doca_buf *buf)
{
	buf->holds++;
}

static inline void doca_priv_buf_unhold(struct doca_buf *buf)
{
	if (doca_unlikely(--buf->holds == 0))
		doca_priv_buf_free(buf);
}

#endif /* DOCA_CORE_BUF_H */
