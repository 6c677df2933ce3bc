// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The length of an executor's turn: others have to wait for its end. */
#include <stdlib.h>

#include "selftests/lib/rounds.h"

#include "poller.h"
#include "program.h"

#define WAITERS 40 /* more than two turns wake, but not three */
#define MOST SZ_64K /* maximum bytes of an entry here */

static enum doca_batch batch(struct program *p, struct doca_budget *left)
{
	enum doca_batch next;

	mutex_lock(&p->queue->run->lock);
	next = doca_queue_batch(p->queue, left);
	mutex_unlock(&p->queue->run->lock);
	return next;
}

/* Completions are visible, and reaped. */
static enum doca_batch turn(struct program *p, u32 most, u32 *entries, u64 *bytes)
{
	struct doca_budget left = { .entries = most, .length = DOCA_BATCH_LENGTH };
	struct doca_queue *queue = p->queue;
	u64 before = queue->stats.bytes;
	enum doca_batch next = batch(p, &left);

	EXPECT_EQ(queue->ring.k->cq_tail, queue->ring.k->sq_head);
	EXPECT_EQ(queue->stats.errors, 0);
	queue->ring.u->cq_head = queue->ring.k->cq_tail;
	*entries = most - left.entries;
	*bytes = queue->stats.bytes - before;
	return next;
}

static void expect_turns(struct program *p, u32 entries_each, u32 turns)
{
	u32 i, entries;
	u64 bytes;

	for (i = 1; i <= turns; i++) {
		enum doca_batch next = turn(p, DOCA_BATCH_ENTRIES, &entries, &bytes);

		EXPECT_EQ(entries, entries_each);
		EXPECT(next == DOCA_BATCH_AGAIN || i == turns);
	}
	EXPECT_EQ(p->queue->ring.k->sq_head, p->tail);
}

TEST(so_many_entries)
{
	struct program p;
	int i;

	program_open(&p);
	for (i = 0; i < 3 * DOCA_BATCH_ENTRIES; i++) {
		if (i % 2)
			put(&p, copy_of(&p, SZ_4K));
		else
			put_nop(&p);
	}
	expect_turns(&p, DOCA_BATCH_ENTRIES, 3);
	program_close(&p);
}

TEST(fewer_that_are_larger)
{
	struct program p;
	int i;

	program_open(&p);
	for (i = 0; i < 16; i++)
		put(&p, copy_of(&p, DOCA_BATCH_LENGTH / 4));
	expect_turns(&p, 4, 4);
	for (i = 0; i < 9; i++)
		put(&p, copy_of(&p, DOCA_OP_SMALL_LENGTH));
	expect_turns(&p, 3, 3);
	program_close(&p);
}

/* Whatever the work, others wait no longer than for a step. */
TEST(no_more_than_a_step)
{
	u32 i, entries, round;
	struct program p;
	u64 bytes;

	program_open(&p);
	srandom(1);
	for (round = 0; round < rounds(20); round++) {
		u32 length = round % 2 ? 2 * SZ_4K : MOST + 1;
		u32 most = round % 4 < 2 ? DOCA_BATCH_ENTRIES : ENTRIES;

		for (i = 0; i < ENTRIES; i++)
			put(&p, copy_of(&p, random() % length));
		while (turn(&p, most, &entries, &bytes) == DOCA_BATCH_AGAIN) {
			EXPECT(entries);
			EXPECT(bytes <= DOCA_OP_STEP_LENGTH);
		}
		EXPECT_EQ(p.queue->ring.k->sq_head, p.tail);
	}
	program_close(&p);
}

TEST(so_many_waits)
{
	struct doca_budget left = { .entries = ENTRIES, .length = DOCA_BATCH_LENGTH };
	struct doca_queue *queue;
	struct program p;
	u32 nr;

	program_open(&p);
	queue = p.queue;
	set_word(0);
	while (p.tail < 3 * DOCA_WAIT_POLLS + 1)
		put(&p, wait_for(&p, 2));
	mutex_lock(&queue->run->lock);
	EXPECT_EQ(doca_queue_batch(queue, &left), DOCA_BATCH_IDLE);
	EXPECT_EQ(doca_queue_end_waits(queue), 0);
	EXPECT(doca_queue_has_work(queue));
	/*
	 * First all that are due, then a vain poll, after which nothing keeps the
	 * executor awake.
	 */
	for (nr = 0; nr < 3; nr++)
		EXPECT_EQ(doca_queue_end_waits(queue), 0);
	EXPECT(!doca_queue_has_work(queue));
	set_word(2);
	for (nr = 0; nr < 3; nr++)
		EXPECT_EQ(doca_queue_end_waits(queue), DOCA_WAIT_POLLS);
	EXPECT_EQ(doca_queue_end_waits(queue), 1);
	EXPECT_EQ(queue->waits.nr, 0);
	mutex_unlock(&queue->run->lock);
	program_close(&p);
}

/* Make a program with queues that all wait until a word of the memory is 2. */
static void open_waiters(struct program *p, struct program *waiters)
{
	int i;

	program_open(p);
	set_word(0);
	for (i = 0; i < WAITERS; i++) {
		waiters[i] = *p;
		ASSERT(!make_queue(p, (struct doca_queue_create){ .nr_waits = 1 },
				   &waiters[i].queue_fd));
		waiters[i].queue = queue_of(waiters[i].queue_fd);
		waiters[i].tail = 0;
		put(&waiters[i], wait_for(p, 2));
		execute(&waiters[i]);
		EXPECT_EQ(READ_ONCE(waiters[i].queue->waits.nr), 1);
	}
}

static void close_waiters(struct program *p, struct program *waiters)
{
	int i;

	for (i = 0; i < WAITERS; i++)
		close_queue(&waiters[i]);
	program_close(p);
}

/* A write that is cut short has written nevertheless, and says so. */
static void expect_write(bool stopped, u32 turns)
{
	struct doca_sqe write = { .opcode = DOCA_OP_SYNC_SET, .op = { 1 } };
	struct program p, waiters[WAITERS];
	enum doca_batch next;
	u32 nr = 0;

	open_waiters(&p, waiters);
	write.dst = wait_for(&p, 2).src;
	put(&p, write);
	do {
		next = batch(&p, &(struct doca_budget){ .entries = DOCA_BATCH_ENTRIES,
							.length = DOCA_BATCH_LENGTH });
		if (!nr++ && stopped)
			ASSERT(!queue_stop(p.queue_fd));
	} while (next == DOCA_BATCH_AGAIN);
	EXPECT_EQ(nr, turns);
	EXPECT_EQ(done(&p), 1);
	EXPECT_EQ(completion(&p, 0).status, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(completion(&p, 0).length, sizeof(u64));
	EXPECT_EQ(*(u64 *)mem[0], 1);
	close_waiters(&p, waiters);
}

TEST(a_write_that_wakes_many)
{
	expect_write(false, 4);
	expect_write(true, 3);
}

/* Locks that the poller takes: its own, and those of the queues that it polls. */
static struct {
	struct task_struct *task;
	const pthread_mutex_t *own;
	const pthread_mutex_t *queues[WAITERS];
	unsigned int polled, in_a_row, most;
} look;

static bool is_of_queue(const pthread_mutex_t *lock)
{
	int i;

	for (i = 0; i < WAITERS; i++)
		if (lock == look.queues[i])
			return true;
	return false;
}

int __real_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	struct task_struct *task = smp_load_acquire(&look.task);

	if (task && task == current) {
		if (lock == look.own) {
			look.in_a_row = 0;
		} else if (is_of_queue(lock)) {
			WRITE_ONCE(look.most, max(look.most, ++look.in_a_row));
			smp_store_release(&look.polled, look.polled + 1);
		}
	}
	return __real_pthread_mutex_lock(lock);
}

/* Closing a queue waits for the poll of one queue, not of all. */
TEST(a_look_at_many)
{
	struct program p, waiters[WAITERS];
	struct doca_poller *poller;
	int i;

	open_waiters(&p, waiters);
	poller = p.queue->poller;
	look.own = &poller->lock.lock;
	for (i = 0; i < WAITERS; i++)
		look.queues[i] = &waiters[i].queue->run->lock.lock;
	smp_store_release(&look.task, poller->thread.task);
	doca_poller_wake(poller);
	EXPECT(until(smp_load_acquire(&look.polled) > 2 * WAITERS));
	smp_store_release(&look.task, NULL);
	EXPECT_EQ(READ_ONCE(look.most), 1);
	close_waiters(&p, waiters);
}
