/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory of other drivers, shared as a dma-buf. The CPU can use only dma-bufs that do not
 * move and that their exporter maps for the kernel; others are refused. DMA engines
 * attach to these as well.
 */
#ifndef DOCA_DMABUF_H
#define DOCA_DMABUF_H

#include <linux/iosys-map.h>
#include <linux/kconfig.h>
#include <linux/types.h>

struct dma_buf;
struct dma_buf_attachment;
struct doca_memory_ops;

/**
 * struct doca_dmabuf - a dma-buf that is held
 * @buf: reference, which also keeps the exporter's module
 * @attach: tells the exporter that the buffer is in use, so it must not move
 * @map: the kernel's mapping
 * @offset: offset of the memory in the buffer
 */
struct doca_dmabuf {
	struct dma_buf *buf;
	struct dma_buf_attachment *attach;
	struct iosys_map map;
	u64 offset;
};

/*
 * Exporters may map uncached memory like any other. On x86 that is only slow; elsewhere
 * an unaligned or atomic access to it traps.
 */
static inline bool doca_dmabuf_is_safe(void)
{
	return IS_ENABLED(CONFIG_DMA_SHARED_BUFFER) && IS_ENABLED(CONFIG_X86);
}

/* The kind, on machines where it is safe. */
extern const struct doca_memory_ops doca_dmabuf_ops;

#ifdef CONFIG_DMA_SHARED_BUFFER
int doca_dmabuf_init(void);
void doca_dmabuf_exit(void);
#else
static inline int doca_dmabuf_init(void)
{
	return 0;
}

static inline void doca_dmabuf_exit(void)
{
}
#endif

#endif
