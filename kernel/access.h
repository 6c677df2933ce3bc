/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Resolve and check segments; inline, for most entries come here. */
#ifndef DOCA_ACCESS_H
#define DOCA_ACCESS_H

#include <linux/nospec.h>

#include "backed.h"
#include "keys.h"
#include "memory.h"
#include "queue.h"

/* Return why a plain access is refused: a status of __doca_op_resolve(). */
u32 doca_op_refuse(const struct doca_mapping *mapping, u32 access);

/*
 * Find the mapping that a segment names; it is valid until the run section is left.
 * DOCA_STATUS_START: the memory is remote and valid, but its access was not checked.
 * DOCA_STATUS_AGAIN: the access is allowed, but the memory is file-backed.
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
	if (unlikely(access & ~mapping->plain))
		return doca_op_refuse(mapping, access);
	return DOCA_STATUS_SUCCESS;
}

/* Return true if the CPU reaches the memory, and not only functions of its kind. */
static inline bool doca_mapping_is_direct(const struct doca_mapping *mapping)
{
	return mapping->chunks != &doca_chunks_none;
}

/* Return true if files may have lost pages of it. */
static inline bool doca_mapping_is_backed(const struct doca_mapping *mapping)
{
	return mapping->plain != mapping->access;
}

/* A checked offset in a mapping; within it even if the check was mispredicted. */
static __always_inline u64 doca_mapping_offset(const struct doca_mapping *mapping,
					       u64 address)
{
	return array_index_nospec(address - mapping->addr, mapping->length);
}

/*
 * Return the kernel's address of a checked address in the mapping. If the check was
 * mispredicted, it is still within the mapping.
 */
static __always_inline void *doca_mapping_at(const struct doca_mapping *mapping,
					     u64 address)
{
	u64 offset = doca_mapping_offset(mapping, address);

	return doca_chunks_addr(mapping->chunks, mapping->addr + offset);
}

/* Like doca_mapping_at(), for a copy. */
static inline struct doca_backed_side
doca_mapping_side(const struct doca_mapping *mapping, u64 address)
{
	return (struct doca_backed_side){
		.at = doca_mapping_at(mapping, address),
		.backed = doca_mapping_is_backed(mapping),
	};
}

/* Copy between two sides; return the number of bytes at the end that were not copied. */
u32 doca_bytes_copy(struct doca_backed_side to, struct doca_backed_side from,
		    u32 length);

/*
 * Copy between a mapping of any kind and memory of the kernel. Return the number of bytes
 * at the end that were not copied.
 */
u32 doca_mapping_read(const struct doca_mapping *mapping, u64 address,
		      void *bytes, u32 length);
u32 doca_mapping_write(const struct doca_mapping *mapping, u64 address,
		       const void *bytes, u32 length);

#endif
