// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* What an entry names, checked: segments, keys, ranges, permissions. */
#include <linux/nospec.h>

#include "access.h"

/*
 * Copy one side of an entry: a list from the segment table, once, or the
 * entry's own segment. Only the copy is used from then on.
 */
u32 doca_op_load_side(struct doca_queue *queue, struct doca_op_side *side,
		      const struct doca_seg *seg, bool list)
{
	u32 i;

	side->index = 0;
	side->offset = 0;
	if (!list) {
		side->nr = 1;
		side->segs[0] = *seg;
		side->length = seg->length;
		return DOCA_STATUS_SUCCESS;
	}

	if (seg->key || !seg->length || seg->length > DOCA_OP_MAX_SEGMENTS ||
	    seg->length > queue->ring.nr_segments ||
	    seg->address > queue->ring.nr_segments - seg->length)
		return DOCA_STATUS_BAD_ENTRY;
	side->nr = seg->length;
	side->length = 0;
	for (i = 0; i < side->nr; i++) {
		u32 index = array_index_nospec(seg->address + i,
					       queue->ring.nr_segments);

		side->segs[i] = doca_ring_get_seg(&queue->ring, index);
		side->length += side->segs[i].length;
	}
	return DOCA_STATUS_SUCCESS;
}

u32 doca_op_resolve(struct doca_queue *queue, const struct doca_seg *seg,
		    u32 access, const struct doca_mapping **mapping)
{
	return __doca_op_resolve(queue, seg, access, mapping);
}
