// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Workers: waking them, being woken by them, sharing one, and their end */
#include <pthread.h>
#include <sys/epoll.h>

#include "counts.h"
#include "kselftest_harness.h"
#include "../lib/run_on.h"

#define PINGS rounds(100)

FIXTURE(worker) {
	struct doca d;
	uint32_t worker;
	struct queue q;
};

FIXTURE_VARIANT(worker) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(worker, sleeps) { .mode = { true, 0 } };
FIXTURE_VARIANT_ADD(worker, spins_a_while) { .mode = { true, 50 } };
FIXTURE_VARIANT_ADD(worker, polls) { .mode = { true, DOCA_IDLE_NEVER } };

FIXTURE_SETUP(worker)
{
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_NE(0, self->worker);
	ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 16, 0));
	WAIT_UNTIL(worker_has_begun(&self->q));
}

FIXTURE_TEARDOWN(worker)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

/* Request a wake-up for the next completion, and sleep until then */
static int wait_by_poll(struct queue *q, int epoll, struct doca_cqe *cqe)
{
	struct epoll_event event;

	while (!queue_reap(q, cqe)) {
		ring_store(&q->user->notify_at, q->head + 1);
		ring_barrier();
		if (ring_load(&q->kernel->cq_tail) != q->head)
			continue;
		if (epoll < 0 ? queue_revents(q, POLLIN, FOREVER) != POLLIN :
				epoll_wait(epoll, &event, 1, FOREVER) != 1)
			return -EIO;
	}
	return 0;
}

/* Wait longer turn by turn, to meet the worker at every step of falling asleep */
static void linger(uint32_t turn)
{
	if (turn % 3)
		spin(turn % 257 * 300);
}

/* A lost wake-up, in either direction, would never end */
TEST_F(worker, ping_pong_by_poll)
{
	struct doca_cqe cqe;
	uint32_t i;

	for (i = 0; i < PINGS; i++) {
		queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		ASSERT_EQ(0, wait_by_poll(&self->q, -1, &cqe));
		ASSERT_EQ(i, cqe.user_data);
		linger(i);
	}
}

TEST_F(worker, ping_pong_by_epoll)
{
	struct epoll_event want = { .events = EPOLLIN | EPOLLET };
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct doca_cqe cqe;
	uint32_t i;

	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->q.fd, &want));
	for (i = 0; i < PINGS; i++) {
		queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		ASSERT_EQ(0, wait_by_poll(&self->q, epoll, &cqe));
		linger(i);
	}
	close(epoll);
}

/* Without poll, only need_wakeup keeps the worker awake */
TEST_F(worker, ping_pong_by_ring)
{
	struct doca_cqe cqe;
	uint32_t i;

	for (i = 0; i < PINGS; i++) {
		ASSERT_EQ(0, queue_do(&self->q, sqe_nop(i), &cqe));
		ASSERT_EQ(i, cqe.user_data);
		linger(i);
	}
}

TEST_F(worker, need_wakeup)
{
	struct doca_cqe cqe;
	int i;

	if (variant->mode.idle_us != DOCA_IDLE_NEVER) {
		WAIT_UNTIL(ring_load(&self->q.kernel->need_wakeup));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(1)));
		WAIT_UNTIL(ring_load(&self->q.kernel->need_wakeup));
		return;
	}
	/* The data path of a worker that never sleeps has no call at all */
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(1)));
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, self->q.kernel->need_wakeup);
		queue_push(&self->q, sqe_nop(i));
		queue_announce(&self->q);
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
	}
}

/* The worker may poll for an hour, but not on the caller's only CPU. */
TEST(polls_where_that_keeps_no_cpu_from_the_caller)
{
	struct doca_cqe cqe;
	uint32_t worker;
	struct queue q;
	struct doca d;
	int i, err;

	DOCA_OPEN(&d);
	if (run_on(0) || run_on(1))
		SKIP(return, "needs two CPUs");
	err = worker_create(d.fd, 3600u * 1000 * 1000, &worker);
	if (err == -EOPNOTSUPP)
		SKIP(return, "workers are switched off");
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, queue_open(&q, &d, worker, 16, 0));
	WAIT_UNTIL(worker_has_begun(&q));
	ASSERT_EQ(0, queue_do(&q, sqe_nop(0), &cqe));
	WAIT_UNTIL(ring_load(&q.kernel->need_wakeup));
	ASSERT_EQ(0, run_on(0));
	ASSERT_EQ(0, queue_do(&q, sqe_nop(0), &cqe));
	for (i = 0; i < 100; i++) {
		linger(i);
		ASSERT_EQ(0, ring_load(&q.kernel->need_wakeup));
		queue_push(&q, sqe_nop(i));
		queue_announce(&q);
		ASSERT_EQ(0, queue_wait(&q, &cqe));
	}
	queue_close(&q);
	DOCA_CLOSE(&d);
}

/* Make a clock: a worker whose only queue waits in vain is woken by a timer now and then */
static int clock_open(struct queue *q, struct doca *d)
{
	struct buf never;
	uint32_t worker;
	int err;

	err = worker_create(d->fd, 0, &worker) ?: buf_make(d, &never, PAGE, ACCESS_LOCAL) ?:
	      queue_open_waits(q, d, worker, 2, 1);
	if (err)
		return err;
	queue_push(q, sqe_sync_wait(DOCA_OP_SYNC_WAIT_GT, seg_of(&never, 0, 8), 0, UINT64_MAX));
	return queue_publish(q);
}

static void let_it_tick(const struct queue *clock, int times)
{
	pid_t pid = worker_pid(clock);
	long until = sleeps_of(pid) + times;

	WAIT_UNTIL(sleeps_of(pid) >= until);
}

/* Only work wakes it: neither a timer nor another queue */
TEST_F(worker, idle_it_takes_no_cpu)
{
	pid_t pid = worker_pid(&self->q);
	struct queue clock;
	long sleeps;

	if (variant->mode.idle_us == DOCA_IDLE_NEVER)
		SKIP(return, "this one never sleeps");
	ASSERT_EQ(0, clock_open(&clock, &self->d));
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(1)));
	WAIT_UNTIL(ring_load(&self->q.kernel->need_wakeup));
	WAIT_UNTIL(state_of(pid) == 'S');
	let_it_tick(&clock, 30);
	sleeps = sleeps_of(pid);
	EXPECT_LE(1, sleeps);
	let_it_tick(&clock, 20);
	EXPECT_EQ(sleeps, sleeps_of(pid));
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(2)));
	WAIT_UNTIL(sleeps_of(pid) > sleeps);
	queue_close(&clock);
}

/* ENTER on the queue of a worker wakes it, and is harmless if it is awake */
TEST_F(worker, enter)
{
	struct doca_cqe cqe;
	uint32_t i, done;

	EXPECT_EQ(-EINVAL, queue_enter(self->q.fd, 0, NULL));
	for (i = 0; i < 50; i++) {
		queue_push(&self->q, sqe_nop(i));
		queue_announce(&self->q);
		ASSERT_EQ(0, queue_enter(self->q.fd, 1, &done));
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		ASSERT_EQ(i, cqe.user_data);
	}
}

/* Each time the second completion was not requested, and epoll remembers the first */
TEST_F(worker, one_request_is_one_wake_up)
{
	struct epoll_event want = { .events = EPOLLIN }, event;
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	int i;

	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, q->fd, &want));
	for (i = 0; i < 20; i++) {
		ring_store(&q->user->notify_at, q->head + 1);
		queue_push(q, sqe_nop(1));
		ASSERT_EQ(0, queue_publish(q));
		EXPECT_EQ(1, epoll_wait(epoll, &event, 1, FOREVER));
		ASSERT_EQ(0, queue_wait(q, &cqe));
		queue_push(q, sqe_nop(2));
		ASSERT_EQ(0, queue_publish(q));
		WAIT_UNTIL(ring_load(&q->kernel->cq_tail) != q->head);
		EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 0));
		ASSERT_EQ(0, queue_wait(q, &cqe));
	}
	close(epoll);
}

/* The caller has executed it when the call returns, whatever the worker does */
TEST_F(worker, enter_executes)
{
	struct doca_query limits;
	struct doca_cqe cqe;
	uint32_t i, done;

	ASSERT_EQ(0, query(self->d.fd, &limits));
	EXPECT_NE(0, limits.out_features & DOCA_FEATURE_EXECUTE);
	EXPECT_EQ(-EOPNOTSUPP, queue_enter_flags(self->q.fd, 2, 1, &done));
	for (i = 0; i < 50; i++) {
		queue_push(&self->q, sqe_nop(i));
		queue_announce(&self->q);
		ASSERT_EQ(0, queue_enter_flags(self->q.fd, DOCA_ENTER_EXECUTE, 16, &done));
		ASSERT_GE(1, done);
		ASSERT_TRUE(queue_reap(&self->q, &cqe));
		ASSERT_EQ(i, cqe.user_data);
	}
	EXPECT_EQ(variant->mode.idle_us != DOCA_IDLE_NEVER,
		  ring_load(&self->q.kernel->need_wakeup));
	/* Then the worker executes, which has stood aside. */
	for (i = 0; i < 50; i++)
		ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(i)));
}

/* The worker executes the rest; it may have stood aside and sleep */
TEST_F(worker, enter_leaves_the_rest)
{
	struct doca_cqe cqe;
	uint32_t i, j, done;

	for (i = 0; i < 50; i++) {
		for (j = 0; j < 3; j++)
			queue_push(&self->q, sqe_nop(j));
		queue_announce(&self->q);
		ASSERT_EQ(0, queue_enter_flags(self->q.fd, DOCA_ENTER_EXECUTE, 1, &done));
		ASSERT_GE(1, done);
		for (j = 0; j < 3; j++) {
			ASSERT_EQ(0, queue_wait(&self->q, &cqe));
			ASSERT_EQ(j, cqe.user_data);
		}
	}
}

/* Run two entries: after them the worker of @other has been to all of its queues. */
static bool looked(struct queue *other)
{
	return !queue_status(other, sqe_nop(0)) && !queue_status(other, sqe_nop(0));
}

/* The notification comes when cq_tail passes the index, not before */
TEST_F(worker, notify_at_a_distance)
{
	struct epoll_event want = { .events = EPOLLIN }, event;
	int epoll = epoll_create1(EPOLL_CLOEXEC), i;
	struct doca_cqe cqe;
	struct queue other;

	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, queue_open(&other, &self->d, self->worker, 2, 0));
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->q.fd, &want));
	ring_store(&self->q.user->notify_at, self->q.head + 3);
	ring_barrier();
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 0)) {
			TH_LOG("woken after %d of 3 completions", i);
		}
		queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		EXPECT_TRUE(looked(&other));
	}
	EXPECT_EQ(1, epoll_wait(epoll, &event, 1, FOREVER));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
	}
	queue_close(&other);
	close(epoll);
}

/* A batch that is published at once may jump over the index */
TEST_F(worker, notify_inside_a_batch)
{
	struct epoll_event want = { .events = EPOLLIN | EPOLLET }, event;
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct doca_cqe cqe;
	uint32_t at, i;

	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->q.fd, &want));
	for (at = 1; at <= 8; at++) {
		EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 0));
		ring_store(&self->q.user->notify_at, self->q.head + at);
		for (i = 0; i < 8; i++)
			queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		EXPECT_EQ(1, epoll_wait(epoll, &event, 1, FOREVER));
		for (i = 0; i < 8; i++) {
			ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		}
	}
	close(epoll);
}

/* Entries that met a full completion ring go on when there is room again */
TEST_F(worker, completion_ring_full)
{
	struct queue *q = &self->q, other;
	struct doca_cqe cqe;
	int i;

	ASSERT_EQ(0, queue_open(&other, &self->d, self->worker, 2, 0));
	for (i = 0; i < 32; i++) {
		queue_push(q, sqe_nop(i));
		if (i % 16 == 15) {
			ASSERT_EQ(0, queue_publish(q));
			WAIT_UNTIL(ring_load(&q->kernel->cq_tail) == 16);
		}
	}
	EXPECT_TRUE(looked(&other));
	EXPECT_EQ(16, q->kernel->cq_tail);
	EXPECT_EQ(16, q->kernel->sq_head);
	for (i = 0; i < 32; i++) {
		ASSERT_EQ(0, queue_wait(q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
		ASSERT_EQ(0, queue_wake(q));
	}
	queue_close(&other);
}

/* Long operations of one queue do not keep the others from being served */
TEST_F(worker, fairness)
{
	enum { QUEUES = 4, COPIES = 16, BIG = 16 << 20 };
	struct doca_cqe cqe;
	struct queue q[QUEUES];
	struct buf big;
	int i;

	ASSERT_EQ(0, buf_make(&self->d, &big, BIG, ACCESS_LOCAL));
	for (i = 0; i < QUEUES; i++) {
		ASSERT_EQ(0, queue_open(&q[i], &self->d, self->worker, COPIES, 0));
	}
	for (i = 0; i < COPIES; i++)
		queue_push(&q[0], sqe_copy(seg_of(&big, 0, BIG / 2),
					   seg_of(&big, BIG / 2, BIG / 2)));
	ASSERT_EQ(0, queue_publish(&q[0]));
	for (i = 1; i < QUEUES; i++) {
		EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&q[i], sqe_nop(i)));
	}
	EXPECT_GT(COPIES, q[0].kernel->cq_tail) {
		TH_LOG("the others had to wait for all copies");
	}
	for (i = 0; i < COPIES; i++) {
		ASSERT_EQ(0, queue_wait(&q[0], &cqe));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	}
	for (i = 0; i < QUEUES; i++)
		queue_close(&q[i]);
}

TEST_F(worker, many_queues)
{
	enum { QUEUES = 32 };
	struct queue q[QUEUES];
	struct doca_cqe cqe;
	int i, round;

	for (i = 0; i < QUEUES; i++) {
		ASSERT_EQ(0, queue_open(&q[i], &self->d, self->worker, 8, 0));
	}
	for (round = 0; round < 20; round++) {
		for (i = 0; i < QUEUES; i++) {
			queue_push(&q[i], sqe_nop(i));
			queue_push(&q[i], sqe_nop(~i));
			ASSERT_EQ(0, queue_publish(&q[i]));
		}
		for (i = QUEUES - 1; i >= 0; i--) {
			ASSERT_EQ(0, queue_wait(&q[i], &cqe));
			ASSERT_EQ(i, cqe.user_data);
			ASSERT_EQ(0, queue_wait(&q[i], &cqe));
			ASSERT_EQ((uint64_t)~i, cqe.user_data);
		}
	}
	for (i = 0; i < QUEUES; i++)
		queue_close(&q[i]);
}

TEST_F(worker, broken_queue_spares_the_others)
{
	struct queue good;
	uint32_t i;

	ASSERT_EQ(0, queue_open(&good, &self->d, self->worker, 8, 0));
	ring_store(&self->q.user->notify_at, self->q.geo.cq_entries);
	for (i = 0; i < self->q.geo.cq_entries; i++)
		queue_push(&self->q, sqe_nop(i));
	ASSERT_EQ(0, queue_publish(&self->q));
	EXPECT_NE(0, queue_revents(&self->q, POLLIN, FOREVER) & POLLIN);
	ring_store(&self->q.user->cq_head, 1000);
	queue_push(&self->q, sqe_nop(i));
	ASSERT_EQ(0, queue_publish(&self->q));
	WAIT_UNTIL(ring_load(&self->q.kernel->state));
	EXPECT_EQ(DOCA_QUEUE_BROKEN, self->q.kernel->state);
	EXPECT_NE(0, queue_revents(&self->q, POLLIN, FOREVER) & (POLLERR | POLLHUP));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&good, sqe_nop(1)));
	queue_close(&good);
}

TEST_F(worker, destroy_errors)
{
	EXPECT_EQ(-EBUSY, worker_destroy(self->d.fd, self->worker));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(1)));
	queue_close(&self->q);
	EXPECT_EQ(0, worker_destroy(self->d.fd, self->worker));
	EXPECT_EQ(-ENOENT, worker_destroy(self->d.fd, self->worker));
	EXPECT_EQ(-ENOENT, queue_open(&self->q, &self->d, self->worker, 2, 0));
}

/* Closed with work in it: operations that have begun end, and nothing else is waited for */
TEST_F(worker, close_of_a_busy_queue)
{
	enum { BIG = 64 << 20 };
	struct buf big, last;
	int i;

	ASSERT_EQ(0, buf_make(&self->d, &big, BIG, ACCESS_LOCAL));
	ASSERT_EQ(0, buf_make(&self->d, &last, PAGE, ACCESS_LOCAL));
	big.addr[BIG / 2] = 1;
	for (i = 0; i < 15; i++)
		queue_push(&self->q, sqe_copy(seg_of(&big, 0, BIG / 2),
					      seg_of(&big, BIG / 2, BIG / 2)));
	queue_push(&self->q, sqe_copy(seg_of(&last, 0, 1), seg_of(&big, BIG / 2, 1)));
	ASSERT_EQ(0, queue_publish(&self->q));
	queue_close(&self->q);
	EXPECT_EQ(0, worker_destroy(self->d.fd, self->worker));
	EXPECT_EQ(0, mem_dereg(self->d.fd, big.mem));
	EXPECT_EQ(0, last.addr[0]);
}

/* Run in a child that dies while its own child, which holds all its files, lives */
static void leave_an_heir(uint32_t idle_us, int out)
{
	uint32_t worker;
	struct queue q;
	struct doca d;
	char alive = 'a';
	int ok;

	if (doca_open(&d) || worker_create(d.fd, idle_us, &worker) ||
	    queue_open(&q, &d, worker, 8, 0) ||
	    queue_status(&q, sqe_nop(1)) != DOCA_STATUS_SUCCESS)
		_exit(1);
	if (fork()) {
		pause();
		_exit(1);
	}
	ok = queue_revents(&q, POLLIN, 0) == 0;
	if (write(out, ok ? &alive : "x", 1) != 1)
		_exit(1);
	ok = queue_revents(&q, POLLIN, FOREVER) & POLLHUP;
	if (write(out, ok ? &alive : "x", 1) != 1)
		_exit(1);
	_exit(0);
}

/* The queues of a process die with it, even if another one has their descriptors */
TEST_F(worker, death_of_the_owner_with_an_heir)
{
	int ends[2];
	char c = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe(ends));
	pid = fork();
	if (!pid)
		leave_an_heir(variant->mode.idle_us, ends[1]);
	close(ends[1]);
	ASSERT_EQ(1, read(ends[0], &c, 1));
	EXPECT_EQ('a', c);
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	ASSERT_EQ(1, read(ends[0], &c, 1));
	EXPECT_EQ('a', c);
	close(ends[0]);
}

struct closer {
	int fd;
	pid_t waiter;
};

static void *close_when_it_sleeps(void *arg)
{
	struct closer *c = arg;

	WAIT_UNTIL(state_of(c->waiter) == 'S');
	close(c->fd);
	return NULL;
}

TEST_F(worker, close_wakes_the_waiter)
{
	struct closer c = { self->d.fd, gettid() };
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, close_when_it_sleeps, &c));
	EXPECT_NE(0, queue_revents(&self->q, POLLIN, FOREVER) & POLLHUP);
	EXPECT_NE(0, self->q.kernel->dead);
	pthread_join(thread, NULL);
	self->d.fd = -1;
}

/* STOP with nothing outstanding, then entries: flushed with the same wake-ups */
TEST_F(worker, stop_then_submit)
{
	struct doca_cqe cqe;
	int i;

	ASSERT_EQ(0, queue_stop(self->q.fd));
	for (i = 0; i < 30; i++) {
		queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		ASSERT_EQ(0, wait_by_poll(&self->q, -1, &cqe));
		ASSERT_EQ(DOCA_STATUS_CANCELED, cqe.status);
		ASSERT_EQ(i, cqe.user_data);
	}
}

/* Made and destroyed before it has run once, or right behind an entry */
TEST_F(worker, short_lives)
{
	uint32_t worker;
	struct queue q;
	int i;

	for (i = 0; i < rounds(20); i++) {
		ASSERT_EQ(0, worker_create(self->d.fd, variant->mode.idle_us, &worker));
		if (i % 2) {
			ASSERT_EQ(0, queue_open(&q, &self->d, worker, 2, 0));
			if (i % 4 == 1)
				ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&q, sqe_nop(i)));
			queue_close(&q);
		}
		ASSERT_EQ(0, worker_destroy(self->d.fd, worker));
	}
}

TEST_HARNESS_MAIN
