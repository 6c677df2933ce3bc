/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * From buffers to the segments of a submission, and back from its completion to
 * the buffers. Inline, for each library's data path.
 *
 * A buffer without a valid key gets key 0, which the kernel always refuses: so
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
	uint32_t first; /* number of run[0] in the segment table */
	uint32_t max; /* segments of one list */
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

/* Output is appended; there may be more room than an operation can fill. */
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
 * A list of buffers into the run. Of a list that is too long no more is written
 * than the run has room for, and a length for which the kernel refuses it.
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

/* One side of a submission. The result goes into the entry's flags. */
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

static inline uint16_t segs_from_destination(struct segs *segs,
					     const struct doca_buf *buf,
					     struct doca_seg *seg)
{
	return segs_fill(segs, buf, seg, segs_destination, DOCA_SQE_DST_LIST);
}

/* Is there a buffer without a key, or none? */
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

/* The same of a source, which has none either if its data cannot be read. */
static inline bool segs_source_unkeyed(const struct doca_buf *buf,
				       const struct doca_dev *dev)
{
	const struct doca_buf *each;

	for (each = buf; each; each = doca_priv_buf_next(each))
		if (doca_priv_buf_data_len(each) > UINT32_MAX ||
		    !doca_priv_buf_fits(each))
			return true;
	return segs_empty(buf) || segs_unkeyed(buf, dev);
}

/* Hand @length bytes of output to the buffers, in the order they were filled. */
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
