/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* What a segment names, checked, in line where most entries go by. */
#ifndef DOCA_ACCESS_H
#define DOCA_ACCESS_H

#include <linux/nospec.h>

#include "keys.h"
#include "memory.h"
#include "queue.h"

/*
 * Find what a segment names; valid until the run section is left. DOCA_STATUS_REMOTE: it
 * is right but for the access, and memory of somebody else.
 */
static __always_inline u32 __doca_op_resolve(struct doca_queue *queue,
					     const struct doca_seg *seg,
					     u32 access,
					     const struct doca_mapping **out)
{
	const struct doca_mapping *mapping;
	u64 offset;

	mapping = doca_keys_find(queue->file->keys, seg->key);
	if (unlikely(!mapping || mapping->key != seg->key ||
		     mapping->device != queue->device))
		return DOCA_STATUS_BAD_KEY;
	offset = seg->address - mapping->addr;
	if (unlikely(offset > mapping->length ||
		     seg->length > mapping->length - offset))
		return DOCA_STATUS_BAD_RANGE;
	*out = mapping;
	if (unlikely(access & ~mapping->access))
		return mapping->memory->remote ? DOCA_STATUS_REMOTE :
						 DOCA_STATUS_BAD_ACCESS;
	return DOCA_STATUS_SUCCESS;
}

/*
 * Where an address of it is for the kernel, which was checked. If that was
 * mispredicted, it is still within the mapping.
 */
static __always_inline void *doca_mapping_at(const struct doca_mapping *mapping,
					     u64 address)
{
	u64 offset = array_index_nospec(address - mapping->addr,
					mapping->length);

	return doca_chunks_addr(mapping->chunks, mapping->addr + offset);
}

#endif
