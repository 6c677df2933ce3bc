// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * An exporter is stopped, with as many tasks as a program likes: nothing else waits for it,
 * and all of them end.
 */
#define STUCK 4096
#define BED_TASKS (STUCK + 2)
#include "pair.h"

#define EACH 256

FIXTURE(stopped)
{
	struct shared *slow, *quick; /* exporters */
	pid_t slow_pid, quick_pid;
	struct desc desc;
	struct importer importer;
};

FIXTURE_SETUP(stopped)
{
	self->slow = map(sizeof(*self->slow));
	self->quick = map(sizeof(*self->quick));
	self->slow->mem = map(LEN);
	self->quick->mem = map(LEN);
	bed_fill(self->slow->mem, LEN, 1);
	bed_fill(self->quick->mem, LEN, 2);
	self->slow_pid = victim(self->slow, run_exporter);
	self->quick_pid = victim(self->quick, run_exporter);
	self->desc = desc_read(&self->slow->desc);
	ASSERT_EQ(0, importer_open(&self->importer));
	ASSERT_OK(importer_import(&self->importer, &self->desc, &self->importer.imported));
}

FIXTURE_TEARDOWN(stopped)
{
	importer_close(&self->importer);
	bury(self->slow, self->slow_pid);
	bury(self->quick, self->quick_pid);
	EXPECT_EQ(0, SETTLES(0, nr_areas()));
}

/* Read and write by turns. */
static doca_error_t ask(struct importer *importer, const struct desc *desc, unsigned int i)
{
	size_t at = i * EACH % LEN;
	char *mine = importer->mem + at, *theirs = (char *)desc->addr + at;

	return i % 2 ? bed_copy(&importer->bed, importer->imported, theirs, importer->local, mine,
				EACH) :
		       bed_copy(&importer->bed, importer->local, mine, importer->imported, theirs,
				EACH);
}

static doca_error_t get_stuck(struct importer *importer, const struct desc *desc, pid_t pid)
{
	doca_error_t rc = DOCA_SUCCESS;
	unsigned int i;

	stop(pid);
	for (i = 0; i < STUCK && !rc; i++) {
		rc = ask(importer, desc, i);
		doca_pe_progress(importer->bed.pe);
	}
	return rc;
}

/*
 * Local copies go on, and copies from the other exporter; then the stopped exporter ends,
 * and its tasks with it.
 */
TEST_F_TIMEOUT(stopped, others_go_on, 60)
{
	struct importer *importer = &self->importer;
	struct desc desc = desc_read(&self->quick->desc);
	struct bed *bed = &importer->bed;
	struct doca_mmap *quick;

	ASSERT_OK(importer_import(importer, &desc, &quick));
	ASSERT_OK(get_stuck(importer, &self->desc, self->slow_pid));
	ASSERT_OK(bed_copy(bed, importer->local, importer->mem, importer->local,
			   importer->mem + LEN / 2, EACH));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == 1));
	EXPECT_EQ(0, memcmp(importer->mem, importer->mem + LEN / 2, EACH));
	ASSERT_OK(bed_copy(bed, quick, desc.addr, importer->local, importer->mem, LEN));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == 2));
	EXPECT_EQ(0, memcmp(importer->mem, self->quick->mem, LEN));
	EXPECT_EQ(STUCK, bed_inflight(bed));
	kill(self->slow_pid, SIGKILL);
	EXPECT_TRUE(BED_UNTIL(bed, bed->failed == STUCK));
	EXPECT_EQ(2, bed->succeeded);
	EXPECT_OK(doca_mmap_destroy(quick));
}

/* Requests to the exporter come back when it goes on, and disturb nothing. */
TEST_F_TIMEOUT(stopped, a_stop_ends_all, 60)
{
	struct bed *bed = &self->importer.bed;

	ASSERT_OK(get_stuck(&self->importer, &self->desc, self->slow_pid));
	doca_ctx_stop(bed->ctx);
	EXPECT_TRUE(BED_UNTIL(bed, bed->to_idle));
	EXPECT_EQ(STUCK, bed->failed);
	ASSERT_EQ(0, kill(self->slow_pid, SIGCONT));
	ASSERT_OK(doca_ctx_start(bed->ctx));
	ASSERT_OK(bed_copy(bed, self->importer.imported, self->desc.addr, self->importer.local,
			   self->importer.mem, LEN));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == 1));
	EXPECT_EQ(0, memcmp(self->importer.mem, self->slow->mem, LEN));
}

/* It goes on as if nothing had happened, and all tasks end in order. */
TEST_F_TIMEOUT(stopped, all_end_when_it_goes_on, 60)
{
	struct bed *bed = &self->importer.bed;

	ASSERT_OK(get_stuck(&self->importer, &self->desc, self->slow_pid));
	ASSERT_EQ(0, kill(self->slow_pid, SIGCONT));
	EXPECT_TRUE(BED_UNTIL(bed, bed->succeeded == STUCK));
	EXPECT_EQ(0, bed->failed);
}

static int exit_stuck(void *arg)
{
	FIXTURE_DATA(stopped) *self = arg;
	struct importer importer;

	if (importer_open(&importer) || importer_import(&importer, &self->desc, &importer.imported))
		return 1;
	return get_stuck(&importer, &self->desc, self->slow_pid) ? 2 : 0;
}

/* All descriptors of the importer are closed with everything in flight. */
TEST_F_TIMEOUT(stopped, an_importer_may_end_first, 60)
{
	struct bed *bed = &self->importer.bed;

	EXPECT_EQ(0, bed_in_child(exit_stuck, self));
	ASSERT_EQ(0, kill(self->slow_pid, SIGCONT));
	ASSERT_OK(ask(&self->importer, &self->desc, 0));
	EXPECT_TRUE(BED_UNTIL(bed, bed->succeeded == 1));
}

TEST_HARNESS_MAIN
