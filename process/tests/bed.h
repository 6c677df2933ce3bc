/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Common code of the tests: a device, memory, and an engine with a DMA context that
 * counts callbacks. Everything is the library's, on the driver in this process.
 */
#ifndef PROCESS_TESTS_BED_H
#define PROCESS_TESTS_BED_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "inproc.h"
#include "ktap.h"
#include "until.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)

#define BED_TASKS 64
#define BED_MEM (1 << 20)

struct bed {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inv;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	char *mem; /* sources in the first half, destinations in the second */
	unsigned int done;
	unsigned int failed;
	doca_error_t status; /* status of the first failure */
};

static inline struct doca_dev *bed_open_dev(const char *name)
{
	char has[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t nr, i;

	OK(doca_devinfo_create_list(&list, &nr));
	for (i = 0; i < nr && !dev; i++) {
		OK(doca_devinfo_get_ibdev_name(list[i], has, sizeof(has)));
		if (!strcmp(has, name))
			OK(doca_dev_open(list[i], &dev));
	}
	OK(doca_devinfo_destroy_list(list));
	return dev;
}

static inline void bed_task(struct doca_dma_task_memcpy *task, union doca_data task_data,
			    union doca_data ctx_data)
{
	struct doca_task *base = doca_dma_task_memcpy_as_task(task);
	const struct doca_buf *src = doca_dma_task_memcpy_get_src(task);
	struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);
	struct bed *bed = ctx_data.ptr;

	(void)task_data;
	bed->done++;
	if (doca_task_get_status(base) != DOCA_SUCCESS) {
		if (!bed->failed++)
			bed->status = doca_task_get_status(base);
	}
	doca_task_free(base);
	doca_buf_dec_refcount((struct doca_buf *)src, NULL);
	doca_buf_dec_refcount(dst, NULL);
}

/* Create everything on the device called @name, without starting it. */
static inline void bed_create(struct bed *bed, const char *name)
{
	union doca_data self = { .ptr = bed };
	int i;

	*bed = (struct bed){ .mem = aligned_alloc(4096, BED_MEM) };
	for (i = 0; i < BED_MEM; i++)
		bed->mem[i] = i < BED_MEM / 2 ? i * 31 + (i >> 8) : 0;
	bed->dev = bed_open_dev(name);
	OK(doca_mmap_create(&bed->mmap));
	OK(doca_mmap_set_memrange(bed->mmap, bed->mem, BED_MEM));
	OK(doca_mmap_set_permissions(bed->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
							DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	OK(doca_mmap_add_dev(bed->mmap, bed->dev));
	OK(doca_mmap_start(bed->mmap));
	OK(doca_buf_inventory_create(4 * BED_TASKS, &bed->inv));
	OK(doca_buf_inventory_start(bed->inv));
	OK(doca_pe_create(&bed->pe));
	OK(doca_dma_create(bed->dev, &bed->dma));
	bed->ctx = doca_dma_as_ctx(bed->dma);
	OK(doca_ctx_set_user_data(bed->ctx, self));
	OK(doca_dma_task_memcpy_set_conf(bed->dma, bed_task, bed_task, BED_TASKS));
	OK(doca_pe_connect_ctx(bed->pe, bed->ctx));
}

static inline enum doca_ctx_states bed_state(const struct bed *bed)
{
	enum doca_ctx_states state = -1;

	OK(doca_ctx_get_state(bed->ctx, &state));
	return state;
}

static inline void bed_await_idle(struct bed *bed)
{
	while (bed_state(bed) != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(bed->pe);
}

/* Stop it in any state, and destroy it. */
static inline void bed_destroy(struct bed *bed)
{
	doca_ctx_stop(bed->ctx);
	bed_await_idle(bed);
	OK(doca_dma_destroy(bed->dma));
	OK(doca_pe_destroy(bed->pe));
	OK(doca_buf_inventory_destroy(bed->inv));
	OK(doca_mmap_destroy(bed->mmap));
	OK(doca_dev_close(bed->dev));
	free(bed->mem);
}

static inline struct doca_buf *bed_src(struct bed *bed, struct doca_mmap *mmap, size_t off,
				       size_t len)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_data(bed->inv, mmap, bed->mem + off, len, &buf));
	return buf;
}

static inline struct doca_buf *bed_dst(struct bed *bed, struct doca_mmap *mmap, size_t off,
				       size_t len)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_addr(bed->inv, mmap, bed->mem + BED_MEM / 2 + off, len,
					      &buf));
	return buf;
}

static inline void bed_submit(struct bed *bed, struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_dma_task_memcpy *task = NULL;

	OK(doca_dma_task_memcpy_alloc_init(bed->dma, src, dst, (union doca_data){ 0 }, &task));
	OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

static inline void bed_copy(struct bed *bed, size_t off, size_t len)
{
	bed_submit(bed, bed_src(bed, bed->mmap, off, len), bed_dst(bed, bed->mmap, off, len));
}

static inline void bed_wait(struct bed *bed, unsigned int done)
{
	while (bed->done < done)
		if (!doca_pe_progress(bed->pe))
			sched_yield();
}

static inline bool bed_copied(const struct bed *bed, size_t off, size_t len)
{
	return !memcmp(bed->mem + off, bed->mem + BED_MEM / 2 + off, len);
}

#endif /* PROCESS_TESTS_BED_H */
