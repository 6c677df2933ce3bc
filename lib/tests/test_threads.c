// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Several threads: each with its own engine, on one device and one map; an engine with its
 * executor at the other end of the rings; a map that is stopped while buffers are taken;
 * and an event whose exporter does not answer.
 */
#include <pthread.h>
#include <sched.h>

#include "clock.h"
#include "core/memory/mmap.h"
#include "sync_bed.h"

#include "bed.h"

#define NR_THREADS 4
#define TASKS 16
#define ROUNDS 50
#define LEN 64

struct user {
	struct doca_mmap *mmap;
	char *src, *dst; /* this thread's parts of the map */
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_buf_inventory *inv;
	unsigned int done, failed;
	bool good;
};

static void on_user_task(struct doca_dma_task_memcpy *task, union doca_data task_data,
			 union doca_data ctx_data)
{
	struct user *user = ctx_data.ptr;
	struct doca_task *base = as_task(task);
	struct doca_buf *src = (struct doca_buf *)doca_dma_task_memcpy_get_src(task);
	struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);

	(void)task_data;
	user->done++;
	user->failed += doca_task_get_status(base) != DOCA_SUCCESS;
	doca_task_free(base);
	doca_buf_dec_refcount(src, NULL);
	doca_buf_dec_refcount(dst, NULL);
}

static bool user_create(struct user *user)
{
	struct doca_ctx *ctx;

	if (doca_pe_create(&user->pe) || doca_buf_inventory_create(2 * TASKS, &user->inv) ||
	    doca_buf_inventory_start(user->inv) || doca_dma_create(&fake_dev, &user->dma))
		return false;
	ctx = doca_dma_as_ctx(user->dma);
	return !doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = user }) &&
	       !doca_dma_task_memcpy_set_conf(user->dma, on_user_task, on_user_task, TASKS) &&
	       !doca_pe_connect_ctx(user->pe, ctx) && !doca_ctx_start(ctx);
}

static bool user_destroy(struct user *user)
{
	return !doca_ctx_stop(doca_dma_as_ctx(user->dma)) && !doca_dma_destroy(user->dma) &&
	       !doca_buf_inventory_destroy(user->inv) && !doca_pe_destroy(user->pe);
}

static bool user_submit(struct user *user, unsigned int i)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;

	return !doca_buf_inventory_buf_get_by_data(user->inv, user->mmap, user->src + i * LEN, LEN,
						   &src) &&
	       !doca_buf_inventory_buf_get_by_addr(user->inv, user->mmap, user->dst + i * LEN, LEN,
						   &dst) &&
	       !doca_dma_task_memcpy_alloc_init(user->dma, src, dst, (union doca_data){ 0 },
						&task) &&
	       !doca_task_submit(as_task(task));
}

static bool user_round(struct user *user)
{
	unsigned int want = user->done + TASKS;

	memset(user->dst, 0, TASKS * LEN);
	for (unsigned int i = 0; i < TASKS; i++)
		if (!user_submit(user, i))
			return false;
	while (user->done < want)
		if (!doca_pe_progress(user->pe))
			sched_yield();
	return !memcmp(user->src, user->dst, TASKS * LEN);
}

static void *user_main(void *arg)
{
	struct user *user = arg;

	user->good = true;
	for (int life = 0; life < 5 && user->good; life++) {
		user->good = user_create(user);
		for (int i = 0; i < ROUNDS / 5 && user->good; i++)
			user->good = user_round(user);
		user->good = user->good && user_destroy(user);
	}
	return NULL;
}

static void user_init(struct user *user, unsigned int nr)
{
	*user = (struct user){
		.mmap = bed.mmap,
		.src = bed.mem + nr * TASKS * LEN,
		.dst = bed.mem + MEM_SIZE / 2 + nr * TASKS * LEN,
	};
}

TEST(engines_in_threads_share_a_device_and_a_map)
{
	struct user users[NR_THREADS];
	pthread_t threads[NR_THREADS];
	uint32_t n;

	set_up(false, 1);
	OK(doca_mmap_stop(bed.mmap));
	OK(doca_mmap_enable_thread_safety(bed.mmap));
	OK(doca_mmap_start(bed.mmap));
	for (int i = 0; i < NR_THREADS; i++) {
		user_init(&users[i], i);
		EXPECT(!pthread_create(&threads[i], NULL, user_main, &users[i]));
	}
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_join(threads[i], NULL);
		EXPECT(users[i].good);
		EXPECT_EQ(users[i].done, ROUNDS * TASKS);
		EXPECT_EQ(users[i].failed, 0);
	}
	OK(doca_mmap_get_num_bufs(bed.mmap, &n));
	EXPECT_EQ(n, 0);
	tear_down();
}

static bool executor_stop;

/* Like the kernel's worker: sleeps when idle, until it is called. */
static void *executor(void *arg)
{
	struct fake_queue *q = arg;

	while (!__atomic_load_n(&executor_stop, __ATOMIC_ACQUIRE)) {
		run(q, 3);
		if (has_work(q))
			continue;
		__atomic_store_n(&q->kernel->need_wakeup, 1, __ATOMIC_SEQ_CST);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (has_work(q))
			__atomic_store_n(&q->kernel->need_wakeup, 0, __ATOMIC_SEQ_CST);
		while (__atomic_load_n(&q->kernel->need_wakeup, __ATOMIC_ACQUIRE) &&
		       !__atomic_load_n(&executor_stop, __ATOMIC_ACQUIRE))
			sched_yield();
	}
	return NULL;
}

TEST(an_engine_and_its_executor)
{
	struct user user;
	pthread_t thread;

	set_up(true, 1);
	user_init(&user, 0);
	ASSERT(user_create(&user));
	executor_stop = false;
	EXPECT(!pthread_create(&thread, NULL, executor, &queues[0]));
	for (int i = 0; i < ROUNDS; i++)
		EXPECT(user_round(&user));
	EXPECT_EQ(user.failed, 0);
	/* Stopped with everything in flight: the rest is flushed, once each. */
	for (unsigned int i = 0; i < TASKS; i++)
		EXPECT(user_submit(&user, i));
	ERR(doca_ctx_stop(doca_dma_as_ctx(user.dma)), IN_PROGRESS);
	while (user.done < (ROUNDS + 1) * TASKS)
		doca_pe_progress(user.pe);
	__atomic_store_n(&executor_stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	drain(user.pe);
	EXPECT_EQ(user.done, (ROUNDS + 1) * TASKS);
	EXPECT(user_destroy(&user));
	tear_down();
}

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
