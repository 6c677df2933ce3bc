/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Check that registered memory is the memory that the program sees */
#ifndef SELFTESTS_UAPI_MEMORY_H
#define SELFTESTS_UAPI_MEMORY_H

#include "doca_ring.h"

#define MIB (1024 * 1024UL)

/* Register, map, copy both ways and compare: the pages are the right ones */
static inline bool memory_works(struct doca *d, uint8_t *addr, size_t length, uint32_t access)
{
	struct buf b = { .addr = addr, .length = length }, mine;
	struct queue q;
	bool ok;

	if (mem_reg(d->fd, addr, length, access, &b.mem) ||
	    mem_map(d->fd, b.mem, d->device, access & ACCESS_LOCAL, &b.key) ||
	    buf_make(d, &mine, length, ACCESS_LOCAL) ||
	    queue_open(&q, d, 0, 2, 0))
		return false;
	ok = !queue_status(&q, sqe_copy(seg_of(&mine, 0, length), seg_of(&b, 0, length))) &&
	     !memcmp(mine.addr, addr, length);
	if (ok && (access & DOCA_ACCESS_LOCAL_WRITE)) {
		fill_random(mine.addr, length, 5);
		ok = !queue_status(&q, sqe_copy(seg_of(&b, 0, length), seg_of(&mine, 0, length))) &&
		     !memcmp(mine.addr, addr, length);
	}
	queue_close(&q);
	munmap(mine.addr, length);
	return ok && !mem_dereg(d->fd, b.mem) && !mem_dereg(d->fd, mine.mem);
}

#endif
