// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Level 1.3 on the driver in this process: what ends under jobs in flight, a device or
 * the memory that another one has exported. Each job has its event, and all can be
 * destroyed.
 */
#include "../../selftests/api/level.h"

#include "ktap.h"
#include "inproc.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)

#define ROUNDS 50
#define MOST_ROUNDS 5000 /* until one was in time */
#define DEPTH 32
#define LEN 100000

static long pinned(void)
{
	int i;

	for (i = 0; i < 5000 && inproc_pinned(); i++)
		usleep(1000);
	return inproc_pinned();
}

/* Calls do not execute in the place of a worker that never sleeps. */
static void have_jobs_in_flight(void)
{
	setenv("DOCA_IDLE_US", "never", 1);
}

/* All jobs have one event, and which one failed; true if one has. */
static bool retrieve_all(struct level *lv, unsigned int nr, bool *some_failed)
{
	struct doca_event ev;
	uint64_t seen = 0;

	while (nr--) {
		if (level_retrieve(lv, &ev) || seen >> ev.user_data.u64 & 1)
			return false;
		seen |= 1ULL << ev.user_data.u64;
		*some_failed |= ev.result.u64;
	}
	return doca_workq_progress_retrieve(lv->workq, &ev, 0) ==
	       DOCA_ERROR_AGAIN;
}

static void submit_all(struct level *lv, struct doca_buf *src,
		       struct doca_buf *dst, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		OK(level_submit(lv, src, dst, LEN, i));
}

static void remove_under_jobs(unsigned int round, bool *failed)
{
	uint32_t id = inproc_add_device("extra");
	char *mem = level_alloc(2 * LEN);
	struct doca_buf *src, *dst;
	struct doca_mmap *mmap;
	struct level lv;

	lv.dev = level_open_named("extra");
	OK(level_mmap(lv.dev, mem, 2 * LEN, &mmap));
	OK(level_create(&lv, lv.dev, DEPTH, 2));
	OK(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem, LEN, &src));
	OK(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + LEN, LEN, &dst));
	submit_all(&lv, src, dst, DEPTH);
	usleep(round % ROUNDS * 7);
	inproc_remove_device(id);
	EXPECT(retrieve_all(&lv, DEPTH, failed));
	while (level_submit(&lv, src, dst, LEN, 0) == DOCA_SUCCESS)
		EXPECT(retrieve_all(&lv, 1, failed));
	ERR(level_submit(&lv, src, dst, LEN, 0), BAD_STATE);
	OK(doca_buf_refcount_rm(src, NULL));
	OK(doca_buf_refcount_rm(dst, NULL));
	OK(level_destroy(&lv));
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(lv.dev));
	munmap(mem, 2 * LEN);
}

TEST(a_device_is_removed_under_jobs)
{
	bool failed = false;
	unsigned int i;

	have_jobs_in_flight();
	for (i = 0; i < ROUNDS || (!failed && i < MOST_ROUNDS); i++)
		remove_under_jobs(i, &failed);
	EXPECT(failed);
	EXPECT_EQ(pinned(), 0);
}

static void *end_export(void *arg)
{
	OK(doca_mmap_destroy(arg));
	return NULL;
}

/* The exporter is another thread, as its process would be. */
static bool revoke_under_jobs(struct level *lv, char *mem, struct doca_buf *dst)
{
	struct doca_mmap *mmap, *import;
	struct doca_buf *src;
	bool failed = false;
	pthread_t thread;
	void *desc;
	size_t len;

	OK(level_mmap(lv->dev, mem, LEN, &mmap));
	OK(doca_mmap_export(mmap, lv->dev, &desc, &len));
	OK(doca_mmap_create_from_export("import", desc, len, lv->dev, &import));
	OK(doca_buf_inventory_buf_by_addr(lv->inv, import, mem, LEN, &src));
	submit_all(lv, src, dst, DEPTH);
	pthread_create(&thread, NULL, end_export, mmap);
	EXPECT(retrieve_all(lv, DEPTH, &failed));
	pthread_join(thread, NULL);
	OK(doca_buf_refcount_rm(src, NULL));
	OK(doca_mmap_destroy(import));
	free(desc);
	return failed;
}

TEST(an_export_ends_under_jobs)
{
	struct doca_dev *dev = level_open_dev();
	char *mem = level_alloc(2 * LEN);
	struct doca_mmap *local;
	bool failed = false;
	struct doca_buf *dst;
	struct level lv;
	int i;

	have_jobs_in_flight();
	OK(level_mmap(dev, mem + LEN, LEN, &local));
	OK(level_create(&lv, dev, DEPTH, 2));
	OK(doca_buf_inventory_buf_by_addr(lv.inv, local, mem + LEN, LEN, &dst));
	for (i = 0; i < ROUNDS || (!failed && i < MOST_ROUNDS); i++)
		failed |= revoke_under_jobs(&lv, mem, dst);
	EXPECT(failed);
	OK(doca_buf_refcount_rm(dst, NULL));
	OK(level_destroy(&lv));
	OK(doca_mmap_destroy(local));
	OK(doca_dev_close(dev));
	munmap(mem, 2 * LEN);
	EXPECT_EQ(pinned(), 0);
}
