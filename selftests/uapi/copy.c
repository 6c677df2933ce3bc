// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Copies of every shape, and events that cut them short: with ENTER, and with workers of
 * every idle policy.
 */
#include <pthread.h>
#include <signal.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

#define LENGTH (1024 * 1024UL)
#define ROOM (LENGTH + 2 * PAGE)
#define SEGMENTS 64

FIXTURE(copy) {
	struct doca d;
	struct buf src, dst;
	struct queue q;
	uint8_t *expected;
};

FIXTURE_VARIANT(copy) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(copy, enter) {};
FIXTURE_VARIANT_ADD(copy, worker_sleeps) { .mode = { true, 0 } };
FIXTURE_VARIANT_ADD(copy, worker) { .mode = { true, 50 } };
FIXTURE_VARIANT_ADD(copy, worker_polls) { .mode = { true, DOCA_IDLE_NEVER } };

/* Touch pages in random order, so that they are not neighbours in memory */
static void touch_in_disorder(uint8_t *addr, size_t length)
{
	size_t pages = length / PAGE, i;

	madvise(addr, length, MADV_NOHUGEPAGE);
	for (i = 0; i < pages; i++)
		addr[i * 37 % pages * PAGE] = 1;
}

FIXTURE_SETUP(copy)
{
	uint8_t *src = pages_alloc(ROOM);
	uint32_t worker;

	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &worker);
	self->expected = pages_alloc(ROOM);
	ASSERT_NE(NULL, self->expected);
	ASSERT_NE(NULL, src);
	touch_in_disorder(src, ROOM);
	fill_random(src, ROOM, 31);
	self->src = (struct buf){ .addr = src, .length = ROOM };
	ASSERT_EQ(0, mem_reg(self->d.fd, src, ROOM, DOCA_ACCESS_LOCAL_READ, &self->src.mem));
	ASSERT_EQ(0, mem_map(self->d.fd, self->src.mem, self->d.device,
			     DOCA_ACCESS_LOCAL_READ, &self->src.key));
	ASSERT_EQ(0, buf_make(&self->d, &self->dst, ROOM, DOCA_ACCESS_LOCAL_WRITE));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, worker, 64, 3 * SEGMENTS));
}

FIXTURE_TEARDOWN(copy)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

/* Make one copy, and check that no other byte has changed */
static bool copy_is_right(struct queue *q, struct buf *dst, struct buf *src,
			  uint8_t *expected, size_t to, size_t from,
			  uint32_t length)
{
	size_t around = to < 64 ? to : 64;
	struct doca_cqe cqe;

	memset(dst->addr + to - around, 0x5a, length + around + 64);
	memset(expected, 0x5a, length + around + 64);
	memcpy(expected + around, src->addr + from, length);
	return !queue_do(q, sqe_copy(seg_of(dst, to, length), seg_of(src, from, length)), &cqe) &&
	       cqe.status == DOCA_STATUS_SUCCESS && cqe.length == length &&
	       !cqe.result[0] && !cqe.result[1] &&
	       !memcmp(dst->addr + to - around, expected, length + around + 64);
}

TEST_F(copy, every_alignment)
{
	const uint32_t lengths[] = { 1, 2, 3, 7, 8, 15, 63, 64, 65, 255,
				     PAGE - 1, PAGE, PAGE + 1 };
	size_t i, to, from;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		for (to = 0; to < 9; to++) {
			for (from = PAGE - 4; from < PAGE + 5; from++) {
				ASSERT_TRUE(copy_is_right(
					&self->q, &self->dst, &self->src,
					self->expected, to, from,
					lengths[i])) {
					TH_LOG("%u bytes, %zu to %zu", lengths[i], from, to);
				}
			}
		}
	}
}

/* Segments in any order, and a list on one side alone */
TEST_F(copy, gather_and_scatter)
{
	struct doca_seg *segs = self->q.segs;
	uint32_t i;

	for (i = 0; i < SEGMENTS; i++)
		segs[i] = seg_of(&self->src, (SEGMENTS - 1 - i) * 1000, 1000);
	EXPECT_EQ(0, queue_status(&self->q, sqe_copy_list(
		seg_of(&self->dst, 0, SEGMENTS * 1000), seg_list(0, SEGMENTS),
		DOCA_SQE_SRC_LIST)));
	for (i = 0; i < SEGMENTS; i++) {
		EXPECT_EQ(0, memcmp(self->dst.addr + i * 1000,
				    self->src.addr + (SEGMENTS - 1 - i) * 1000,
				    1000));
		segs[i].key = self->dst.key;
		segs[i].address += self->dst.addr - self->src.addr;
	}
	EXPECT_EQ(0, queue_status(&self->q, sqe_copy_list(
		seg_list(0, SEGMENTS), seg_of(&self->src, 0, SEGMENTS * 1000),
		DOCA_SQE_DST_LIST)));
	for (i = 0; i < SEGMENTS; i++) {
		EXPECT_EQ(0, memcmp(self->src.addr + i * 1000,
				    self->dst.addr + (SEGMENTS - 1 - i) * 1000,
				    1000));
	}
}

/* The destination may be longer: the rest is not touched */
TEST_F(copy, longer_destination)
{
	struct doca_cqe cqe;

	memset(self->dst.addr, 0x5a, ROOM);
	ASSERT_EQ(0, queue_do(&self->q, sqe_copy(seg_of(&self->dst, 0, PAGE),
						 seg_of(&self->src, 0, 100)),
			      &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(100, cqe.length);
	EXPECT_EQ(0, memcmp(self->dst.addr, self->src.addr, 100));
	EXPECT_EQ(0x5a, self->dst.addr[100]);
}

/* If ranges overlap, the bytes written are undefined, but nothing else is */
TEST_F(copy, overlap)
{
	struct buf b;
	size_t i;

	ASSERT_EQ(0, buf_make(&self->d, &b, ROOM, ACCESS_LOCAL));
	memset(b.addr, 0x11, ROOM);
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_copy(
			seg_of(&b, PAGE + i * 13, LENGTH - PAGE),
			seg_of(&b, PAGE + 13, LENGTH - PAGE))));
	}
	EXPECT_EQ(0x11, b.addr[PAGE - 1]);
	EXPECT_EQ(0x11, b.addr[LENGTH + 26]);
}

/* 64 in flight at once: each completes once, in the order of submission */
TEST_F(copy, completion_order)
{
	struct doca_cqe cqe;
	uint32_t state = 33;
	int i, round;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < 64; i++) {
			uint32_t n = prng(&state) % 10000 + 1;
			struct doca_sqe sqe =
				sqe_copy(seg_of(&self->dst, i * PAGE, n),
					 seg_of(&self->src, i * 7, n));

			if (i % 3 == 0)
				sqe = sqe_nop(0);
			sqe.user_data = (uint64_t)round << 32 | i;
			queue_push(&self->q, sqe);
		}
		ASSERT_EQ(0, queue_publish(&self->q));
		for (i = 0; i < 64; i++) {
			ASSERT_EQ(0, queue_wait(&self->q, &cqe));
			EXPECT_EQ((uint64_t)round << 32 | i, cqe.user_data);
			EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		}
		EXPECT_FALSE(queue_reap(&self->q, &cqe));
	}
}

/*
 * 4 GiB in 63 copies, and a last one of a byte, to @last. That one must not be made: the
 * events cut the copies short in the middle of one that takes a thousand steps.
 */
#define COPIES 64

static int submit_far_too_much(struct queue *q, const struct buf *dst, const struct buf *src,
			       struct doca_seg last)
{
	const uint16_t both = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST;
	uint32_t i;

	for (i = 0; i < SEGMENTS; i++) {
		q->segs[i] = seg_of(src, 0, LENGTH);
		q->segs[SEGMENTS + i] = seg_of(dst, 0, LENGTH);
	}
	for (i = 0; i < COPIES - 1; i++)
		queue_push(q, sqe_copy_list(seg_list(SEGMENTS, SEGMENTS), seg_list(0, SEGMENTS),
					    both));
	queue_push(q, sqe_copy(last, seg_of(src, 0, 1)));
	return queue_publish(q);
}

/* Wait until the executor has taken an entry: then it is busy for many steps */
static void wait_for_the_first(const struct queue *q)
{
	WAIT_UNTIL(ring_load(&q->kernel->sq_head));
}

/* Expect successes, then one with the status @cut, then canceled ones */
static int expect_cut(struct queue *q, uint32_t cut)
{
	uint32_t expected = DOCA_STATUS_SUCCESS;
	struct doca_cqe cqe;
	int i;

	for (i = 0; i < COPIES; i++) {
		if (queue_wait(q, &cqe))
			return -EPIPE;
		if (expected == DOCA_STATUS_SUCCESS && cqe.status == cut) {
			/* Each may be cut before its first step */
			if (cqe.length >= SEGMENTS * LENGTH)
				return -EMSGSIZE;
			expected = DOCA_STATUS_CANCELED;
		} else if (cqe.status != expected) {
			return -EPROTO;
		}
	}
	if (expected == DOCA_STATUS_SUCCESS)
		return -ENODATA;
	return q->kernel->state == DOCA_QUEUE_FLUSH ? 0 : -EBUSY;
}

struct meddler {
	const struct queue *q;
	int fd;
	uint32_t key;
	int err;
};

static void *stop_it(void *arg)
{
	struct meddler *m = arg;

	wait_for_the_first(m->q);
	m->err = queue_stop(m->q->fd);
	return NULL;
}

static void *unmap_it(void *arg)
{
	struct meddler *m = arg;

	wait_for_the_first(m->q);
	m->err = mem_unmap(m->fd, m->key);
	return NULL;
}

static void cut_short(struct __test_metadata *_metadata, FIXTURE_DATA(copy) *self,
		      void *(*meddle)(void *), uint32_t status)
{
	struct meddler m = { &self->q, self->d.fd, self->src.key, 0 };
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, meddle, &m));
	EXPECT_EQ(0, submit_far_too_much(&self->q, &self->dst, &self->src,
					 seg_of(&self->dst, 0, 1)));
	EXPECT_EQ(0, expect_cut(&self->q, status));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, m.err);
}

TEST_F(copy, stopped_in_the_middle)
{
	cut_short(_metadata, self, stop_it, DOCA_STATUS_CANCELED);
}

/* Retiring a key waits for one step of the operation that uses it, not for all of it */
TEST_F(copy, unmapped_in_the_middle)
{
	cut_short(_metadata, self, unmap_it, DOCA_STATUS_BAD_KEY);
}

static int alarmed_fd;
static volatile sig_atomic_t alarms;

static void stop_at_the_third(int signal)
{
	(void)signal;
	if (++alarms == 3)
		queue_stop(alarmed_fd);
}

struct caller {
	const struct queue *q;
	pthread_t thread;
};

/* Send each signal after the one before was handled */
static void *send_signals(void *arg)
{
	struct caller *c = arg;
	int i;

	wait_for_the_first(c->q);
	for (i = 0; i < 3; i++) {
		pthread_kill(c->thread, SIGUSR1);
		WAIT_UNTIL(alarms > i);
	}
	return NULL;
}

/* A handler runs in the middle of the call that executes */
TEST_F(copy, signals_in_the_middle)
{
	struct caller c = { &self->q, pthread_self() };
	pthread_t thread;

	alarms = 0;
	alarmed_fd = self->q.fd;
	signal(SIGUSR1, stop_at_the_third);
	ASSERT_EQ(0, pthread_create(&thread, NULL, send_signals, &c));
	EXPECT_EQ(0, submit_far_too_much(&self->q, &self->dst, &self->src,
					 seg_of(&self->dst, 0, 1)));
	EXPECT_EQ(0, expect_cut(&self->q, DOCA_STATUS_CANCELED));
	pthread_join(thread, NULL);
	EXPECT_EQ(3, alarms);
}

struct teller {
	struct queue q;
	int out;
};

static void *tell_of_the_first(void *arg)
{
	struct teller *t = arg;

	wait_for_the_first(&t->q);
	if (write(t->out, "", 1) != 1)
		_exit(2);
	return NULL;
}

static void copy_until_killed(const struct mode *mode, uint8_t *mark, int out)
{
	struct buf src, dst, last = { .addr = mark };
	struct teller t = { .out = out };
	pthread_t thread;
	uint32_t worker;
	struct doca d;

	if (doca_open(&d) || mode_worker(&d, mode, &worker) ||
	    buf_make(&d, &src, LENGTH, ACCESS_LOCAL) ||
	    buf_make(&d, &dst, LENGTH, ACCESS_LOCAL) ||
	    mem_reg(d.fd, mark, PAGE, ACCESS_LOCAL, &last.mem) ||
	    mem_map(d.fd, last.mem, d.device, ACCESS_LOCAL, &last.key) ||
	    queue_open(&t.q, &d, worker, COPIES, 2 * SEGMENTS))
		_exit(1);
	memset(src.addr, 1, LENGTH);
	pthread_create(&thread, NULL, tell_of_the_first, &t);
	submit_far_too_much(&t.q, &dst, &src, seg_of(&last, 0, 1));
	for (;;)
		pause();
}

/* A process dies in the middle, and its copies in flight and pins with it */
TEST_F(copy, killed_in_the_middle)
{
	struct pins before = pins_read();
	uint8_t *mark;
	int ready[2];
	pid_t pid;
	char c;

	mark = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, mark);
	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		copy_until_killed(&variant->mode, mark, ready[1]);
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	kill(pid, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	EXPECT_NO_LEAK(before);
	EXPECT_EQ(0, *mark);
}

TEST_HARNESS_MAIN
