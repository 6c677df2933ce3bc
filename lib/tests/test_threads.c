// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Several threads: a map that is stopped while buffers are taken, its range, and an event whose
 * exporter does not answer. Engines in threads of their own are process/test_threads.
 */
#include <pthread.h>
#include <sched.h>

#include "clock.h"
#include "core/memory/mmap.h"
#include "sync_bed.h"

#define NR_THREADS 4
#define LEN 64

#define TAKES 200 /* for each, at least */
#define STOPS 50 /* successful ones */

static unsigned int holding; /* buffers, in all threads */
static unsigned int tries; /* attempts to stop the map */
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

	res = doca_buf_inventory_buf_get_by_addr(taker->inv, taker->mmap, bed.mem, LEN, &buf);
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
	if (doca_mmap_get_num_bufs(taker->mmap, &n) || !n || n > NR_THREADS)
		taker->wrong++;
	sched_yield();
	__atomic_fetch_sub(&holding, 1, __ATOMIC_SEQ_CST);
	if (doca_buf_dec_refcount(buf, NULL))
		taker->wrong++;
}

/* Wait, so that there are moments without buffers. */
static void wait_for_a_try(void)
{
	unsigned int seen = __atomic_load_n(&tries, __ATOMIC_RELAXED);

	while (seen == __atomic_load_n(&tries, __ATOMIC_RELAXED) &&
	       !__atomic_load_n(&enough, __ATOMIC_RELAXED))
		sched_yield();
}

static void *take(void *arg)
{
	struct taker *taker = arg;

	while (!taker->wrong &&
	       (!__atomic_load_n(&enough, __ATOMIC_RELAXED) || taker->taken < TAKES)) {
		take_and_release(taker);
		if (!(taker->taken % 4))
			wait_for_a_try();
	}
	return NULL;
}

/* Call all getters, like a thread that only watches. */
static bool asks_well(struct doca_mmap *mmap)
{
	union doca_data data;
	uint8_t exported, from;
	uint32_t max, n;
	size_t len;
	void *addr;

	return !doca_mmap_get_memrange(mmap, &addr, &len) && addr == bed.mem && len == MEM_SIZE &&
	       !doca_mmap_get_user_data(mmap, &data) && data.u64 == 3 &&
	       !doca_mmap_get_max_num_devices(mmap, &max) && max == 2 &&
	       !doca_mmap_get_exported(mmap, &exported) && exported <= 1 &&
	       !doca_mmap_get_from_export(mmap, &from) && !from &&
	       !doca_mmap_get_num_bufs(mmap, &n) && n <= NR_THREADS;
}

static void *watch(void *arg)
{
	static bool good;

	good = true;
	while (!__atomic_load_n(&enough, __ATOMIC_RELAXED) && good)
		good = asks_well(arg);
	return good ? NULL : arg;
}

/* After a successful stop nobody has a buffer, and nobody gets one. */
static unsigned int stop_and_start(struct doca_mmap *mmap, struct doca_dev *dev)
{
	const void *desc;
	doca_error_t res;
	size_t len;

	res = doca_mmap_stop(mmap);
	__atomic_fetch_add(&tries, 1, __ATOMIC_RELAXED);
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
	struct doca_mmap *mmap = new_mmap(bed.mem, MEM_SIZE, NULL);

	OK(doca_mmap_enable_thread_safety(mmap));
	OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
	OK(doca_mmap_set_user_data(mmap, (union doca_data){ .u64 = 3 }));
	OK(doca_mmap_set_max_num_devices(mmap, 2));
	for (int i = 0; i < 2; i++) {
		devs[i] = fake_new_dev(i + 1);
		OK(doca_mmap_add_dev(mmap, devs[i]));
	}
	OK(doca_mmap_start(mmap));
	return mmap;
}

TEST(a_map_is_stopped_while_buffers_are_taken)
{
	struct taker takers[NR_THREADS];
	pthread_t threads[NR_THREADS], watcher;
	struct doca_dev *devs[2];
	struct doca_mmap *mmap;
	unsigned int stops = 0;
	void *bad;

	fake_reset(false);
	OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT));
	mmap = make(devs);
	for (int i = 0; i < NR_THREADS; i++) {
		takers[i] = (struct taker){ .mmap = mmap, .inv = new_inventory(2) };
		EXPECT(!pthread_create(&threads[i], NULL, take, &takers[i]));
	}
	EXPECT(!pthread_create(&watcher, NULL, watch, mmap));
	while (stops < STOPS) {
		stops += stop_and_start(mmap, devs[stops % 2]);
		sched_yield();
	}
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_join(threads[i], NULL);
		EXPECT_EQ(takers[i].wrong, 0);
		OK(doca_buf_inventory_destroy(takers[i].inv));
	}
	pthread_join(watcher, &bad);
	EXPECT(!bad);
	OK(doca_mmap_destroy(mmap));
	for (int i = 0; i < 2; i++)
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

	setter->res = doca_mmap_set_memrange(setter->mmap, bed.mem, LEN);
	return NULL;
}

/* The range is set once: one thread wins, even while others take buffers. */
TEST(range_set_by_one_of_many)
{
	struct setter setters[NR_THREADS];
	pthread_t threads[NR_THREADS];
	struct taker taker;
	struct doca_mmap *mmap;
	int i, round, won;

	fake_reset(false);
	for (round = 0; round < 100; round++) {
		OK(doca_mmap_create(&mmap));
		OK(doca_mmap_enable_thread_safety(mmap));
		taker = (struct taker){ .mmap = mmap, .inv = new_inventory(1) };
		for (i = 0; i < NR_THREADS; i++) {
			setters[i].mmap = mmap;
			EXPECT(!pthread_create(&threads[i], NULL, set_range, &setters[i]));
		}
		take_and_release(&taker);
		for (won = 0, i = 0; i < NR_THREADS; i++) {
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

/* Keep nothing on the stack: a sanitizer expects this function to return. */
static void *get_while_cancelled(void *event)
{
	static uint64_t value;

	pthread_cancel(pthread_self());
	if (doca_sync_event_get(event, &value) == DOCA_ERROR_IO_FAILED)
		pthread_testcancel();
	return event;
}

TEST(threads_that_wait_for_an_exporter_are_cancelled_later)
{
	struct doca_sync_event *event, *imported;
	void *result = NULL;
	const uint8_t *desc;
	pthread_t thread;
	uint64_t value;
	size_t size;

	fake_reset(true);
	OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING));
	event = new_exported(&desc, &size);
	imported = import(desc, size);
	OK(doca_sync_event_start(imported));
	fake_in_process = true;
	fake.enter_fails = true;
	logged();
	clock_stop(1000000000); /* it waits for two seconds */
	EXPECT(!pthread_create(&thread, NULL, get_while_cancelled, imported));
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	clock_go_on();
	EXPECT_LOGGED("its exporter does not answer");
	alarm(20);
	ERR(doca_sync_event_get(imported, &value), IO_FAILED);
	alarm(0);
	fake_in_process = false;
	stop_and_destroy(imported);
	stop_and_destroy(event);
}
