/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Shared by the tests of the levels 1.3 and 1.5. It includes the headers of the level
 * that it is compiled at, and so nothing of bed.h.
 */
#ifndef DOCA_SELFTESTS_LEVEL_H
#define DOCA_SELFTESTS_LEVEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_dma.h>

#include "../lib/await.h"

#define ASSERT_OK(call) ASSERT_EQ(DOCA_SUCCESS, call)
#define EXPECT_OK(call) EXPECT_EQ(DOCA_SUCCESS, call)
#define EXPECT_ERR(name, call) EXPECT_EQ(DOCA_ERROR_##name, call)

#define PAGE 4096

/* A context on a device, and a work queue. */
struct level {
	struct doca_dev *dev;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct doca_workq *workq;
	struct doca_buf_inventory *inv;
};

/* Open the last device, the software device, which is always there; NULL if it is not. */
static inline struct doca_dev *level_open_dev(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t nr;

	if (doca_devinfo_list_create(&list, &nr) != DOCA_SUCCESS)
		return NULL;
	if (nr)
		doca_dev_open(list[nr - 1], &dev);
	doca_devinfo_list_destroy(list);
	return dev;
}

static inline doca_error_t level_create(struct level *lv, struct doca_dev *dev, uint32_t depth,
					size_t nr_bufs)
{
	doca_error_t ret;

	lv->dev = dev;
	ret = doca_buf_inventory_create(NULL, nr_bufs, DOCA_BUF_EXTENSION_NONE, &lv->inv);
	DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_start(lv->inv));
	DOCA_ERROR_PROPAGATE(ret, doca_dma_create(&lv->dma));
	if (ret != DOCA_SUCCESS)
		return ret;
	lv->ctx = doca_dma_as_ctx(lv->dma);
	ret = doca_ctx_dev_add(lv->ctx, dev);
	DOCA_ERROR_PROPAGATE(ret, doca_ctx_start(lv->ctx));
	DOCA_ERROR_PROPAGATE(ret, doca_workq_create(depth, &lv->workq));
	DOCA_ERROR_PROPAGATE(ret, doca_ctx_workq_add(lv->ctx, lv->workq));
	return ret;
}

static inline doca_error_t level_destroy(struct level *lv)
{
	doca_error_t ret = doca_ctx_workq_rm(lv->ctx, lv->workq);

	DOCA_ERROR_PROPAGATE(ret, doca_workq_destroy(lv->workq));
	DOCA_ERROR_PROPAGATE(ret, doca_ctx_stop(lv->ctx));
	DOCA_ERROR_PROPAGATE(ret, doca_ctx_dev_rm(lv->ctx, lv->dev));
	DOCA_ERROR_PROPAGATE(ret, doca_dma_destroy(lv->dma));
	DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_destroy(lv->inv));
	return ret;
}

/* Make a started map with one chunk and one device. */
static inline doca_error_t level_mmap(struct doca_dev *dev, void *addr, size_t len,
				      struct doca_mmap **mmap)
{
	doca_error_t ret = doca_mmap_create(NULL, mmap);

	DOCA_ERROR_PROPAGATE(ret, doca_mmap_start(*mmap));
	DOCA_ERROR_PROPAGATE(ret, doca_mmap_populate(*mmap, addr, len, PAGE, NULL, NULL));
	DOCA_ERROR_PROPAGATE(ret, doca_mmap_dev_add(*mmap, dev));
	return ret;
}

#if DOCA_LEVEL < 105
/* Open the device with this RDMA name; NULL if there is none. */
static inline struct doca_dev *level_open_named(const char *name)
{
	char has[64] = "";
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	int i;

	if (doca_devinfo_list_create(&list) != DOCA_SUCCESS)
		return NULL;
	for (i = 0; list[i] && !dev; i++) {
		doca_devinfo_property_get(list[i], DOCA_DEVINFO_PROPERTY_IBDEV_NAME, has,
					  sizeof(has));
		if (!strcmp(has, name))
			doca_dev_open(list[i], &dev);
	}
	doca_devinfo_list_destroy(list);
	return dev;
}

static inline doca_error_t level_submit(struct level *lv, struct doca_buf *src,
					struct doca_buf *dst, uint64_t bytes, uint64_t number)
{
	struct doca_dma_job_memcpy job = {
		.base = { .type = DOCA_DMA_JOB_MEMCPY,
			  .ctx = lv->ctx,
			  .user_data = { .u64 = number } },
		.src_buff = src,
		.dst_buff = dst,
		.num_bytes_to_copy = bytes,
	};

	return doca_workq_submit(lv->workq, &job.base);
}
#endif

/* Get the next event; DOCA_ERROR_AGAIN if none comes. */
static inline doca_error_t level_retrieve(struct level *lv, struct doca_event *ev)
{
	doca_error_t ret;

	AWAIT_BY(sched_yield(),
		 (ret = doca_workq_progress_retrieve(lv->workq, ev, 0)) != DOCA_ERROR_AGAIN);
	return ret;
}

static inline void level_fill(char *mem, size_t len, unsigned int seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		mem[i] = i * 31 + (i >> 8) + seed;
}

static inline char *level_alloc(size_t len)
{
	void *mem = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

#endif /* DOCA_SELFTESTS_LEVEL_H */
