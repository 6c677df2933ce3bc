/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Buffers: descriptors of a part of an mmap. They come from an inventory or a pool and
 * return to it. The head of a list has the reference count of the whole list; every
 * other element has the count 1 and is marked as chained.
 *
 * Buffers are used more often than changed. So each keeps the parts of an entry ready,
 * in the one cache line that most tasks need.
 *
 * Addresses of buffers may belong to another process: the library never dereferences
 * them.
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
	 * The data as a source, and the room behind it as a destination. Not enough,
	 * and so not plain, for the head of a list, for an mmap that does not have
	 * exactly one device, and for a length too large for a segment. Without data
	 * to read, the source has no key, which the kernel refuses.
	 */
	struct doca_seg source;
	struct doca_seg room;
	uint32_t holds; /* one of the program, and one of each task in flight */
	uint16_t refcount; /* the program's; 0: free, or until its last task ends */
	bool chained; /* in a list, and not its head */
	bool sound : 1; /* not released, no list, its data within its memory; see update() */
	bool plain : 1; /* sound, and source and room are enough */
	size_t data_len;
	struct doca_buf *next; /* in the list; if free, in the stock */
	struct doca_mmap *mmap;

	void *head;
	size_t len;
	void *data;
	struct buf_stock *stock; /* the stock that it belongs to */
} __attribute__((aligned(64)));

_Static_assert(offsetof(struct doca_buf, head) == 64, "one cache line");

/* Stands for no buffer; it is not plain. */
DOCA_STABLE extern const struct doca_buf doca_priv_no_buf;

/* For the libraries' data path: no checks, no calls. */

static inline uint64_t doca_priv_buf_data(const struct doca_buf *buf)
{
	return (uintptr_t)buf->data;
}

static inline size_t doca_priv_buf_data_len(const struct doca_buf *buf)
{
	return buf->data_len;
}

/* Return the first byte behind the data, where output is appended. */
static inline uint64_t doca_priv_buf_tail(const struct doca_buf *buf)
{
	return (uintptr_t)buf->data + buf->data_len;
}

/* Return true if the data lies within the buffer. */
static inline bool doca_priv_buf_fits(const struct doca_buf *buf)
{
	size_t offset = (uintptr_t)buf->data - (uintptr_t)buf->head;

	return offset <= buf->len && buf->data_len <= buf->len - offset;
}

/* Return how many bytes can be appended: 0 also if the data lies outside of the buffer. */
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

/* Update the parts for entries. Call it after each change of data, memory or place in a list. */
static inline void doca_priv_buf_update(struct doca_buf *buf)
{
	uint32_t key = doca_priv_mmap_only_key(buf->mmap);
	size_t room = doca_priv_buf_tailroom(buf);
	bool fits = doca_priv_buf_fits(buf);
	bool readable = buf->data_len && fits;

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
	/* Even when filled up it must not be too large. */
	buf->sound = fits && buf->refcount && !buf->next &&
		     buf->data_len <= UINT32_MAX &&
		     room <= UINT32_MAX - buf->data_len;
	buf->plain = key && buf->sound;
}

/* The buffer is released: it is for tasks in flight only. */
static inline void doca_priv_buf_spoil(struct doca_buf *buf)
{
	buf->sound = false;
	buf->plain = false;
}

static inline void doca_priv_buf_append(struct doca_buf *buf, size_t len)
{
	buf->data_len += len;
	doca_priv_buf_update(buf);
}

/*
 * Like doca_priv_buf_update(), after @len bytes of output into a sound buffer, at least
 * one; false if there is less room. The buffer has data now, so it can be a source.
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

/* Return a list to its stock: the last reference to its head is gone. */
DOCA_STABLE void doca_priv_buf_free(struct doca_buf *buf);

/*
 * A task in flight holds the head of its list: a buffer that the program
 * releases meanwhile returns to its stock only when the task is done. The
 * program does not see this reference.
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
