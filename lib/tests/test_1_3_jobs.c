// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Jobs and events of level 1.3: submission, and what comes of it. */
#include "level.h"

static struct doca_dma_job_memcpy job_of(struct doca_buf *src, struct doca_buf *dst, uint64_t bytes,
					 uint64_t number)
{
	return (struct doca_dma_job_memcpy){
		.base = { .type = DOCA_DMA_JOB_MEMCPY,
			  .flags = DOCA_JOB_FLAGS_NONE,
			  .ctx = lv.ctx,
			  .user_data = { .u64 = number } },
		.src_buff = src,
		.dst_buff = dst,
		.num_bytes_to_copy = bytes,
	};
}

static doca_error_t submit(struct doca_buf *src, struct doca_buf *dst, uint64_t bytes,
			   uint64_t number)
{
	struct doca_dma_job_memcpy job = job_of(src, dst, bytes, number);

	return doca_workq_submit(lv.workq, &job.base);
}

static doca_error_t retrieve(struct doca_event *ev)
{
	return doca_workq_progress_retrieve(lv.workq, ev, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
}

/* Results in the last events, by the numbers of their jobs. */
static doca_error_t results[64];

/* A restarted lane has new work for the worker. */
static unsigned int retrieve_all(void)
{
	unsigned int nr = 0, idle = 0;
	struct doca_event ev;

	while (idle < 3) {
		level_fake_work(64);
		if (retrieve(&ev) != DOCA_SUCCESS) {
			idle++;
			continue;
		}
		EXPECT_EQ(ev.type, DOCA_DMA_JOB_MEMCPY);
		results[ev.user_data.u64] = ev.result.u64;
		nr++;
		idle = 0;
	}
	ERR(retrieve(&ev), AGAIN);
	return nr;
}

/* The job is copied; without an event nothing is written. */
static void copies(bool workers)
{
	struct doca_event ev, before;
	struct doca_dma_job_memcpy job;
	struct doca_buf *src, *dst;

	set_up(8, workers);
	memset(&ev, 0x5a, sizeof(ev));
	before = ev;
	ERR(retrieve(&ev), AGAIN);
	EXPECT(!memcmp(&ev, &before, sizeof(ev)));
	src = take(0, 1000);
	dst = take(MEM_SIZE / 2, 2000);
	job = job_of(src, dst, 1000, 1);
	OK(doca_workq_submit(lv.workq, &job.base));
	memset(&job, 0xff, sizeof(job));
	EXPECT_EQ(retrieve_all(), 1);
	EXPECT_EQ(results[1], DOCA_SUCCESS);
	EXPECT(!memcmp(mem, mem + MEM_SIZE / 2, 1000));
	EXPECT_EQ(mem[MEM_SIZE / 2 + 1000], 0);
	put_and_tear_down(src, dst);
}

TEST(a_worker_copies_or_a_call)
{
	copies(true);
	copies(false);
}

/* Copies of other jobs, earlier or later, do not change a job. */
TEST(buffers_are_used_again_and_in_turns)
{
	struct doca_buf *a, *b, *c;
	int i;

	set_up(8, true);
	a = take(0, 1000);
	b = take(MEM_SIZE / 2, 1000);
	c = take(MEM_SIZE / 2 + 4096, 1000);
	for (i = 1; i < 8; i++) {
		memset(mem + MEM_SIZE / 2, 0, 8192);
		OK(submit(a, b, 100 * i, 1));
		EXPECT_EQ(retrieve_all(), 1);
		OK(submit(b, c, 50 * i, 2));
		OK(submit(a, b, 10 * i, 3));
		OK(submit(a, b, 1000, 4));
		EXPECT_EQ(retrieve_all(), 3);
		EXPECT(!memcmp(mem + MEM_SIZE / 2 + 4096, mem, 50 * i));
		EXPECT_EQ(mem[MEM_SIZE / 2 + 4096 + 50 * i], 0);
		EXPECT(!memcmp(mem + MEM_SIZE / 2, mem, 1000));
		EXPECT_EQ(results[4], DOCA_SUCCESS);
	}
	put(a);
	put(b);
	put(c);
	tear_down();
}

/* The data path stays in the process: no call of the driver while its worker is awake. */
TEST(a_work_queue_is_as_deep_as_it_was_created)
{
	unsigned int i, round, enters;
	struct doca_buf *src, *dst;

	set_up(8, true);
	src = take(0, 64);
	dst = take(MEM_SIZE / 2, 64);
	enters = level_fake_enters();
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 8; i++)
			OK(submit(src, dst, 64, i));
		ERR(submit(src, dst, 64, 9), NO_MEMORY);
		EXPECT_EQ(retrieve_all(), 8);
	}
	EXPECT_EQ(level_fake_enters(), enters);
	put_and_tear_down(src, dst);
}

TEST(buffers_may_be_released_in_flight)
{
	struct doca_buf *src, *dst;
	uint16_t count = 0;
	uint32_t nr;
	void *head;

	set_up(8, true);
	src = take(0, 64);
	dst = take(MEM_SIZE / 2, 64);
	OK(submit(src, dst, 64, 1));
	OK(doca_buf_refcount_rm(src, &count));
	EXPECT_EQ(count, 1);
	put(dst);
	ERR(doca_buf_refcount_rm(src, NULL), BAD_STATE);
	INVALID(doca_buf_head_get(src, &head));
	INVALID(submit(src, dst, 64, 1));
	EXPECT_LOGGED("was released");
	OK(doca_buf_inventory_property_get(lv.inv, DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS, &nr, 4));
	EXPECT_EQ(nr, 62);
	ERR(doca_mmap_destroy(lv.mmap), IN_USE);
	ERR(doca_buf_inventory_destroy(lv.inv), IN_USE);
	EXPECT_EQ(retrieve_all(), 1);
	EXPECT(!memcmp(mem, mem + MEM_SIZE / 2, 64));
	OK(doca_buf_inventory_property_get(lv.inv, DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS, &nr, 4));
	EXPECT_EQ(nr, 64);
	tear_down();
}

/* The fourth of eight fails; others are submitted while the context stops. */
TEST(a_job_that_fails_does_so_alone)
{
	struct doca_buf *src[16], *dst[16];
	struct doca_event ev;
	int i, round;

	set_up(16, true);
	for (i = 0; i < 16; i++) {
		src[i] = take(i * 100, 100);
		dst[i] = take(MEM_SIZE / 2 + i * 100, 100);
	}
	for (round = 0; round < 20; round++) {
		memset(mem + MEM_SIZE / 2, 0, 1600);
		for (i = 0; i < 8; i++)
			OK(submit(src[i], dst[i], 100, i));
		level_fake_work(3);
		level_fake_fail_next(LEVEL_BAD_ACCESS);
		level_fake_work(64);
		for (i = 0; i < 4 + round % 4; i++)
			retrieve(&ev);
		EXPECT_EQ(ev.user_data.u64, 3);
		ERR(ev.result.u64, NOT_PERMITTED);
		for (i = 8; i < 16; i++)
			OK(submit(src[i], dst[i], 100, i));
		for (i = 0; i < 16; i++)
			results[i] = DOCA_ERROR_UNKNOWN;
		EXPECT_EQ(retrieve_all(), 12);
		for (i = 4; i < 16; i++)
			EXPECT_EQ(results[i], DOCA_SUCCESS);
		EXPECT(!memcmp(mem, mem + MEM_SIZE / 2, 300));
		EXPECT(!memcmp(mem + 400, mem + MEM_SIZE / 2 + 400, 1200));
		EXPECT_EQ(mem[MEM_SIZE / 2 + 300], 0);
	}
	for (i = 0; i < 16; i++) {
		put(src[i]);
		put(dst[i]);
	}
	tear_down();
}

/* Its work queue can be removed at once, and added again. */
TEST(after_a_failed_job_all_can_end)
{
	struct doca_buf *src, *dst;
	struct doca_event ev;

	set_up(4, true);
	src = take(0, 100);
	dst = take(MEM_SIZE / 2, 100);
	level_fake_fail_next(LEVEL_BAD_ACCESS);
	OK(submit(src, dst, 100, 1));
	level_fake_work(64);
	ERR(doca_ctx_workq_rm(lv.ctx, lv.workq), IN_USE);
	OK(retrieve(&ev));
	ERR(ev.result.u64, NOT_PERMITTED);
	OK(doca_ctx_workq_rm(lv.ctx, lv.workq));
	EXPECT_EQ(level_fake_queues(), 0);
	OK(doca_ctx_workq_add(lv.ctx, lv.workq));
	OK(submit(src, dst, 100, 2));
	EXPECT_EQ(retrieve_all(), 1);
	EXPECT_EQ(results[2], DOCA_SUCCESS);
	put_and_tear_down(src, dst);
}

TEST(a_removed_device_fails_all_jobs)
{
	struct doca_buf *src, *dst;
	struct doca_workq *other;
	struct doca_dev *dev;
	int i;

	set_up(8, true);
	src = take(0, 100);
	dst = take(MEM_SIZE / 2, 100);
	for (i = 0; i < 8; i++)
		OK(submit(src, dst, 100, i));
	level_fake_remove();
	EXPECT_EQ(retrieve_all(), 8);
	for (i = 0; i < 8; i++)
		ERR(results[i], SHUTDOWN);
	EXPECT_LOGGED("device was removed");
	ERR(submit(src, dst, 100, 0), BAD_STATE);
	EXPECT_LOGGED("device of context");
	EXPECT_EQ(retrieve_all(), 0);
	OK(doca_workq_create(1, &other));
	ERR(doca_ctx_workq_add(lv.ctx, other), INITIALIZATION);
	OK(doca_workq_destroy(other));
	dev = lv.dev;
	put(src);
	put(dst);
	OK(doca_mmap_dev_rm(lv.mmap, dev));
	ERR(doca_mmap_dev_add(lv.mmap, dev), NOT_CONNECTED);
	tear_down();
}

static void is_refused(const struct doca_dma_job_memcpy *job, const char *words)
{
	INVALID(doca_workq_submit(lv.workq, &job->base));
	EXPECT_LOGGED(words);
}

TEST(bad_jobs_are_refused)
{
	struct doca_dma_job_memcpy job, good;
	struct doca_buf *src, *dst;
	struct doca_dma *other;
	struct doca_event ev;

	set_up(8, true);
	src = take(0, 100);
	dst = take(MEM_SIZE / 2, 50);
	good = job_of(src, dst, 50, 1);
	INVALID(doca_workq_submit(NULL, &good.base));
	EXPECT_LOGGED("workq is NULL");
	INVALID(submit(src, dst, 0, 1));
	EXPECT_LOGGED("no bytes to copy");
	INVALID(submit(src, dst, 51, 1));
	INVALID(submit(dst, src, 51, 1));
	INVALID(submit(src, dst, UINT64_MAX, 1));
	INVALID(submit(src, src, 50, 1));
	EXPECT_LOGGED("the same buffer");
	INVALID(submit(NULL, dst, 50, 1));
	INVALID(submit(src, NULL, 50, 1));
	EXPECT_LOGGED("a buffer is NULL");
	job = good;
	job.base.type++;
	is_refused(&job, "does not know the type");
	job = good;
	job.base.flags = 1;
	is_refused(&job, "no such flags");
	job = good;
	job.base.ctx = NULL;
	INVALID(doca_workq_submit(lv.workq, &job.base));
	OK(doca_dma_create(&other));
	job.base.ctx = doca_dma_as_ctx(other);
	is_refused(&job, "does not have the work queue");
	OK(doca_dma_destroy(other));
	INVALID(doca_workq_progress_retrieve(lv.workq, &ev, 1));
	EXPECT_EQ(retrieve_all(), 0);
	OK(submit(src, dst, 50, 1));
	EXPECT_EQ(retrieve_all(), 1);
	put_and_tear_down(src, dst);
}

/* In both directions: its memory is stopped, or was never for the device. */
TEST(memory_without_the_device_fails_the_job)
{
	static char more[PAGE];
	struct doca_buf *src, *dst;
	struct doca_mmap *mmap;
	struct doca_event ev;

	set_up(8, false);
	OK(doca_mmap_create("local", &mmap));
	OK(doca_mmap_start(mmap));
	OK(doca_mmap_populate(mmap, more, PAGE, PAGE, NULL, NULL));
	OK(doca_buf_inventory_buf_by_addr(lv.inv, mmap, more, 64, &dst));
	src = take(0, 64);
	OK(submit(src, dst, 64, 1));
	OK(retrieve(&ev));
	INVALID(ev.result.u64);
	/* A stopped map goes on to work. */
	put(dst);
	OK(doca_mmap_dev_add(mmap, lv.dev));
	OK(doca_buf_inventory_buf_by_addr(lv.inv, mmap, more, 64, &dst));
	OK(doca_mmap_stop(mmap));
	OK(submit(src, dst, 64, 1));
	OK(retrieve(&ev));
	EXPECT_EQ(ev.result.u64, DOCA_SUCCESS);
	EXPECT(!memcmp(mem, more, 64));
	put(src);
	put(dst);
	OK(doca_mmap_destroy(mmap));
	tear_down();
}
