// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Operations in flight, which an interrupt ends: how they come back, and what happens to
 * what they hold when a program stops, takes away or is killed. They are in modules that
 * were built with DOCA_TEST_OPS=y; without them there is DRAIN alone.
 */
#include <signal.h>
#include <sys/wait.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

#define MS 1000000ULL
#define LENGTH PAGE
#define ENTRIES 16

FIXTURE(flights) {
	struct doca d;
	struct doca_query limits;
	uint32_t worker;
	struct buf buf;
	struct queue q;
	struct pins pins;
};

FIXTURE_VARIANT(flights) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(flights, enter) {};
FIXTURE_VARIANT_ADD(flights, worker) { .mode = { true, 50 } };

static int open_queue(struct queue *q, const struct doca *d, uint32_t worker,
		      uint64_t opcodes, uint32_t nr_ops)
{
	return queue_create(q, d,
			    (struct doca_queue_create){
				    .worker_id = worker,
				    .sq_entries = ENTRIES,
				    .cq_entries = ENTRIES,
				    .nr_waits = 1,
				    .opcodes = opcodes,
				    .nr_ops = nr_ops,
			    });
}

FIXTURE_SETUP(flights)
{
	self->pins = pins_read();
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, query(self->d.fd, &self->limits));
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, 2 * LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, open_queue(&self->q, &self->d, self->worker,
				self->limits.out_opcodes, 4));
	fill_random(self->buf.addr, LENGTH, 1);
}

FIXTURE_TEARDOWN(flights)
{
	DOCA_CLOSE(&self->d);
}

#define NEED_SLOW()                                                     \
	do {                                                            \
		if (!(self->limits.out_opcodes & 1ULL << OP_SLOW))      \
			SKIP(return, "no operation of tests in module"); \
	} while (0)

static struct doca_sqe slow(const struct buf *b, uint64_t ns, uint32_t how)
{
	return (struct doca_sqe){
		.opcode = OP_SLOW,
		.src = seg_of(b, 0, LENGTH),
		.dst = seg_of(b, LENGTH, LENGTH),
		.op = { ns, how },
	};
}

static int submit(struct queue *q, struct doca_sqe sqe)
{
	sqe.user_data = q->tail;
	queue_push(q, sqe);
	return queue_publish(q);
}

/* All that was submitted was taken by the executor; negative if it never is */
static int taken(struct queue *q)
{
	uint64_t end = now_ns() + WAIT_NS;

	while (ring_load(&q->kernel->sq_head) != q->tail) {
		if (now_ns() > end)
			return -ETIMEDOUT;
		pause_us(100);
	}
	return 0;
}

/* Asleep until it comes */
static int sleep_for(struct queue *q, struct doca_cqe *cqe)
{
	while (!queue_reap(q, cqe)) {
		ring_store(&q->user->notify_at, q->head + 1);
		ring_barrier();
		if (ring_load(&q->kernel->cq_tail) != q->head)
			continue;
		if (queue_revents(q, POLLIN, 10000) != POLLIN)
			return -ETIMEDOUT;
	}
	return 0;
}

TEST_F(flights, comes_back)
{
	struct doca_cqe cqe;
	uint64_t begin;
	int i, j;

	NEED_SLOW();
	for (i = 1; i < 50; i++) {
		begin = now_ns();
		ASSERT_EQ(0, submit(&self->q, slow(&self->buf, i * 50000, 0)));
		ASSERT_EQ(0, sleep_for(&self->q, &cqe));
		EXPECT_LE(i * 50000, now_ns() - begin);
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		EXPECT_EQ(LENGTH, cqe.length);
		EXPECT_EQ(i, cqe.result[0]);
		for (j = 0; j < LENGTH; j++)
			ASSERT_EQ((uint8_t)~self->buf.addr[j],
				  self->buf.addr[LENGTH + j]);
	}
}

TEST_F(flights, in_the_order_of_their_ends)
{
	struct doca_cqe cqe;
	int i;

	NEED_SLOW();
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, submit(&self->q,
				    slow(&self->buf, (400 - 100 * i) * MS, 0)));
	for (i = 3; i >= 0; i--) {
		ASSERT_EQ(0, sleep_for(&self->q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
	}
}

/* More than there are places, and nobody calls for those that are held */
TEST_F(flights, more_than_places)
{
	struct doca_cqe cqe;
	int i;

	NEED_SLOW();
	for (i = 0; i < ENTRIES - 1; i++)
		ASSERT_EQ(0, submit(&self->q, slow(&self->buf, 5 * MS, 0)));
	ASSERT_EQ(0, submit(&self->q, sqe_nop(0)));
	for (i = 0; i < ENTRIES; i++) {
		ASSERT_EQ(0, sleep_for(&self->q, &cqe));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	}
}

TEST_F(flights, drains)
{
	struct doca_sqe nop = sqe_nop(0);
	struct doca_cqe cqe;
	int i;

	NEED_SLOW();
	nop.flags = DOCA_SQE_DRAIN;
	ASSERT_EQ(0, submit(&self->q, slow(&self->buf, 50 * MS, 0)));
	ASSERT_EQ(0, submit(&self->q, slow(&self->buf, MS, 0)));
	ASSERT_EQ(0, submit(&self->q, nop));
	ASSERT_EQ(0, submit(&self->q, slow(&self->buf, MS, 0)));
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, sleep_for(&self->q, &cqe));
		EXPECT_EQ(i < 2 ? !i : i, cqe.user_data);
	}
}

/* Also where nothing is ever in flight */
TEST_F(flights, drains_waits)
{
	uint64_t *value = (uint64_t *)self->buf.addr;
	struct doca_sqe copy = sqe_copy(seg_of(&self->buf, LENGTH, 64),
					seg_of(&self->buf, 64, 64));
	struct doca_cqe cqe;
	int i;

	copy.flags = DOCA_SQE_DRAIN;
	__atomic_store_n(value, 0, __ATOMIC_RELEASE);
	ASSERT_EQ(0, submit(&self->q, sqe_sync_wait(DOCA_OP_SYNC_WAIT_EQ,
						    seg_of(&self->buf, 0, 8), 1,
						    UINT64_MAX)));
	ASSERT_EQ(0, submit(&self->q, copy));
	ASSERT_EQ(0, submit(&self->q, copy));
	ASSERT_EQ(0, submit(&self->q, sqe_nop(0)));
	pause_us(30000);
	EXPECT_FALSE(queue_reap(&self->q, &cqe));
	__atomic_store_n(value, 1, __ATOMIC_RELEASE);
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, sleep_for(&self->q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	}
}

TEST_F(flights, stop)
{
	struct doca_cqe cqe;
	uint64_t begin;
	int i;

	NEED_SLOW();
	begin = now_ns();
	ASSERT_EQ(0, submit(&self->q, slow(&self->buf, 9000 * MS, 0)));
	ASSERT_EQ(0, submit(&self->q, slow(&self->buf, 9000 * MS, 0)));
	ASSERT_EQ(0, taken(&self->q));
	ASSERT_EQ(0, queue_stop(self->q.fd));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, sleep_for(&self->q, &cqe));
		EXPECT_EQ(DOCA_STATUS_CANCELED, cqe.status);
	}
	EXPECT_GT(8000 * MS, now_ns() - begin);
}

/* What can be recalled is, and for the rest the call waits */
TEST_F(flights, unmap)
{
	struct doca_cqe cqe;
	uint64_t begin;

	NEED_SLOW();
	begin = now_ns();
	ASSERT_EQ(0, submit(&self->q, slow(&self->buf, 9000 * MS, 0)));
	ASSERT_EQ(0, taken(&self->q));
	ASSERT_EQ(0, mem_unmap(self->d.fd, self->buf.key));
	EXPECT_GT(8000 * MS, now_ns() - begin);
	ASSERT_EQ(0, sleep_for(&self->q, &cqe));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, cqe.status);
}

TEST_F(flights, dereg)
{
	struct doca_cqe cqe;
	uint64_t begin;

	NEED_SLOW();
	begin = now_ns();
	ASSERT_EQ(0, submit(&self->q, slow(&self->buf, 300 * MS, SLOW_DEAF)));
	ASSERT_EQ(0, taken(&self->q));
	ASSERT_EQ(0, mem_dereg(self->d.fd, self->buf.mem));
	EXPECT_LE(300 * MS, now_ns() - begin);
	ASSERT_EQ(0, sleep_for(&self->q, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
}

/* Nothing waits, and the pages stay until the last one has come back */
TEST_F(flights, close)
{
	uint64_t begin;
	struct pins is;
	int i;

	NEED_SLOW();
	begin = now_ns();
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, submit(&self->q, slow(&self->buf, 1000 * MS,
						   i ? SLOW_DEAF : 0)));
	ASSERT_EQ(0, taken(&self->q));
	queue_close(&self->q);
	close(self->d.fd);
	self->d.fd = -1;
	pause_us(50000);
	is = pins_read();
	if (now_ns() - begin < 1000 * MS)
		EXPECT_LE(self->pins.pages + 2, is.pages);
	is = pins_settle(self->pins);
	EXPECT_LE(1000 * MS, now_ns() - begin);
	EXPECT_EQ(self->pins.pages, is.pages);
}

static int killed(struct doca *d, const struct mode *mode, uint64_t opcodes)
{
	uint32_t worker;
	struct queue q;
	struct buf b;
	int i;

	if (doca_open(d) || mode_worker(d, mode, &worker) ||
	    buf_make(d, &b, 2 * LENGTH, ACCESS_LOCAL) ||
	    open_queue(&q, d, worker, opcodes, 8))
		return 1;
	for (i = 0; i < ENTRIES; i++)
		if (submit(&q, slow(&b, (i + 1) * 20 * MS,
				    i % 2 ? SLOW_DEAF : 0)))
			return 1;
	return raise(SIGKILL);
}

TEST_F(flights, kill)
{
	struct pins was = pins_read();
	struct doca d;
	int i, status;

	NEED_SLOW();
	for (i = 0; i < 10; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(killed(&d, &variant->mode,
				     self->limits.out_opcodes));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
	}
	EXPECT_EQ(was.pages, pins_settle(was).pages);
}

TEST_F(flights, refused)
{
	struct queue q;

	EXPECT_EQ(-EINVAL, open_queue(&q, &self->d, self->worker, 0,
				      self->limits.out_max_queue_ops + 1));
	EXPECT_EQ(-EOPNOTSUPP, open_queue(&q, &self->d, self->worker,
					  1ULL << DOCA_OP_LAST, 0));
	ASSERT_EQ(0, open_queue(&q, &self->d, self->worker, 1 << DOCA_OP_MEMCPY,
				1));
	EXPECT_EQ(DOCA_STATUS_BAD_OPCODE, queue_status(&q, sqe_nop(0)));
	queue_close(&q);
	ASSERT_EQ(0, open_queue(&q, &self->d, self->worker, 1 << DOCA_OP_NOP,
				1));
	EXPECT_EQ(DOCA_STATUS_BAD_OPCODE,
		  queue_status(&q, sqe_copy(seg_of(&self->buf, 0, 8),
					    seg_of(&self->buf, 8, 8))));
	queue_close(&q);
}

TEST_HARNESS_MAIN
