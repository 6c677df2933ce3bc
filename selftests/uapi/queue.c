// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A queue: creation, indices and states */
#include <pthread.h>

#include "queue_fixture.h"

static int create(struct doca *d, uint32_t sq, uint32_t cq, uint32_t segments)
{
	struct queue q;
	int err = queue_open_cq(&q, d, 0, sq, cq, segments);

	queue_close(&q);
	return err;
}

TEST_F(queue, sizes)
{
	uint32_t max = self->limits.out_max_queue_entries;
	uint32_t max_segments = self->limits.out_max_queue_segments;
	struct doca *d = &self->d;

	EXPECT_EQ(0, create(d, 1, 1, 0));
	EXPECT_EQ(0, create(d, 2, 64, 1));
	EXPECT_EQ(0, create(d, 64, 64, 3));
	EXPECT_EQ(-EINVAL, create(d, 0, 2, 0));
	EXPECT_EQ(-EINVAL, create(d, 2, 0, 0));
	EXPECT_EQ(-EINVAL, create(d, 0, 0, 0));
	EXPECT_EQ(-EINVAL, create(d, 3, 4, 0));
	EXPECT_EQ(-EINVAL, create(d, 4, 5, 0));
	EXPECT_EQ(-EINVAL, create(d, 6, 6, 0));
	EXPECT_EQ(-EINVAL, create(d, 8, 4, 0));
	EXPECT_EQ(-EINVAL, create(d, 2 * max, 2 * max, 0));
	EXPECT_EQ(-EINVAL, create(d, 2, 2 * max, 0));
	EXPECT_EQ(-EINVAL, create(d, 2, 2, max_segments + 1));
	EXPECT_EQ(-EINVAL, create(d, 1U << 31, 1U << 31, 0));
	EXPECT_EQ(-EINVAL, create(d, 2, 2, UINT32_MAX));
}

TEST_F(queue, devices_and_workers)
{
	struct doca nowhere = { .fd = self->d.fd };
	struct queue q;

	EXPECT_EQ(-ENODEV, queue_open(&q, &nowhere, 0, 2, 0));
	nowhere.device = UINT32_MAX;
	EXPECT_EQ(-ENODEV, queue_open(&q, &nowhere, 0, 2, 0));
	EXPECT_EQ(-ENOENT, queue_open(&q, &self->d, 4711, 2, 0));
}

TEST_F(queue, enter_counts)
{
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	uint32_t done = 99;
	int i;

	EXPECT_EQ(0, queue_enter(q->fd, 1, &done));
	EXPECT_EQ(0, done);
	EXPECT_EQ(-EINVAL, queue_enter(q->fd, 0, NULL));
	for (i = 0; i < 8; i++)
		queue_push(q, sqe_nop(i));
	queue_announce(q);
	EXPECT_EQ(0, queue_enter(q->fd, 3, &done));
	EXPECT_EQ(3, done);
	EXPECT_EQ(3, q->kernel->cq_tail);
	EXPECT_EQ(3, q->kernel->sq_head);
	EXPECT_EQ(0, queue_enter(q->fd, UINT32_MAX, &done));
	EXPECT_EQ(5, done);
	for (i = 0; i < 8; i++) {
		ASSERT_TRUE(queue_reap(q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		EXPECT_EQ(0, cqe.length);
		EXPECT_EQ(0, cqe.result[0] | cqe.result[1]);
	}
	EXPECT_FALSE(queue_reap(q, &cqe));
}

/* More entries than 16 bits count, in uneven batches, each completed in turn */
TEST_F(queue, many_times_around)
{
	struct queue *q = &self->q;
	uint64_t sent = 0, seen = 0;
	uint32_t state = 1;
	struct doca_cqe cqe;

	while (seen < 70000) {
		uint32_t n = prng(&state) % (8 - (q->tail - q->head)) + 1;

		while (n--)
			queue_push(q, sqe_nop(~sent++));
		ASSERT_EQ(0, queue_publish(q));
		ASSERT_EQ((uint32_t)sent, q->kernel->cq_tail);
		n = prng(&state) % (sent - seen) + 1;
		while (n--) {
			ASSERT_TRUE(queue_reap(q, &cqe));
			ASSERT_EQ(~seen, cqe.user_data);
			ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
			seen++;
		}
	}
}

/* A full completion ring stops the executor and loses nothing */
TEST_F(queue, completion_ring_full)
{
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	uint32_t done;
	int i;

	for (i = 0; i < 8; i++)
		queue_push(q, sqe_nop(i));
	ASSERT_EQ(0, queue_publish(q));
	EXPECT_EQ(8, q->kernel->sq_head);
	for (; i < 16; i++)
		queue_push(q, sqe_nop(i));
	queue_announce(q);
	EXPECT_EQ(0, queue_enter(q->fd, 100, &done));
	EXPECT_EQ(0, done);
	EXPECT_EQ(8, q->kernel->sq_head);
	EXPECT_EQ(8, q->kernel->cq_tail);

	for (i = 0; i < 3; i++) {
		ASSERT_TRUE(queue_reap(q, &cqe));
	}
	EXPECT_NE(0, q->kernel->need_wakeup);
	EXPECT_EQ(0, queue_enter(q->fd, 100, &done));
	EXPECT_EQ(3, done);
	for (i = 3; i < 16; i++) {
		ASSERT_EQ(0, queue_wake(q));
		ASSERT_TRUE(queue_reap(q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
	}
	EXPECT_EQ(DOCA_QUEUE_RUN, q->kernel->state);
}

TEST_F(queue, larger_completion_ring)
{
	struct doca_cqe cqe;
	struct queue q;
	int i;

	ASSERT_EQ(0, queue_open_cq(&q, &self->d, 0, 2, 8, 0));
	for (i = 0; i < 8; i++) {
		queue_push(&q, sqe_nop(i));
		ASSERT_EQ(0, queue_publish(&q));
	}
	EXPECT_EQ(8, q.kernel->cq_tail);
	for (i = 0; i < 8; i++) {
		ASSERT_TRUE(queue_reap(&q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
	}
	queue_close(&q);
}

/* Words that the user overwrites in the rings after submitting have no effect */
TEST_F(queue, published_words_are_not_read_back)
{
	struct queue *q = &self->q;

	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(1)));
	memset(q->sq, 0xff, 8 * sizeof(*q->sq));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(2)));
	EXPECT_EQ(DOCA_QUEUE_RUN, q->kernel->state);
}

static void expect_broken(struct __test_metadata *_metadata, struct queue *q)
{
	uint32_t tail = q->kernel->cq_tail;

	queue_enter(q->fd, UINT32_MAX, NULL);
	EXPECT_EQ(DOCA_QUEUE_BROKEN, q->kernel->state);
	EXPECT_EQ(tail, q->kernel->cq_tail);
	EXPECT_NE(0, queue_revents(q, POLLIN, FOREVER) & (POLLERR | POLLHUP));
	/* It stays broken with its indices put right again, and room enough */
	ring_store(&q->user->cq_head, tail);
	queue_push(q, sqe_nop(1));
	queue_announce(q);
	queue_enter(q->fd, UINT32_MAX, NULL);
	EXPECT_EQ(DOCA_QUEUE_BROKEN, q->kernel->state);
	EXPECT_EQ(tail, q->kernel->cq_tail);
	/* and other queues do not suffer */
	EXPECT_EQ(0, queue_stop(q->fd));
	EXPECT_EQ(DOCA_QUEUE_BROKEN, q->kernel->state);
}

/* A wrong phase announces nothing, however often it is seen */
TEST_F(queue, foreign_phases)
{
	struct queue *q = &self->q;
	uint32_t next = 8 + 3; /* in the second phase */
	uint16_t expected = ring_phase(next, 8);
	const uint16_t phases[] = {
		0, 1, expected - 1, expected + 1, expected & 0x7fff, UINT16_MAX
	};
	struct doca_cqe cqe;
	uint32_t done;
	size_t i;

	for (i = 0; i < next; i++)
		ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(i)));
	queue_push(q, sqe_nop(next));
	for (i = 0; i < ARRAY_SIZE(phases); i++) {
		ring_store(&q->sq[next & 7].phase, phases[i]);
		ASSERT_EQ(0, queue_enter(q->fd, 100, &done));
		EXPECT_EQ(0, done);
	}
	EXPECT_EQ(next, q->kernel->sq_head);
	ASSERT_EQ(0, queue_publish(q));
	ASSERT_TRUE(queue_reap(q, &cqe));
	EXPECT_EQ(next, cqe.user_data);
	EXPECT_EQ(DOCA_QUEUE_RUN, q->kernel->state);
}

/* Entries behind one that was not announced wait for it */
TEST_F(queue, announced_out_of_order)
{
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	uint32_t done;
	int i;

	for (i = 0; i < 4; i++)
		queue_push(q, sqe_nop(i));
	queue_set_phase(q, 1);
	queue_set_phase(q, 3);
	ASSERT_EQ(0, queue_enter(q->fd, 100, &done));
	EXPECT_EQ(0, done);
	queue_set_phase(q, 0);
	ASSERT_EQ(0, queue_enter(q->fd, 100, &done));
	EXPECT_EQ(2, done);
	queue_set_phase(q, 2);
	ASSERT_EQ(0, queue_enter(q->fd, 100, &done));
	EXPECT_EQ(2, done);
	for (i = 0; i < 4; i++) {
		ASSERT_TRUE(queue_reap(q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
	}
	EXPECT_FALSE(queue_reap(q, &cqe));
	q->published = q->tail;
}

/*
 * More is reaped than was completed, or less than the ring has room for. The kernel has
 * to read cq_head when, for all it knows, its ring is full.
 */
TEST_F(queue, completion_index_jumps)
{
	const int32_t jumps[] = { 9, 16, -1, INT32_MAX, INT32_MIN };
	size_t i;
	int n;

	for (i = 0; i < ARRAY_SIZE(jumps); i++) {
		struct queue q;

		ASSERT_EQ(0, queue_open(&q, &self->d, 0, 8, 0));
		for (n = 0; n < 8; n++)
			queue_push(&q, sqe_nop(n));
		ASSERT_EQ(0, queue_publish(&q));
		ASSERT_EQ(8, q.kernel->cq_tail);
		ring_store(&q.user->cq_head, jumps[i]);
		queue_push(&q, sqe_nop(n));
		queue_announce(&q);
		expect_broken(_metadata, &q);
		EXPECT_TRUE(_metadata->passed) {
			TH_LOG("jump to %d", jumps[i]);
		}
		queue_close(&q);
	}
	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(1)));
}

TEST_F(queue, stop_flushes)
{
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	int i;

	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(1)));
	for (i = 0; i < 8; i++)
		queue_push(q, sqe_nop(i));
	queue_announce(q);
	EXPECT_EQ(0, queue_stop(q->fd));
	EXPECT_EQ(0, queue_stop(q->fd));
	EXPECT_EQ(0, queue_wake(q));
	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, queue_wait(q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
		EXPECT_EQ(DOCA_STATUS_CANCELED, cqe.status);
	}
	EXPECT_EQ(DOCA_QUEUE_FLUSH, q->kernel->state);
	EXPECT_EQ(DOCA_STATUS_CANCELED, queue_status(q, sqe_nop(9)));
	EXPECT_EQ(0, q->kernel->dead);
}

static void ask_for(struct queue *q, uint32_t nth)
{
	ring_store(&q->user->notify_at, q->head + nth);
	ring_barrier();
}

/* Readable from the requested completion on, until that one is reaped */
TEST_F(queue, poll)
{
	struct queue *q = &self->q;
	struct doca_cqe cqe;

	EXPECT_EQ(0, queue_revents(q, POLLIN, 0));
	queue_push(q, sqe_nop(1));
	queue_push(q, sqe_nop(2));
	ASSERT_EQ(0, queue_publish(q));
	EXPECT_EQ(0, queue_revents(q, POLLIN, 0));
	ask_for(q, 3);
	EXPECT_EQ(0, queue_revents(q, POLLIN, 0));
	ask_for(q, 2);
	EXPECT_EQ(POLLIN, queue_revents(q, POLLIN, FOREVER));
	ASSERT_TRUE(queue_reap(q, &cqe));
	EXPECT_EQ(POLLIN, queue_revents(q, POLLIN, 0));
	ASSERT_TRUE(queue_reap(q, &cqe));
	EXPECT_EQ(0, queue_revents(q, POLLIN, 0));

	/* A request holds once */
	queue_push(q, sqe_nop(3));
	ASSERT_EQ(0, queue_publish(q));
	EXPECT_EQ(0, queue_revents(q, POLLIN, 0));
	ask_for(q, 1);
	EXPECT_EQ(POLLIN, queue_revents(q, POLLIN, 0));
}

/* Closing the file kills its queues, even if their descriptors are still held */
TEST_F(queue, close_of_the_file)
{
	struct queue *q = &self->q;
	uint32_t tail;

	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(1)));
	tail = q->kernel->cq_tail;
	close(self->d.fd);
	self->d.fd = -1;
	EXPECT_NE(0, q->kernel->dead);
	EXPECT_NE(0, queue_revents(q, POLLIN, FOREVER) & POLLHUP);
	queue_push(q, sqe_nop(2));
	queue_announce(q);
	/* It may flush or refuse, but neither work nor crash */
	queue_enter(q->fd, UINT32_MAX, NULL);
	if (q->kernel->cq_tail != tail) {
		EXPECT_EQ(DOCA_STATUS_CANCELED, q->cq[tail & 7].status);
	}
	queue_stop(q->fd);
}

struct enterer {
	struct queue *q;
	int err;
};

static void *enterer(void *arg)
{
	struct enterer *e = arg;

	for (int i = 0; i < 2000 && !e->err; i++)
		e->err = queue_enter(e->q->fd, 1, NULL);
	return NULL;
}

/* Two threads in ENTER at once: the library forbids it, the kernel bears it */
TEST_F(queue, two_threads_enter)
{
	struct enterer e[2] = { { &self->q, 0 }, { &self->q, 0 } };
	uint64_t sent = 0, seen = 0;
	struct doca_cqe cqe;
	pthread_t t[2];
	int i;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, pthread_create(&t[i], NULL, enterer, &e[i]));
	}
	while (seen < 1000) {
		while (sent - seen < 8)
			queue_push(&self->q, sqe_nop(sent++));
		ASSERT_EQ(0, queue_publish(&self->q));
		while (queue_reap(&self->q, &cqe)) {
			ASSERT_EQ(seen++, cqe.user_data);
		}
	}
	for (i = 0; i < 2; i++) {
		pthread_join(t[i], NULL);
		EXPECT_EQ(0, e[i].err);
	}
	EXPECT_EQ(DOCA_QUEUE_RUN, self->q.kernel->state);
}

#define RING_BYTES "/sys/module/doca/parameters/max_ring_bytes"

/* Set the limit, and return the former one; negative if it cannot be set */
static long limit_ring_bytes(long bytes)
{
	FILE *f = fopen(RING_BYTES, "r+");
	long was = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%ld", &was) == 1) {
		rewind(f);
		if (fprintf(f, "%ld", bytes) < 0)
			was = -1;
	}
	return fclose(f) ? -1 : was;
}

/* A queue that is refused for its rings is not charged to the other limit either */
TEST_F(queue, refused_is_not_charged)
{
	long was = limit_ring_bytes(0);
	long before;

	/* Queues of the case before are gone with its file */
	WAIT_UNTIL(fdinfo_value(self->d.fd, "doca-user-files") == 1);
	before = fdinfo_value(self->d.fd, "doca-user-queues");
	if (was < 0)
		SKIP(return, "the limits cannot be set");
	EXPECT_EQ(-EDQUOT, create(&self->d, 2, 2, 0));
	EXPECT_EQ(0, limit_ring_bytes(was));
	EXPECT_LT(0, before);
	EXPECT_EQ(before, fdinfo_value(self->d.fd, "doca-user-queues"));
}

TEST_HARNESS_MAIN
