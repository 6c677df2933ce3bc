// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Buffers of a pool as sources and destinations of copies. */
#include <doca_buf_pool.h>

#include "bed.h"

#define LEN 1000
#define ALIGNMENT 64
#define STRIDE 1024
#define BUFS 16

FIXTURE(pool)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_buf_pool *pool;
	char *mem;
	long pins;
};

FIXTURE_SETUP(pool)
{
	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->mem = mmap(NULL, BUFS * STRIDE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(self->mem, BUFS * STRIDE,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->mmap));
	ASSERT_OK(doca_buf_pool_create(BUFS, LEN, self->mmap, &self->pool));
	ASSERT_OK(doca_buf_pool_set_element_alignment(self->pool, ALIGNMENT));
	ASSERT_OK(doca_buf_pool_start(self->pool));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
}

FIXTURE_TEARDOWN(pool)
{
	uint32_t nr;

	EXPECT_OK(doca_ctx_stop(self->bed.ctx));
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_buf_pool_get_num_free_elements(self->pool, &nr));
	EXPECT_EQ(BUFS, nr);
	EXPECT_ERR(NOT_PERMITTED, doca_mmap_stop(self->mmap));
	EXPECT_OK(doca_buf_pool_destroy(self->pool));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* Each copy fills a buffer with the data of another; both go back by themselves. */
TEST_F(pool, copies)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst, *none;
	union doca_data data = {};
	void *from, *to[BUFS / 2];
	int i;

	for (i = 0; i < BUFS / 2; i++) {
		ASSERT_OK(doca_buf_pool_buf_alloc(self->pool, &src));
		ASSERT_OK(doca_buf_pool_buf_alloc(self->pool, &dst));
		ASSERT_OK(doca_buf_get_head(src, &from));
		ASSERT_OK(doca_buf_get_head(dst, &to[i]));
		ASSERT_EQ(0, (uintptr_t)to[i] % ALIGNMENT);
		memset(from, 'a' + i, LEN);
		ASSERT_OK(doca_buf_set_data(src, from, LEN));
		ASSERT_OK(doca_dma_task_memcpy_alloc_init(self->bed.dma, src,
							  dst, data, &task));
		ASSERT_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	}
	ASSERT_EQ(DOCA_ERROR_EMPTY, doca_buf_pool_buf_alloc(self->pool, &none));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == BUFS / 2));
	for (i = 0; i < BUFS / 2; i++) {
		EXPECT_EQ('a' + i, *(char *)to[i]);
		EXPECT_EQ(0, memcmp(to[i], (char *)to[i] + 1, LEN - 1));
	}
}

/* More than the buffer has room for is not written over the next element. */
TEST_F(pool, elements_end_where_the_next_begins)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;
	union doca_data data = {};

	ASSERT_OK(doca_buf_inventory_buf_get_by_data(
		self->bed.inv, self->mmap, self->mem, LEN + 1, &src));
	ASSERT_OK(doca_buf_pool_buf_alloc(self->pool, &dst));
	ASSERT_OK(doca_dma_task_memcpy_alloc_init(self->bed.dma, src, dst, data,
						  &task));
	ASSERT_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	EXPECT_EQ(1, self->bed.failed);
}

TEST_HARNESS_MAIN
