// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Event-driven mode: wait on the engine's handle instead of polling. */
#include <sys/epoll.h>

#include "bed.h"

#define LEN 4096

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
	self->mem = mmap(NULL, 2 * LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(self->mem, 2 * LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->mmap));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	/* Take the handle before the context is started. */
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
	return bed_copy(&self->bed, self->mmap, self->mem, self->mmap, self->mem + LEN, LEN);
}

/* A completion may come later than its data, so look more than once. */
static bool has_event(FIXTURE_DATA(events) *self)
{
	struct epoll_event event;
	int looks = 100;

	while (looks && epoll_wait(self->epoll, &event, 1, 0) != 1)
		looks--;
	return looks;
}

/* Sleep; the time limit only proves that no event comes. */
static bool await_event(FIXTURE_DATA(events) *self)
{
	struct epoll_event event;

	return epoll_wait(self->epoll, &event, 1, patiently(25) * 1000) == 1;
}

TEST_F(events, no_wake_up_is_lost)
{
	unsigned int i;

	for (i = 0; i < rounds(2000); i++) {
		ASSERT_OK(doca_pe_request_notification(self->bed.pe));
		ASSERT_OK(submit(self));
		while (self->bed.succeeded == i) {
			ASSERT_TRUE(await_event(self));
			ASSERT_OK(doca_pe_clear_notification(self->bed.pe, 0));
			while (doca_pe_progress(self->bed.pe))
				;
			if (self->bed.succeeded == i)
				ASSERT_OK(doca_pe_request_notification(self->bed.pe));
		}
	}
}

/* Return the ns of the worker, from the fdinfo of its queues; 0 without a worker. */
static unsigned long long worker_time(void)
{
	unsigned long long ns, sum = 0;
	char path[64], line[128];
	FILE *f;
	int fd;

	for (fd = 0; fd < 256 && !sum; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
		f = fopen(path, "r");
		while (f && fgets(line, sizeof(line), f))
			if (sscanf(line, "doca-worker-polling-ns: %llu", &ns) == 1 ||
			    sscanf(line, "doca-worker-working-ns: %llu", &ns) == 1)
				sum += ns;
		if (f)
			fclose(f);
	}
	return sum;
}

/* Copy in another process, with a worker of its own. */
static int copy_often(void *arg)
{
	FIXTURE_DATA(events) *self = arg;
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *mmap;
	struct bed bed;

	if (!dev || bed_create(&bed, dev, NULL) || doca_ctx_start(bed.ctx) ||
	    bed_mmap(self->mem, 2 * LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL, &mmap))
		return 1;
	bed.resubmit = true;
	if (bed_copy(&bed, mmap, self->mem, mmap, self->mem + LEN, LEN))
		return 2;
	return BED_UNTIL(&bed, bed.succeeded == 10000) ? 0 : 3;
}

/* The worker may not have come to rest yet; one that polls never does. */
TEST_F(events, a_worker_without_work_does_not_run_while_others_work)
{
	unsigned long long before;

	if (bed_in_process())
		SKIP(return, "process/idle shows it of all threads");
	ASSERT_OK(submit(self));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	EXPECT_EQ(bed_workers(), worker_time() > 0);
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	EXPECT_TRUE(AWAIT((before = worker_time(),
			   !bed_in_child(copy_often, self) && worker_time() == before)));
	EXPECT_FALSE(has_event(self));
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
}

TEST_HARNESS_MAIN
