// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Event-driven mode: waiting on the engine's handle instead of polling. */
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
		SKIP(return, "no device");
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
			ASSERT_TRUE(await(self, 5000));
			ASSERT_OK(doca_pe_clear_notification(self->bed.pe, 0));
			while (doca_pe_progress(self->bed.pe))
				;
			if (self->bed.succeeded == i)
				ASSERT_OK(doca_pe_request_notification(
					self->bed.pe));
		}
	}
}

TEST_F(events, arming_with_a_completion_pending_fires)
{
	ASSERT_OK(submit(self));
	usleep(100000);
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	EXPECT_TRUE(await(self, 5000));
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
}

TEST_F(events, nothing_to_tell)
{
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	EXPECT_FALSE(await(self, 200));
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
}

/* A program that waits costs nothing, its worker included. */
TEST_F(events, waiting_is_idle)
{
	struct rusage before, after;
	long us;

	ASSERT_OK(submit(self));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	ASSERT_OK(doca_pe_request_notification(self->bed.pe));
	getrusage(RUSAGE_SELF, &before);
	EXPECT_FALSE(await(self, 1000));
	getrusage(RUSAGE_SELF, &after);
	us = (after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000 +
	     after.ru_utime.tv_usec - before.ru_utime.tv_usec;
	EXPECT_LT(us, 50000);
	EXPECT_OK(doca_pe_clear_notification(self->bed.pe, 0));
}

TEST_HARNESS_MAIN
