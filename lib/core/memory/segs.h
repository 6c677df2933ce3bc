/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Turns buffers into segments of a submission, and output into data of buffers.
 * Inline, for the data path of each library.
 *
 * A buffer without a valid key gets key 0, which the kernel always refuses. So
 * bad tasks fail asynchronously, like all others.
 */
#ifndef DOCA_CORE_SEGS_H
#define DOCA_CORE_SEGS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/doca.h>

#include "buf.h"
#include "mmap.h"

/* A task's run of segments. */
struct segs {
	const struct doca_dev *dev;
	struct doca_seg *run;
	uint32_t first; /* index of run[0] in the segment table */
	uint32_t max; /* maximum of segments in one list */
};

static inline void segs_source(struct segs *segs, const struct doca_buf *buf,
			       struct doca_seg *seg)
{
	size_t len = doca_priv_buf_data_len(buf);

	seg->key = doca_priv_buf_key(buf, segs->dev);
	if (doca_unlikely(len > UINT32_MAX || !doca_priv_buf_fits(buf)))
		seg->key = 0;
	seg->length = len;
	seg->address = doca_priv_buf_data(buf);
}

/* Output is appended. There may be more room than an operation can fill. */
static inline void segs_destination(struct segs *segs,
				    const struct doca_buf *buf,
				    struct doca_seg *seg)
{
	seg->key = doca_priv_buf_key(buf, segs->dev);
	seg->length = seg_length(doca_priv_buf_tailroom(buf));
	seg->address = doca_priv_buf_tail(buf);
}

typedef void segs_one_t(struct segs *segs, const struct doca_buf *buf,
			struct doca_seg *seg);

/*
 * Write a list of buffers into the run. Of a list that is too long, write what
 * the run has room for, and a length that the kernel refuses.
 */
static inline void segs_list(struct segs *segs, const struct doca_buf *buf,
			     struct doca_seg *seg, segs_one_t *one)
{
	uint32_t n = 0;

	for (; buf && n < segs->max; buf = doca_priv_buf_next(buf))
		one(segs, buf, &segs->run[n++]);
	seg->key = 0;
	seg->length = buf ? n + 1 : n;
	seg->address = segs->first;
	segs->run += segs->max;
	segs->first += segs->max;
}

/* Fill in one side of a submission. Returns a flag for the entry, or 0. */
static inline uint16_t segs_fill(struct segs *segs, const struct doca_buf *buf,
				 struct doca_seg *seg, segs_one_t *one,
				 uint16_t flag)
{
	if (doca_unlikely(!buf)) {
		*seg = (struct doca_seg){ 0 };
		return 0;
	}
	if (doca_likely(!doca_priv_buf_next(buf))) {
		one(segs, buf, seg);
		return 0;
	}
	segs_list(segs, buf, seg, one);
	return flag;
}

/* Buffers of a list may be empty, but not all of them. */
static inline bool segs_empty(const struct doca_buf *buf)
{
	for (; buf; buf = doca_priv_buf_next(buf))
		if (doca_priv_buf_data_len(buf))
			return false;
	return true;
}

static inline uint16_t segs_from_source(struct segs *segs,
					const struct doca_buf *buf,
					struct doca_seg *seg)
{
	struct doca_seg *run = segs->run;
	uint16_t list;

	list = segs_fill(segs, buf, seg, segs_source, DOCA_SQE_SRC_LIST);
	if (doca_unlikely(segs_empty(buf)))
		(list ? run : seg)->key = 0;
	return list;
}

/*
 * Like segs_from_source(), for an operation that takes no data as well. A source without
 * key and length would be none, so one without key gets a length.
 */
static inline uint16_t segs_from_data(struct segs *segs,
				      const struct doca_buf *buf,
				      struct doca_seg *seg)
{
	uint16_t list;

	list = segs_fill(segs, buf, seg, segs_source, DOCA_SQE_SRC_LIST);
	if (doca_unlikely(!list && !seg->key))
		seg->length = 1;
	return list;
}

static inline uint16_t segs_from_destination(struct segs *segs,
					     const struct doca_buf *buf,
					     struct doca_seg *seg)
{
	return segs_fill(segs, buf, seg, segs_destination, DOCA_SQE_DST_LIST);
}

/* Return true if a buffer has no key, or there is no buffer. */
static inline bool segs_unkeyed(const struct doca_buf *buf,
				const struct doca_dev *dev)
{
	if (!buf)
		return true;
	for (; buf; buf = doca_priv_buf_next(buf))
		if (!doca_priv_buf_key(buf, dev))
			return true;
	return false;
}

/* Like segs_unkeyed(), for segs_from_data(): data that cannot be read has no key either. */
static inline bool segs_data_unkeyed(const struct doca_buf *buf,
				     const struct doca_dev *dev)
{
	const struct doca_buf *each;

	for (each = buf; each; each = doca_priv_buf_next(each))
		if (doca_priv_buf_data_len(each) > UINT32_MAX ||
		    !doca_priv_buf_fits(each))
			return true;
	return segs_unkeyed(buf, dev);
}

/* Likewise for segs_from_source(). */
static inline bool segs_source_unkeyed(const struct doca_buf *buf,
				       const struct doca_dev *dev)
{
	return segs_empty(buf) || segs_data_unkeyed(buf, dev);
}

/* Give @length bytes of output to the buffers, in the order in which they were filled. */
static inline void segs_append(struct doca_buf *buf, size_t length)
{
	for (; length && buf; buf = doca_priv_buf_next(buf)) {
		size_t room = doca_priv_buf_tailroom(buf);
		size_t take = length < room ? length : room;

		doca_priv_buf_append(buf, take);
		length -= take;
	}
}

#endif /* DOCA_CORE_SEGS_H */
