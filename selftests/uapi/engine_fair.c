// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A small copy waits at most for two windows of the engine, however much others have in
 * flight. The engine's interrupts are late, so that the machine's processors do not count;
 * but an interrupt covers all that the engine had at a time, so it takes two windows where
 * it would otherwise take less. The time until a program notices comes on top.
 */

#include "engine.h"
#include "memory.h"
#include "kselftest_harness.h"

#define SOMEBODY 65534
#define WINDOW (4UL << 20)
#define LENGTH (1UL << 20) /* maximum of the others' copies */
#define SMALL (64U * 1024)
#define ROUNDS 12
#define LATE 3 /* rounds that may be late: a busy machine has other work */
#define DELAY_US 100000

/* The others: number of queues, their copies in flight, and their user */
FIXTURE(engine_fair) {
	struct engine_bed bed;
	pid_t others;
	int stop; /* closed to make them go */
	int ready;
};

FIXTURE_VARIANT(engine_fair) {
	int queues;
	int depth;
	uint32_t length;
	bool somebody;
};

FIXTURE_VARIANT_ADD(engine_fair, beside_own_queues) { 4, 64, LENGTH, false };
FIXTURE_VARIANT_ADD(engine_fair, beside_a_user_with_many) { 200, 2, LENGTH / 4, true };

/* Submit as many copies as have come back */
static int keep_busy(struct queue *q, const struct buf *b, int *in_flight, int depth,
		     uint32_t length)
{
	struct doca_cqe cqe;
	int n = 0;

	while (queue_reap(q, &cqe)) {
		if (cqe.status)
			return -EIO;
		--*in_flight;
	}
	for (; *in_flight < depth; n++, ++*in_flight)
		queue_push(q, sqe_copy(seg_of(b, LENGTH, length),
				       seg_of(b, 0, length)));
	return n ? queue_publish(q) : queue_enter(q->fd, UINT32_MAX, NULL);
}

static int others_main(uint32_t device, int queues, int depth, uint32_t length,
		       int ready, int stop)
{
	struct doca d = { .device = device };
	struct queue *q = calloc(queues, sizeof(*q));
	int *in_flight = calloc(queues, sizeof(int)), i, err;
	struct buf b;
	char c;

	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d.fd < 0 || buf_make(&d, &b, 2 * LENGTH, ACCESS_LOCAL))
		return 1;
	for (i = 0; i < queues; i++) {
		err = engine_queue(&q[i], &d, depth, 0);
		if (err) {
			fprintf(stderr, "# queue %d: %s\n", i, strerror(-err));
			return 2;
		}
	}
	fcntl(stop, F_SETFL, O_NONBLOCK);
	while (read(stop, &c, 1)) {
		for (i = 0; i < queues; i++) {
			err = keep_busy(&q[i], &b, &in_flight[i], depth, length);
			if (err < 0)
				return 3;
		}
		if (ready >= 0)
			close(ready);
		ready = -1;
		pause_us(1000);
	}
	return 0;
}

FIXTURE_SETUP(engine_fair)
{
	int ready[2], stop[2];
	char c;

	ENGINE_OPEN_OF(&self->bed, ENGINE_NAME, 10000);
	queue_close(&self->bed.q);
	ASSERT_EQ(0, engine_queue(&self->bed.q, &self->bed.d, 1, 0));
	ASSERT_EQ(0, knob("delay_us", DELAY_US));
	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(stop));
	self->others = fork();
	if (!self->others) {
		close(stop[1]);
		if (variant->somebody && become_user(SOMEBODY))
			_exit(9);
		_exit(others_main(self->bed.d.device, variant->queues,
				  variant->depth, variant->length, ready[1],
				  stop[0]));
	}
	close(ready[1]);
	close(stop[0]);
	self->stop = stop[1];
	self->ready = ready[0];
	/* All of them have begun */
	ASSERT_EQ(0, read(self->ready, &c, 1));
	pause_us(200000);
}

FIXTURE_TEARDOWN(engine_fair)
{
	close(self->ready);
	close(self->stop);
	knobs_reset();
	EXPECT_EQ(0, child_wait(self->others));
	ENGINE_CLOSE(&self->bed);
}

static uint64_t bytes_of(struct engine_bed *bed)
{
	return engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES);
}

TEST_F_TIMEOUT(engine_fair, a_small_copy_waits_for_two_windows, 120)
{
	uint64_t start, took[ROUNDS], began, bytes, window, worst = 0;
	struct engine_bed *bed = &self->bed;
	struct doca_cqe cqe;
	int i, late;

	bytes = bytes_of(bed);
	began = now_ns();
	for (i = 0; i < ROUNDS; i++) {
		start = now_ns();
		queue_push(&bed->q, sqe_copy(seg_of(&bed->dst, 0, SMALL),
					     seg_of(&bed->src, 0, SMALL)));
		ASSERT_EQ(0, queue_publish(&bed->q));
		ASSERT_EQ(0, engine_wait(&bed->q, &cqe, 20000));
		ASSERT_EQ(0, cqe.status);
		took[i] = now_ns() - start;
	}
	window = (now_ns() - began) * WINDOW / (bytes_of(bed) - bytes);
	for (i = 0, late = 0; i < ROUNDS; i++) {
		worst = took[i] > worst ? took[i] : worst;
		late += took[i] > 2 * window + window / 4;
		EXPECT_GT(8 * window, took[i]) {
			TH_LOG("%d: %lu us", i, (unsigned long)took[i] / 1000);
		}
	}
	TH_LOG("of %d copies %d were late; a window takes %lu us, the longest took %lu us",
	       ROUNDS, late, (unsigned long)window / 1000, (unsigned long)worst / 1000);
	EXPECT_GE(LATE, late);
}

TEST_HARNESS_MAIN
