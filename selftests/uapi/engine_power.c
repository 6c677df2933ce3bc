// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* An engine whose device sleeps when it is idle, and a system that is suspended. */
#include <pthread.h>

#include "engine.h"
#include "kselftest_harness.h"

#define WAIT_MS 10000
#define LENGTH 65536
#define POWER ENGINE_PCI "devices/" ENGINE_NAME "/power/"
#define OPS 8

FIXTURE(engine_power) {
	struct engine_bed bed;
};

FIXTURE_SETUP(engine_power)
{
	ENGINE_OPEN(&self->bed);
	ASSERT_EQ(0, file_write_text(POWER "control", "auto"));
}

FIXTURE_TEARDOWN(engine_power)
{
	file_write_text("/sys/power/pm_test", "none");
	file_write(POWER "autosuspend_delay_ms", 500);
	file_write_text(POWER "control", "on");
	ENGINE_CLOSE(&self->bed);
}

/* Read the first word of a file */
static void word_of(const char *path, char word[32])
{
	FILE *f = fopen(path, "r");

	word[0] = 0;
	if (!f)
		return;
	if (fscanf(f, "%31s", word) != 1)
		word[0] = 0;
	fclose(f);
}

static bool becomes_suspended(unsigned int ms)
{
	uint64_t end = now_ns() + ms * 1000000ULL;
	char status[32];

	do {
		word_of(POWER "runtime_status", status);
		if (!strcmp(status, "suspended"))
			return true;
		pause_us(2000);
	} while (now_ns() < end);
	return false;
}

static bool is_copied(struct engine_bed *bed, unsigned int round)
{
	size_t from = round % (ENGINE_LENGTH / LENGTH) * LENGTH;
	struct doca_cqe cqe;

	memset(bed->dst.addr, round, LENGTH);
	queue_push(&bed->q, sqe_copy(seg_of(&bed->dst, 0, LENGTH),
				     seg_of(&bed->src, from, LENGTH)));
	return !queue_publish(&bed->q) &&
	       !engine_wait(&bed->q, &cqe, WAIT_MS) &&
	       cqe.status == DOCA_STATUS_SUCCESS &&
	       !memcmp(bed->dst.addr, bed->src.addr + from, LENGTH);
}

TEST_F(engine_power, sleeps_when_it_is_idle)
{
	struct engine_bed *bed = &self->bed;

	ASSERT_TRUE(is_copied(bed, 0));
	EXPECT_TRUE(becomes_suspended(patiently(2000)));
}

/* Asleep, or about to sleep: no copy is lost, and none is left to the CPU */
TEST_F(engine_power, wakes_up_for_each_copy)
{
	struct engine_bed *bed = &self->bed;
	uint64_t bytes;
	int i;

	bytes = engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES);
	ASSERT_EQ(0, file_write(POWER "autosuspend_delay_ms", 10));
	for (i = 0; i < 100; i++) {
		ASSERT_TRUE(is_copied(bed, i)) TH_LOG("round %d", i);
		if (i % 2)
			pause_us(i * 200);
		else
			ASSERT_TRUE(becomes_suspended(patiently(2000)));
	}
	EXPECT_EQ(bytes + 100UL * LENGTH,
		  engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES));
}

/* A thread that copies until it is told to stop */
struct load {
	struct engine_bed *bed;
	struct queue q;
	bool stop;
	unsigned int done;
	bool failed;
};

static void *load_run(void *arg)
{
	struct load *load = arg;
	struct engine_bed *bed = load->bed;
	struct doca_cqe cqe;
	int i;

	while (!ring_load(&load->stop) && !load->failed) {
		memset(bed->dst.addr, 0, OPS * LENGTH);
		for (i = 0; i < OPS; i++)
			queue_push(
				&load->q,
				sqe_copy(seg_of(&bed->dst, i * LENGTH, LENGTH),
					 seg_of(&bed->src, i * LENGTH,
						LENGTH)));
		load->failed = queue_publish(&load->q);
		for (i = 0; i < OPS; i++)
			load->failed |= engine_wait(&load->q, &cqe, WAIT_MS) ||
					cqe.status != DOCA_STATUS_SUCCESS;
		load->failed |=
			memcmp(bed->dst.addr, bed->src.addr, OPS * LENGTH);
		__atomic_add_fetch(&load->done, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* Return true if two more batches complete */
static bool load_goes_on(struct load *load)
{
	unsigned int from = ring_load(&load->done);
	uint64_t end = now_ns() + WAIT_NS;

	while (ring_load(&load->done) - from < 2 && now_ns() < end)
		pause_us(1000);
	return ring_load(&load->done) - from >= 2;
}

/* Return true if the engine makes some of the copies */
static bool engine_goes_on(struct engine_bed *bed)
{
	uint64_t end = now_ns() + WAIT_NS, from;

	from = engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES);
	while (engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES) == from)
		if (now_ns() > end)
			return false;
	return true;
}

/*
 * The system freezes all processes and goes on a second later; devices stay awake, for the
 * device that holds the machine's files would not come back. The provider counts work that
 * it got in between.
 */
TEST_F(engine_power, has_nothing_while_the_system_sleeps)
{
	struct engine_bed *bed = &self->bed;
	struct load load = { .bed = bed };
	char suspended[32];
	pthread_t thread;
	int i;

	if (file_write_text("/sys/power/pm_test", "freezer"))
		SKIP(return, "no /sys/power/pm_test in this kernel");
	file_write_text("/sys/module/suspend/parameters/pm_test_delay", "1");
	ASSERT_EQ(0, knob("delay_us", 20000));
	ASSERT_EQ(0, knob("suspended", 0));
	ASSERT_EQ(0, engine_queue(&load.q, &bed->d, OPS, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, load_run, &load));
	for (i = 0; i < 3; i++) {
		EXPECT_TRUE(load_goes_on(&load));
		EXPECT_TRUE(engine_goes_on(bed));
		EXPECT_EQ(0, file_write_text("/sys/power/state", "freeze"));
	}
	EXPECT_TRUE(load_goes_on(&load));
	EXPECT_TRUE(engine_goes_on(bed));
	__atomic_store_n(&load.stop, true, __ATOMIC_RELEASE);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	queue_close(&load.q);
	EXPECT_FALSE(load.failed);
	word_of(ENGINE_KNOBS ENGINE_NAME "/suspended", suspended);
	EXPECT_STREQ("0", suspended);
	EXPECT_EQ(DOCA_ENGINE_LIVE, engine_value(&bed->nl, bed->d.device,
						 DOCA_GENL_A_ENGINE_STATE));
}

/* Return true if the engine makes the next copy */
static bool engine_goes_on_alone(struct engine_bed *bed)
{
	uint64_t bytes = engine_value(&bed->nl, bed->d.device,
				      DOCA_GENL_A_BYTES);

	return is_copied(bed, 1) &&
	       engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES) ==
		       bytes + LENGTH;
}

/* Begin some copies, in their order */
static int copies_begin(struct queue *q, struct engine_bed *bed, uint32_t length)
{
	int i, err = engine_queue(q, &bed->d, OPS, 0);

	memset(bed->dst.addr, 0, OPS * length);
	for (i = 0; i < OPS && !err; i++)
		queue_push(q, sqe_copy(seg_of(&bed->dst, i * length, length),
				       seg_of(&bed->src, i * length, length)));
	err = err ?: queue_publish(q);
	return err ?: queue_enter(q->fd, UINT32_MAX, NULL);
}

static bool copies_are_right(struct queue *q, struct engine_bed *bed,
			     uint32_t length)
{
	struct doca_cqe cqe;
	int i;

	for (i = 0; i < OPS; i++)
		if (engine_wait(q, &cqe, WAIT_MS) || cqe.status)
			return false;
	return !memcmp(bed->dst.addr, bed->src.addr, OPS * length);
}

/* It is given up before anything is frozen, so the suspension does not count as its time */
TEST_F(engine_power, what_hangs_is_given_up_first)
{
	struct engine_bed *bed = &self->bed;
	uint64_t timeouts;
	struct queue q;

	if (file_write_text("/sys/power/pm_test", "freezer"))
		SKIP(return, "no /sys/power/pm_test in this kernel");
	timeouts = engine_value(&bed->nl, bed->d.device,
				DOCA_GENL_A_ENGINE_TIMEOUTS);
	ASSERT_EQ(0, knob("seen", 0));
	ASSERT_EQ(0, knob("hang_at", 3));
	ASSERT_EQ(0, copies_begin(&q, bed, LENGTH));
	EXPECT_EQ(0, file_write_text("/sys/power/state", "freeze"));
	EXPECT_LT(timeouts, engine_value(&bed->nl, bed->d.device,
					 DOCA_GENL_A_ENGINE_TIMEOUTS));
	EXPECT_TRUE(copies_are_right(&q, bed, LENGTH));
	queue_close(&q);
	EXPECT_TRUE(engine_goes_on_alone(bed));
}

FIXTURE(engine_slow) {
	struct engine_bed bed;
};

FIXTURE_SETUP(engine_slow)
{
	ENGINE_OPEN_OF(&self->bed, ENGINE_SLOW, 500);
}

FIXTURE_TEARDOWN(engine_slow)
{
	file_write_text("/sys/power/pm_test", "none");
	ENGINE_CLOSE(&self->bed);
}

/* Each copy is in time, but all together are not: the system stays awake, and loses nothing */
TEST_F_TIMEOUT(engine_slow, refuses_to_sleep, 60)
{
	struct engine_bed *bed = &self->bed;
	uint64_t bytes;
	struct queue q;

	if (file_write_text("/sys/power/pm_test", "freezer"))
		SKIP(return, "no /sys/power/pm_test in this kernel");
	bytes = engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES);
	ASSERT_EQ(0, copies_begin(&q, bed, PAGE));
	EXPECT_EQ(-EBUSY, file_write_text("/sys/power/state", "freeze"));
	EXPECT_TRUE(copies_are_right(&q, bed, PAGE));
	EXPECT_EQ(bytes + OPS * PAGE,
		  engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES));
	EXPECT_EQ(0, file_write_text("/sys/power/state", "freeze"));
	ASSERT_EQ(0, copies_begin(&q, bed, PAGE));
	EXPECT_TRUE(copies_are_right(&q, bed, PAGE));
	EXPECT_LT(bytes + OPS * PAGE,
		  engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES));
	queue_close(&q);
}

TEST_HARNESS_MAIN
