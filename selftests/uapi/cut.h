/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Memory that is cut into segments anywhere, as an operation must take it. */
#ifndef DOCA_CUT_H
#define DOCA_CUT_H

#include "doca_ring.h"

#define SEGMENTS 64

/* Cut a range into segments of the table, some of them empty; return their number */
static inline uint32_t cut(struct doca_seg *segs, const struct buf *buf, size_t offset,
			   uint32_t length, uint32_t *seed)
{
	uint32_t nr = prng(seed) % SEGMENTS, i, part;

	for (i = 0; i < nr; i++) {
		part = prng(seed) % 4 ? prng(seed) % (2 * length / (nr + 1) + 1) : prng(seed) % 3;
		if (part > length)
			part = length;
		segs[i] = seg_of(buf, offset, part);
		offset += part;
		length -= part;
	}
	segs[nr] = seg_of(buf, offset, length);
	return nr + 1;
}

/* Cut both sides of an entry, which are in @buf; the table has twice SEGMENTS */
static inline struct doca_sqe in_pieces(struct queue *q, const struct buf *buf, struct doca_sqe sqe,
					uint32_t *seed)
{
	size_t src = sqe.src.address - (uintptr_t)buf->addr;
	size_t dst = sqe.dst.address - (uintptr_t)buf->addr;

	sqe.src = seg_list(0, cut(q->segs, buf, src, sqe.src.length, seed));
	sqe.dst = seg_list(SEGMENTS, cut(q->segs + SEGMENTS, buf, dst, sqe.dst.length, seed));
	sqe.flags |= DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST;
	return sqe;
}

#endif /* DOCA_CUT_H */
