// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * System calls of a program that reads memory of another process. Its own thread counts, and not the
 * exporter; how often it yields depends on who else runs.
 */
#include <poll.h>

#include "../../selftests/lib/calls.h"
#include "pair.h"

enum { FIRST, POLLED, ASLEEP, PARTS, ROUNDS = 100 };

/* A call wakes the exporter; who waits is armed, waits and is told. */
static const unsigned int bounds[PARTS] = { UINT_MAX, ROUNDS, 4 * ROUNDS };

static bool counts(unsigned int part, uint64_t nr, int64_t result)
{
	(void)part;
	(void)result;
	return nr != SYS_sched_yield;
}

static bool read_once(struct importer *self, const struct desc *desc)
{
	return !bed_copy(&self->bed, self->imported, desc->addr, self->local, self->mem, 64);
}

static bool poll_all(struct importer *self, const struct desc *desc)
{
	for (unsigned int i = 0; i < ROUNDS; i++) {
		unsigned int done = self->bed.succeeded;

		if (!read_once(self, desc))
			return false;
		while (self->bed.succeeded == done)
			doca_pe_progress(self->bed.pe);
	}
	return true;
}

static bool sleep_until(struct importer *self, unsigned int done, doca_event_handle_t handle)
{
	struct pollfd pfd = { .fd = handle, .events = POLLIN };

	while (self->bed.succeeded < done) {
		if (doca_pe_request_notification(self->bed.pe) || poll(&pfd, 1, -1) != 1 ||
		    doca_pe_clear_notification(self->bed.pe, handle))
			return false;
		while (doca_pe_progress(self->bed.pe))
			;
	}
	return true;
}

static bool sleep_all(struct importer *self, const struct desc *desc)
{
	doca_event_handle_t handle;

	if (doca_pe_get_notification_handle(self->bed.pe, &handle))
		return false;
	for (unsigned int i = 0; i < ROUNDS; i++)
		if (!read_once(self, desc) || !sleep_until(self, self->bed.succeeded + 1, handle))
			return false;
	return true;
}

static int run_importer(const struct desc *desc)
{
	struct importer self;

	/* In each mode: with a worker there are calls for the locks of both, as often as they meet. */
	setenv("DOCA_WORKERS", "0", 1);
	calls_begin();
	if (importer_open(&self) || importer_import(&self, desc, &self.imported) ||
	    !poll_all(&self, desc))
		return 1;
	calls_end_part();
	if (!poll_all(&self, desc))
		return 2;
	calls_end_part();
	if (!sleep_all(&self, desc))
		return 3;
	calls_end_part();
	return 0;
}

TEST(an_import_takes_few_calls)
{
	struct calls calls = { .nr_parts = PARTS, .counts = counts };
	struct shared *shared = map(sizeof(*shared));
	pid_t exporter = victim(shared, run_exporter), pid;
	struct desc desc = desc_read(&shared->desc);
	int status;

	pid = quiet_fork();
	if (!pid)
		_exit(run_importer(&desc));
	status = calls_count(pid, &calls);
	bury(shared, exporter);
	if (calls_untraced(status))
		SKIP(return, "programs cannot be traced here");
	ASSERT_TRUE(WIFEXITED(status));
	ASSERT_EQ(0, WEXITSTATUS(status));
	ASSERT_EQ(PARTS, calls.part);
	TH_LOG("%u calls of %u imports that are polled, %u of as many that are waited for",
	       calls.nr[POLLED], ROUNDS, calls.nr[ASLEEP]);
	for (int i = POLLED; i < PARTS; i++)
		EXPECT_LE(calls.nr[i], bounds[i]);
}

TEST_HARNESS_MAIN
