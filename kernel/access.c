// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Checked access to the memory that an entry names: segments, keys, ranges, permissions;
 * and the bytes of any kind of memory.
 */
#include <linux/minmax.h>
#include <linux/nospec.h>

#include "access.h"
#include "poison.h"

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

u32 doca_op_refuse(const struct doca_mapping *mapping, u32 access)
{
	if (mapping->memory->remote)
		return DOCA_STATUS_START;
	return access & ~mapping->access ? DOCA_STATUS_BAD_ACCESS :
					   DOCA_STATUS_AGAIN;
}

u32 doca_op_resolve(struct doca_queue *queue, const struct doca_seg *seg,
		    u32 access, const struct doca_mapping **mapping)
{
	u32 status = __doca_op_resolve(queue, seg, access, mapping);

	return status == DOCA_STATUS_AGAIN ? DOCA_STATUS_SUCCESS : status;
}

u32 doca_bytes_copy(struct doca_backed_side to, struct doca_backed_side from,
		    u32 length)
{
	if (unlikely(to.backed || from.backed))
		return doca_backed_copy(to, from, length);
	return doca_poison_copy(to.at, from.at, length);
}

u32 doca_mapping_read(const struct doca_mapping *mapping, u64 address,
		      void *bytes, u32 length)
{
	struct doca_memory *memory = mapping->memory;

	if (!doca_mapping_is_direct(mapping))
		return memory->ops->access(memory,
					   doca_mapping_offset(mapping, address),
					   bytes, length, false);
	while (length) {
		u32 len = min_t(unsigned long, length,
				doca_chunks_contig(mapping->chunks, address));
		u32 rest = doca_bytes_copy((struct doca_backed_side){ bytes },
					   doca_mapping_side(mapping, address),
					   len);

		length -= len - rest;
		if (rest)
			break;
		address += len;
		bytes += len;
	}
	return length;
}

u32 doca_mapping_write(const struct doca_mapping *mapping, u64 address,
		       const void *bytes, u32 length)
{
	struct doca_memory *memory = mapping->memory;
	/* The cast is safe: a write to the memory only reads them. */
	void *from = (void *)bytes;

	if (!doca_mapping_is_direct(mapping))
		return memory->ops->access(memory,
					   doca_mapping_offset(mapping, address),
					   from, length, true);
	while (length) {
		u32 len = min_t(unsigned long, length,
				doca_chunks_contig(mapping->chunks, address));
		u32 rest = doca_bytes_copy(doca_mapping_side(mapping, address),
					   (struct doca_backed_side){ from },
					   len);

		length -= len - rest;
		if (rest)
			break;
		address += len;
		from += len;
	}
	return length;
}
