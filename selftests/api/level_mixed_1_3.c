// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The part of level_mixed.c at level 1.3; level_mixed_1_5.c includes it. */
#include "level.h"
#include "level_mixed.h"

#if DOCA_LEVEL < 105
#define COPY copy_at_1_3
#else
#define COPY copy_at_1_5
static doca_error_t level_submit(struct level *lv, struct doca_buf *src, struct doca_buf *dst,
				 uint64_t bytes, uint64_t number)
{
	struct doca_dma_job_memcpy job = {
		.base = { .type = DOCA_DMA_JOB_MEMCPY,
			  .ctx = lv->ctx,
			  .user_data = { .u64 = number } },
		.src_buff = src,
		.dst_buff = dst,
	};
	void *data;
	doca_error_t ret;

	ret = doca_buf_get_data(src, &data);
	DOCA_ERROR_PROPAGATE(ret, doca_buf_set_data(src, data, bytes));
	DOCA_ERROR_PROPAGATE(ret, doca_workq_submit(lv->workq, &job.base));
	return ret;
}
#endif

size_t COPY(const char *from, char *to, size_t len)
{
	struct doca_dev *dev = level_open_dev();
	struct doca_mmap *sources, *targets;
	struct doca_buf *src, *dst;
	struct doca_event ev;
	struct level lv;
	doca_error_t ret;

	if (!dev)
		return 0;
	ret = level_mmap(dev, (void *)from, len, &sources);
	DOCA_ERROR_PROPAGATE(ret, level_mmap(dev, to, len, &targets));
	DOCA_ERROR_PROPAGATE(ret, level_create(&lv, dev, 4, 2));
	DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_buf_by_addr(lv.inv, sources, (void *)from, len,
								 &src));
	DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_buf_by_addr(lv.inv, targets, to, len, &dst));
	DOCA_ERROR_PROPAGATE(ret, level_submit(&lv, src, dst, len, 1));
	DOCA_ERROR_PROPAGATE(ret, level_retrieve(&lv, &ev));
	DOCA_ERROR_PROPAGATE(ret, (doca_error_t)ev.result.u64);
	DOCA_ERROR_PROPAGATE(ret, doca_buf_refcount_rm(src, NULL));
	DOCA_ERROR_PROPAGATE(ret, doca_buf_refcount_rm(dst, NULL));
	DOCA_ERROR_PROPAGATE(ret, level_destroy(&lv));
	DOCA_ERROR_PROPAGATE(ret, doca_mmap_destroy(sources));
	DOCA_ERROR_PROPAGATE(ret, doca_mmap_destroy(targets));
	DOCA_ERROR_PROPAGATE(ret, doca_dev_close(dev));
	return ret == DOCA_SUCCESS && !memcmp(from, to, len) ? len : 0;
}
