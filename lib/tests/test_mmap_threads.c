// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* One memory map in several threads: buffers are taken while it is stopped. */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_log.h>

#include "ktap.h"
#include "fake_driver.h"
#include "core/memory/mmap.h"

#define NR_TAKERS 4
#define LEN 4096
#define TAKES 200 /* of each, at least */
#define STOPS 50 /* that succeeded, at least */

static char memory[LEN];
static unsigned int holding; /* buffers, in all threads */
static bool enough;

struct taker {
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inv;
	unsigned int taken, refused, wrong;
};

static void take_and_release(struct taker *taker)
{
	struct doca_buf *buf;
	doca_error_t res;
	uint32_t n = 0;

	res = doca_buf_inventory_buf_get_by_addr(taker->inv, taker->mmap,
						 memory, LEN, &buf);
	if (res == DOCA_ERROR_BAD_STATE) {
		taker->refused++;
		return;
	}
	if (res != DOCA_SUCCESS) {
		taker->wrong++;
		return;
	}
	__atomic_fetch_add(&holding, 1, __ATOMIC_SEQ_CST);
	taker->taken++;
	if (doca_mmap_get_num_bufs(taker->mmap, &n) || !n || n > NR_TAKERS)
		taker->wrong++;
	sched_yield();
	__atomic_fetch_sub(&holding, 1, __ATOMIC_SEQ_CST);
	if (doca_buf_dec_refcount(buf, NULL))
		taker->wrong++;
}

static void *take(void *arg)
{
	struct taker *taker = arg;

	while (!__atomic_load_n(&enough, __ATOMIC_RELAXED) ||
	       taker->taken < TAKES) {
		take_and_release(taker);
		if (taker->wrong)
			break;
		/* There must be moments at which nobody has a buffer. */
		if (!(taker->taken % 4))
			usleep(100);
	}
	return NULL;
}

/* Asks all there is to ask, as a thread that only watches would. */
static bool asks_well(struct doca_mmap *mmap)
{
	union doca_data data;
	uint8_t exported, from;
	uint32_t max, n;
	size_t len;
	void *addr;

	return !doca_mmap_get_memrange(mmap, &addr, &len) && addr == memory &&
	       len == LEN && !doca_mmap_get_user_data(mmap, &data) &&
	       data.u64 == 3 && !doca_mmap_get_max_num_devices(mmap, &max) &&
	       max == 2 && !doca_mmap_get_exported(mmap, &exported) &&
	       exported <= 1 && !doca_mmap_get_from_export(mmap, &from) &&
	       !from && !doca_mmap_get_num_bufs(mmap, &n) && n <= NR_TAKERS;
}

static void *watch(void *arg)
{
	static bool good;

	good = true;
	while (!__atomic_load_n(&enough, __ATOMIC_RELAXED) && good)
		good = asks_well(arg);
	return good ? NULL : arg;
}

/* A stop that succeeds leaves nobody with a buffer, and lets nobody have one. */
static unsigned int stop_and_start(struct doca_mmap *mmap, struct doca_dev *dev)
{
	const void *desc;
	doca_error_t res;
	size_t len;

	res = doca_mmap_stop(mmap);
	if (res != DOCA_SUCCESS) {
		EXPECT_EQ(res, DOCA_ERROR_NOT_PERMITTED);
		return 0;
	}
	EXPECT_EQ(__atomic_load_n(&holding, __ATOMIC_SEQ_CST), 0);
	sched_yield();
	EXPECT_EQ(__atomic_load_n(&holding, __ATOMIC_SEQ_CST), 0);
	OK(doca_mmap_start(mmap));
	OK(doca_mmap_export_pci(mmap, dev, &desc, &len));
	return 1;
}

static struct doca_mmap *make(struct doca_dev *devs[2])
{
	struct doca_mmap *mmap;
	int i;

	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_enable_thread_safety(mmap));
	OK(doca_mmap_set_memrange(mmap, memory, LEN));
	OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
	OK(doca_mmap_set_user_data(mmap, (union doca_data){ .u64 = 3 }));
	OK(doca_mmap_set_max_num_devices(mmap, 2));
	for (i = 0; i < 2; i++) {
		devs[i] = fake_new_dev(i + 1);
		OK(doca_mmap_add_dev(mmap, devs[i]));
	}
	OK(doca_mmap_start(mmap));
	return mmap;
}

TEST(stopped_while_buffers_are_taken)
{
	struct taker takers[NR_TAKERS];
	pthread_t threads[NR_TAKERS], watcher;
	struct doca_dev *devs[2];
	struct doca_mmap *mmap;
	unsigned int stops = 0;
	void *bad;
	int i;

	fake_reset(false);
	OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT));
	mmap = make(devs);
	for (i = 0; i < NR_TAKERS; i++) {
		takers[i] = (struct taker){ .mmap = mmap };
		OK(doca_buf_inventory_create(2, &takers[i].inv));
		OK(doca_buf_inventory_start(takers[i].inv));
		EXPECT(!pthread_create(&threads[i], NULL, take, &takers[i]));
	}
	EXPECT(!pthread_create(&watcher, NULL, watch, mmap));
	while (stops < STOPS) {
		stops += stop_and_start(mmap, devs[stops % 2]);
		sched_yield();
	}
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	for (i = 0; i < NR_TAKERS; i++) {
		pthread_join(threads[i], NULL);
		EXPECT_EQ(takers[i].wrong, 0);
		OK(doca_buf_inventory_destroy(takers[i].inv));
	}
	pthread_join(watcher, &bad);
	EXPECT(!bad);
	OK(doca_mmap_destroy(mmap));
	for (i = 0; i < 2; i++)
		OK(doca_dev_close(devs[i]));
	EXPECT_CLEAN();
}

struct setter {
	struct doca_mmap *mmap;
	doca_error_t res;
};

static void *set_range(void *arg)
{
	struct setter *setter = arg;

	setter->res = doca_mmap_set_memrange(setter->mmap, memory, LEN);
	return NULL;
}

/* The range is given once: one of all who try wins, also over who takes already. */
TEST(range_set_by_one_of_many)
{
	struct setter setters[NR_TAKERS];
	pthread_t threads[NR_TAKERS];
	struct taker taker;
	struct doca_mmap *mmap;
	int i, round, won;

	fake_reset(false);
	for (round = 0; round < 100; round++) {
		OK(doca_mmap_create(&mmap));
		OK(doca_mmap_enable_thread_safety(mmap));
		taker = (struct taker){ .mmap = mmap };
		OK(doca_buf_inventory_create(1, &taker.inv));
		OK(doca_buf_inventory_start(taker.inv));
		for (i = 0; i < NR_TAKERS; i++) {
			setters[i].mmap = mmap;
			EXPECT(!pthread_create(&threads[i], NULL, set_range,
					       &setters[i]));
		}
		take_and_release(&taker);
		for (won = 0, i = 0; i < NR_TAKERS; i++) {
			pthread_join(threads[i], NULL);
			won += setters[i].res == DOCA_SUCCESS;
			EXPECT(setters[i].res == DOCA_SUCCESS ||
			       setters[i].res == DOCA_ERROR_NOT_PERMITTED);
		}
		EXPECT_EQ(won, 1);
		EXPECT_EQ(taker.refused, 1);
		OK(doca_mmap_destroy(mmap));
		OK(doca_buf_inventory_destroy(taker.inv));
	}
}
