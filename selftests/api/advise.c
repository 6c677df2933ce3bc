// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Advice on memory, with the driver: also next to copies in one engine */
#include <doca_mmap_advise.h>

#include "bed.h"

#define LEN 65536

typedef struct doca_mmap_advise_task_invalidate_cache task_t;

FIXTURE(advise)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap_advise *advise;
	struct doca_ctx *ctx;
	struct doca_mmap *mmap;
	char *mem;
	unsigned int succeeded;
	unsigned int failed;
	doca_error_t status;
	long pins;
};

static void done(task_t *task, union doca_data task_data,
		 union doca_data ctx_data)
{
	FIXTURE_DATA(advise) *self = ctx_data.ptr;

	(void)task;
	(void)task_data;
	self->succeeded++;
}

static void failed(task_t *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	FIXTURE_DATA(advise) *self = ctx_data.ptr;

	(void)task_data;
	self->failed++;
	self->status = doca_task_get_status(
		doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
}

FIXTURE_SETUP(advise)
{
	union doca_data data = { .ptr = self };

	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
	ASSERT_OK(bed_mmap(self->mem, LEN,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
				   DOCA_ACCESS_FLAG_PCI_READ_ONLY,
			   self->dev, NULL, &self->mmap));
	ASSERT_OK(doca_mmap_advise_create(self->dev, &self->advise));
	self->ctx = doca_mmap_advise_as_ctx(self->advise);
	ASSERT_OK(doca_mmap_advise_task_invalidate_cache_set_conf(
		self->advise, done, failed, 8));
	ASSERT_OK(doca_ctx_set_user_data(self->ctx, data));
	ASSERT_OK(doca_pe_connect_ctx(self->bed.pe, self->ctx));
	ASSERT_OK(doca_ctx_start(self->ctx));
}

static bool is_idle(struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	return !doca_ctx_get_state(ctx, &state) &&
	       state == DOCA_CTX_STATE_IDLE;
}

FIXTURE_TEARDOWN(advise)
{
	if (!is_idle(self->ctx))
		EXPECT_OK(doca_ctx_stop(self->ctx));
	EXPECT_OK(doca_mmap_advise_destroy(self->advise));
	EXPECT_OK(doca_ctx_stop(self->bed.ctx));
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

static task_t *new_task(FIXTURE_DATA(advise) *self, struct doca_mmap *mmap,
			void *addr, size_t len, struct doca_buf **buf)
{
	union doca_data data = { .u64 = 0 };
	task_t *task;

	if (doca_buf_inventory_buf_get_by_data(self->bed.inv, mmap, addr, len,
					       buf) ||
	    doca_mmap_advise_task_invalidate_cache_alloc_init(
		    self->advise, *buf, data, &task))
		return NULL;
	return task;
}

static struct doca_task *base(task_t *task)
{
	return doca_mmap_advise_task_invalidate_cache_as_doca_task(task);
}

TEST_F(advise, capabilities)
{
	struct doca_devinfo *info = doca_dev_as_devinfo(self->dev);
	uint64_t size = 0;

	EXPECT_OK(
		doca_mmap_advise_cap_task_cache_invalidate_is_supported(info));
	EXPECT_OK(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
		info, &size));
	EXPECT_LE(1 << 20, size);
}

TEST_F(advise, next_to_copies)
{
	struct doca_buf *buf;
	task_t *task;
	int round;

	task = new_task(self, self->mmap, self->mem, LEN / 2, &buf);
	ASSERT_NE(NULL, task);
	bed_fill(self->mem, LEN / 2, 1);
	for (round = 0; round < 100; round++) {
		memset(self->mem + LEN / 2, 0, LEN / 2);
		ASSERT_OK(bed_copy(&self->bed, self->mmap, self->mem,
				   self->mmap, self->mem + LEN / 2, LEN / 2));
		ASSERT_TRUE(BED_UNTIL(&self->bed, !bed_inflight(&self->bed)));
		ASSERT_OK(doca_task_submit(base(task)));
		ASSERT_TRUE(BED_UNTIL(&self->bed,
				      self->succeeded == round + 1));
		ASSERT_EQ(0, memcmp(self->mem, self->mem + LEN / 2, LEN / 2));
	}
	doca_task_free(base(task));
	EXPECT_OK(doca_buf_dec_refcount(buf, NULL));
}

/* What the exporter lets others only read is not theirs to give up. */
TEST_F(advise, not_of_an_import_that_may_only_be_read)
{
	struct doca_mmap *import;
	struct doca_buf *buf;
	const void *desc;
	task_t *task;
	size_t len;

	ASSERT_OK(doca_mmap_export_pci(self->mmap, self->dev, &desc, &len));
	ASSERT_OK(doca_mmap_create_from_export(NULL, desc, len, self->dev,
					       &import));
	task = new_task(self, import, self->mem, LEN, &buf);
	ASSERT_NE(NULL, task);
	EXPECT_ERR(INVALID_VALUE, doca_task_try_submit(base(task)));
	EXPECT_OK(doca_task_submit(base(task)));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->failed == 1));
	EXPECT_EQ(DOCA_ERROR_NOT_PERMITTED, self->status);
	doca_task_free(base(task));
	EXPECT_TRUE(BED_UNTIL(&self->bed, is_idle(self->ctx)));
	EXPECT_OK(doca_buf_dec_refcount(buf, NULL));
	EXPECT_OK(doca_mmap_destroy(import));

	/* And it can be used again. */
	EXPECT_OK(doca_ctx_start(self->ctx));
	task = new_task(self, self->mmap, self->mem, LEN, &buf);
	ASSERT_NE(NULL, task);
	EXPECT_OK(doca_task_try_submit(base(task)));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->succeeded == 1));
	doca_task_free(base(task));
	EXPECT_OK(doca_buf_dec_refcount(buf, NULL));
}

TEST_F(advise, of_memory_that_is_gone)
{
	struct doca_mmap *import;
	struct doca_buf *buf;
	const void *desc;
	task_t *task;
	size_t len;

	ASSERT_OK(doca_mmap_stop(self->mmap));
	ASSERT_OK(doca_mmap_set_permissions(self->mmap,
					    DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	ASSERT_OK(doca_mmap_start(self->mmap));
	ASSERT_OK(doca_mmap_export_pci(self->mmap, self->dev, &desc, &len));
	ASSERT_OK(doca_mmap_create_from_export(NULL, desc, len, self->dev,
					       &import));
	task = new_task(self, import, self->mem, LEN, &buf);
	ASSERT_NE(NULL, task);
	EXPECT_OK(doca_task_try_submit(base(task)));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->succeeded == 1));
	EXPECT_OK(doca_mmap_stop(self->mmap));
	EXPECT_OK(doca_task_submit(base(task)));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->failed == 1));
	EXPECT_EQ(DOCA_ERROR_IO_FAILED, self->status);
	doca_task_free(base(task));
	EXPECT_TRUE(BED_UNTIL(&self->bed, is_idle(self->ctx)));
	EXPECT_OK(doca_buf_dec_refcount(buf, NULL));
	EXPECT_OK(doca_mmap_destroy(import));
}

TEST_HARNESS_MAIN
