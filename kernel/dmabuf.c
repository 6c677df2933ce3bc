// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Memory kind dma-buf. Operations use the mapping that the exporter makes for the kernel:
 * the memory in the scatterlist of an attachment belongs to the exporter and may have no
 * pages at all.
 *
 * The attachment only makes the exporter keep the buffer in place; nothing is ever mapped
 * for its device, nor for a DMA engine: its end would wait for the lock of the dma-buf,
 * which a user's thread may hold that gets no CPU. Exporters that can move a buffer
 * nevertheless are refused: pinning theirs takes, without a limit, from memory that all
 * users of a graphics card share.
 *
 * The CPU's access begins and ends with the registration, not with each operation: its
 * beginning may wait for fences, which a worker must not do for one queue while others
 * wait. With coherent caches this makes no difference.
 */
#include <linux/device.h>
#include <linux/dma-buf.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>

#include <linux/doca.h>

#include "compat.h"
#include "memory.h"

MODULE_IMPORT_NS(DMA_BUF);

/* The device of all attachments for the CPU. It does no DMA. */
static struct device *doca_dmabuf_device;

static int doca_dmabuf_check(struct dma_buf *buf,
			     const struct doca_mem_reg *arg, bool writable)
{
	u64 end;

	if (!buf->ops->vmap || dma_buf_is_dynamic(buf))
		return -EOPNOTSUPP;
	if (check_add_overflow(arg->dmabuf_offset, arg->length, &end) ||
	    end > buf->size)
		return -ERANGE;
	if (!(buf->file->f_mode & FMODE_READ) ||
	    (writable && !(buf->file->f_mode & FMODE_WRITE)))
		return -EACCES;
	return 0;
}

static enum dma_data_direction doca_dmabuf_direction(bool writable)
{
	return writable ? DMA_BIDIRECTIONAL : DMA_FROM_DEVICE;
}

/* The exporter's mapping is contiguous. */
static int doca_dmabuf_fill(struct doca_chunks *chunks, void *first, u64 addr,
			    u64 length)
{
	return doca_chunks_init(chunks, addr, length) ?:
	       doca_chunks_add(chunks, addr, length, first);
}

static int doca_dmabuf_map(struct doca_dmabuf *dmabuf, bool writable)
{
	enum dma_data_direction direction = doca_dmabuf_direction(writable);
	struct dma_buf *buf = dmabuf->buf;
	int rc;

	dmabuf->attach = dma_buf_attach(buf, doca_dmabuf_device);
	if (IS_ERR(dmabuf->attach))
		return PTR_ERR(dmabuf->attach);
	rc = dma_buf_begin_cpu_access(buf, direction);
	if (rc)
		goto err_detach;
	rc = dma_buf_vmap_unlocked(buf, &dmabuf->map);
	if (rc)
		goto err_end;
	if (dmabuf->map.is_iomem || !PAGE_ALIGNED(dmabuf->map.vaddr)) {
		rc = -EOPNOTSUPP;
		goto err_unmap;
	}
	return 0;

err_unmap:
	dma_buf_vunmap_unlocked(buf, &dmabuf->map);
err_end:
	dma_buf_end_cpu_access(buf, direction);
err_detach:
	dma_buf_detach(buf, dmabuf->attach);
	return rc;
}

static void doca_dmabuf_unmap(struct doca_dmabuf *dmabuf, bool writable)
{
	struct dma_buf *buf = dmabuf->buf;

	dma_buf_vunmap_unlocked(buf, &dmabuf->map);
	dma_buf_end_cpu_access(buf, doca_dmabuf_direction(writable));
	dma_buf_detach(buf, dmabuf->attach);
}

static int doca_dmabuf_pin(struct doca_memory *memory,
			   const struct doca_mem_reg *arg, bool writable,
			   struct doca_pin_limit *limit)
{
	struct doca_dmabuf *dmabuf = &memory->dmabuf;
	struct doca_pin *pin = &memory->pin;
	struct dma_buf *buf;
	int rc;

	buf = dma_buf_get(arg->dmabuf_fd);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	rc = doca_dmabuf_check(buf, arg, writable);
	if (rc)
		goto err_put;
	rc = doca_pin_charge(pin, PAGE_ALIGN(buf->size) >> PAGE_SHIFT, limit);
	if (rc)
		goto err_put;
	dmabuf->buf = buf;
	dmabuf->offset = arg->dmabuf_offset;
	rc = doca_dmabuf_map(dmabuf, writable);
	if (rc)
		goto err_uncharge;
	pin->writable = writable;
	rc = doca_dmabuf_fill(&pin->chunks, dmabuf->map.vaddr + arg->dmabuf_offset,
			      arg->addr, arg->length);
	if (rc)
		goto err_unmap;
	return 0;

err_unmap:
	doca_dmabuf_unmap(dmabuf, writable);
err_uncharge:
	doca_pin_uncharge(pin);
err_put:
	dma_buf_put(buf);
	return rc;
}

/* May sleep for long, because exporters may. */
static void doca_dmabuf_unpin(struct doca_memory *memory)
{
	struct doca_dmabuf *dmabuf = &memory->dmabuf;

	doca_chunks_free(&memory->pin.chunks);
	doca_dmabuf_unmap(dmabuf, memory->pin.writable);
	dma_buf_put(dmabuf->buf);
	doca_pin_uncharge(&memory->pin);
}

const struct doca_memory_ops doca_dmabuf_ops = {
	.pin = doca_dmabuf_pin,
	.unpin = doca_dmabuf_unpin,
};

int doca_dmabuf_init(void)
{
	doca_dmabuf_device = root_device_register("doca");
	return PTR_ERR_OR_ZERO(doca_dmabuf_device);
}

void doca_dmabuf_exit(void)
{
	root_device_unregister(doca_dmabuf_device);
}
