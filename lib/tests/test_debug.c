// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Debug mode: errors that it finds beside wrong objects, its messages, and that it loses
 * nothing.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/wait.h>

#include <doca_buf_array.h>
#include <doca_buf_pool.h>
#include <doca_mmap_advise.h>

#include "clock.h"
#include "core/exec/pe_watch.h"
#include "core/graph/graph.h"
#include "core/objects.h"
#include "debug_mode.h"
#include "fault.h"
#include "graph_bed.h"

#define STALE(func, call, words) FAILS(call, INVALID_VALUE, func "(): " words)

TEST(what_is_right_is_silent)
{
	set_up_started(false, 2);
	logged();
	OK(doca_task_submit(new_copy(0, 32)));
	bed.on_task = free_in_callback;
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(copied(0, 0, 32));
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	OK(doca_ctx_stop(bed.ctx));
	EXPECT_SILENT();
	tear_down();
}

TEST(progress_of_what_is_no_engine_is_told_of_once)
{
	struct doca_pe *pe;

	set_up(false, 1);
	OK(doca_pe_create(&pe));
	OK(doca_pe_destroy(pe));
	logged();
	EXPECT_EQ(doca_pe_progress(pe), 0);
	EXPECT_LOGGED("doca_pe_progress(): progress engine");
	EXPECT_EQ(doca_pe_progress(pe), 0);
	EXPECT_LOGGED("was destroyed");
	EXPECT_EQ(doca_pe_progress(NULL), 0);
	EXPECT_LOGGED("pe is NULL");
	EXPECT_EQ(doca_pe_progress(NULL), 0);
	EXPECT_SILENT();
	tear_down();
}

TEST(memory_that_is_gone_is_not_started_over)
{
	struct doca_buf_pool *pool;
	struct doca_buf_arr *arr;
	struct doca_mmap *mmap;

	set_up(false, 1);
	mmap = new_mmap(bed.mem, MEM_SIZE, NULL);
	OK(doca_buf_pool_create(1, 1, mmap, &pool));
	OK(doca_buf_arr_create(1, &arr));
	OK(doca_buf_arr_set_params(arr, mmap, 1, 0));
	OK(doca_mmap_destroy(mmap));
	STALE("doca_buf_pool_start", doca_buf_pool_start(pool), "mmap");
	STALE("doca_buf_arr_start", doca_buf_arr_start(arr), "mmap");
	OK(doca_buf_arr_destroy(arr));
	OK(doca_buf_pool_destroy(pool));
	tear_down();
}

TEST(a_task_of_another_type_is_told_by_its_name)
{
	struct doca_mmap_advise_task_invalidate_cache *wrong;

	set_up_started(false, 1);
	new_copy(0, 8);
	wrong = (void *)bed.all[0];
	logged();
	EXPECT(!doca_mmap_advise_task_invalidate_cache_as_doca_task(wrong));
	EXPECT_LOGGED("is none: it is of type doca_dma_task_memcpy");
	free_task_and_bufs(bed.all[0]);
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

TEST(released_buffer)
{
	struct doca_buf *a;

	set_up(false, 1);
	a = source(0, 1);
	put(a);
	STALE("doca_buf_set_data", doca_buf_set_data(a, bed.mem, 1), "buffer");
	FAILS(doca_buf_dec_refcount(a, NULL), BAD_STATE, "was released already");
	FAILS(doca_buf_inc_refcount(a, NULL), NOT_PERMITTED, "was released already");
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	tear_down();
}

TEST(buffers_and_tasks_are_given_again_late)
{
	struct doca_dma_task_memcpy *a, *b;
	struct doca_buf *first, *second;

	set_up_started(false, 2);
	first = source(0, 1);
	put(first);
	second = source(0, 1);
	EXPECT(first != second);
	put(second);
	a = new_task(NULL, NULL, 0);
	doca_task_free(as_task(a));
	b = new_task(NULL, NULL, 0);
	EXPECT(a != b);
	doca_task_free(as_task(b));
	a = new_task(NULL, NULL, 0);
	b = new_task(NULL, NULL, 0);
	EXPECT(a != b);
	doca_task_free(as_task(a));
	doca_task_free(as_task(b));
	stop_and_tear_down();
}

TEST(freed_task)
{
	struct doca_dma_task_memcpy *copy;
	struct doca_task *task;

	set_up_started(false, 1);
	task = new_copy(0, 8);
	copy = bed.all[0];
	free_task_and_bufs(copy);
	FAILS(doca_task_submit(task), BAD_STATE, "was freed");
	FAILS(doca_task_try_submit(task), BAD_STATE, "was freed");
	FAILS(doca_task_submit_ex(task, 0), BAD_STATE, "was freed");
	doca_task_free(task);
	EXPECT_LOGGED("freed twice");
	doca_task_set_user_data(task, (union doca_data){ .u64 = 1 });
	EXPECT_LOGGED("doca_task_set_user_data(): task");
	doca_dma_task_memcpy_set_src(copy, NULL);
	EXPECT_LOGGED("doca_dma_task_memcpy_set_src(): doca_dma_task_memcpy");
	/* in its callback a program may read a task that it has freed */
	EXPECT(doca_task_get_ctx(task) == bed.ctx);
	OK(doca_task_get_status(task));
	EXPECT_SILENT();
	OK(doca_ctx_stop(bed.ctx));
	STALE("doca_task_submit", doca_task_submit(task), "task");
	STALE("doca_task_try_submit", doca_task_try_submit(task), "task");
	STALE("doca_task_get_status", doca_task_get_status(task), "task");
	doca_task_free(task);
	EXPECT_LOGGED("its context was stopped");
	tear_down();
}

TEST(task_with_a_released_buffer_fails)
{
	struct doca_dma_task_memcpy *copy;
	struct doca_task *task;

	set_up_started(false, 1);
	task = new_copy(0, 8);
	copy = bed.all[0];
	put(doca_dma_task_memcpy_get_src(copy));
	logged();
	ERR(doca_task_try_submit(task), INVALID_VALUE);
	EXPECT(strstr(logged(), "doca_task_try_submit(): buffer"));
	put(doca_dma_task_memcpy_get_dst(copy));
	logged();
	OK(doca_task_submit(task));
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	bed.on_task = NULL;
	EXPECT(drain(bed.pe) >= 1);
	doca_task_free(task);
	drain(bed.pe);
	EXPECT_STR(took(), "Esi");
	tear_down();
}

/* More than is kept of destroyed objects: the oldest are forgotten. */
TEST(memory_of_the_destroyed_is_bounded)
{
	struct doca_buf_inventory *inv;
	int i;

	set_up(false, 1);
	for (i = 0; i < 100; i++) {
		OK(doca_buf_inventory_create(8192, &inv));
		OK(doca_buf_inventory_destroy(inv));
	}
	STALE("doca_buf_inventory_destroy", doca_buf_inventory_destroy(inv), "buffer inventory");
	tear_down();
}

/* One thread stays in a callback of the engine until it may go on. */
static sem_t entered, go_on;

static void wait_in_callback(struct doca_dma_task_memcpy *task)
{
	sem_post(&entered);
	sem_wait(&go_on);
	free_in_callback(task);
}

static void *progress(void *arg)
{
	return (void *)(uintptr_t)drain(arg);
}

static void start_thread(pthread_t *thread, void *(*body)(void *), void *arg)
{
	if (pthread_create(thread, NULL, body, arg))
		abort();
}

static void set_up_threads(void)
{
	sem_init(&entered, 0, 0);
	sem_init(&go_on, 0, 0);
	set_up_started(false, 3);
	OK(doca_task_submit(new_copy(0, 32)));
	bed.on_task = wait_in_callback;
}

static void tear_down_threads(void)
{
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	stop_and_tear_down();
	sem_destroy(&entered);
	sem_destroy(&go_on);
}

#define BUSY(func, call) FAILS(call, IN_USE, func "() in thread ")

TEST(engine_in_two_threads)
{
	union doca_data none = { .u64 = 0 };
	struct doca_dma_task_memcpy *copy;
	struct doca_task *task;
	pthread_t thread;
	void *n;

	set_up_threads();
	task = new_copy(32, 32);
	start_thread(&thread, progress, bed.pe);
	sem_wait(&entered);
	logged();
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_LOGGED("in doca_pe_progress(); only one thread");
	BUSY("doca_pe_destroy", doca_pe_destroy(bed.pe));
	BUSY("doca_pe_request_notification", doca_pe_request_notification(bed.pe));
	BUSY("doca_pe_clear_notification", doca_pe_clear_notification(bed.pe, 0));
	BUSY("doca_ctx_start", doca_ctx_start(bed.ctx));
	BUSY("doca_ctx_stop", doca_ctx_stop(bed.ctx));
	BUSY("doca_dma_destroy", doca_dma_destroy(bed.dma));
	BUSY("doca_task_submit", doca_task_submit(task));
	BUSY("doca_task_submit_ex", doca_task_submit_ex(task, 0));
	BUSY("doca_task_try_submit", doca_task_try_submit(task));
	BUSY("doca_dma_task_memcpy_alloc_init",
	     doca_dma_task_memcpy_alloc_init(bed.dma, NULL, NULL, none, &copy));
	doca_ctx_flush_tasks(bed.ctx);
	EXPECT_LOGGED("doca_ctx_flush_tasks() in thread ");
	sem_post(&go_on);
	pthread_join(thread, &n);
	EXPECT_EQ((uintptr_t)n, 1);
	EXPECT_STR(took(), "S");

	/* one after the other is allowed */
	bed.on_task = free_in_callback;
	OK(doca_task_submit(task));
	start_thread(&thread, progress, bed.pe);
	pthread_join(thread, &n);
	EXPECT_EQ((uintptr_t)n, 1);
	tear_down_threads();
}

/* Wait until the other thread pauses, because it waits. */
static void await_pause(void)
{
	alarm(60);
	while (!clock_pauses())
		sched_yield();
	alarm(0);
	clock_go_on();
}

static void *free_task(void *task)
{
	doca_task_free(task);
	return NULL;
}

/* It cannot fail, so it waits. */
TEST(free_waits_for_the_other_thread)
{
	pthread_t first, second;
	struct doca_task *task;

	set_up_threads();
	task = as_task(new_task(NULL, NULL, 0));
	start_thread(&first, progress, bed.pe);
	sem_wait(&entered);
	logged();
	clock_stop(0);
	start_thread(&second, free_task, task);
	await_pause();
	sem_post(&go_on);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	EXPECT_LOGGED("doca_task_free() in thread ");
	tear_down_threads();
}

/* Do not exit: valgrind would report memory as lost that only the registry leads to. */
static void free_in_child(struct doca_task *task)
{
	alarm(20);
	doca_task_free(task);
	if (!doca_priv_debug_enter(bed.pe, __func__))
		return;
	doca_priv_debug_leave(bed.pe);
	execl("/bin/true", "true", NULL);
}

TEST(children_do_not_wait_for_threads_of_the_parent)
{
	struct doca_task *task;
	int status = -1;
	pthread_t thread;
	pid_t pid;

	set_up_threads();
	task = as_task(new_task(NULL, NULL, 0));
	start_thread(&thread, progress, bed.pe);
	sem_wait(&entered);
	/* Locks of this thread are its own in the child, too. */
	EXPECT(doca_priv_debug_enter(bed.inv, __func__));
	pid = fork();
	if (!pid) {
		free_in_child(task);
		_exit(1);
	}
	EXPECT(waitpid(pid, &status, 0) == pid);
	EXPECT_EQ(status, 0);
	doca_priv_debug_leave(bed.inv);
	sem_post(&go_on);
	pthread_join(thread, NULL);
	doca_task_free(task);
	tear_down_threads();
}

static void *use_inventory(void *arg)
{
	struct doca_buf *buf = arg;

	BUSY("doca_buf_inventory_buf_get_by_args",
	     doca_buf_inventory_buf_get_by_data(bed.inv, bed.mmap, bed.mem, 1, &buf));
	BUSY("doca_buf_inventory_buf_dup", doca_buf_inventory_buf_dup(bed.inv, buf, &buf));
	BUSY("doca_buf_inventory_expand", doca_buf_inventory_expand(bed.inv, 1));
	BUSY("doca_buf_dec_refcount", doca_buf_dec_refcount(buf, NULL));
	return NULL;
}

TEST(inventory_in_two_threads)
{
	struct doca_buf *buf;
	pthread_t thread;

	set_up(false, 1);
	buf = source(0, 1);
	EXPECT(doca_priv_debug_enter(bed.inv, __func__));
	EXPECT(doca_priv_debug_enter(bed.inv, __func__));
	doca_priv_debug_leave(bed.inv);
	start_thread(&thread, use_inventory, buf);
	pthread_join(thread, NULL);
	doca_priv_debug_leave(bed.inv);
	put(buf);
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	tear_down();
}

/* The engine's thread returns a buffer that was released in flight. */
TEST(completion_waits_for_the_user_of_the_inventory)
{
	pthread_t thread;

	set_up_started(false, 1);
	OK(doca_task_submit(new_copy(0, 32)));
	put(doca_dma_task_memcpy_get_src(bed.all[0]));
	put(doca_dma_task_memcpy_get_dst(bed.all[0]));
	logged();
	EXPECT(doca_priv_debug_enter(bed.inv, __func__));
	clock_stop(0);
	start_thread(&thread, progress, bed.pe);
	await_pause();
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS - 2);
	doca_priv_debug_leave(bed.inv);
	pthread_join(thread, NULL);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	doca_task_free(as_task(bed.all[0]));
	stop_and_tear_down();
}

static void *submit_elsewhere(void *arg)
{
	struct doca_graph_instance *instance = arg;

	FAILS(doca_graph_instance_submit(instance), IN_USE, "doca_graph_instance_submit()");
	FAILS(doca_graph_stop(instance->graph), IN_USE, "doca_graph_stop()");
	return NULL;
}

static void in_another_thread(void)
{
	pthread_t thread;

	EXPECT_EQ(pthread_create(&thread, NULL, submit_elsewhere, graphs.instance), 0);
	pthread_join(thread, NULL);
}

TEST(an_engine_that_another_thread_is_in)
{
	chain_set_up(false, 1);
	graphs.instance = chain.instance;
	graphs.on_user = in_another_thread;
	OK(doca_graph_instance_submit(chain.instance));
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "?D");
	chain_tear_down();
}

/* Look more often than in a second, after a call of progress. */
static void look_for_a_second(void)
{
	for (int i = 0; i < PE_WATCH_LOOKS + 1; i++)
		pe_watch_look();
}

TEST(an_engine_that_nobody_asks_is_told_of_once)
{
	set_up_started(false, 2);
	bed.on_task = free_in_callback;
	OK(doca_task_submit(new_copy(0, 32)));
	OK(doca_task_submit(new_copy(32, 32)));
	logged();
	for (int i = 0; i < PE_WATCH_LOOKS; i++)
		pe_watch_look();
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	for (int i = 0; i < PE_WATCH_LOOKS; i++)
		pe_watch_look();
	driver_forks++;
	look_for_a_second();
	driver_forks--;
	EXPECT_SILENT();
	look_for_a_second();
	EXPECT_LOGGED("nobody has called doca_pe_progress()");
	look_for_a_second();
	EXPECT_EQ(drain(bed.pe), 1);
	look_for_a_second();
	EXPECT_SILENT();
	stop_and_tear_down();
}

/* The last one: from here on the registry knows that it lacks something. */
TEST(what_it_has_no_memory_to_record_is_not_taken_for_what_was_there)
{
	static const struct object_type gone = { .name = "one before" }, type = { .name = "one" };
	static char place[64];

	doca_priv_debug_add(place, &gone, sizeof(place), 1);
	doca_priv_debug_del(place);
	fault_at(FAULT_ALLOC, 1);
	doca_priv_debug_add(place, &type, sizeof(place), 1);
	EXPECT(fault_happened(FAULT_ALLOC));
	fault_at(FAULT_ALLOC, 0);
	logged();
	EXPECT(doca_priv_debug_valid(place, &type, true, __func__));
	EXPECT_SILENT();
}
