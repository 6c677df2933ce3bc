// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The flows of chapter 6 of DOCA 1.3's guide: regions that are known at the start; memory
 * that is not. Also many jobs, in threads. Memory of another process is process/test_level_1_3.
 */
#include "kselftest_harness.h"
#include "../lib/skip.h"

#include "files.h"
#include "level.h"
#include "pins.h"

#define REGIONS 16
#define REGION (64 << 10)
#define RANDOM_BUFFERS 10000
#define THREADS 3

FIXTURE(level)
{
	struct doca_dev *dev;
	struct held held;
	long pins;
};

FIXTURE_SETUP(level)
{
	self->pins = pins_held();
	self->dev = level_open_dev();
	if (!self->dev)
		SKIP_SETUP("no device");
	self->held = held_by(getpid());
}

FIXTURE_TEARDOWN(level)
{
	EXPECT_TRUE(held_settle(getpid(), self->held));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* Copy between two regions; return true if the data is right. */
static bool copy_between(struct level *lv, struct doca_mmap *mmap, char *from, char *to, size_t len)
{
	struct doca_buf *src, *dst;
	struct doca_event ev;

	if (doca_buf_inventory_buf_by_addr(lv->inv, mmap, from, len, &src) ||
	    doca_buf_inventory_buf_by_addr(lv->inv, mmap, to, len, &dst) ||
	    level_submit(lv, src, dst, len, len) || level_retrieve(lv, &ev) ||
	    doca_buf_refcount_rm(src, NULL) || doca_buf_refcount_rm(dst, NULL))
		return false;
	return !ev.result.u64 && ev.user_data.u64 == len && !memcmp(from, to, len);
}

TEST_F(level, regions_that_are_known_at_the_start)
{
	uint32_t max = REGIONS;
	struct doca_mmap *mmap;
	char *mem[REGIONS];
	struct level lv;
	int i;

	ASSERT_OK(doca_mmap_create("regions", &mmap));
	ASSERT_OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &max, sizeof(max)));
	ASSERT_OK(doca_mmap_start(mmap));
	for (i = 0; i < REGIONS; i++) {
		mem[i] = level_alloc(REGION);
		level_fill(mem[i], REGION, i);
		ASSERT_OK(doca_mmap_populate(mmap, mem[i], REGION, PAGE, NULL, NULL));
	}
	ASSERT_OK(doca_mmap_dev_add(mmap, self->dev));
	ASSERT_OK(level_create(&lv, self->dev, 4, 2));
	for (i = 0; i < REGIONS; i++)
		EXPECT_TRUE(copy_between(&lv, mmap, mem[i] + i,
					 mem[(i * 7 + 5) % REGIONS] + 512 * i, 1000 * (i + 1)));
	EXPECT_OK(level_destroy(&lv));
	EXPECT_OK(doca_mmap_destroy(mmap));
	for (i = 0; i < REGIONS; i++)
		munmap(mem[i], REGION);
}

/* Add this many chunks to one memory map during its life, each with a copy. */
TEST_F(level, random_memory_in_one_map)
{
	size_t size = (size_t)RANDOM_BUFFERS * 256;
	uint32_t max = RANDOM_BUFFERS, i;
	struct doca_mmap *mmap;
	struct level lv;
	char *mem;

	mem = level_alloc(size);
	level_fill(mem, size, 1);
	ASSERT_OK(doca_mmap_create("random", &mmap));
	ASSERT_OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &max, sizeof(max)));
	ASSERT_OK(doca_mmap_start(mmap));
	ASSERT_OK(doca_mmap_dev_add(mmap, self->dev));
	ASSERT_OK(level_create(&lv, self->dev, 4, 2));
	for (i = 0; i < RANDOM_BUFFERS; i++) {
		uint32_t at = i * 7919U % RANDOM_BUFFERS;
		uint32_t last = i ? (i - 1) * 7919U % RANDOM_BUFFERS : at;

		ASSERT_OK(doca_mmap_populate(mmap, mem + at * 256, 256, PAGE, NULL, NULL));
		if (i) {
			ASSERT_TRUE(copy_between(&lv, mmap, mem + last * 256, mem + at * 256, 256));
		}
	}
	EXPECT_ERR(NO_MEMORY, doca_mmap_populate(mmap, &lv, sizeof(lv), PAGE, NULL, NULL));
	EXPECT_OK(level_destroy(&lv));
	EXPECT_OK(doca_mmap_destroy(mmap));
	munmap(mem, size);
}

/* Jobs of one thread, each with its number. */
struct work {
	struct doca_ctx *ctx;
	struct doca_dev *dev;
	uint32_t jobs;
	bool good;
};

#define WORK_DEPTH 32

static bool all_jobs(struct work *work, struct level *lv, struct doca_buf **src,
		     struct doca_buf **dst)
{
	uint32_t sent = 0, got = 0;
	uint8_t *seen = calloc(work->jobs, 1);
	struct doca_event ev;
	bool good = seen;

	while (good && got < work->jobs) {
		if (sent < work->jobs && sent - got < WORK_DEPTH &&
		    level_submit(lv, src[sent % WORK_DEPTH], dst[sent % WORK_DEPTH], 64, sent) ==
			    DOCA_SUCCESS) {
			sent++;
			continue;
		}
		good = level_retrieve(lv, &ev) == DOCA_SUCCESS && !ev.result.u64 &&
		       ev.user_data.u64 < sent && !seen[ev.user_data.u64]++;
		got++;
	}
	free(seen);
	return good && doca_workq_progress_retrieve(lv->workq, &ev, 0) == DOCA_ERROR_AGAIN;
}

static void *run_work(void *arg)
{
	struct doca_buf *src[WORK_DEPTH], *dst[WORK_DEPTH];
	struct work *work = arg;
	struct doca_mmap *mmap;
	struct level lv = { .ctx = work->ctx };
	char *mem = level_alloc(REGION);
	doca_error_t ret;
	int i;

	level_fill(mem, REGION / 2, 5);
	ret = level_mmap(work->dev, mem, REGION, &mmap);
	DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_create(NULL, 2 * WORK_DEPTH, 0, &lv.inv));
	DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_start(lv.inv));
	DOCA_ERROR_PROPAGATE(ret, doca_workq_create(WORK_DEPTH, &lv.workq));
	DOCA_ERROR_PROPAGATE(ret, doca_ctx_workq_add(work->ctx, lv.workq));
	for (i = 0; i < WORK_DEPTH; i++) {
		DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + 64 * i,
									 64, &src[i]));
		DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_buf_by_addr(lv.inv, mmap,
									 mem + REGION / 2 + 64 * i,
									 64, &dst[i]));
	}
	work->good = ret == DOCA_SUCCESS && all_jobs(work, &lv, src, dst) &&
		     !memcmp(mem, mem + REGION / 2, 64 * WORK_DEPTH);
	for (i = 0; i < WORK_DEPTH; i++) {
		DOCA_ERROR_PROPAGATE(ret, doca_buf_refcount_rm(src[i], NULL));
		DOCA_ERROR_PROPAGATE(ret, doca_buf_refcount_rm(dst[i], NULL));
	}
	DOCA_ERROR_PROPAGATE(ret, doca_ctx_workq_rm(work->ctx, lv.workq));
	DOCA_ERROR_PROPAGATE(ret, doca_workq_destroy(lv.workq));
	DOCA_ERROR_PROPAGATE(ret, doca_buf_inventory_destroy(lv.inv));
	DOCA_ERROR_PROPAGATE(ret, doca_mmap_destroy(mmap));
	work->good = work->good && ret == DOCA_SUCCESS;
	munmap(mem, REGION);
	return NULL;
}

static doca_error_t start_ctx(struct doca_dev *dev, struct doca_dma **dma)
{
	doca_error_t ret = doca_dma_create(dma);

	DOCA_ERROR_PROPAGATE(ret, doca_ctx_dev_add(doca_dma_as_ctx(*dma), dev));
	DOCA_ERROR_PROPAGATE(ret, doca_ctx_start(doca_dma_as_ctx(*dma)));
	return ret;
}

static doca_error_t stop_ctx(struct doca_dev *dev, struct doca_dma *dma)
{
	doca_error_t ret = doca_ctx_stop(doca_dma_as_ctx(dma));

	DOCA_ERROR_PROPAGATE(ret, doca_ctx_dev_rm(doca_dma_as_ctx(dma), dev));
	DOCA_ERROR_PROPAGATE(ret, doca_dma_destroy(dma));
	return ret;
}

TEST_F_TIMEOUT(level, three_work_queues_of_one_context, 600)
{
	struct work work[THREADS];
	pthread_t threads[THREADS];
	struct doca_dma *dma;
	int i;

	ASSERT_OK(start_ctx(self->dev, &dma));
	for (i = 0; i < THREADS; i++) {
		work[i] = (struct work){ .ctx = doca_dma_as_ctx(dma),
					 .dev = self->dev,
					 .jobs = rounds(10000) / THREADS };
		pthread_create(&threads[i], NULL, run_work, &work[i]);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		EXPECT_TRUE(work[i].good);
	}
	EXPECT_OK(stop_ctx(self->dev, dma));
}

TEST_HARNESS_MAIN
