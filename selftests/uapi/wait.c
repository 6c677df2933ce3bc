// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Waits for a value that others write through the kernel or with their own CPU: how they
 * end, and what they must not disturb.
 */
#include "counts.h"
#include "sync.h"

/* The CPU writes, and the kernel is not told */
TEST_F(sync, ends_by_a_store)
{
	struct doca_cqe cqe;
	int round;

	for (round = 1; round < 20; round++) {
		ASSERT_EQ(0, submit(&self->q, wait_gt(&self->seg, round - 1), round));
		EXPECT_TRUE(quiet(&self->q));
		spin(round * 100000);
		put(self->value, round);
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		EXPECT_EQ(round, cqe.user_data);
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		EXPECT_EQ(round, cqe.result[0]);
	}
}

/* Without a call on the ring, poll() wakes up all the same */
TEST_F(sync, wakes_poll)
{
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	int round;

	for (round = 1; round < 10; round++) {
		ASSERT_EQ(0, submit(q, wait_gt(&self->seg, round - 1), 0));
		ring_store(&q->user->notify_at, q->head + 1);
		ring_barrier();
		EXPECT_EQ(0, queue_revents(q, POLLIN, 0));
		if (round % 2)
			put(self->value, round);
		else
			EXPECT_EQ(0, queue_status(&self->other,
						  sqe_sync_write(
							  DOCA_OP_SYNC_SET,
							  self->seg, round)));
		EXPECT_EQ(POLLIN, queue_revents(q, POLLIN, FOREVER));
		ASSERT_TRUE(queue_reap(q, &cqe));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	}
}

/* Put it on the CPU of the caller, and schedule it first */
static int prefer(pid_t worker)
{
	const struct sched_param first = { .sched_priority = 50 };
	int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ?:
	       sched_setaffinity(worker, sizeof(set), &set) ?:
	       sched_setscheduler(worker, SCHED_FIFO, &first);
}

/*
 * A sleeping worker polls an old wait now and then by itself. A write by the kernel wakes it;
 * and if it is scheduled before the writer, it has ended the wait when the writer goes on.
 */
static void ends_old_waits(struct __test_metadata *_metadata, FIXTURE_DATA(sync) *self,
			   struct queue *other, struct doca_seg seg)
{
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	int i;

	ASSERT_EQ(0, prefer(worker_pid(q)));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, submit(q, wait_gt(&self->seg, i), i));
		EXPECT_TRUE(quiet(q));
		EXPECT_EQ(0, queue_status(other, sqe_sync_write(DOCA_OP_SYNC_ADD, seg, 1)));
		ASSERT_TRUE(queue_reap(q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	}
}

TEST_F(sync, kernel_writes_end_old_waits_at_once)
{
	if (!variant->mode.worker || variant->mode.idle_us == DOCA_IDLE_NEVER)
		SKIP(return, "needs a worker that sleeps");
	ends_old_waits(_metadata, self, &self->other, self->seg);
}

/* Write through another file, which has imported the value */
TEST_F(sync, importers_writes_end_old_waits_at_once)
{
	struct doca_mem_import in;
	struct doca_blob blob;
	struct queue q;
	struct doca d;
	uint32_t mem, key;

	if (!variant->mode.worker || variant->mode.idle_us == DOCA_IDLE_NEVER)
		SKIP(return, "needs a worker that sleeps");
	ASSERT_EQ(0, mem_reg(self->d.fd, self->buf.addr, 2 * PAGE, ACCESS_LOCAL | ACCESS_PCI,
			     &mem));
	ASSERT_EQ(0, mem_map(self->d.fd, mem, self->d.device, ACCESS_LOCAL, &key));
	ASSERT_EQ(0, mem_export(self->d.fd, key, 0, &blob, NULL));
	self->seg.key = key;
	ASSERT_EQ(0, doca_open(&d));
	ASSERT_EQ(0, mem_import(d.fd, d.device, &blob, &in));
	ASSERT_EQ(0, queue_open(&q, &d, 0, 2, 0));
	ends_old_waits(_metadata, self, &q,
		       (struct doca_seg){ in.out_key, 8, self->seg.address });
	queue_close(&q);
	close(d.fd);
}

/* A wait holds up neither its own queue nor another one */
TEST_F(sync, overtaken)
{
	struct doca_cqe cqe;
	struct queue second;
	uint64_t seen;
	uint32_t i;

	ASSERT_EQ(0, queue_open_waits(&second, &self->d, self->worker, ENTRIES, WAITS));
	for (i = 0; i < WAITS; i++)
		ASSERT_EQ(0, submit(&self->q, wait_gt(&self->seg, i), i));
	for (i = 0; i < 20; i++) {
		EXPECT_TRUE(quiet(&self->q));
		EXPECT_TRUE(quiet(&second));
	}
	/* They end in the order of the values, not of submission */
	for (i = 0; i < WAITS; i++) {
		put(self->value, i + 1);
		ASSERT_EQ(0, submit(&self->q, sqe_nop(0), 77));
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		seen = cqe.user_data;
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		seen += cqe.user_data;
		EXPECT_EQ(i + 77, seen);
	}
	queue_close(&second);
}

/* Waits beyond the limit fail, and fit again later */
TEST_F(sync, room_for_waits)
{
	struct doca_cqe cqe;
	struct queue q;
	int i, round;
	uint32_t seen;

	for (round = 0; round < 3; round++) {
		*self->value = 0;
		for (i = 0; i < WAITS; i++)
			ASSERT_EQ(0, submit(&self->q, wait_gt(&self->seg, 0), i));
		EXPECT_TRUE(quiet(&self->q));
		put(self->value, 1);
		/* in any order, for the write comes while the kernel looks */
		for (i = seen = 0; i < WAITS; i++) {
			ASSERT_EQ(0, queue_wait(&self->q, &cqe));
			EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
			seen |= 1 << cqe.user_data;
		}
		EXPECT_EQ((1 << WAITS) - 1, seen);
	}
	*self->value = 0;
	for (i = 0; i < WAITS; i++)
		ASSERT_EQ(0, submit(&self->q, wait_gt(&self->seg, 0), i));
	EXPECT_EQ(DOCA_STATUS_BAD_WAIT, queue_status(&self->q, wait_gt(&self->seg, 0)));
	for (i = 0; i < WAITS; i++) {
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		EXPECT_EQ(DOCA_STATUS_CANCELED, cqe.status);
	}

	/* A wait that ends at once needs no room */
	*self->value = 1;
	EXPECT_EQ(0, queue_status(&self->other, wait_gt(&self->seg, 0)));
	EXPECT_EQ(DOCA_STATUS_BAD_WAIT, queue_status(&self->other, wait_gt(&self->seg, 1)));
	EXPECT_EQ(-EINVAL, queue_open_waits(&q, &self->d, 0, ENTRIES,
					    self->limits.out_max_queue_waits +
						    1));
	EXPECT_EQ(-EINVAL, queue_open_waits(&q, &self->d, 0, ENTRIES, UINT32_MAX));
}

/* Waits keep their completion slots: later entries must not take these */
TEST_F(sync, slots_are_kept)
{
	struct doca_cqe cqe;
	struct queue q;
	uint32_t i, seen = 0;

	ASSERT_EQ(0, queue_open_waits(&q, &self->d, self->worker, 4, 4));
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, submit(&q, wait_gt(&self->seg, 0), i));
	WAIT_UNTIL(ring_load(&q.kernel->sq_head) == 4);
	/* All slots are taken: this entry does not even begin, once the worker has been here */
	ASSERT_EQ(0, submit(&q, sqe_nop(0), 4));
	EXPECT_TRUE(quiet(&self->q) && quiet(&self->q));
	EXPECT_FALSE(queue_reap(&q, &cqe));
	put(self->value, 1);
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, queue_wake(&q));
		ASSERT_EQ(0, queue_wait(&q, &cqe));
		/* It takes the slot of a wait: the first to end, if the write came in between */
		EXPECT_TRUE(i || cqe.user_data != 4);
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		seen |= 1U << cqe.user_data;
		ASSERT_EQ(0, queue_wake(&q));
	}
	EXPECT_EQ(0x1f, seen);
	queue_close(&q);
}

/* Calls that end the waits of a queue from outside, and the resulting status */
static int unmap(struct doca *d, struct buf *b, struct queue *q)
{
	(void)q;
	return mem_unmap(d->fd, b->key);
}

static int dereg(struct doca *d, struct buf *b, struct queue *q)
{
	(void)q;
	return mem_dereg(d->fd, b->mem);
}

static int stop(struct doca *d, struct buf *b, struct queue *q)
{
	(void)d, (void)b;
	return queue_stop(q->fd);
}

/* An entry that fails takes the others with it */
static int fail(struct doca *d, struct buf *b, struct queue *q)
{
	struct doca_sqe bad = { .opcode = UINT16_MAX, .user_data = 99 };

	(void)d, (void)b;
	queue_push(q, bad);
	return queue_publish(q);
}

static const struct {
	const char *name;
	int (*act)(struct doca *d, struct buf *b, struct queue *q);
	uint32_t first; /* the others are canceled */
} ends[] = {
	{ "unmap", unmap, DOCA_STATUS_BAD_KEY },
	{ "dereg", dereg, DOCA_STATUS_BAD_KEY },
	{ "stop", stop, DOCA_STATUS_CANCELED },
	{ "fail", fail, DOCA_STATUS_BAD_OPCODE },
};

TEST_F(sync, ends_with_its_queue_or_memory)
{
	uint64_t seen = 0;
	struct queue *q = &self->q;
	struct doca_cqe cqe;
	struct buf b;
	size_t i;
	int n;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		TH_LOG("%s", ends[i].name);
		ASSERT_EQ(0, buf_make(&self->d, &b, PAGE, ACCESS_LOCAL));
		for (n = 0; n < WAITS; n++)
			ASSERT_EQ(0, submit(q,
					    wait_gt(&(struct doca_seg){ b.key, 8,
						      (uintptr_t)b.addr }, 0),
					    n));
		EXPECT_TRUE(quiet(q));
		ring_store(&q->user->notify_at, q->head + 1);
		ring_barrier();
		EXPECT_EQ(0, ends[i].act(&self->d, &b, q));
		/* Without ENTER, it comes by itself */
		EXPECT_NE(0, queue_revents(q, POLLIN, FOREVER) & POLLIN);
		n = WAITS + (ends[i].act == fail);
		for (int k = 0; k < n; k++) {
			ASSERT_EQ(0, queue_wait(q, &cqe));
			EXPECT_EQ(k ? DOCA_STATUS_CANCELED : ends[i].first, cqe.status);
			seen |= 1ULL << (cqe.user_data & 63);
		}
		EXPECT_EQ((1ULL << WAITS) - 1, seen & ((1ULL << WAITS) - 1));
		EXPECT_EQ(DOCA_QUEUE_FLUSH, q->kernel->state);
		queue_close(q);
		ASSERT_EQ(0, queue_open_waits(q, &self->d, self->worker, ENTRIES, WAITS));
	}
}

/* A process that ends with waits pending leaves nothing behind */
TEST_F(sync, close_with_waits)
{
	struct queue q;
	int i;

	for (i = 0; i < 50; i++) {
		ASSERT_EQ(0, queue_open_waits(&q, &self->d, self->worker, ENTRIES, WAITS));
		ASSERT_EQ(0, submit(&q, wait_gt(&self->seg, 0), 0));
		ASSERT_EQ(0, submit(&q, wait_gt(&self->seg, 1), 1));
		if (i % 3 == 1)
			put(self->value, 1);
		if (i % 3 == 2)
			spin(i * 10000);
		queue_close(&q);
		put(self->value, 0);
	}
	/* No wait is left there */
	EXPECT_EQ(0, queue_status(&self->other, sqe_sync_write(DOCA_OP_SYNC_SET, self->seg, 9)));
	ASSERT_EQ(0, submit(&self->q, wait_gt(&self->seg, 9), 0));
	close(self->d.fd);
	self->d.fd = -1;
	EXPECT_NE(0, queue_revents(&self->q, POLLHUP, FOREVER) & POLLHUP);
}

/* End it with a wait for its value pending */
static void exporter_ends(struct __test_metadata *_metadata, FIXTURE_DATA(sync) *self, char how)
{
	struct doca_mem_import in;
	struct doca_cqe cqe;
	struct exporter e;
	struct doca_seg seg;

	ASSERT_TRUE(exporter_start(&e, &plain));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &e.blob, &in));
	seg = exported(&e, in.out_key);
	ASSERT_EQ(0, queue_status(&self->q, sqe_sync_write(DOCA_OP_SYNC_SET, seg, 1)));
	ASSERT_EQ(0, submit(&self->q, wait_gt(&seg, 1), 3));
	EXPECT_TRUE(quiet(&self->q));
	EXPECT_EQ(0, how == 'k' ? exporter_kill(&e) : !exporter_tell(&e, how));
	ASSERT_EQ(0, queue_wait(&self->q, &cqe));
	EXPECT_EQ(3, cqe.user_data);
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, cqe.status);
	if (how != 'k')
		EXPECT_EQ(0, exporter_end(&e));
}

TEST_F(sync, revoked_while_waiting)
{
	exporter_ends(_metadata, self, 'r');
}

TEST_F(sync, exporter_killed_while_waiting)
{
	exporter_ends(_metadata, self, 'k');
}

/* Each time it goes to sleep it has looked once */
static void let_it_sleep(const struct queue *q)
{
	pid_t pid = worker_pid(q);
	long until = sleeps_of(pid) + 20;

	WAIT_UNTIL(sleeps_of(pid) >= until);
}

TEST_F(sync, an_old_wait_is_cheap)
{
	if (!variant->mode.worker || variant->mode.idle_us == DOCA_IDLE_NEVER)
		SKIP(return, "needs a worker that sleeps");
	ASSERT_EQ(0, submit(&self->q, wait_gt(&self->seg, 0), 0));
	let_it_sleep(&self->q);
	EXPECT_EQ(1, fdinfo_value(self->q.fd, "doca-waits"));
}

/*
 * A program that moves cq_head back leaves less room than none. Its worker does not spin:
 * it sleeps as for a full ring, until there is room.
 */
TEST_F(sync, slots_taken_back_keep_nobody_awake)
{
	struct doca_cqe cqe;
	struct queue q;
	int i;

	if (!variant->mode.worker || variant->mode.idle_us == DOCA_IDLE_NEVER)
		SKIP(return, "needs a worker that sleeps");
	ASSERT_EQ(0, queue_open_waits(&q, &self->d, self->worker, 4, 2));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, submit(&q, wait_gt(&self->seg, 0), 0));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, queue_status(&q, sqe_nop(0)));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, submit(&q, sqe_nop(0), 0));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, queue_wait(&q, &cqe));
	/* Take back all four, two of which still belong to the waits */
	ring_store(&q.user->cq_head, 0);
	ASSERT_EQ(0, submit(&q, sqe_nop(7), 7));
	let_it_sleep(&q);
	EXPECT_FALSE(queue_reap(&q, &cqe));
	EXPECT_EQ(DOCA_QUEUE_RUN, q.kernel->state);

	ring_store(&q.user->cq_head, q.head);
	ASSERT_EQ(0, queue_wake(&q));
	ASSERT_EQ(0, queue_wait(&q, &cqe));
	EXPECT_EQ(7, cqe.user_data);
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	queue_close(&q);
}

TEST_HARNESS_MAIN
