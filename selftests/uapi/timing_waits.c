// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * As many waits as one user may have, all for one value that is written again and again:
 * measure what the writer pays, and how long the wake-ups delay others. All times are
 * compared with those of the same writes without waits. process/test_turns and
 * process/test_watches count how many queues a step wakes.
 */
#include <pthread.h>

#include "doca_ring.h"
#include "kselftest_harness.h"
#include "../lib/run_on.h"

#define QUEUES 16
#define TIMES 21
#define SLEEPS 200
#define SLEEP_US 1000
#define TRIES 5 /* the machine may be late for other reasons */
#define TIMEOUT 120

FIXTURE(crowd) {
	struct doca d;
	uint32_t waits;
	struct queue crowd[QUEUES];
	struct queue q;
	struct buf buf, other;
	struct doca_seg waited, quiet;
};

FIXTURE_VARIANT(crowd) {
	struct mode mode;
	bool shared; /* one worker for all */
};

FIXTURE_VARIANT_ADD(crowd, enter) {};
FIXTURE_VARIANT_ADD(crowd, one_sleeps) { .mode = { true, 0 }, .shared = true };
FIXTURE_VARIANT_ADD(crowd, all_sleep) { .mode = { true, 0 } };

FIXTURE_SETUP(crowd)
{
	struct doca_query limits;
	uint32_t worker = 0;
	cpu_set_t before;
	int i;

	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, query(self->d.fd, &limits));
	self->waits = limits.out_max_queue_waits;
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, buf_make(&self->d, &self->other, PAGE, ACCESS_LOCAL));
	self->waited = seg_of(&self->buf, 64, 8);
	self->quiet = seg_of(&self->other, 64, 8);
	ASSERT_EQ(0, queue_open(&self->q, &self->d, 0, 64, 0));
	/* Workers run where their maker does: put all beside the writer */
	ASSERT_EQ(0, sched_getaffinity(0, sizeof(before), &before));
	run_on(0);
	for (i = 0; i < QUEUES; i++) {
		if (!i || !variant->shared)
			MODE_WORKER(&self->d, &variant->mode, &worker);
		ASSERT_EQ(0, queue_open_waits(&self->crowd[i], &self->d, worker, 2 * self->waits,
					      self->waits));
	}
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(before), &before));
}

FIXTURE_TEARDOWN(crowd)
{
	int i;

	for (i = 0; i < QUEUES; i++)
		queue_close(&self->crowd[i]);
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

/* Wait for values that never come */
static int join(struct queue *q, struct doca_seg seg, uint32_t waits)
{
	uint32_t i;

	for (i = 0; i < waits; i++)
		queue_push(q, sqe_sync_wait(DOCA_OP_SYNC_WAIT_GT, seg, UINT64_MAX, UINT64_MAX));
	return queue_status(q, sqe_nop(1));
}

static int gather(FIXTURE_DATA(crowd) *self)
{
	int i, err = 0;

	for (i = 0; i < QUEUES && !err; i++)
		err = join(&self->crowd[i], self->waited, self->waits);
	return err;
}

static int by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static uint64_t median(uint64_t *ns, int n)
{
	qsort(ns, n, sizeof(*ns), by_time);
	return ns[n / 2];
}

static int set(struct queue *q, struct doca_seg seg, uint64_t value)
{
	return queue_status(q, sqe_sync_write(DOCA_OP_SYNC_SET, seg, value));
}

static uint64_t time_of_a_set(struct queue *q, struct doca_seg seg)
{
	uint64_t ns[TIMES], begin;
	int i;

	for (i = 0; i < TIMES; i++) {
		pause_us(1000);
		begin = now_ns();
		if (set(q, seg, i))
			return UINT64_MAX;
		ns[i] = now_ns() - begin;
	}
	return median(ns, TIMES);
}

TEST_F_TIMEOUT(crowd, a_set_costs_no_more_than_twenty, TIMEOUT)
{
	uint64_t alone, crowd;

	alone = time_of_a_set(&self->q, self->quiet);
	ASSERT_EQ(0, gather(self));
	crowd = time_of_a_set(&self->q, self->waited);
	TH_LOG("a set: %lu us, with %u waits %lu us", alone / 1000, QUEUES * self->waits,
	       crowd / 1000);
	EXPECT_LT(crowd, 20 * alone);
}

/* A thread that sets a value all the time, on the CPU of the workers */
struct storm {
	pthread_t thread;
	struct queue *q;
	struct doca_seg seg;
	bool stop, over;
	uint32_t sets;
};

static void *set_for_ever(void *arg)
{
	struct storm *storm = arg;

	run_on(0);
	while (!ring_load(&storm->stop) && !set(storm->q, storm->seg, storm->sets))
		ring_store(&storm->sets, storm->sets + 1);
	ring_store(&storm->over, true);
	return NULL;
}

/* The storm has begun when this returns: a new thread may wait for a CPU. */
static bool storm_begin(struct storm *storm, struct queue *q, struct doca_seg seg)
{
	*storm = (struct storm){ .q = q, .seg = seg };
	if (pthread_create(&storm->thread, NULL, set_for_ever, storm))
		return false;
	WAIT_UNTIL(ring_load(&storm->sets) || ring_load(&storm->over));
	return true;
}

static bool storm_end(struct storm *storm)
{
	bool went_on = !ring_load(&storm->over);

	ring_store(&storm->stop, true);
	pthread_join(storm->thread, NULL);
	return went_on && storm->sets;
}

/* Time it for a key that is not in use */
static uint64_t time_of_an_unmap(struct doca *d, struct buf *b)
{
	uint64_t ns[TIMES], begin;
	uint32_t key;
	int i;

	for (i = 0; i < TIMES; i++) {
		if (mem_map(d->fd, b->mem, d->device, DOCA_ACCESS_LOCAL_READ, &key))
			return UINT64_MAX;
		begin = now_ns();
		if (mem_unmap(d->fd, key))
			return UINT64_MAX;
		ns[i] = now_ns() - begin;
		pause_us(1000);
	}
	return median(ns, TIMES);
}

/* Within 50 ms; or later in proportion, where a set takes longer than 11 us */
TEST_F_TIMEOUT(crowd, an_unmap_waits_for_steps_only, TIMEOUT)
{
	struct storm storm;
	uint64_t ns;

	ASSERT_EQ(0, gather(self));
	ASSERT_TRUE(storm_begin(&storm, &self->q, self->waited));
	ns = time_of_an_unmap(&self->d, &self->other);
	EXPECT_TRUE(storm_end(&storm));
	TH_LOG("an unmap with %u waits: %lu us", QUEUES * self->waits, ns / 1000);
	EXPECT_TRUE(ns < 50000000 || ns / 4500 < time_of_a_set(&self->q, self->quiet));
}

struct sleeps {
	uint64_t late[SLEEPS];
	int err;
};

static void *sleep_often(void *arg)
{
	struct sched_param param = { .sched_priority = 50 };
	struct sleeps *sleeps = arg;
	uint64_t begin;
	int i;

	run_on(0);
	sleeps->err = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
	for (i = 0; i < SLEEPS; i++) {
		begin = now_ns();
		pause_us(SLEEP_US);
		sleeps->late[i] = now_ns() - begin - SLEEP_US * 1000;
	}
	return NULL;
}

/* Return the 99th percentile of the lateness, while a thread writes to @seg on the same CPU */
static uint64_t lateness(struct queue *q, struct doca_seg seg)
{
	struct storm storm;
	struct sleeps sleeps;
	pthread_t thread;

	if (!storm_begin(&storm, q, seg) || pthread_create(&thread, NULL, sleep_often, &sleeps))
		return 0;
	pthread_join(thread, NULL);
	if (!storm_end(&storm) || sleeps.err)
		return 0;
	qsort(sleeps.late, SLEEPS, sizeof(*sleeps.late), by_time);
	return sleeps.late[SLEEPS * 99 / 100];
}

TEST_F_TIMEOUT(crowd, real_time_is_kept, TIMEOUT)
{
	uint64_t alone, crowd;
	int tries = TRIES;

	ASSERT_EQ(0, gather(self));
	do {
		alone = lateness(&self->q, self->quiet);
		crowd = lateness(&self->q, self->waited);
		TH_LOG("late by %lu us, with %u waits %lu us", alone / 1000, QUEUES * self->waits,
		       crowd / 1000);
		ASSERT_NE(0, alone);
		ASSERT_NE(0, crowd);
	} while (crowd >= 2 * alone && --tries);
	EXPECT_LT(0, tries);
}

static uint64_t awake_ns(const struct queue *q)
{
	return fdinfo_value(q->fd, "doca-worker-polling-ns") +
	       fdinfo_value(q->fd, "doca-worker-working-ns");
}

/* A sleeping worker polls old waits a hundred times a second, not more */
TEST_F_TIMEOUT(crowd, old_waits_are_cheap, TIMEOUT)
{
	uint64_t awake;

	if (!variant->shared)
		SKIP(return, "needs the only worker");
	ASSERT_EQ(0, join(&self->crowd[0], self->waited, 1));
	pause_us(500000);
	awake = awake_ns(&self->crowd[0]);
	pause_us(1000000);
	awake = awake_ns(&self->crowd[0]) - awake;
	TH_LOG("awake for %lu us of a second", awake / 1000);
	EXPECT_LT(awake, 100000000);
}

TEST_HARNESS_MAIN
