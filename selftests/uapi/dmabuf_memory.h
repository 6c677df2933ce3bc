/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* dma-bufs as memory of a file */
#ifndef SELFTESTS_UAPI_DMABUF_MEMORY_H
#define SELFTESTS_UAPI_DMABUF_MEMORY_H

#include "../lib/dmabuf.h"
#include "doca_ring.h"

static inline int reg_dmabuf(int fd, struct doca_mem_reg *reg)
{
	reg->size = sizeof(*reg);
	reg->flags |= DOCA_MEM_REG_DMABUF;
	return doca_call(fd, DOCA_MEM_REG, reg);
}

/* Register a dma-buf, and make a key; nothing is mapped at its addresses */
static inline int dmabuf_make(const struct doca *d, struct buf *b, int dmabuf,
			      uint64_t addr, uint64_t offset, uint64_t length,
			      uint32_t access)
{
	struct doca_mem_reg reg = {
		.addr = addr,
		.length = length,
		.access = access,
		.dmabuf_fd = dmabuf,
		.dmabuf_offset = offset,
	};
	int err = reg_dmabuf(d->fd, &reg);

	if (err)
		return err;
	*b = (struct buf){ .addr = (uint8_t *)addr,
			   .length = length,
			   .mem = reg.out_mem_id };
	return mem_map(d->fd, b->mem, d->device, access & ACCESS_LOCAL, &b->key);
}

#endif /* SELFTESTS_UAPI_DMABUF_MEMORY_H */
