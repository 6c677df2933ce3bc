// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * An importer that never gets its answer: userfaultfd keeps the answer's page from being
 * written. The exporter must not notice.
 */
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

TEST_HARNESS_MAIN
