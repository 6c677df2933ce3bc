// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One of two processes ends, at any moment of what it does: it is killed, stopped, exits,
 * or is killed and has a child that lives. The other one goes on at once, is told, and has
 * nothing left of it.
 */
#include "victims.h"

#define TELL(step, how, round, rc)                                            \
	TH_LOG("%s while %s, round %d: %s", end_names[how], step_names[step], \
	       round, doca_error_get_name(rc))

/* The exporter ends; its importer does not wait. */
static bool exporter_ends(struct shared *shared, enum step step, enum end how,
			  int round)
{
	pid_t pid = victim(shared, step == REVOKE ? run_revoker : run_exporter);
	struct desc desc = desc_read(&shared->desc);
	struct importer self;
	double longest = 0, until;
	doca_error_t rc = 0;
	bool good;

	if (importer_open(&self))
		return false;
	if (step == COPY && importer_copy(&self, &desc))
		return false;
	if (step == WAIT && importer_wait(&self, &desc))
		return false;
	if (step == IMPORT && importer_import(&self, &desc, &self.imported))
		return false;
	if (step == COPY || step == WAIT) {
		until = bed_now() + round * round * 1e-3;
		while (bed_now() < until)
			doca_pe_progress(self.bed.pe);
		end(shared, pid, how);
		/* It is told, or goes on until it does not want to any more. */
		longest = importer_stop(&self, how == STOP);
		rc = step == COPY ? self.bed.status : DOCA_ERROR_IO_FAILED;
		/* All may have been copied just before it was stopped. */
		good = step == COPY ? self.bed.failed > 0 ||
					      (how == STOP &&
					       !bed_inflight(&self.bed)) :
				      self.waits_ended == 1;
		/* The first one, and those that were under way with it. */
		good = good && (how == STOP || rc == DOCA_ERROR_IO_FAILED ||
				rc == DOCA_ERROR_SHUTDOWN);
	} else {
		import_until(&self, shared, bed_now() + round * round * 1e-3,
			     &longest);
		end(shared, pid, how);
		rc = import_until(&self, shared, bed_now() + 20, &longest);
		good = rc == DOCA_ERROR_INVALID_VALUE ||
		       (how == STOP && rc == DOCA_ERROR_TIME_OUT);
	}
	good = good && longest < patiently(2);
	if (!good)
		fprintf(stderr, "# %s, %.3f s\n", doca_error_get_name(rc),
			longest);
	importer_close(&self);
	bury(shared, pid);
	return good;
}

/* The importer ends; its exporter can end the export at any time. */
static bool importer_ends(struct shared *shared, struct exporter *self,
			  enum step step, enum end how, int round)
{
	static int (*const runs[])(struct shared *) = {
		[CONNECT] = run_connect,
		[IMPORT] = run_import,
		[COPY] = run_copy,
		[WAIT] = run_wait,
	};
	pid_t pid = victim(shared, runs[step]);
	double begin, took;
	bool good;

	a_moment(round);
	end(shared, pid, how);
	begin = bed_now();
	good = !doca_mmap_stop(self->mmap);
	took = bed_now() - begin;
	if (!good || took > patiently(1))
		fprintf(stderr, "# the stop took %.3f s\n", took);
	good = good && took < patiently(1) && !doca_mmap_start(self->mmap) &&
	       !exporter_export(self, shared);
	bury(shared, pid);
	return good;
}

TEST_F_TIMEOUT(ends, of_the_exporter, 120)
{
	int step, how, round, fds = 0, areas = 0;

	for (step = 0; step < STEPS; step++) {
		for (how = 0; how < ENDS; how++) {
			for (round = 0; round < ROUNDS(step, how); round++) {
				EXPECT_TRUE(exporter_ends(self->shared, step,
							  how, round))
				TELL(step, how, round, 0);
				/* The first has made the thread and its own. */
				if (fds) {
					EXPECT_EQ(fds, SETTLES(fds, nr_fds()))
					TELL(step, how, round, 0);
					EXPECT_EQ(areas,
						  SETTLES(areas, nr_areas()));
				}
				fds = fds ?: SETTLES(-1, nr_fds());
				areas = nr_areas();
			}
		}
	}
	EXPECT_EQ(0, areas);
}

TEST_F_TIMEOUT(ends, of_the_importer, 120)
{
	struct exporter exporter;
	int step, how, round, fds, areas;

	ASSERT_EQ(0, exporter_open(&exporter, self->shared));
	fds = nr_fds();
	areas = nr_areas();
	for (step = 0; step <= WAIT; step++) {
		for (how = 0; how < ENDS; how++) {
			for (round = 0; round < ROUNDS(step, how); round++) {
				EXPECT_TRUE(importer_ends(self->shared,
							  &exporter, step, how,
							  round))
				TELL(step, how, round, 0);
				EXPECT_EQ(fds, SETTLES(fds, nr_fds()))
				TELL(step, how, round, 0);
				EXPECT_EQ(areas, SETTLES(areas, nr_areas()));
			}
		}
	}
	exporter_close(&exporter);
}

/* Calls that have no task behind them end as well, and say what they do not know. */
TEST_F(ends, of_an_event_that_is_asked)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	uint64_t value;
	double begin;

	ASSERT_OK(doca_sync_event_create_from_export(dev, desc.event_bytes,
						     desc.event_len, &event));
	ASSERT_OK(doca_sync_event_start(event));
	ASSERT_OK(doca_sync_event_update_add(event, 3, &value));
	EXPECT_OK(doca_sync_event_get(event, &value));
	EXPECT_EQ(3, value);
	stop(pid);
	begin = bed_now();
	EXPECT_ERR(IO_FAILED, doca_sync_event_update_set(event, 7));
	EXPECT_LT(bed_now() - begin, patiently(2) + 0.5);
	EXPECT_OK(doca_sync_event_stop(event));
	kill(pid, SIGCONT);
	EXPECT_OK(doca_sync_event_start(event));
	EXPECT_OK(doca_sync_event_get(event, &value));
	kill(pid, SIGKILL);
	begin = bed_now();
	EXPECT_ERR(IO_FAILED, doca_sync_event_get(event, &value));
	EXPECT_LT(bed_now() - begin, 1);
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
	bury(self->shared, pid);
}

TEST_HARNESS_MAIN
