// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Memory of the process (kernel/pin.h). It is used at its own addresses, so a range is one piece
 * however large it is, and none of its pages is touched: pages are lost if the program unmaps
 * them, and need not be there yet.
 */
#include "shim/kernel.h"

#include "backed.h"
#include "memory.h"

static long pinned; /* ranges */

long inproc_pinned(void)
{
	return __atomic_load_n(&pinned, __ATOMIC_RELAXED);
}

/* Files whose dirty pages are tracked are only read: see kernel/pin.c. */
static int range_check(const struct doca_mem_reg *arg, unsigned long start,
		       unsigned long size, bool *writable)
{
	int rc = *writable ? doca_backed_is_tracked(arg->addr, arg->length) : 0;

	if (rc < 0)
		return rc;
	if (rc && !(arg->access & ~DOCA_ACCESS_WRITE_MASK))
		return -EFAULT;
	if (rc)
		*writable = false;
	return inproc_is_mapped(start, size, *writable) ? 0 : -EFAULT;
}

static int range_pin(struct doca_memory *memory, const struct doca_mem_reg *arg,
		     bool writable, struct doca_pin_limit *limit)
{
	unsigned long start = arg->addr & PAGE_MASK;
	unsigned long size = PAGE_ALIGN(arg->addr + arg->length) - start;
	struct doca_pin *pin = &memory->pin;
	int rc;

	rc = range_check(arg, start, size, &writable);
	if (rc)
		return rc;
	rc = doca_chunks_init(&pin->chunks, start, size);
	if (rc)
		return rc;
	/* The first addition needs no memory. */
	doca_chunks_add(&pin->chunks, start, size, (void *)start);
	pin->npages = size >> PAGE_SHIFT;
	pin->writable = writable;
	pin->backing = doca_backing_of(NULL, 0);
	__atomic_add_fetch(&pinned, 1, __ATOMIC_RELAXED);
	return 0;
}

static void range_unpin(struct doca_memory *memory)
{
	doca_chunks_free(&memory->pin.chunks);
	__atomic_sub_fetch(&pinned, 1, __ATOMIC_RELAXED);
}

const struct doca_memory_ops doca_pages_ops = {
	.pin = range_pin,
	.unpin = range_unpin,
};
