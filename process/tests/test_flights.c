// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Operations in flight: SLOW comes back when the test wants, and in any context, as
 * providers do it.
 */
#include "flights_bed.h"

TEST(an_operation_comes_back_from_elsewhere)
{
	struct doca_cqe cqe;
	struct program p;
	int i;

	slow_open(&p, 4);
	for (i = 0; i < 2; i++) {
		start(&p, "s");
		expect_state(&p, i, 1);
		ring(1);
		expect_state(&p, i + 1, 0);
		cqe = completion_of(&p, i);
		EXPECT_EQ(cqe.status, DOCA_STATUS_SUCCESS);
		EXPECT_EQ(cqe.length, SOME);
		/* Counted across the operations of the queue. */
		EXPECT_EQ(cqe.result[0], i + 1);
		EXPECT_EQ(cqe.result[1], SOME);
		EXPECT(is_inverted());
		EXPECT_EQ(p.queue->pool->nr, 0);
	}
	slow_close(&p);
}

TEST(one_may_end_while_it_is_started)
{
	struct doca_sqe sqe;
	struct program p;

	slow_open(&p, 4);
	sqe = slow_entry(&p, 0);
	sqe.op[0] = 0;
	put(&p, sqe);
	execute(&p);
	expect_state(&p, 1, 0);
	expect_status(&p, 0, DOCA_STATUS_SUCCESS);
	EXPECT(is_inverted());
	put_slow(&p, DOCA_SLOW_REFUSE);
	execute(&p);
	expect_state(&p, 2, 0);
	expect_status(&p, 1, DOCA_STATUS_FAILED);
	EXPECT_EQ(p.queue->pool->nr, 0);
	slow_close(&p);
}

TEST(what_is_behind_does_not_wait)
{
	struct program p;

	slow_open(&p, 4);
	start(&p, "sns");
	expect_state(&p, 1, 2);
	EXPECT_EQ(completion(&p, 0).user_data, 1);
	ring(2);
	expect_state(&p, 3, 0);
	slow_close(&p);
}

TEST(they_come_back_in_any_order)
{
	struct program p;
	u32 i;

	slow_open(&p, 4);
	start(&p, "sssn");
	expect_state(&p, 1, 3);
	for (i = 0; i < 3; i++) {
		EXPECT(slow_clock_ring_last());
		expect_state(&p, 2 + i, 2 - i);
		EXPECT_EQ(completion(&p, 1 + i).user_data, 2 - i);
		EXPECT_EQ(completion(&p, 1 + i).result[0], i + 1);
	}
	slow_close(&p);
}

TEST(with_one_place_order_is_kept)
{
	struct program p;
	u32 nr;

	for (nr = 0; nr < 2; nr++) {
		slow_open(&p, nr);
		start(&p, "snsn");
		expect_state(&p, 0, 1);
		ring(1);
		expect_state(&p, 2, 1);
		ring(1);
		expect_state(&p, 4, 0);
		expect_in_order(&p);
		slow_close(&p);
	}
}

TEST(a_full_pool_holds_the_next_up)
{
	struct program p;

	slow_open(&p, 2);
	start(&p, "sssn");
	expect_state(&p, 0, 2);
	ring(1);
	expect_state(&p, 2, 2);
	expect_status(&p, 3, DOCA_STATUS_SUCCESS);
	ring(2);
	expect_state(&p, 4, 0);
	slow_close(&p);
}

TEST(an_entry_drains)
{
	struct program p;
	u32 i;

	slow_open(&p, 4);
	start(&p, "sNn");
	expect_state(&p, 0, 1);
	ring(1);
	expect_state(&p, 3, 0);

	/* If the draining operation itself takes long, those behind it wait. */
	start(&p, "sSs");
	for (i = 0; i < 3; i++) {
		expect_state(&p, 3 + i, 1);
		ring(1);
	}
	expect_state(&p, 6, 0);
	expect_in_order(&p);
	slow_close(&p);
}

TEST(an_entry_drains_what_comes_back_in_any_order)
{
	struct program p;

	slow_open(&p, 4);
	start(&p, "ssNs");
	expect_state(&p, 0, 2);
	EXPECT(slow_clock_ring_last());
	expect_state(&p, 1, 1);
	EXPECT_EQ(completion(&p, 0).user_data, 1);
	EXPECT(slow_clock_ring_last());
	/* The last one has begun meanwhile. */
	expect_state(&p, 3, 1);
	EXPECT_EQ(completion(&p, 1).user_data, 0);
	EXPECT_EQ(completion(&p, 2).user_data, 2);
	ring(1);
	expect_state(&p, 4, 0);
	slow_close(&p);
}

TEST(an_entry_drains_waits)
{
	struct program p;

	slow_open(&p, 4);
	set_word(0);
	start(&p, "wNn");
	expect_state(&p, 0, 0);
	set_word(1);
	expect_state(&p, 3, 0);

	/* A draining wait is waited for as well. */
	set_word(0);
	start(&p, "Wn");
	expect_state(&p, 3, 0);
	set_word(1);
	expect_state(&p, 5, 0);
	expect_in_order(&p);
	slow_close(&p);
}

/* A copy larger than a step, and those around it. */
TEST(copies_drain)
{
	struct program p;
	u32 i;

	slow_open(&p, 4);
	start(&p, "nCNCn");
	expect_state(&p, 5, 0);
	expect_in_order(&p);
	for (i = 0; i < 5; i++)
		expect_status(&p, i, DOCA_STATUS_SUCCESS);
	EXPECT(!memcmp(mem[0], mem[1], LENGTH));
	slow_close(&p);
}

TEST(a_stop_recalls_what_is_in_flight)
{
	struct program p;
	u32 i;

	slow_open(&p, 2);
	start(&p, "sdsn"); /* the third one is held */
	expect_state(&p, 0, 2);
	ASSERT(!queue_stop(p.queue_fd));
	execute(&p);
	expect_state(&p, 3, 1);
	ring(1);
	expect_state(&p, 4, 0);
	for (i = 0; i < 4; i++)
		expect_status(&p, i, i == 1 ? DOCA_STATUS_SUCCESS : DOCA_STATUS_CANCELED);
	EXPECT_EQ(p.queue->stats.errors, 0);
	slow_close(&p);
}

TEST(a_soft_failure_is_of_its_entry)
{
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, DOCA_STATUS_TAG);
	start(&p, "sN");
	ring(2);
	expect_state(&p, 3, 0);
	expect_status(&p, 0, DOCA_STATUS_TAG);
	expect_status(&p, 1, DOCA_STATUS_SUCCESS);
	expect_status(&p, 2, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(p.queue->state, DOCA_QUEUE_RUN);
	slow_close(&p);
}

TEST(a_hard_failure_recalls_the_others)
{
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, DOCA_STATUS_RESET);
	start(&p, "sN");
	ring(1);
	expect_state(&p, 3, 0);
	expect_status(&p, 0, DOCA_STATUS_RESET);
	expect_status(&p, 1, DOCA_STATUS_CANCELED);
	expect_status(&p, 2, DOCA_STATUS_CANCELED);
	slow_close(&p);
}

static void put_in_session(struct program *p, u16 session)
{
	struct doca_sqe sqe = slow_entry(p, 0);

	sqe.aux = session;
	put(p, sqe);
	execute(p);
}

TEST(each_session_has_memory_of_its_own)
{
	static const u16 sessions[] = { 2, 1, 2, DOCA_MAX_SESSIONS, 2, 0 };
	static const u64 finished[] = { 1, 1, 2, 1, 3, 1 };
	struct doca_queue_create create = slow_queue(1);
	struct program p;
	u32 i;

	slow_open(&p, 1);
	create.nr_sessions = DOCA_MAX_SESSIONS;
	open_queue(&p, create);
	for (i = 0; i < ARRAY_SIZE(sessions); i++) {
		put_in_session(&p, sessions[i]);
		ring(1);
		expect_state(&p, i + 1, 0);
		EXPECT_EQ(completion_of(&p, i).result[0], finished[i]);
	}
	put_in_session(&p, DOCA_MAX_SESSIONS + 1);
	expect_status(&p, i, DOCA_STATUS_BAD_SESSION);
	slow_close(&p);
}

static void expect_bad_opcode(struct program *p, u64 opcodes, struct doca_sqe sqe)
{
	open_queue(p, (struct doca_queue_create){ .opcodes = opcodes });
	EXPECT_EQ(run(p, sqe).status, DOCA_STATUS_BAD_OPCODE);
}

TEST(a_queue_executes_what_its_creation_has_named)
{
	struct program p;

	slow_open(&p, 1);
	expect_bad_opcode(&p, SLOW, (struct doca_sqe){ .opcode = DOCA_OP_NOP });
	expect_bad_opcode(&p, SLOW, copy_of(&p, SOME));
	expect_bad_opcode(&p, 0, slow_entry(&p, 0));
	EXPECT_EQ(p.queue->pool->nr_slots, 0);
	EXPECT_EQ(mem[1][0], 0);
	slow_close(&p);
}

TEST(queues_that_are_refused)
{
	struct doca_queue_create sessions = slow_queue(1), unknown = slow_queue(1);
	struct program p;
	int fd;

	slow_open(&p, DOCA_MAX_OPS);
	EXPECT_EQ(make_queue(&p, slow_queue(DOCA_MAX_OPS + 1), &fd), -EINVAL);
	unknown.opcodes |= BIT_ULL(DOCA_OP_LAST);
	EXPECT_EQ(make_queue(&p, unknown, &fd), -EOPNOTSUPP);
	sessions.nr_sessions = DOCA_MAX_SESSIONS + 1;
	EXPECT_EQ(make_queue(&p, sessions, &fd), -EINVAL);
	sessions.nr_sessions = 1;
	sessions.opcodes = DOCA_OP_DEFAULT; /* no operation has sessions */
	EXPECT_EQ(make_queue(&p, sessions, &fd), -EOPNOTSUPP);
	/* Places count as ring memory does. */
	EXPECT(inproc_set_param("max_ring_bytes", 1 << 20));
	EXPECT_EQ(make_queue(&p, slow_queue(DOCA_MAX_OPS), &fd), -EDQUOT);
	EXPECT(inproc_set_param("max_ring_bytes", 256 << 20));
	open_queue(&p, slow_queue(DOCA_MAX_OPS));
	slow_close(&p);
}
