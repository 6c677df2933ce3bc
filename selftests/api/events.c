// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Event-driven mode: waiting on the engine's handle instead of polling. The handle may
 * be polled before there is a context. Asking for a wake-up with something pending gives
 * it at once, and one request gives one wake-up. Waiting costs next to nothing.
 */
#include <sys/epoll.h>
#include <sys/resource.h>

#include "bed.h"

#define LEN 4096
#define ROUNDS 2000

FIXTURE(events)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	char *mem;
	int epoll;
};

FIXTURE_SETUP(events)
{
	struct epoll_event event = { .events = EPOLLIN };
	doca_notification_handle_t handle;

	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->mem = mmap(NULL, 2 * LEN, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(self->mem, 2 * LEN,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->mmap));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	/* Before the context is started. */
	ASSERT_OK(doca_pe_get_notification_handle(self->bed.pe, &handle));
	self->epoll = epoll_create1(EPOLL_CLOEXEC);
	ASSERT_EQ(0, epoll_ctl(self->epoll, EPOLL_CTL_ADD, handle, &event));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
}

FIXTURE_TEARDOWN(events)
{
	close(self->epoll);
	if (bed_state_of(&self->bed) != DOCA_CTX_STATE_IDLE)
		EXPECT_OK(doca_ctx_stop(self->bed.ctx));
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
}

static doca_error_t submit(FIXTURE_DATA(events) *self)
{
	return bed_copy(&self->bed, self->mmap, self->mem, self->mmap,
			self->mem + LEN, LEN);
}

/* Whether an event came within @ms. */
static bool await(FIXTURE_DATA(events) *self, int ms)
{
	struct epoll_event event;

	return epoll_wait(self->epoll, &event, 1, ms) == 1;
}

TEST_F(events, no_wake_up_is_lost)
{
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		ASSERT_OK(doca_pe_request_notification(self->bed.pe));
		ASSERT_OK(submit(self));
		while (self->bed.succeeded == i) {
			ASSERT_TRUE(await(self, 20000));
			ASSERT_OK(doca_pe_clear_notification(self->bed.pe, 0));
			while (doca_pe_progress(self->bed.pe))
				;
			if (self->bed.succeeded == i)
				ASSERT_OK(doca_pe_request_notification(
					self->bed.pe));
		}
	}
}

TEST_F(events, arming_with_a_completion_pending_fires_at_once)
{
	ASSERT_OK(submit(self));
	usleep(100000);
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	EXPECT_TRUE(await(self, 20000));
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
}

/* The second completion comes unasked; were it to wake, it would by now. */
TEST_F(events, arming_is_one_shot)
{
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	ASSERT_OK(submit(self));
	EXPECT_TRUE(await(self, 20000));
	ASSERT_OK(doca_pe_clear_notification(self->bed.pe, 0));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	EXPECT_FALSE(await(self, 0));
	ASSERT_OK(submit(self));
	EXPECT_FALSE(await(self, 300));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 2));
}

/* As above, but nobody looks at the handle in between, so that epoll remembers it. */
TEST_F(events, one_request_is_one_wake_up)
{
	unsigned int i;

	for (i = 0; i < 40; i += 2) {
		ASSERT_OK(doca_pe_request_notification(self->bed.pe));
		ASSERT_OK(submit(self));
		EXPECT_TRUE(await(self, 20000));
		ASSERT_OK(doca_pe_clear_notification(self->bed.pe, 0));
		EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == i + 1));
		ASSERT_OK(submit(self));
		usleep(10000);
		EXPECT_FALSE(await(self, 0));
		EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == i + 2));
	}
}

TEST_F(events, a_notification_is_cleared_with_handle_0_and_without_being_asked_for)
{
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
}

/* The engine alone first; then a context that is connected, then started. */
TEST(the_handle_may_be_polled_before_contexts_are_connected_and_started)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct doca_dev *dev = bed_open_dev(NULL);
	doca_notification_handle_t handle;
	static char mem[2 * LEN];
	struct doca_mmap *mmap;
	struct doca_pe *pe;
	struct bed bed;
	int epoll;

	if (!dev)
		SKIP(return, "no device");
	ASSERT_OK(doca_pe_create(&pe));
	ASSERT_OK(doca_pe_get_notification_handle(pe, &handle));
	epoll = epoll_create1(EPOLL_CLOEXEC);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &event));
	EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 0));
	ASSERT_OK(bed_mmap(mem, sizeof(mem), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			   dev, NULL, &mmap));
	ASSERT_OK(bed_create(&bed, dev, pe));
	EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 0));
	ASSERT_OK(doca_ctx_start(bed.ctx));
	ASSERT_OK(doca_pe_request_notification(pe));
	ASSERT_OK(bed_copy(&bed, mmap, mem, mmap, mem + LEN, LEN));
	EXPECT_EQ(1, epoll_wait(epoll, &event, 1, 20000));
	EXPECT_OK(doca_pe_clear_notification(pe, handle));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.succeeded == 1));
	EXPECT_OK(doca_ctx_stop(bed.ctx));
	EXPECT_OK(bed_destroy(&bed));
	EXPECT_OK(doca_pe_destroy(pe));
	EXPECT_OK(doca_mmap_destroy(mmap));
	EXPECT_OK(doca_dev_close(dev));
	close(epoll);
}

/* A waiting program need not ask again when a context is started. */
TEST_F(events, contexts_that_are_started_later_end_a_wait)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		ASSERT_OK(doca_ctx_stop(self->bed.ctx));
		ASSERT_OK(doca_pe_request_notification(self->bed.pe));
		ASSERT_OK(doca_ctx_start(self->bed.ctx));
		ASSERT_OK(submit(self));
		EXPECT_TRUE(await(self, 20000));
		ASSERT_OK(doca_pe_clear_notification(self->bed.pe, 0));
		EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == i + 1));
	}
}

TEST_F(events, nothing_to_tell)
{
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	EXPECT_FALSE(await(self, 200));
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
}

static double time_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/*
 * What the kernel says of a worker in the fdinfo of its queues. In process it is what
 * all other threads have used.
 */
static double worker_time(void)
{
	unsigned long long ns, sum = 0;
	char path[64], line[128];
	FILE *f;
	int fd;

	if (bed_in_process())
		return time_of(RUSAGE_SELF) - time_of(RUSAGE_THREAD);
	for (fd = 0; fd < 256 && !sum; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
		f = fopen(path, "r");
		while (f && fgets(line, sizeof(line), f))
			if (sscanf(line, "doca-worker-polling-ns: %llu", &ns) ==
				    1 ||
			    sscanf(line, "doca-worker-working-ns: %llu", &ns) ==
				    1)
				sum += ns;
		if (f)
			fclose(f);
	}
	return sum * 1e-9;
}

/* The library has no other thread; a sanitizer may have one, which is not idle. */
static double thread_time(void)
{
	return time_of(RUSAGE_THREAD);
}

/*
 * The processors of a virtual machine may be kept waiting while they run the program,
 * which looks as if it had run all the time. So it may try again.
 */
TEST_F_TIMEOUT(events, waiting_for_10_s_takes_less_than_10_ms_with_the_worker, 60)
{
	double worker, thread;
	int tries = 3;

	ASSERT_OK(submit(self));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	EXPECT_TRUE(bed_in_process() || bed_workers() == (worker_time() > 0));
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	EXPECT_FALSE(await(self, 200)); /* until the worker sleeps */
	do {
		worker = worker_time();
		thread = thread_time();
		EXPECT_FALSE(await(self, 10000));
		thread = thread_time() - thread;
		worker = worker_time() - worker;
		TH_LOG("thread %.3f ms, worker %.3f ms", thread * 1e3,
		       worker * 1e3);
	} while (thread + worker >= 0.010 && --tries);
	EXPECT_LT(0, tries);
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
}

TEST_HARNESS_MAIN
