// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Several threads: each with an engine of its own, on one device and one map; and an
 * engine with its executor at the other end of the rings.
 */
#include <pthread.h>
#include <sched.h>

#include "bed.h"

#define NR_THREADS 4
#define TASKS 16
#define ROUNDS 50
#define LEN 64

struct user {
	struct doca_mmap *mmap;
	char *src, *dst; /* parts of the map that nobody else uses */
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_buf_inventory *inv;
	unsigned int done, failed;
	bool good;
};

static void on_user_task(struct doca_dma_task_memcpy *task,
			 union doca_data task_data, union doca_data ctx_data)
{
	struct user *user = ctx_data.ptr;
	struct doca_task *base = as_task(task);
	struct doca_buf *src =
		(struct doca_buf *)doca_dma_task_memcpy_get_src(task);
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

	if (doca_pe_create(&user->pe) ||
	    doca_buf_inventory_create(2 * TASKS, &user->inv) ||
	    doca_buf_inventory_start(user->inv) ||
	    doca_dma_create(&fake_dev, &user->dma))
		return false;
	ctx = doca_dma_as_ctx(user->dma);
	return !doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = user }) &&
	       !doca_dma_task_memcpy_set_conf(user->dma, on_user_task,
					      on_user_task, TASKS) &&
	       !doca_pe_connect_ctx(user->pe, ctx) && !doca_ctx_start(ctx);
}

static bool user_destroy(struct user *user)
{
	return !doca_ctx_stop(doca_dma_as_ctx(user->dma)) &&
	       !doca_dma_destroy(user->dma) &&
	       !doca_buf_inventory_destroy(user->inv) &&
	       !doca_pe_destroy(user->pe);
}

static bool user_submit(struct user *user, unsigned int i)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;

	return !doca_buf_inventory_buf_get_by_data(
		       user->inv, user->mmap, user->src + i * LEN, LEN, &src) &&
	       !doca_buf_inventory_buf_get_by_addr(
		       user->inv, user->mmap, user->dst + i * LEN, LEN, &dst) &&
	       !doca_dma_task_memcpy_alloc_init(
		       user->dma, src, dst, (union doca_data){ 0 }, &task) &&
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
		EXPECT(!pthread_create(&threads[i], NULL, user_main,
				       &users[i]));
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

/* As the kernel's worker: sleeps where there is nothing, until it is called. */
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
			__atomic_store_n(&q->kernel->need_wakeup, 0,
					 __ATOMIC_SEQ_CST);
		while (__atomic_load_n(&q->kernel->need_wakeup,
				       __ATOMIC_ACQUIRE) &&
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
