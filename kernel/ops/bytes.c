// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The bytes of the sides of an entry: loaded, read and written in order. */
#include <linux/minmax.h>

#include "access.h"
#include "bytes.h"
#include "memcpy.h"
#include "poison.h"

static u32 doca_bytes_load_side(struct doca_queue *queue,
				struct doca_op_side *side,
				const struct doca_seg *seg, bool list)
{
	u32 status = doca_op_load_side(queue, side, seg, list);

	if (!list && !seg->key && !seg->length)
		side->nr = 0;
	return status;
}

u32 doca_bytes_load(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	u32 status;

	status = doca_bytes_load_side(queue, &op->src, &sqe->src,
				      sqe->flags & DOCA_SQE_SRC_LIST);
	if (status)
		return status;
	status = doca_bytes_load_side(queue, &op->dst, &sqe->dst,
				      sqe->flags & DOCA_SQE_DST_LIST);
	return status ?: doca_copy_check(queue, op);
}

/* Find the next bytes of a side: their address, and how many there are, up to @length. */
static u32 doca_bytes_find(struct doca_queue *queue, struct doca_op_side *side,
			   u32 access, const struct doca_mapping **mapping,
			   u64 *address, u32 *length)
{
	const struct doca_seg *seg = doca_copy_seg(side);

	*address = seg->address + side->offset;
	*length = min(*length, seg->length - side->offset);
	return doca_op_resolve(queue, seg, access, mapping);
}

/* An error of the memory must not be met by code that does not expect it. */
static bool doca_bytes_are_there(const struct doca_mapping *mapping)
{
	return doca_mapping_is_direct(mapping) &&
	       !doca_mapping_is_backed(mapping) && !doca_poison_survivable;
}

u32 doca_bytes_place(struct doca_queue *queue, struct doca_op_side *side,
		     u32 access, struct doca_place *place)
{
	const struct doca_mapping *mapping;
	u32 length = U32_MAX;
	u64 address;
	u32 status;

	place->length = 0;
	status = doca_bytes_find(queue, side, access, &mapping, &address,
				 &length);
	if (status || !doca_bytes_are_there(mapping))
		return status;
	place->length = min_t(unsigned long, length,
			      doca_chunks_contig(mapping->chunks, address));
	place->at = doca_mapping_at(mapping, address);
	return DOCA_STATUS_SUCCESS;
}

u32 doca_bytes_next(struct doca_queue *queue, struct doca_op_side *side,
		    void *stage, u32 max, struct doca_bytes *bytes)
{
	u32 length = min_t(u32, max, DOCA_BYTES_STAGE);
	const struct doca_mapping *mapping;
	u64 address;
	u32 status;

	status = doca_bytes_find(queue, side, DOCA_ACCESS_LOCAL_READ, &mapping,
				 &address, &length);
	if (status)
		return status;
	if (doca_bytes_are_there(mapping)) {
		length = min_t(unsigned long, length,
			       doca_chunks_contig(mapping->chunks, address));
		bytes->at = doca_mapping_at(mapping, address);
	} else {
		if (doca_mapping_read(mapping, address, stage, length))
			return DOCA_STATUS_BAD_MEMORY;
		bytes->at = stage;
	}
	bytes->length = length;
	side->offset += length;
	return DOCA_STATUS_SUCCESS;
}

u32 doca_bytes_take(struct doca_queue *queue, struct doca_op_side *side,
		    u32 access, u32 max, struct doca_backed_side *at,
		    u32 *length)
{
	const struct doca_mapping *mapping;
	u64 address;
	u32 status;

	*length = max;
	status = doca_bytes_find(queue, side, access, &mapping, &address,
				 length);
	if (status)
		return status;
	if (!doca_mapping_is_direct(mapping))
		return DOCA_STATUS_NOT_SUPPORTED;
	*length = min_t(unsigned long, *length,
			doca_chunks_contig(mapping->chunks, address));
	*at = doca_mapping_side(mapping, address);
	if (at->backed && doca_backed_there(at->at, *length) < *length)
		return DOCA_STATUS_BAD_MEMORY;
	side->offset += *length;
	return DOCA_STATUS_SUCCESS;
}

void doca_bytes_skip(struct doca_op_side *side, u32 length)
{
	u32 part;

	for (; length; length -= part) {
		part = min(length, doca_copy_seg(side)->length - side->offset);
		side->offset += part;
	}
}

u32 doca_bytes_read(struct doca_queue *queue, struct doca_op_side *side,
		    void *bytes, u32 length)
{
	const struct doca_mapping *mapping;
	u32 part, rest, status;
	u64 address;

	for (; length; length -= part, bytes += part) {
		part = length;
		status = doca_bytes_find(queue, side, DOCA_ACCESS_LOCAL_READ,
					 &mapping, &address, &part);
		if (status)
			return status;
		rest = doca_mapping_read(mapping, address, bytes, part);
		side->offset += part - rest;
		if (rest)
			return DOCA_STATUS_BAD_MEMORY;
	}
	return DOCA_STATUS_SUCCESS;
}

u32 doca_bytes_write(struct doca_queue *queue, struct doca_op_side *side,
		     const void *bytes, u32 length)
{
	const struct doca_mapping *mapping;
	u32 part, rest, status;
	u64 address;

	for (; length; length -= part, bytes += part) {
		part = length;
		status = doca_bytes_find(queue, side, DOCA_ACCESS_LOCAL_WRITE,
					 &mapping, &address, &part);
		if (status)
			return status;
		rest = doca_mapping_write(mapping, address, bytes, part);
		side->offset += part - rest;
		if (rest)
			return DOCA_STATUS_BAD_MEMORY;
	}
	return DOCA_STATUS_SUCCESS;
}

u64 doca_bytes_passed(const struct doca_op_side *side)
{
	u64 passed = side->offset;
	u32 i;

	for (i = 0; i < side->index; i++)
		passed += side->segs[i].length;
	return passed;
}
