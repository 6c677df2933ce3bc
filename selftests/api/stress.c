// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Many threads at once: each with an engine, each engine with contexts on several devices,
 * tasks of random sizes and lists, some of which are bad, and contexts that are stopped and
 * started at random. Every task is completed exactly once, with the right data or the right
 * error; and, where the threads wait instead of polling, no wake-up is lost.
 *
 * Each thread submits a number of tasks. STRESS_SECONDS in the environment makes it run that
 * long instead, and STRESS_SEED sets the seed.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>

#include "stress_task.h"

#define NR_THREADS 8
#define TASKS 4000 /* per thread */
#define WATCHDOG_MS 1000
#define GRACE_MS 20000 /* tolerance for a slow machine */
#define STUCK_S 60

static struct doca_dev *devs[2];

/* A stop may end at once, or later in progress. */
static void stream_stop(struct stream *stream)
{
	doca_error_t rc;

	stream->may_flush = true;
	stream->thread->stops++;
	rc = doca_ctx_stop(stream->ctx);
	if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS)
		fail(stream->thread, "stop: %s", doca_error_get_name(rc));
}

static void on_task(struct doca_dma_task_memcpy *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	struct stream *stream = ctx_data.ptr;
	struct thread *thread = stream->thread;
	struct slot *slot = task_data.ptr;

	if (slot->task != task) {
		fail(thread, "a task was completed that was not submitted");
		return;
	}
	slot_judge(stream, slot);
	slot->task = NULL;
	stream->inflight--;
	bed_free_task(task);
	if (thread_over(thread) || stream->state != DOCA_CTX_STATE_RUNNING)
		return;
	if (one_in(thread, 1024))
		stream_stop(stream);
	else if (!thread->only && one_in(thread, 2))
		slot_submit(stream, slot);
}

static void on_state(const union doca_data user_data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct stream *stream = user_data.ptr;

	(void)ctx;
	if (stream->state != prev)
		fail(stream->thread, "a state was left out");
	if (next == DOCA_CTX_STATE_IDLE && stream->inflight)
		fail(stream->thread, "idle with tasks in flight");
	stream->state = next;
}

static void stream_start(struct stream *stream)
{
	struct thread *thread = stream->thread;

	stream->nr_slots = 1 + pick(thread, NR_SLOTS);
	stream->may_flush = false;
	thread->starts++;
	CHECK_OK(thread,
		 doca_dma_task_memcpy_set_conf(stream->dma, on_task, on_task, stream->nr_slots));
	CHECK_OK(thread, doca_ctx_start(stream->ctx));
}

static void stream_fill(struct stream *stream)
{
	struct thread *thread = stream->thread;
	uint32_t want = 1 + pick(thread, stream->nr_slots), i;

	if (thread->only)
		want = thread->only == stream;
	for (i = 0; i < stream->nr_slots && stream->inflight < want; i++)
		if (!stream->slots[i].task && !thread_over(thread))
			slot_submit(stream, &stream->slots[i]);
}

static void stream_turn(struct stream *stream)
{
	if (stream->state == DOCA_CTX_STATE_IDLE)
		stream_start(stream);
	if (stream->state == DOCA_CTX_STATE_RUNNING)
		stream_fill(stream);
	if (stream->state == DOCA_CTX_STATE_RUNNING && one_in(stream->thread, 256))
		stream_stop(stream);
}

static bool await(struct thread *thread, int ms)
{
	struct epoll_event event;

	return epoll_wait(thread->epoll, &event, 1, ms) == 1;
}

/*
 * A slow machine may make a wait longer than the watchdog allows, so it goes on. A
 * wake-up was lost only if progress finds something without one.
 */
static void thread_wait(struct thread *thread)
{
	thread->waits++;
	CHECK_OK(thread, doca_pe_request_notification(thread->pe));
	if (!await(thread, WATCHDOG_MS)) {
		thread->slow++;
		if (!await(thread, GRACE_MS))
			fail(thread, "%s",
			     doca_pe_progress(thread->pe) ? "a wake-up was lost" :
							    "nothing happens any more");
	}
	CHECK_OK(thread, doca_pe_clear_notification(thread->pe, 0));
}

static bool thread_busy(const struct thread *thread)
{
	int i;

	for (i = 0; i < NR_STREAMS; i++)
		if (thread->streams[i].inflight ||
		    thread->streams[i].state == DOCA_CTX_STATE_STOPPING)
			return true;
	return false;
}

/* Progress until nothing happens; then wait if something must happen. */
static void thread_progress(struct thread *thread)
{
	int n = 0;

	while (n < 256 && doca_pe_progress(thread->pe))
		n++;
	if (n) {
		thread->heard = bed_now();
	} else if (!thread_busy(thread)) {
		return;
	} else if (thread->events) {
		thread_wait(thread);
	} else {
		if (bed_now() - thread->heard > STUCK_S)
			fail(thread, "nothing happens any more");
		sched_yield();
	}
}

static void stream_create(struct stream *stream, struct thread *thread, int nr)
{
	union doca_data data = { .ptr = stream };
	int i;

	stream->thread = thread;
	for (i = 0; i < NR_SLOTS; i++)
		stream->slots[i].dst = thread->dst + (nr * NR_SLOTS + i) * (MAX_LEN + 1);
	CHECK_OK(thread, doca_buf_inventory_create(2 * NR_SLOTS * MAX_LIST, &stream->inv));
	CHECK_OK(thread, doca_buf_inventory_start(stream->inv));
	CHECK_OK(thread, doca_dma_create(devs[nr % 2], &stream->dma));
	stream->ctx = doca_dma_as_ctx(stream->dma);
	CHECK_OK(thread, doca_ctx_set_user_data(stream->ctx, data));
	CHECK_OK(thread, doca_ctx_set_state_changed_cb(stream->ctx, on_state));
	CHECK_OK(thread, doca_pe_connect_ctx(thread->pe, stream->ctx));
	stream->state = DOCA_CTX_STATE_IDLE;
}

static void stream_destroy(struct stream *stream)
{
	struct thread *thread = stream->thread;
	uint32_t total = 0, unused = 0;

	CHECK_OK(thread, doca_dma_destroy(stream->dma));
	doca_buf_inventory_get_num_elements(stream->inv, &total);
	doca_buf_inventory_get_num_free_elements(stream->inv, &unused);
	if (total != unused)
		fail(thread, "%u buffers were lost", total - unused);
	CHECK_OK(thread, doca_buf_inventory_destroy(stream->inv));
}

static char *map_pages(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		    -1, 0);
}

static const size_t dst_size = NR_STREAMS * NR_SLOTS * (MAX_LEN + 1);

static void thread_create(struct thread *thread)
{
	struct epoll_event event = { .events = EPOLLIN };
	doca_notification_handle_t handle = -1;
	int i;

	thread->src = map_pages(SRC_SIZE);
	thread->dst = map_pages(dst_size);
	for (i = 0; i < SRC_SIZE; i++)
		thread->src[i] = pick(thread, 256);
	CHECK_OK(thread, bed_mmap(thread->src, SRC_SIZE, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, devs[0],
				  devs[1], &thread->src_mmap));
	CHECK_OK(thread, bed_mmap(thread->dst, dst_size, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, devs[0],
				  devs[1], &thread->dst_mmap));
	CHECK_OK(thread, doca_pe_create(&thread->pe));
	CHECK_OK(thread, doca_pe_get_notification_handle(thread->pe, &handle));
	thread->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_ctl(thread->epoll, EPOLL_CTL_ADD, handle, &event))
		fail(thread, "epoll: %s", strerror(errno));
	for (i = 0; i < NR_STREAMS; i++)
		stream_create(&thread->streams[i], thread, i);
}

/* Stop; tasks in flight come back, and everything is given back. */
static void thread_finish(struct thread *thread)
{
	uint32_t left = 0;
	int i;

	for (i = 0; i < NR_STREAMS; i++)
		stream_stop(&thread->streams[i]);
	thread->heard = bed_now();
	while (thread_busy(thread) && !thread->why[0])
		thread_progress(thread);
	if (thread->why[0])
		return;
	for (i = 0; i < NR_STREAMS; i++)
		stream_destroy(&thread->streams[i]);
	CHECK_OK(thread, doca_pe_destroy(thread->pe));
	doca_mmap_get_num_bufs(thread->dst_mmap, &left);
	if (left)
		fail(thread, "%u buffers of a map were lost", left);
	CHECK_OK(thread, doca_mmap_destroy(thread->src_mmap));
	CHECK_OK(thread, doca_mmap_destroy(thread->dst_mmap));
	close(thread->epoll);
	munmap(thread->src, SRC_SIZE);
	munmap(thread->dst, dst_size);
	if (thread->submitted != thread->succeeded + thread->failed + thread->flushed)
		fail(thread, "not every task came back once");
}

static void *thread_main(void *arg)
{
	struct thread *thread = arg;
	int i;

	thread_create(thread);
	thread->heard = bed_now();
	while (!thread_over(thread)) {
		thread->only = NULL;
		if (one_in(thread, 4))
			thread->only = &thread->streams[pick(thread, NR_STREAMS)];
		for (i = 0; i < NR_STREAMS && !thread_over(thread); i++)
			stream_turn(&thread->streams[i]);
		thread_progress(thread);
	}
	if (!thread->why[0])
		thread_finish(thread);
	return NULL;
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 0) : otherwise;
}

static void report(const struct thread *threads)
{
	struct thread sum = {};
	int i;

	for (i = 0; i < NR_THREADS; i++) {
		sum.submitted += threads[i].submitted;
		sum.succeeded += threads[i].succeeded;
		sum.failed += threads[i].failed;
		sum.flushed += threads[i].flushed;
		sum.starts += threads[i].starts;
		sum.stops += threads[i].stops;
		sum.waits += threads[i].waits;
		sum.slow += threads[i].slow;
	}
	printf("# %lu tasks: %lu succeeded, %lu failed, %lu flushed; %lu starts, %lu stops; %lu waits, %lu of them slow\n",
	       sum.submitted, sum.succeeded, sum.failed, sum.flushed, sum.starts, sum.stops,
	       sum.waits, sum.slow);
	fflush(stdout);
}

static void stress(struct thread *threads, bool events)
{
	unsigned long seed = setting("STRESS_SEED", time(NULL));
	unsigned long seconds = setting("STRESS_SECONDS", 0);
	int i;

	printf("# STRESS_SEED=%lu STRESS_SECONDS=%lu\n", seed, seconds);
	fflush(stdout);
	for (i = 0; i < NR_THREADS; i++) {
		threads[i].random = (seed + 1) * 0x9e3779b97f4a7c15ULL + i;
		threads[i].events = events;
		threads[i].tasks = seconds ? ULONG_MAX : rounds(TASKS);
		if (pthread_create(&threads[i].id, NULL, thread_main, &threads[i]))
			abort();
	}
	for (; seconds && !over(); seconds--)
		sleep(1);
	if (threads[0].tasks == ULONG_MAX)
		__atomic_store_n(&finished, true, __ATOMIC_RELAXED);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i].id, NULL);
	report(threads);
}

FIXTURE(stress)
{
	struct thread threads[NR_THREADS];
	long pins;
};

FIXTURE_VARIANT(stress)
{
	bool events;
};

FIXTURE_VARIANT_ADD(stress, polling){
	.events = false,
};

FIXTURE_VARIANT_ADD(stress, waiting){
	.events = true,
};

/* Use two devices; in process the driver has two. */
FIXTURE_SETUP(stress)
{
	memset(self, 0, sizeof(*self));
	self->pins = pins_held();
	devs[0] = bed_open_dev("rxe0");
	if (!devs[0])
		devs[0] = bed_open_dev("software1");
	devs[1] = bed_open_dev("software");
	if (!devs[0] || !devs[1])
		SKIP_SETUP("needs two devices");
}

FIXTURE_TEARDOWN(stress)
{
	EXPECT_OK(doca_dev_close(devs[0]));
	EXPECT_OK(doca_dev_close(devs[1]));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* The test watches itself, so give the harness much time. */
TEST_F_TIMEOUT(stress, every_task_is_completed_once_and_right, 100000)
{
	int i;

	stress(self->threads, variant->events);
	for (i = 0; i < NR_THREADS; i++) {
		EXPECT_EQ('\0', self->threads[i].why[0])
		TH_LOG("thread %d: %s", i, self->threads[i].why);
		EXPECT_LT(0, self->threads[i].succeeded);
	}
}

TEST_HARNESS_MAIN
