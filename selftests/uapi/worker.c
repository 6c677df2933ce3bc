// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Workers: waking them, being woken by them, sharing one, and their end */
#include <pthread.h>
#include <sys/epoll.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

/* So many turns, or fewer in so much time on a slow machine, but not too few */
#define PINGS 10000
#define PINGS_NS 4000000000ULL
#define PINGS_MIN 10
#define WATCHDOG_MS 5000

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
}

FIXTURE_TEARDOWN(worker)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

/* Ask to be told of the next completion, and sleep until then */
static int wait_by_poll(struct queue *q, int epoll, struct doca_cqe *cqe)
{
	struct epoll_event event;

	while (!queue_reap(q, cqe)) {
		ring_store(&q->user->notify_at, q->head + 1);
		ring_barrier();
		if (ring_load(&q->kernel->cq_tail) != q->head)
			continue;
		if (epoll < 0 ? queue_revents(q, POLLIN, WATCHDOG_MS) != POLLIN :
				epoll_wait(epoll, &event, 1, WATCHDOG_MS) != 1)
			return -ETIMEDOUT;
	}
	return 0;
}

/* Turn by turn later, to meet the worker at every step of its falling asleep */
static void linger(uint32_t turn)
{
	uint64_t end = now_ns() + turn % 257 * 500;

	while (turn % 3 && now_ns() < end)
		;
}

/* A lost wake-up, in either direction, is a time-out here */
TEST_F(worker, ping_pong_by_poll)
{
	uint64_t end = now_ns() + PINGS_NS;
	struct doca_cqe cqe;
	uint32_t i;

	for (i = 0; i < PINGS && now_ns() < end; i++) {
		queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		ASSERT_EQ(0, wait_by_poll(&self->q, -1, &cqe)) {
			TH_LOG("wake-up %u was lost", i);
		}
		ASSERT_EQ(i, cqe.user_data);
		linger(i);
	}
	EXPECT_LE(PINGS_MIN, i);
}

TEST_F(worker, ping_pong_by_epoll)
{
	struct epoll_event want = { .events = EPOLLIN | EPOLLET };
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	uint64_t end = now_ns() + PINGS_NS;
	struct doca_cqe cqe;
	uint32_t i;

	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->q.fd, &want));
	for (i = 0; i < PINGS && now_ns() < end; i++) {
		queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		ASSERT_EQ(0, wait_by_poll(&self->q, epoll, &cqe)) {
			TH_LOG("wake-up %u was lost", i);
		}
		linger(i);
	}
	EXPECT_LE(PINGS_MIN, i);
	close(epoll);
}

/* Without poll: only need_wakeup keeps the worker awake */
TEST_F(worker, ping_pong_by_ring)
{
	uint64_t end = now_ns() + PINGS_NS;
	struct doca_cqe cqe;
	uint32_t i;

	for (i = 0; i < PINGS && now_ns() < end; i++) {
		ASSERT_EQ(0, queue_do(&self->q, sqe_nop(i), &cqe));
		ASSERT_EQ(i, cqe.user_data);
		linger(i);
	}
	EXPECT_LE(PINGS_MIN, i);
}

TEST_F(worker, need_wakeup)
{
	struct doca_cqe cqe;
	int i;

	if (variant->mode.idle_us != DOCA_IDLE_NEVER) {
		EXPECT_TRUE(wait_until_nonzero(&self->q.kernel->need_wakeup,
					       1000000000));
		EXPECT_EQ(DOCA_STATUS_SUCCESS,
			  queue_status(&self->q, sqe_nop(1)));
		EXPECT_TRUE(wait_until_nonzero(&self->q.kernel->need_wakeup,
					       1000000000));
		return;
	}
	/* The data path of a worker that never sleeps has no call at all */
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(1)));
	for (i = 0; i < 1000; i++) {
		ASSERT_EQ(0, self->q.kernel->need_wakeup);
		queue_push(&self->q, sqe_nop(i));
		queue_announce(&self->q);
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
	}
	pause_us(20000);
	EXPECT_EQ(0, self->q.kernel->need_wakeup);
}

/* ENTER on the queue of a worker wakes it, and is harmless if it is awake */
/* How often it has gone to sleep; -1 if that cannot be known */
static long sleeps_of(const struct queue *q)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", worker_pid(q));
	return proc_value(path, "voluntary_ctxt_switches:");
}

/* Nothing wakes it but work: not a timer, and no other queue */
TEST_F(worker, idle_it_takes_no_cpu)
{
	long sleeps;

	if (variant->mode.idle_us == DOCA_IDLE_NEVER)
		SKIP(return, "this one never sleeps");
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(1)));
	ASSERT_TRUE(wait_until_nonzero(&self->q.kernel->need_wakeup,
				       1000000000));
	pause_us(50000); /* from there to sleep it has a few steps to go */
	sleeps = sleeps_of(&self->q);
	EXPECT_LE(1, sleeps);
	pause_us(500000);
	EXPECT_EQ(sleeps, sleeps_of(&self->q));
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(2)));
	ASSERT_TRUE(wait_until_nonzero(&self->q.kernel->need_wakeup,
				       1000000000));
	pause_us(50000);
	EXPECT_LE(sleeps + 1, sleeps_of(&self->q));
}

TEST_F(worker, enter)
{
	struct doca_cqe cqe;
	uint32_t i, done;

	EXPECT_EQ(-EINVAL, queue_enter(self->q.fd, 0, NULL));
	for (i = 0; i < 200; i++) {
		queue_push(&self->q, sqe_nop(i));
		queue_announce(&self->q);
		ASSERT_EQ(0, queue_enter(self->q.fd, 1, &done));
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		ASSERT_EQ(i, cqe.user_data);
	}
}

/* Each time the second completion comes unasked, while epoll remembers the first */
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
		EXPECT_EQ(1, epoll_wait(epoll, &event, 1, WATCHDOG_MS));
		ASSERT_EQ(0, queue_wait(q, &cqe));
		queue_push(q, sqe_nop(2));
		ASSERT_EQ(0, queue_publish(q));
		while (ring_load(&q->kernel->cq_tail) == q->head)
			pause_us(100);
		EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 0));
		ASSERT_EQ(0, queue_wait(q, &cqe));
	}
	close(epoll);
}

/* Executed by the caller when the call returns, whatever the worker is at */
TEST_F(worker, enter_executes)
{
	struct doca_query limits;
	struct doca_cqe cqe;
	uint32_t i, done;

	ASSERT_EQ(0, query(self->d.fd, &limits));
	EXPECT_NE(0, limits.out_features & DOCA_FEATURE_EXECUTE);
	EXPECT_EQ(-EOPNOTSUPP, queue_enter_flags(self->q.fd, 2, 1, &done));
	for (i = 0; i < 200; i++) {
		queue_push(&self->q, sqe_nop(i));
		queue_announce(&self->q);
		ASSERT_EQ(0, queue_enter_flags(self->q.fd, DOCA_ENTER_EXECUTE,
					       16, &done));
		ASSERT_GE(1, done);
		ASSERT_TRUE(queue_reap(&self->q, &cqe));
		ASSERT_EQ(i, cqe.user_data);
	}
	EXPECT_EQ(variant->mode.idle_us != DOCA_IDLE_NEVER,
		  ring_load(&self->q.kernel->need_wakeup));
	/* And then the worker does, which has stood aside. */
	for (i = 0; i < 200; i++)
		ASSERT_EQ(DOCA_STATUS_SUCCESS,
			  queue_status(&self->q, sqe_nop(i)));
}

/* What the call leaves is the worker's, which may have stood aside and sleep */
TEST_F(worker, enter_leaves_the_rest)
{
	struct doca_cqe cqe;
	uint32_t i, j, done;

	for (i = 0; i < 50; i++) {
		for (j = 0; j < 3; j++)
			queue_push(&self->q, sqe_nop(j));
		queue_announce(&self->q);
		ASSERT_EQ(0, queue_enter_flags(self->q.fd, DOCA_ENTER_EXECUTE,
					       1, &done));
		ASSERT_GE(1, done);
		for (j = 0; j < 3; j++) {
			ASSERT_EQ(0, queue_wait(&self->q, &cqe));
			ASSERT_EQ(j, cqe.user_data);
		}
	}
}

/* The notification comes when cq_tail passes the index, not before */
TEST_F(worker, notify_at_a_distance)
{
	struct epoll_event want = { .events = EPOLLIN }, event;
	int epoll = epoll_create1(EPOLL_CLOEXEC), i;
	struct doca_cqe cqe;

	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->q.fd, &want));
	ring_store(&self->q.user->notify_at, self->q.head + 3);
	ring_barrier();
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 20)) {
			TH_LOG("woken after %d of 3 completions", i);
		}
		queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
	}
	EXPECT_EQ(1, epoll_wait(epoll, &event, 1, WATCHDOG_MS));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
	}
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
		EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 5));
		ring_store(&self->q.user->notify_at, self->q.head + at);
		for (i = 0; i < 8; i++)
			queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		EXPECT_EQ(1, epoll_wait(epoll, &event, 1, WATCHDOG_MS)) {
			TH_LOG("not woken at %u of 8", at);
		}
		for (i = 0; i < 8; i++) {
			ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		}
	}
	close(epoll);
}

/* What found the completion ring full goes on when there is room again */
TEST_F(worker, completion_ring_full)
{
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	int i;

	for (i = 0; i < 32; i++) {
		queue_push(q, sqe_nop(i));
		if (i % 16 == 15) {
			ASSERT_EQ(0, queue_publish(q));
			while (ring_load(&q->kernel->cq_tail) != 16)
				sched_yield();
		}
	}
	pause_us(10000);
	EXPECT_EQ(16, q->kernel->cq_tail);
	EXPECT_EQ(16, q->kernel->sq_head);
	for (i = 0; i < 32; i++) {
		ASSERT_EQ(0, queue_wait(q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
		ASSERT_EQ(0, queue_wake(q));
	}
}

/* One queue's long operations do not keep the others from being served */
TEST_F(worker, fairness)
{
	enum { QUEUES = 4, COPIES = 16, BIG = 16 << 20 };
	struct doca_cqe cqe;
	struct queue q[QUEUES];
	struct buf big;
	int i;

	ASSERT_EQ(0, buf_make(&self->d, &big, BIG, ACCESS_LOCAL));
	for (i = 0; i < QUEUES; i++) {
		ASSERT_EQ(0, queue_open(&q[i], &self->d, self->worker, COPIES,
					0));
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
	for (round = 0; round < 50; round++) {
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
	EXPECT_NE(0, queue_revents(&self->q, POLLIN, WATCHDOG_MS) & POLLIN);
	ring_store(&self->q.user->cq_head, 1000);
	queue_push(&self->q, sqe_nop(i));
	ASSERT_EQ(0, queue_publish(&self->q));
	EXPECT_TRUE(wait_until_nonzero(&self->q.kernel->state, WAIT_NS));
	EXPECT_EQ(DOCA_QUEUE_BROKEN, self->q.kernel->state);
	EXPECT_NE(0, queue_revents(&self->q, POLLIN, WATCHDOG_MS) &
			     (POLLERR | POLLHUP));
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

/* Closed with work in it: what was begun ends, and nothing is waited for long */
TEST_F(worker, close_of_a_busy_queue)
{
	enum { BIG = 32 << 20 };
	struct buf big;
	uint64_t start;
	int i;

	ASSERT_EQ(0, buf_make(&self->d, &big, BIG, ACCESS_LOCAL));
	for (i = 0; i < 16; i++)
		queue_push(&self->q, sqe_copy(seg_of(&big, 0, BIG / 2),
					      seg_of(&big, BIG / 2, BIG / 2)));
	ASSERT_EQ(0, queue_publish(&self->q));
	start = now_ns();
	queue_close(&self->q);
	EXPECT_EQ(0, worker_destroy(self->d.fd, self->worker));
	EXPECT_EQ(0, mem_dereg(self->d.fd, big.mem));
	EXPECT_GT(1000000000, now_ns() - start);
}

/* A waiter learns of the file's end from poll, at once */
TEST_F(worker, close_of_the_file)
{
	struct queue *q = &self->q;

	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(1)));
	EXPECT_EQ(0, queue_revents(q, POLLIN, 0));
	close(self->d.fd);
	self->d.fd = -1;
	EXPECT_NE(0, q->kernel->dead);
	EXPECT_NE(0, queue_revents(q, POLLIN, WATCHDOG_MS) & POLLHUP);
	queue_push(q, sqe_nop(2));
	queue_publish(q);
	queue_stop(q->fd);
	EXPECT_NE(0, q->kernel->dead);
}

/* In a child that dies while its own child, which holds all its files, lives */
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
	ok = queue_revents(&q, POLLIN, WATCHDOG_MS) & POLLHUP;
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

static void *close_later(void *fd)
{
	pause_us(50000);
	close(*(int *)fd);
	return NULL;
}

TEST_F(worker, close_wakes_the_waiter)
{
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, close_later, &self->d.fd));
	EXPECT_NE(0, queue_revents(&self->q, POLLIN, 5000) & POLLHUP);
	pthread_join(thread, NULL);
	self->d.fd = -1;
}

static void *stop_later(void *fd)
{
	pause_us(50000);
	queue_stop(*(int *)fd);
	return NULL;
}

/* STOP with nothing outstanding, then entries: flushed with the same wake-ups */
TEST_F(worker, stop_then_submit)
{
	struct doca_cqe cqe;
	pthread_t thread;
	int i;

	ASSERT_EQ(0, pthread_create(&thread, NULL, stop_later, &self->q.fd));
	pthread_join(thread, NULL);
	for (i = 0; i < 100; i++) {
		queue_push(&self->q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&self->q));
		ASSERT_EQ(0, wait_by_poll(&self->q, -1, &cqe));
		ASSERT_EQ(DOCA_STATUS_CANCELED, cqe.status);
		ASSERT_EQ(i, cqe.user_data);
	}
}

/* Made and destroyed before it has run once */
TEST_F(worker, short_lives)
{
	uint32_t worker;
	struct queue q;
	int i;

	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, worker_create(self->d.fd, variant->mode.idle_us,
					   &worker));
		if (i % 2) {
			ASSERT_EQ(0, queue_open(&q, &self->d, worker, 2, 0));
			queue_close(&q);
		}
		ASSERT_EQ(0, worker_destroy(self->d.fd, worker));
	}
}

TEST_HARNESS_MAIN
