// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tasks whose memory may not be written, or is stopped under them, or is in lists. */
#include "bed.h"

#define LEN 4096
#define MEM (BED_TASKS * LEN)

FIXTURE(recovery)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *src, *dst;
	char *mem;
	long pins;
};

FIXTURE_SETUP(recovery)
{
	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->mem = mmap(NULL, 2 * MEM, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bed_fill(self->mem, MEM, 3);
	ASSERT_OK(bed_mmap(self->mem, MEM, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
			   self->dev, NULL, &self->src));
	ASSERT_OK(bed_mmap(self->mem + MEM, MEM,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->dst));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
}

FIXTURE_TEARDOWN(recovery)
{
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->src));
	EXPECT_OK(doca_mmap_destroy(self->dst));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* One after the other; a bad one writes to the memory that is only read. */
static doca_error_t submit(FIXTURE_DATA(recovery) *self, int i, bool bad)
{
	char *src = self->mem + i * LEN;

	if (bad)
		return bed_copy(&self->bed, self->src, src, self->src, src,
				LEN);
	return bed_copy(&self->bed, self->src, src, self->dst, src + MEM, LEN);
}

TEST_F(recovery, write_to_read_only_is_not_permitted)
{
	ASSERT_OK(submit(self, 0, true));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	EXPECT_EQ(1, self->bed.failed);
	EXPECT_ERR(NOT_PERMITTED, self->bed.status);
}

/* The mmap is stopped under the task: its key is gone when it is submitted. */
TEST_F(recovery, stopped_mmap)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *from, *to;
	union doca_data data = {};

	ASSERT_OK(doca_buf_inventory_buf_get_by_data(
		self->bed.inv, self->src, self->mem, LEN, &from));
	ASSERT_OK(doca_buf_inventory_buf_get_by_addr(
		self->bed.inv, self->dst, self->mem + MEM, LEN, &to));
	EXPECT_ERR(NOT_PERMITTED, doca_mmap_stop(self->dst));
	ASSERT_OK(doca_dma_task_memcpy_alloc_init(self->bed.dma, from, to, data,
						  &task));
	ASSERT_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	EXPECT_OK(doca_ctx_stop(self->bed.ctx));
	EXPECT_OK(doca_mmap_stop(self->dst));
	EXPECT_OK(doca_mmap_start(self->dst));
}

/* The lists of both sides differ in number and length of their segments. */
TEST_F(recovery, lists)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *from = NULL, *to = NULL, *buf;
	union doca_data data = {};
	int i;

	for (i = 0; i < 15; i++) {
		ASSERT_OK(doca_buf_inventory_buf_get_by_data(
			self->bed.inv, self->src, self->mem + i * 1000, 1000,
			&buf));
		if (from) {
			ASSERT_OK(doca_buf_chain_list(from, buf));
		} else {
			from = buf;
		}
	}
	for (i = 0; i < 7; i++) {
		ASSERT_OK(doca_buf_inventory_buf_get_by_addr(
			self->bed.inv, self->dst, self->mem + MEM + i * 2500,
			2500, &buf));
		if (to) {
			ASSERT_OK(doca_buf_chain_list(to, buf));
		} else {
			to = buf;
		}
	}
	ASSERT_OK(doca_dma_task_memcpy_alloc_init(self->bed.dma, from, to, data,
						  &task));
	ASSERT_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	EXPECT_EQ(0, memcmp(self->mem, self->mem + MEM, 15000));
	EXPECT_EQ(0, self->mem[MEM + 15000]);
	EXPECT_OK(doca_ctx_stop(self->bed.ctx));
}

TEST_HARNESS_MAIN
