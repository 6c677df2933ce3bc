// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Level 1.3 on the driver in this process: a device, or exported memory, ends under jobs
 * in flight. Each job has its event, and everything can be destroyed.
 */
#include "../../selftests/api/level.h"

#include "selftests/lib/rounds.h"

#include "inproc.h"
#include "ktap.h"
#include "until.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)

#define DEPTH 32
#define LEN 100000

/* Jobs copy from the first half of the memory, or an import of it, to the second half. */
static struct level lv;
static char *mem;
static struct doca_mmap *local, *exported, *imported;
static struct doca_buf *src, *dst;
static uint32_t device;

static void open_bed(bool exports)
{
	size_t len;
	void *desc;

	mem = level_alloc(2 * LEN);
	device = inproc_add_device("extra");
	lv.dev = level_open_named("extra");
	OK(level_mmap(lv.dev, mem, 2 * LEN, &local));
	OK(level_create(&lv, lv.dev, DEPTH, 2));
	if (exports) {
		OK(level_mmap(lv.dev, mem, LEN, &exported));
		OK(doca_mmap_export(exported, lv.dev, &desc, &len));
		OK(doca_mmap_create_from_export("import", desc, len, lv.dev, &imported));
		free(desc);
	}
	OK(doca_buf_inventory_buf_by_addr(lv.inv, exports ? imported : local, mem, LEN, &src));
	OK(doca_buf_inventory_buf_by_addr(lv.inv, local, mem + LEN, LEN, &dst));
}

static void close_bed(bool exports)
{
	OK(doca_buf_refcount_rm(src, NULL));
	OK(doca_buf_refcount_rm(dst, NULL));
	OK(level_destroy(&lv));
	if (exports)
		OK(doca_mmap_destroy(imported));
	OK(doca_mmap_destroy(local));
	OK(doca_dev_close(lv.dev));
	if (exports)
		inproc_remove_device(device);
	munmap(mem, 2 * LEN);
	EXPECT(until(!inproc_pinned()));
}

/* Count the failures among @nr jobs; each has one event. */
static unsigned int retrieve(unsigned int nr, uint64_t *seen)
{
	unsigned int failed = 0;
	struct doca_event ev;

	while (nr--) {
		OK(level_retrieve(&lv, &ev));
		EXPECT(!(*seen >> ev.user_data.u64 & 1));
		*seen |= 1ULL << ev.user_data.u64;
		failed += !!ev.result.u64;
	}
	return failed;
}

/* Returns false if no more jobs are accepted. */
static bool run_one(void)
{
	uint64_t seen = 0;

	if (level_submit(&lv, src, dst, LEN, 0) != DOCA_SUCCESS)
		return false;
	retrieve(1, &seen);
	return true;
}

/* It ends behind the first jobs: each of the others has its event, whatever became of it. */
static void end_under_jobs(bool exports, unsigned int first)
{
	struct doca_event ev;
	uint64_t seen = 0;
	unsigned int i;

	open_bed(exports);
	for (i = 0; i < DEPTH; i++)
		OK(level_submit(&lv, src, dst, LEN, i));
	EXPECT_EQ(retrieve(first, &seen), 0);
	if (exports)
		OK(doca_mmap_destroy(exported));
	else
		inproc_remove_device(device);
	retrieve(DEPTH - first, &seen);
	ERR(doca_workq_progress_retrieve(lv.workq, &ev, 0), AGAIN);
	if (exports) {
		OK(level_submit(&lv, src, dst, LEN, 0));
		EXPECT_EQ(retrieve(1, &(uint64_t){ 0 }), 1);
	} else {
		EXPECT(until(!run_one()));
		ERR(level_submit(&lv, src, dst, LEN, 0), BAD_STATE);
	}
	close_bed(exports);
}

static void end_under_some(bool exports)
{
	unsigned int i;

	for (i = 0; i < rounds(10); i++)
		end_under_jobs(exports, i * 3 % DEPTH);
}

TEST(a_device_is_removed_under_jobs)
{
	end_under_some(false);
}

TEST(an_export_ends_under_jobs)
{
	end_under_some(true);
}

/* A context of another device, on the same work queue. */
struct other {
	struct level lv;
	struct doca_mmap *mmap;
	struct doca_buf *src, *dst;
};

static void begin_other(struct other *other)
{
	struct level *o = &other->lv;

	*other = (struct other){ .lv.workq = lv.workq, .lv.dev = level_open_named("software") };
	OK(doca_buf_inventory_create(NULL, 2, DOCA_BUF_EXTENSION_NONE, &o->inv));
	OK(doca_buf_inventory_start(o->inv));
	OK(level_mmap(o->dev, mem, 2 * LEN, &other->mmap));
	OK(doca_buf_inventory_buf_by_addr(o->inv, other->mmap, mem, LEN, &other->src));
	OK(doca_buf_inventory_buf_by_addr(o->inv, other->mmap, mem + LEN, LEN, &other->dst));
	OK(doca_dma_create(&o->dma));
	o->ctx = doca_dma_as_ctx(o->dma);
	OK(doca_ctx_dev_add(o->ctx, o->dev));
	OK(doca_ctx_start(o->ctx));
	OK(doca_ctx_workq_add(o->ctx, o->workq));
}

static void end_other(struct other *other)
{
	struct level *o = &other->lv;

	OK(doca_buf_refcount_rm(other->src, NULL));
	OK(doca_buf_refcount_rm(other->dst, NULL));
	OK(doca_ctx_workq_rm(o->ctx, o->workq));
	OK(doca_ctx_stop(o->ctx));
	OK(doca_ctx_dev_rm(o->ctx, o->dev));
	OK(doca_dma_destroy(o->dma));
	OK(doca_buf_inventory_destroy(o->inv));
	OK(doca_mmap_destroy(other->mmap));
	OK(doca_dev_close(o->dev));
}

TEST(another_device_of_the_work_queue_goes_on)
{
	struct other other;
	uint64_t seen = 0;
	unsigned int i;

	open_bed(false);
	begin_other(&other);
	inproc_remove_device(device);
	while (level_submit(&lv, src, dst, LEN, 0) == DOCA_SUCCESS)
		retrieve(1, &(uint64_t){ 0 });
	ERR(level_submit(&lv, src, dst, LEN, 0), BAD_STATE);
	for (i = 0; i < DEPTH; i++)
		OK(level_submit(&other.lv, other.src, other.dst, LEN, i));
	EXPECT_EQ(retrieve(DEPTH, &seen), 0);
	end_other(&other);
	close_bed(false);
}
