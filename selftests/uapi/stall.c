// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Calls that do not get their answers: userfaultfd keeps the answer's page from being written.
 * The exporter must not notice where an importer does not; and what is made while the file ends
 * must end with it.
 */
#include <poll.h>
#include <pthread.h>

#include "exporter.h"
#include "kselftest_harness.h"
#include "stall.h"

FIXTURE(stall) {
	struct doca d;
	struct exporter e;
	pthread_t thread;
	int uffd;
	struct doca_mem_import *in;
	int err;
};

FIXTURE_VARIANT(stall) {
	char command;
	bool unpins;
};

FIXTURE_VARIANT_ADD(stall, revoke) { .command = 'r' };
FIXTURE_VARIANT_ADD(stall, dereg) { .command = 'd', .unpins = true };
FIXTURE_VARIANT_ADD(stall, close) { .command = 'c', .unpins = true };

FIXTURE_SETUP(stall)
{
	signal(SIGPIPE, SIG_IGN);
	DOCA_OPEN(&self->d);
	ASSERT_TRUE(exporter_start(&self->e, &plain));
	self->in = pages_alloc(PAGE);
	*self->in = (struct doca_mem_import){
		.size = sizeof(*self->in),
		.device_id = self->d.device,
		.blob_size = sizeof(self->e.blob),
		.blob = (uintptr_t)&self->e.blob,
	};
	self->uffd = write_protect(self->in);
	if (self->uffd < 0)
		SKIP_SETUP("userfaultfd: %s", strerror(-self->uffd));
}

FIXTURE_TEARDOWN(stall)
{
	close(self->e.sock);
	child_wait(self->e.pid);
	DOCA_CLOSE(&self->d);
}

static void *import_and_stall(void *arg)
{
	FIXTURE_DATA(stall) *self = arg;

	self->err = doca_call(self->d.fd, DOCA_MEM_IMPORT, self->in);
	return NULL;
}

TEST_F(stall, exporter_is_free)
{
	struct pins is;

	ASSERT_EQ(0, pthread_create(&self->thread, NULL, import_and_stall, self));
	ASSERT_TRUE(is_written(self->uffd));

	EXPECT_TRUE(exporter_tell(&self->e, variant->command));
	if (variant->unpins) {
		is = pins_settle(self->d.pins);
		EXPECT_EQ(self->d.pins.pages, is.pages);
	}

	/* Closing it ends the stall */
	close(self->uffd);
	pthread_join(self->thread, NULL);
	EXPECT_EQ(-ENOKEY, self->err);
}

FIXTURE(ended) {
	struct doca d;
	struct doca_queue_create *create;
	int err;
};

FIXTURE_SETUP(ended)
{
	ASSERT_EQ(0, doca_open(&self->d));
	self->create = pages_alloc(PAGE);
	*self->create = (struct doca_queue_create){
		.size = sizeof(*self->create),
		.device_id = self->d.device,
		.sq_entries = 8,
		.cq_entries = 8,
	};
}

FIXTURE_TEARDOWN(ended)
{
}

static void *create_and_stall(void *arg)
{
	FIXTURE_DATA(ended) *self = arg;

	self->err = doca_call(self->d.fd, DOCA_QUEUE_CREATE, self->create);
	return NULL;
}

/* The call has begun before the end, so it tells of the queue, which can be closed */
TEST_F(ended, queue_in_the_making)
{
	struct pollfd queue = { .events = POLLIN };
	int uffd = write_protect(self->create);
	pthread_t thread;

	if (uffd < 0)
		SKIP(return, "userfaultfd: %s", strerror(-uffd));
	ASSERT_EQ(0, pthread_create(&thread, NULL, create_and_stall, self));
	ASSERT_TRUE(is_written(uffd));
	ASSERT_EQ(0, close(self->d.fd));
	close(uffd);
	pthread_join(thread, NULL);
	ASSERT_EQ(0, self->err);
	queue.fd = self->create->out_fd;
	EXPECT_EQ(1, poll(&queue, 1, 0));
	EXPECT_EQ(POLLHUP, queue.revents);
	EXPECT_EQ(0, close(queue.fd));
}

TEST_HARNESS_MAIN
