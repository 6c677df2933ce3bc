// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One of two processes ends, at any moment of its work: it is killed, is stopped, exits,
 * or is killed and leaves a living child. The other one goes on, is told, and keeps
 * nothing of it.
 */
#include "nursery.h"

/* The work of the process that ends. */
enum step { CONNECT, IMPORT, COPY, WAIT, REVOKE, STEPS };

static const char *const step_names[] = { "connect", "import", "copy", "wait",
					  "revoke" };
static const char *const end_names[] = { "killed", "stopped", "exited",
					 "forked" };

#define TELL(step, how, round) \
	TH_LOG("%s while %s, round %d", end_names[how], step_names[step], round)

/* Importing from a stopped process ends by its time-out; exports_left shows that once. */
static int rounds_of(enum step step, enum end how)
{
	return how == STOP && step != COPY && step != WAIT ? 0 : rounds(2);
}

/* Moments, each later in the work of the process that ends. */
static unsigned int moment(int round)
{
	return round % 4 * (round % 4) * 20;
}

static int run_revoker(struct shared *shared)
{
	struct exporter self;

	if (exporter_open(&self, shared))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		if (doca_mmap_stop(self.mmap) || doca_mmap_start(self.mmap) ||
		    exporter_export(&self, shared))
			return 2;
}

static int import_for_ever(struct shared *shared, bool keep)
{
	struct desc desc = desc_read(&shared->desc);
	struct doca_mmap *imported;
	struct importer self;

	if (importer_open(&self) ||
	    (keep && importer_import(&self, &desc, &self.imported)))
		return 1;
	store(&shared->ready, 1);
	while (!importer_import(&self, &desc, &imported) &&
	       !doca_mmap_destroy(imported))
		store(&shared->steps, shared->steps + 1);
	for (;;)
		pause();
}

/* Nothing else is imported, so each import makes a connection. */
static int run_connect(struct shared *shared)
{
	return import_for_ever(shared, false);
}

static int run_import(struct shared *shared)
{
	return import_for_ever(shared, true);
}

static int run_tasks(struct shared *shared, bool copies)
{
	struct desc desc = desc_read(&shared->desc);
	struct importer self;

	if (importer_open(&self))
		return 1;
	if (copies ? importer_copy(&self, &desc) :
		     importer_watch(&self, &desc, 1) ||
			     importer_wait(&self, 100))
		return 2;
	store(&shared->ready, 1);
	for (;;) {
		doca_pe_progress(self.bed.pe);
		store(&shared->steps, shared->steps + 1);
	}
}

static int run_copy(struct shared *shared)
{
	return run_tasks(shared, true);
}

static int run_wait(struct shared *shared)
{
	return run_tasks(shared, false);
}

/* Import @nr times, or until it fails. Return the error. */
static doca_error_t import_often(struct importer *self, struct shared *shared,
				 unsigned int nr)
{
	doca_error_t rc = DOCA_SUCCESS;
	struct doca_mmap *imported;

	for (; !rc && nr; nr--) {
		struct desc desc = desc_read(&shared->desc);

		rc = importer_import(self, &desc, &imported);
		if (!rc)
			doca_mmap_destroy(imported);
		/* The exporter has replaced the revoked export meanwhile. */
		else if (desc.version != desc_read(&shared->desc).version)
			rc = DOCA_SUCCESS;
	}
	return rc;
}

/* The importer is told, or goes on until it stops by itself. */
static bool tasks_end(struct importer *self, struct shared *shared, pid_t pid,
		      enum step step, enum end how, int round)
{
	unsigned int i;

	for (i = 0; i < moment(round); i++)
		doca_pe_progress(self->bed.pe);
	end(shared, pid, how);
	if (!importer_stop(self, how == STOP))
		return false;
	if (step == WAIT)
		return self->waits_ended == 1 && self->waits_failed == 1;
	/* All tasks may have been copied just before the stop. */
	if (how == STOP)
		return self->bed.failed || !bed_inflight(&self->bed);
	/* The first failed task, and those in flight with it. */
	return self->bed.failed && (self->bed.status == DOCA_ERROR_IO_FAILED ||
				    self->bed.status == DOCA_ERROR_SHUTDOWN);
}

/* A process that has ended is known to have ended, and nobody waits for it. */
static bool imports_end(struct importer *self, struct shared *shared, pid_t pid,
			enum end how, int round)
{
	import_often(self, shared, moment(round));
	end(shared, pid, how);
	return import_often(self, shared, UINT_MAX) == DOCA_ERROR_INVALID_VALUE;
}

static bool exporter_ends(struct nursery *nursery, struct shared *shared,
			  enum step step, enum end how, int round)
{
	pid_t pid = nursery_victim(nursery, shared,
				   step == REVOKE ? run_revoker : run_exporter);
	struct desc desc = desc_read(&shared->desc);
	struct importer self;
	bool good;

	if (importer_open(&self) ||
	    (step == COPY && importer_copy(&self, &desc)) ||
	    (step == WAIT &&
	     (importer_watch(&self, &desc, 1) || importer_wait(&self, 100))) ||
	    (step == IMPORT && importer_import(&self, &desc, &self.imported)))
		return false;
	if (step == COPY || step == WAIT)
		good = tasks_end(&self, shared, pid, step, how, round);
	else
		good = imports_end(&self, shared, pid, how, round);
	importer_close(&self);
	bury(shared, pid);
	return good;
}

/* The exporter can end the export at any time, and begin it again. */
static bool importer_ends(struct nursery *nursery, struct shared *shared,
			  struct exporter *self, enum step step, enum end how,
			  int round)
{
	static int (*const runs[])(struct shared *) = {
		[CONNECT] = run_connect,
		[IMPORT] = run_import,
		[COPY] = run_copy,
		[WAIT] = run_wait,
	};
	pid_t pid = nursery_victim(nursery, shared, runs[step]);
	bool good;

	good = AWAIT_BY(sched_yield(),
			load(&shared->steps) >= (int)moment(round));
	end(shared, pid, how);
	good = good && !doca_mmap_stop(self->mmap) &&
	       !doca_mmap_start(self->mmap) && !exporter_export(self, shared);
	bury(shared, pid);
	return good;
}

TEST_F_TIMEOUT(ends, of_the_exporter, 120)
{
	struct nursery *nursery = nursery_open();
	int step, how, round, fds = 0, areas = 0;
	int sockets = nr_fds_of(getpid(), "socket:");

	for (step = 0; step < STEPS; step++) {
		for (how = 0; how < ENDS; how++) {
			for (round = 0; round < rounds_of(step, how); round++) {
				EXPECT_TRUE(exporter_ends(nursery, self->shared,
							  step, how, round))
				TELL(step, how, round);
				EXPECT_EQ(
					sockets,
					SETTLES(sockets,
						nr_fds_of(getpid(), "socket:")))
				TELL(step, how, round);
				/* The first round makes the thread and its descriptors. */
				fds = fds ?: nr_fds();
				EXPECT_EQ(fds, SETTLES(fds, nr_fds()))
				TELL(step, how, round);
				EXPECT_EQ(areas, SETTLES(areas, nr_areas()));
			}
		}
	}
}

TEST_F_TIMEOUT(ends, of_the_importer, 120)
{
	struct nursery *nursery = nursery_open();
	struct exporter exporter;
	int step, how, round, fds, areas;

	ASSERT_EQ(0, exporter_open(&exporter, self->shared));
	fds = nr_fds();
	areas = nr_areas();
	for (step = 0; step <= WAIT; step++) {
		for (how = 0; how < ENDS; how++) {
			for (round = 0; round < rounds(2); round++) {
				EXPECT_TRUE(importer_ends(nursery, self->shared,
							  &exporter, step, how,
							  round))
				TELL(step, how, round);
				EXPECT_EQ(fds, SETTLES(fds, nr_fds()))
				TELL(step, how, round);
				EXPECT_EQ(areas, SETTLES(areas, nr_areas()));
			}
		}
	}
	exporter_close(&exporter);
}

/* Synchronous calls end as well, with an error. */
TEST_F(ends, of_an_event_that_is_asked)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	uint64_t value;

	ASSERT_OK(doca_sync_event_create_from_export(dev, desc.event_bytes,
						     desc.event_len, &event));
	ASSERT_OK(doca_sync_event_start(event));
	ASSERT_OK(doca_sync_event_update_add(event, 3, &value));
	EXPECT_OK(doca_sync_event_get(event, &value));
	EXPECT_EQ(3, value);
	stop(pid);
	EXPECT_ERR(IO_FAILED, doca_sync_event_update_set(event, 7));
	EXPECT_OK(doca_sync_event_stop(event));
	kill(pid, SIGCONT);
	EXPECT_OK(doca_sync_event_start(event));
	EXPECT_OK(doca_sync_event_get(event, &value));
	kill(pid, SIGKILL);
	EXPECT_ERR(IO_FAILED, doca_sync_event_get(event, &value));
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
	bury(self->shared, pid);
}

TEST_HARNESS_MAIN
