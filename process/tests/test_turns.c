// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* How much an executor does in one turn: others have to wait for its end. */
#include <stdlib.h>

#include <linux/mutex.h>

#include "poller.h"
#include "program.h"

#define WAITERS 40 /* whom two turns cannot wake, but three can */
#define MOST SZ_64K /* bytes of an entry here */

/* What is completed is seen, and taken. */
static enum doca_batch turn(struct program *p, u32 most, u32 *entries,
			    u64 *bytes)
{
	struct doca_budget left = {
		.entries = most,
		.length = DOCA_BATCH_LENGTH,
	};
	struct doca_queue *queue = p->queue;
	u64 before = queue->stats.bytes;
	enum doca_batch next;

	mutex_lock(&queue->run->lock);
	next = doca_queue_batch(queue, &left);
	mutex_unlock(&queue->run->lock);
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
		enum doca_batch next =
			turn(p, DOCA_BATCH_ENTRIES, &entries, &bytes);

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
	for (i = 0; i < 3 * DOCA_BATCH_ENTRIES; i++)
		submit(&p, i % 2 ? SZ_4K : 0);
	expect_turns(&p, DOCA_BATCH_ENTRIES, 3);
	program_close(&p);
}

TEST(fewer_that_are_larger)
{
	struct program p;
	int i;

	program_open(&p);
	for (i = 0; i < 16; i++)
		submit(&p, DOCA_BATCH_LENGTH / 4);
	expect_turns(&p, 4, 4);
	for (i = 0; i < 9; i++)
		submit(&p, DOCA_OP_SMALL_LENGTH);
	expect_turns(&p, 3, 3);
	program_close(&p);
}

/* Whatever there is, others wait no longer than for a step. */
TEST(no_more_than_a_step)
{
	u32 i, entries, round;
	struct program p;
	u64 bytes;

	program_open(&p);
	srandom(1);
	for (round = 0; round < 100; round++) {
		u32 length = round % 2 ? 2 * SZ_4K : MOST + 1;
		u32 most = round % 4 < 2 ? DOCA_BATCH_ENTRIES : ENTRIES;

		for (i = 0; i < ENTRIES; i++)
			submit(&p, random() % length);
		while (turn(&p, most, &entries, &bytes) == DOCA_BATCH_AGAIN) {
			EXPECT(entries);
			EXPECT(bytes <= DOCA_OP_STEP_LENGTH);
		}
		EXPECT_EQ(p.queue->ring.k->sq_head, p.tail);
	}
	program_close(&p);
}

/* A word of the memory becomes 2. */
static struct doca_sqe wait_for_2(struct program *p, u16 phase)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_SYNC_WAIT_EQ,
		.phase = phase,
		.src = { p->key, sizeof(u64), (uintptr_t)mem[0] },
		.op = { 2, U64_MAX },
	};
}

TEST(so_many_waits)
{
	struct doca_budget left = {
		.entries = ENTRIES,
		.length = DOCA_BATCH_LENGTH,
	};
	struct doca_queue *queue;
	struct program p;
	u32 nr;

	program_open(&p);
	queue = p.queue;
	while (p.tail < 3 * DOCA_WAIT_POLLS + 1) {
		submit(&p, 0);
		queue->ring.sq[p.tail - 1] = wait_for_2(
			&p, DOCA_RING_PHASE(p.tail - 1, ilog2(ENTRIES)));
	}
	mutex_lock(&queue->run->lock);
	EXPECT_EQ(doca_queue_batch(queue, &left), DOCA_BATCH_IDLE);
	EXPECT_EQ(doca_queue_end_waits(queue), 0);
	EXPECT(doca_queue_has_work(queue));
	/* All that are due, then in vain again, which nobody stays awake for. */
	for (nr = 0; nr < 3; nr++)
		EXPECT_EQ(doca_queue_end_waits(queue), 0);
	EXPECT(!doca_queue_has_work(queue));
	WRITE_ONCE(*(u64 *)mem[0], 2);
	for (nr = 0; nr < 3; nr++)
		EXPECT_EQ(doca_queue_end_waits(queue), DOCA_WAIT_POLLS);
	EXPECT_EQ(doca_queue_end_waits(queue), 1);
	EXPECT_EQ(queue->waits.nr, 0);
	mutex_unlock(&queue->run->lock);
	WRITE_ONCE(*(u64 *)mem[0], 0);
	program_close(&p);
}

/* A queue that waits for it. */
static void open_waiter(struct program *p, int *fd)
{
	struct doca_queue_create create = {
		.size = sizeof(create),
		.device_id = p->device,
		.sq_entries = 2,
		.cq_entries = 2,
		.nr_waits = 1,
	};
	struct doca_queue_enter enter = {
		.size = sizeof(enter),
		.max_entries = 1,
	};
	struct doca_queue *queue;

	ASSERT(!ioctl(p->fd, DOCA_QUEUE_CREATE, &create));
	queue = list_entry(p->file->queues.prev, struct doca_queue, file_node);
	queue->ring.sq[0] = wait_for_2(p, DOCA_RING_PHASE(0, 1));
	ASSERT(!ioctl(create.out_fd, DOCA_QUEUE_ENTER, &enter));
	ASSERT(enter.out_entries == 1);
	*fd = create.out_fd;
}

/* Turns until there is nothing more to do. */
static void write_value(struct program *p, bool stopped, unsigned int *turns)
{
	struct doca_queue_stop stop = { .size = sizeof(stop) };
	struct doca_queue *queue = p->queue;
	enum doca_batch next;

	submit(p, 0);
	queue->ring.sq[0].opcode = DOCA_OP_SYNC_SET;
	queue->ring.sq[0].dst =
		(struct doca_seg){ p->key, sizeof(u64), (uintptr_t)mem[0] };
	queue->ring.sq[0].op[0] = 1;
	for (*turns = 0, next = DOCA_BATCH_AGAIN; next == DOCA_BATCH_AGAIN;
	     ++*turns) {
		struct doca_budget left = {
			.entries = DOCA_BATCH_ENTRIES,
			.length = DOCA_BATCH_LENGTH,
		};

		mutex_lock(&queue->run->lock);
		next = doca_queue_batch(queue, &left);
		mutex_unlock(&queue->run->lock);
		if (stopped && !*turns)
			ASSERT(!ioctl(p->queue_fd, DOCA_QUEUE_STOP, &stop));
	}
}

/* One that is cut short has written all the same, and says so. */
TEST(a_write_that_wakes_many)
{
	int fds[WAITERS], i, stopped;
	unsigned int turns;
	struct program p;

	for (stopped = 0; stopped < 2; stopped++) {
		program_open(&p);
		for (i = 0; i < WAITERS; i++)
			open_waiter(&p, &fds[i]);
		write_value(&p, stopped, &turns);
		EXPECT_EQ(turns, stopped ? 3 : 4);
		EXPECT_EQ(p.queue->ring.k->cq_tail, 1);
		EXPECT_EQ(p.queue->ring.cq[0].status, DOCA_STATUS_SUCCESS);
		EXPECT_EQ(p.queue->ring.cq[0].length, sizeof(u64));
		EXPECT_EQ(*(u64 *)mem[0], 1);
		WRITE_ONCE(*(u64 *)mem[0], 0);
		for (i = 0; i < WAITERS; i++)
			close(fds[i]);
		program_close(&p);
	}
}

/* Closing a queue waits for the poll of one queue, not for that of all. */
TEST(a_look_at_many)
{
	u64 until = local_clock() + 20 * NSEC_PER_SEC;
	struct doca_poller *poller;
	int fds[WAITERS], i;
	bool between = false;
	struct program p;

	program_open(&p);
	for (i = 0; i < WAITERS; i++)
		open_waiter(&p, &fds[i]);
	poller = p.queue->poller;
	while (!between && local_clock() < until) {
		doca_poller_wake(poller);
		mutex_lock(&poller->lock);
		between = poller->next;
		mutex_unlock(&poller->lock);
	}
	EXPECT(between);
	for (i = 0; i < WAITERS; i++)
		close(fds[i]);
	program_close(&p);
}
