// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Progress engines: several in several threads, and contexts kept in callbacks. */
#include <poll.h>
#include <pthread.h>

#include "bed.h"

#define LEN 4096
#define THREADS 4

struct thread {
	pthread_t id;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	char *mem;
	bool wait; /* for events, instead of polling */
	const char *failed;
};

/* Take one turn, awaiting events or polling. */
static bool turn(struct bed *bed, bool wait)
{
	doca_notification_handle_t fd;
	struct pollfd p = { .events = POLLIN };

	if (doca_pe_progress(bed->pe) || !wait)
		return true;
	if (doca_pe_get_notification_handle(bed->pe, &fd) ||
	    doca_pe_request_notification(bed->pe))
		return false;
	p.fd = fd;
	return poll(&p, 1, patiently(60) * 1000) == 1 &&
	       !doca_pe_clear_notification(bed->pe, fd);
}

static const char *run_engine(struct thread *t)
{
	struct bed bed;
	unsigned int i, n;

	if (bed_create(&bed, t->dev, NULL) || doca_ctx_start(bed.ctx))
		return "start";
	for (i = 0; i < rounds(200); i++) {
		bed_fill(t->mem, LEN, i);
		for (n = 0; n < 8; n++)
			if (bed_copy(&bed, t->mmap, t->mem, t->mmap,
				     t->mem + (n + 1) * LEN, LEN))
				return "submit";
		while (bed.succeeded < 8 * (i + 1))
			if (bed.failed || !turn(&bed, t->wait))
				return "progress";
		for (n = 0; n < 8; n++)
			if (memcmp(t->mem, t->mem + (n + 1) * LEN, LEN))
				return "data";
	}
	if (doca_ctx_stop(bed.ctx) || bed_destroy(&bed))
		return "stop";
	return NULL;
}

static void *run_thread(void *arg)
{
	struct thread *t = arg;

	t->failed = run_engine(t);
	return NULL;
}

FIXTURE(threads)
{
	struct doca_dev *dev;
};

FIXTURE_SETUP(threads)
{
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
}

FIXTURE_TEARDOWN(threads)
{
	EXPECT_OK(doca_dev_close(self->dev));
}

/* One device and one mmap for all; each thread has an engine, and so a worker, of its own. */
TEST_F_TIMEOUT(threads, an_engine_for_each, 120)
{
	size_t size = 9 * LEN;
	struct thread t[THREADS] = {};
	struct doca_mmap *shared;
	char *mem;
	int i;

	mem = mmap(NULL, THREADS * size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(mem, THREADS * size,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &shared));
	for (i = 0; i < THREADS; i++) {
		t[i].dev = self->dev;
		t[i].mmap = shared;
		t[i].mem = mem + i * size;
		t[i].wait = i % 2;
		ASSERT_EQ(0, pthread_create(&t[i].id, NULL, run_thread, &t[i]));
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(t[i].id, NULL);
		EXPECT_EQ(NULL, t[i].failed)
		TH_LOG("thread %d: %s", i, t[i].failed);
	}
	EXPECT_OK(doca_mmap_destroy(shared));
}

/* One thread may have several engines, and run one in a callback of another. */
static struct bed inner;

static void progress_inner(struct doca_dma_task_memcpy *task,
			   union doca_data task_data, union doca_data ctx_data)
{
	struct bed *bed = ctx_data.ptr;

	(void)task_data;
	bed->succeeded++;
	bed_free_task(task);
	BED_UNTIL(&inner, inner.succeeded == 4);
}

TEST(an_engine_progressed_in_a_callback_of_another)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	static char mem[2 * LEN];
	struct doca_mmap *mmap;
	struct bed outer;
	int i;

	if (!dev)
		SKIP(return, "no device");
	ASSERT_OK(bed_mmap(mem, sizeof(mem), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			   dev, NULL, &mmap));
	ASSERT_OK(bed_create(&outer, dev, NULL));
	ASSERT_OK(bed_create(&inner, dev, NULL));
	ASSERT_OK(doca_dma_task_memcpy_set_conf(outer.dma, progress_inner,
						bed_error, 1));
	ASSERT_OK(doca_ctx_start(outer.ctx));
	ASSERT_OK(doca_ctx_start(inner.ctx));
	for (i = 0; i < 4; i++)
		ASSERT_OK(bed_copy(&inner, mmap, mem, mmap, mem + LEN, LEN));
	ASSERT_OK(bed_copy(&outer, mmap, mem, mmap, mem + LEN, LEN));
	EXPECT_TRUE(BED_UNTIL(&outer, outer.succeeded));
	EXPECT_EQ(4, inner.succeeded);
	EXPECT_OK(doca_ctx_stop(outer.ctx));
	EXPECT_OK(doca_ctx_stop(inner.ctx));
	EXPECT_OK(bed_destroy(&outer));
	EXPECT_OK(bed_destroy(&inner));
	EXPECT_OK(doca_mmap_destroy(mmap));
	EXPECT_OK(doca_dev_close(dev));
}

/* A family: the first context makes the second, copies with it and destroys it. */
static struct {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_mmap *mmap;
	char *mem;
	struct bed bed;
	bool born;
	doca_error_t rc;
	unsigned int gone;
} child;

static void child_state(const union doca_data user_data, struct doca_ctx *ctx,
			enum doca_ctx_states prev, enum doca_ctx_states next)
{
	(void)user_data, (void)ctx, (void)prev;
	if (next == DOCA_CTX_STATE_IDLE && !bed_destroy(&child.bed))
		child.gone++;
}

static void child_done(struct doca_dma_task_memcpy *task,
		       union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	bed_free_task(task);
	if (doca_ctx_stop(child.bed.ctx) != DOCA_ERROR_IN_PROGRESS)
		child.rc = DOCA_ERROR_UNEXPECTED;
}

static doca_error_t beget(void)
{
	struct bed *bed = &child.bed;
	doca_error_t rc;

	if ((rc = bed_create(bed, child.dev, child.pe)) ||
	    (rc = doca_dma_task_memcpy_set_conf(bed->dma, child_done,
						child_done, 1)) ||
	    (rc = doca_ctx_set_state_changed_cb(bed->ctx, child_state)) ||
	    (rc = doca_ctx_start(bed->ctx)))
		return rc;
	return bed_copy(bed, child.mmap, child.mem, child.mmap, child.mem + LEN,
			LEN);
}

static void parent_done(struct doca_dma_task_memcpy *task,
			union doca_data task_data, union doca_data ctx_data)
{
	struct bed *bed = ctx_data.ptr;

	(void)task_data;
	bed->succeeded++;
	bed_free_task(task);
	child.rc = beget();
}

TEST(contexts_live_and_die_in_callbacks)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	static char mem[2 * LEN];
	struct bed parent;
	int i;

	if (!dev)
		SKIP(return, "no device");
	child.dev = dev;
	child.mem = mem;
	ASSERT_OK(bed_mmap(mem, sizeof(mem), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			   dev, NULL, &child.mmap));
	ASSERT_OK(bed_create(&parent, dev, NULL));
	child.pe = parent.pe;
	ASSERT_OK(doca_dma_task_memcpy_set_conf(parent.dma, parent_done,
						bed_error, 1));
	ASSERT_OK(doca_ctx_start(parent.ctx));
	for (i = 0; i < 3; i++) {
		ASSERT_OK(bed_copy(&parent, child.mmap, mem, child.mmap,
				   mem + LEN, LEN));
		EXPECT_TRUE(BED_UNTIL(&parent, child.gone == i + 1));
		ASSERT_OK(child.rc);
	}
	EXPECT_OK(doca_ctx_stop(parent.ctx));
	EXPECT_OK(bed_destroy(&parent));
	EXPECT_OK(doca_mmap_destroy(child.mmap));
	EXPECT_OK(doca_dev_close(dev));
}

/*
 * The first of two contexts has notified. In one mode, the second is not looked at until
 * the first has nothing more; in the other, it is.
 */
static void two_contexts(struct __test_metadata *_metadata,
			 enum doca_pe_event_mode mode)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	doca_notification_handle_t fd;
	struct pollfd p = { .events = POLLIN };
	static char mem[3 * LEN];
	volatile char *last = mem + 3 * LEN - 1;
	struct doca_mmap *mmap;
	struct bed bed[2];
	int i;

	if (!dev)
		SKIP(return, "no device");
	mem[LEN - 1] = 1;
	*last = 0;
	ASSERT_OK(bed_mmap(mem, sizeof(mem), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			   dev, NULL, &mmap));
	for (i = 0; i < 2; i++) {
		ASSERT_OK(bed_create(&bed[i], dev, i ? bed[0].pe : NULL));
		ASSERT_OK(doca_ctx_start(bed[i].ctx));
	}
	ASSERT_OK(doca_pe_set_event_mode(bed[0].pe, mode));
	ASSERT_OK(doca_pe_get_notification_handle(bed[0].pe, &fd));
	p.fd = fd;
	ASSERT_OK(doca_pe_request_notification(bed[0].pe));
	ASSERT_OK(bed_copy(&bed[0], mmap, mem, mmap, mem + LEN, LEN));
	ASSERT_EQ(1, poll(&p, 1, patiently(25) * 1000));
	ASSERT_OK(doca_pe_clear_notification(bed[0].pe, fd));
	ASSERT_OK(bed_copy(&bed[1], mmap, mem, mmap, mem + 2 * LEN, LEN));
	EXPECT_TRUE(AWAIT_BY(sched_yield(), *last));
	while (doca_pe_progress(bed[0].pe))
		;
	EXPECT_EQ(1, bed[0].succeeded);
	if (mode == DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE)
		EXPECT_EQ(0, bed[1].succeeded);
	/* In both modes it is not lost. */
	while (!bed[1].succeeded) {
		ASSERT_OK(doca_pe_request_notification(bed[0].pe));
		ASSERT_EQ(1, poll(&p, 1, patiently(25) * 1000));
		ASSERT_OK(doca_pe_clear_notification(bed[0].pe, fd));
		doca_pe_progress(bed[0].pe);
	}
	for (i = 2; i--;) {
		EXPECT_OK(doca_ctx_stop(bed[i].ctx));
		EXPECT_OK(bed_destroy(&bed[i]));
	}
	EXPECT_OK(doca_mmap_destroy(mmap));
	EXPECT_OK(doca_dev_close(dev));
}

TEST(selective_mode_progresses_who_has_notified)
{
	two_contexts(_metadata, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
}

TEST(all_mode_loses_nothing)
{
	two_contexts(_metadata, DOCA_PE_EVENT_MODE_PROGRESS_ALL);
}

TEST_HARNESS_MAIN
