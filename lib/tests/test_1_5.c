// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Everything that level 1.5 has in another form than level 1.3, or in addition. */
#include <errno.h>
#include <poll.h>

#include "fault.h"
#include "level.h"

static doca_error_t submit(struct doca_buf *src, struct doca_buf *dst, uint64_t number)
{
	struct doca_dma_job_memcpy job = {
		.base = { .type = DOCA_DMA_JOB_MEMCPY,
			  .ctx = lv.ctx,
			  .user_data = { .u64 = number } },
		.src_buff = src,
		.dst_buff = dst,
	};

	return doca_workq_submit(lv.workq, &job.base);
}

/* The fake worker has work each time that a lane has restarted. */
static doca_error_t retrieve(struct doca_event *ev)
{
	doca_error_t ret = DOCA_ERROR_AGAIN;
	int i;

	for (i = 0; i < 3 && ret == DOCA_ERROR_AGAIN; i++) {
		level_fake_work(64);
		ret = doca_workq_progress_retrieve(lv.workq, ev, 0);
	}
	return ret;
}

/* Data of the source goes to the beginning of the destination's data. */
TEST(data_is_copied_to_data)
{
	struct doca_buf *src, *dst;
	struct doca_event ev;
	char *to = mem + MEM_SIZE / 2;
	void *data;
	int i;

	set_up(4, true);
	OK(doca_buf_inventory_buf_by_args(lv.inv, lv.mmap, mem, 1000, mem + 100, 200, &src));
	dst = take(MEM_SIZE / 2, 1000);
	for (i = 0; i < 3; i++) {
		memset(to, 0, 1000);
		OK(submit(src, dst, i));
		OK(retrieve(&ev));
		EXPECT_EQ(ev.user_data.u64, i);
		EXPECT(!memcmp(to, mem + 100, 200));
		EXPECT_EQ(to[200], 0);
	}
	OK(doca_buf_set_data(dst, to + 500, 10));
	OK(doca_buf_get_data(dst, &data));
	EXPECT(data == to + 500);
	OK(doca_buf_set_data(src, mem, 300));
	OK(submit(src, dst, 4));
	OK(retrieve(&ev));
	EXPECT(!memcmp(to + 500, mem, 300));
	EXPECT_EQ(to[499], 0);
	/* Written data can be read. */
	OK(submit(dst, src, 5));
	memset(mem, 0, 300);
	OK(retrieve(&ev));
	EXPECT(!memcmp(to + 500, mem, 300));
	put_and_tear_down(src, dst);
}

/* One of several jobs has a bad range; one event says so. */
TEST(a_job_that_fails_is_an_error_and_an_event)
{
	struct doca_buf *src, *bad, *dst[4];
	struct doca_event ev;
	unsigned int i, failed = 0;

	set_up(4, true);
	src = take(0, 100);
	OK(doca_buf_set_data(src, mem, 100));
	bad = take(0, 100);
	OK(doca_buf_set_data(bad, mem + MEM_SIZE - 50, 100));
	for (i = 0; i < 4; i++) {
		dst[i] = take(MEM_SIZE / 2 + 100 * i, 100);
		OK(submit(i == 1 ? bad : src, dst[i], i));
	}
	ERR(submit(src, dst[0], 9), NO_MEMORY);
	for (i = 0; i < 4; i++) {
		doca_error_t ret = retrieve(&ev);

		if (ret == DOCA_SUCCESS)
			continue;
		ERR(ret, IO_FAILED);
		EXPECT_EQ(ev.user_data.u64, 1);
		INVALID(ev.result.u64);
		failed++;
	}
	EXPECT_EQ(failed, 1);
	ERR(retrieve(&ev), AGAIN);
	put(src);
	put(bad);
	for (i = 0; i < 4; i++)
		put(dst[i]);
	tear_down();
}

TEST(bad_jobs_are_refused)
{
	struct doca_dma_job_memcpy job = { .base = { .ctx = lv.ctx } };
	struct doca_buf *src, *dst;
	struct doca_event ev;

	set_up(4, true);
	src = take(0, 100);
	dst = take(MEM_SIZE / 2, 100);
	INVALID(submit(src, dst, 1));
	EXPECT_LOGGED("no bytes to copy");
	INVALID(submit(NULL, dst, 1));
	INVALID(submit(src, NULL, 1));
	INVALID(submit(src, src, 1));
	INVALID(doca_workq_submit(lv.workq, &job.base));
	INVALID(doca_workq_progress_retrieve(lv.workq, &ev, 1));
	put(src);
	INVALID(submit(src, dst, 1));
	put(dst);
	tear_down();
}

static bool readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

TEST(a_work_queue_can_be_waited_for)
{
	doca_event_handle_t fd = -1, again = -2;
	struct doca_buf *src, *dst;
	struct doca_event ev;
	int i;

	set_up(4, true);
	src = take(0, 100);
	OK(doca_buf_set_data(src, mem, 100));
	dst = take(MEM_SIZE / 2, 100);
	OK(doca_workq_set_event_driven_enable(lv.workq, 1));
	OK(doca_workq_get_event_handle(lv.workq, &fd));
	OK(doca_workq_get_event_handle(lv.workq, &again));
	EXPECT_EQ(fd, again);
	OK(doca_workq_event_handle_arm(lv.workq));
	EXPECT(!readable(fd));
	OK(doca_workq_event_handle_clear(lv.workq, fd));
	OK(submit(src, dst, 1));
	level_fake_work(1);
	OK(doca_workq_event_handle_arm(lv.workq));
	EXPECT(readable(fd));
	OK(doca_workq_event_handle_clear(lv.workq, fd));
	OK(retrieve(&ev));

	for (i = 0; i < 3; i++)
		OK(submit(src, dst, i));
	level_fake_remove();
	ERR(retrieve(&ev), IO_FAILED);
	ERR(ev.result.u64, SHUTDOWN);
	ERR(doca_workq_event_handle_arm(lv.workq), IN_USE);
	EXPECT_LOGGED("there are events");
	ERR(retrieve(&ev), IO_FAILED);
	ERR(retrieve(&ev), IO_FAILED);
	ERR(retrieve(&ev), AGAIN);
	ERR(submit(src, dst, 1), BAD_STATE);
	put(src);
	put(dst);

	tear_down();
}

TEST(a_child_cannot_wait)
{
	struct doca_workq *workq;

	level_fake_reset(true);
	OK(doca_workq_create(1, &workq));
	level_fake_forks(1);
	ERR(doca_workq_event_handle_arm(workq), BAD_STATE);
	ERR(doca_workq_event_handle_clear(workq, 0), BAD_STATE);
	level_fake_forks(-1);
	OK(doca_workq_destroy(workq));
}

TEST(what_a_device_can_do)
{
	struct doca_devinfo *info;
	struct doca_pci_bdf bdf;
	struct doca_dev *dev;
	uint64_t size = 0;

	level_fake_reset(true);
	dev = open_dev(0);
	OK(doca_dev_as_devinfo(dev, &info));
	OK(doca_dma_job_get_supported(info, DOCA_DMA_JOB_MEMCPY));
	INVALID(doca_dma_job_get_supported(info, (enum doca_dma_job_types)0));
	OK(doca_dma_get_max_buf_size(info, &size));
	EXPECT_EQ(size, 1 << 20);
	level_fake_error(LEVEL_DRIVER, -EIO);
	ERR(doca_dma_job_get_supported(info, DOCA_DMA_JOB_MEMCPY), DRIVER);
	ERR(doca_dma_get_max_buf_size(info, &size), DRIVER);
	level_fake_error(LEVEL_DRIVER, 0);
	level_fake_no_memcpy(true);
	ERR(doca_dma_job_get_supported(info, DOCA_DMA_JOB_MEMCPY), NOT_SUPPORTED);
	ERR(doca_dma_get_max_buf_size(info, &size), NOT_SUPPORTED);
	level_fake_no_memcpy(false);
	ERR(doca_devinfo_get_pci_addr(info, &bdf), OPERATING_SYSTEM);
	OK(doca_dev_close(dev));
}

TEST(objects_have_a_value_of_the_program)
{
	union doca_data value = { .u64 = 7 };
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;

	OK(doca_mmap_create(&value, &mmap));
	OK(doca_mmap_destroy(mmap));
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_create(NULL, &mmap), NO_MEMORY,
		      OK(doca_mmap_destroy(mmap)));
	OK(doca_buf_inventory_create(&value, 1, 0, &inv));
	OK(doca_buf_inventory_destroy(inv));
	INVALID(doca_buf_inventory_create(&value, 0, 0, &inv));
	EXPECT_FAULTS(FAULT_ALLOC, doca_buf_inventory_create(NULL, 1, 0, &inv), NO_MEMORY,
		      OK(doca_buf_inventory_destroy(inv)));
}

TEST(maps_hold_as_many_chunks_as_they_are_told)
{
	struct doca_mmap *mmap;

	OK(doca_mmap_create(NULL, &mmap));
	INVALID(doca_mmap_set_max_num_chunks(mmap, 0));
	OK(doca_mmap_set_max_num_chunks(mmap, 2));
	OK(doca_mmap_start(mmap));
	ERR(doca_mmap_set_max_num_chunks(mmap, 3), NOT_PERMITTED);
	OK(doca_mmap_populate(mmap, mem, 1, PAGE, NULL, NULL));
	OK(doca_mmap_populate(mmap, mem + 1, 1, PAGE, NULL, NULL));
	ERR(doca_mmap_populate(mmap, mem + 2, 1, PAGE, NULL, NULL), NO_MEMORY);
	OK(doca_mmap_destroy(mmap));
}

TEST(exports_are_imported)
{
	static const struct {
		int err;
		doca_error_t code;
	} cases[] = {
		{ -EACCES, DOCA_ERROR_NOT_PERMITTED },
		{ -EPROTONOSUPPORT, DOCA_ERROR_NOT_SUPPORTED },
		{ -ENOSPC, DOCA_ERROR_NO_MEMORY },
		{ -EIO, DOCA_ERROR_DRIVER },
	};
	struct doca_mmap *import;
	struct doca_buf *buf;
	char *desc = NULL;
	unsigned int i;
	size_t len = 0;

	set_up(1, true);
	OK(doca_mmap_export(lv.mmap, lv.dev, (void **)&desc, &len));
	OK(doca_mmap_create_from_export(NULL, desc, len, lv.dev, &import));
	OK(doca_buf_inventory_buf_by_addr(lv.inv, import, mem, 64, &buf));
	put(buf);
	OK(doca_mmap_destroy(import));
	INVALID(doca_mmap_create_from_export(NULL, desc, len - 1, lv.dev, &import));
	for (i = 0; i < 4; i++) {
		level_fake_error(LEVEL_IMPORT, cases[i].err);
		EXPECT_EQ(doca_mmap_create_from_export(NULL, desc, len, lv.dev, &import),
			  cases[i].code);
	}
	level_fake_error(LEVEL_IMPORT, 0);
	free(desc);
	tear_down();
}

TEST(buffers_are_taken_with_their_data)
{
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;
	struct doca_buf *buf, *other;
	void *data;

	set_up(1, true);
	OK(doca_buf_inventory_create(NULL, 1, 0, &inv));
	ERR(doca_buf_inventory_buf_by_args(inv, lv.mmap, mem, 9, mem, 9, &buf), BAD_STATE);
	OK(doca_buf_inventory_start(inv));
	OK(doca_mmap_create(NULL, &mmap));
	ERR(doca_buf_inventory_buf_by_args(inv, mmap, mem, 9, mem, 9, &buf), NOT_PERMITTED);
	OK(doca_mmap_start(mmap));
	ERR(doca_buf_inventory_buf_by_args(inv, mmap, mem, 9, mem, 9, &buf), NOT_FOUND);
	INVALID(doca_buf_inventory_buf_by_args(inv, lv.mmap, mem, 9, mem, 10, &buf));
	INVALID(doca_buf_inventory_buf_by_args(inv, lv.mmap, mem, 9, NULL, 9, &buf));
	OK(doca_buf_inventory_buf_by_args(inv, lv.mmap, mem, 9, mem, 9, &buf));
	ERR(doca_buf_inventory_buf_by_args(inv, lv.mmap, mem, 9, mem, 9, &other), NO_MEMORY);
	put(buf);
	INVALID(doca_buf_get_data(buf, &data));
	INVALID(doca_buf_set_data(buf, mem, 1));
	OK(doca_buf_inventory_destroy(inv));
	OK(doca_mmap_destroy(mmap));
	tear_down();
}
