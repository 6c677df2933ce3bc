// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Operations in flight: of SLOW, which the test has come back when it likes, and as a
 * provider does that, from wherever it is.
 */
#include "flights_bed.h"

TEST(an_operation_comes_back_from_elsewhere)
{
	struct doca_cqe cqe;
	struct program p;
	int i;

	slow_open(&p, 4);
	for (i = 0; i < 2; i++) {
		put_slow(&p, 0);
		execute(&p);
		EXPECT_EQ(done(&p), i);
		EXPECT_EQ(slow_clock_nr(), 1);
		EXPECT(!has_work(&p));
		EXPECT(slow_clock_ring());
		expect_done(&p, i + 1);
		cqe = completion(&p, i);
		EXPECT_EQ(cqe.status, DOCA_STATUS_SUCCESS);
		EXPECT_EQ(cqe.user_data, i);
		EXPECT_EQ(cqe.length, SOME);
		/* Counted in what the operations of the queue have together. */
		EXPECT_EQ(cqe.result[0], i + 1);
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
	expect_done(&p, 1);
	expect_status(&p, 0, DOCA_STATUS_SUCCESS);
	EXPECT(is_inverted());
	put_slow(&p, DOCA_SLOW_REFUSE);
	execute(&p);
	expect_done(&p, 2);
	expect_status(&p, 1, DOCA_STATUS_FAILED);
	EXPECT_EQ(p.queue->pool->nr, 0);
	slow_close(&p);
}

TEST(what_is_behind_does_not_wait)
{
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, 0);
	put_nop(&p, 0);
	put_slow(&p, 0);
	execute(&p);
	expect_done(&p, 1);
	EXPECT_EQ(completion(&p, 0).user_data, 1);
	EXPECT(slow_clock_ring());
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);
	slow_close(&p);
}

TEST(with_one_place_order_is_kept)
{
	struct program p;
	u32 nr, i;

	for (nr = 0; nr < 2; nr++) {
		slow_open(&p, nr);
		put_slow(&p, 0);
		put_nop(&p, 0);
		put_slow(&p, 0);
		put_nop(&p, 0);
		execute(&p);
		EXPECT_EQ(done(&p), 0);
		EXPECT_EQ(slow_clock_nr(), 1);
		/* Nothing that anybody would stay awake for. */
		EXPECT(!has_work(&p));
		EXPECT(slow_clock_ring());
		expect_done(&p, 2);
		EXPECT_EQ(slow_clock_nr(), 1);
		EXPECT(slow_clock_ring());
		expect_done(&p, 4);
		for (i = 0; i < 4; i++)
			EXPECT_EQ(completion(&p, i).user_data, i);
		slow_close(&p);
	}
}

TEST(a_full_pool_holds_the_next_up)
{
	struct program p;

	slow_open(&p, 2);
	put_slow(&p, 0);
	put_slow(&p, 0);
	put_slow(&p, 0);
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(done(&p), 0);
	EXPECT_EQ(slow_clock_nr(), 2);
	EXPECT(!has_work(&p));
	EXPECT(slow_clock_ring());
	expect_done(&p, 2);
	EXPECT_EQ(slow_clock_nr(), 2);
	expect_status(&p, 3, DOCA_STATUS_SUCCESS);
	EXPECT(slow_clock_ring());
	EXPECT(slow_clock_ring());
	expect_done(&p, 4);
	slow_close(&p);
}

TEST(an_entry_drains)
{
	struct doca_sqe sqe;
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, 0);
	put_nop(&p, DOCA_SQE_DRAIN);
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(done(&p), 0);
	EXPECT(!has_work(&p));
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);

	/* One that takes long itself: what is behind waits for that. */
	sqe = slow_entry(&p, 0);
	sqe.flags = DOCA_SQE_DRAIN;
	put_slow(&p, 0);
	put(&p, sqe);
	put_slow(&p, 0);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 4);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 5);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 6);
	slow_close(&p);
}

TEST(an_entry_drains_waits)
{
	struct program p;

	slow_open(&p, 4);
	put_wait(&p, 0);
	put_nop(&p, DOCA_SQE_DRAIN);
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(done(&p), 0);
	WRITE_ONCE(*(u64 *)mem[0], 1);
	expect_done(&p, 3);
	EXPECT_EQ(completion(&p, 1).user_data, 1);

	/* A wait that drains is waited for as well. */
	WRITE_ONCE(*(u64 *)mem[0], 0);
	put_wait(&p, DOCA_SQE_DRAIN);
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(done(&p), 3);
	WRITE_ONCE(*(u64 *)mem[0], 1);
	expect_done(&p, 5);
	EXPECT_EQ(completion(&p, 3).user_data, 3);
	slow_close(&p);
}

/* One that is larger than a step, and those around it. */
TEST(copies_drain)
{
	struct doca_sqe copy;
	struct program p;
	u32 i;

	slow_open(&p, 4);
	copy = (struct doca_sqe){
		.opcode = DOCA_OP_MEMCPY,
		.flags = DOCA_SQE_DRAIN,
		.src = { p.key, LENGTH, (uintptr_t)mem[0] },
		.dst = { p.key, LENGTH, (uintptr_t)mem[1] },
	};
	put_nop(&p, 0);
	put(&p, copy);
	put_nop(&p, DOCA_SQE_DRAIN);
	put(&p, copy);
	put_nop(&p, 0);
	execute(&p);
	expect_done(&p, 5);
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(completion(&p, i).user_data, i);
		EXPECT_EQ(completion(&p, i).status, DOCA_STATUS_SUCCESS);
	}
	EXPECT(!memcmp(mem[0], mem[1], LENGTH));
	slow_close(&p);
}

TEST(a_stop_recalls_what_is_in_flight)
{
	struct program p;
	u32 i;

	slow_open(&p, 2);
	put_slow(&p, 0);
	put_slow(&p, DOCA_SLOW_DEAF);
	put_slow(&p, 0); /* is held */
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), 2);
	stop_queue(&p);
	execute(&p);
	expect_done(&p, 3);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 4);
	for (i = 0; i < 4; i++)
		expect_status(&p, i,
			      i == 1 ? DOCA_STATUS_SUCCESS :
				       DOCA_STATUS_CANCELED);
	EXPECT_EQ(p.queue->stats.errors, 0);
	slow_close(&p);
}

TEST(a_soft_failure_is_of_its_entry)
{
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, DOCA_STATUS_TAG);
	put_slow(&p, 0);
	put_nop(&p, DOCA_SQE_DRAIN);
	execute(&p);
	EXPECT(slow_clock_ring());
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);
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
	put_slow(&p, 0);
	put_nop(&p, DOCA_SQE_DRAIN);
	execute(&p);
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);
	expect_status(&p, 0, DOCA_STATUS_RESET);
	expect_status(&p, 1, DOCA_STATUS_CANCELED);
	expect_status(&p, 2, DOCA_STATUS_CANCELED);
	EXPECT_EQ(slow_clock_nr(), 0);
	slow_close(&p);
}

static void expect_only(struct program *p, u64 opcodes, u16 opcode)
{
	struct doca_queue_create create = slow_queue(p, 1);
	struct doca_sqe sqe = { .opcode = opcode };

	create.opcodes = opcodes;
	open_queue(p, create);
	if (opcode == DOCA_OP_MEMCPY) {
		sqe.src = (struct doca_seg){ p->key, SOME, (uintptr_t)mem[0] };
		sqe.dst = (struct doca_seg){ p->key, SOME, (uintptr_t)mem[1] };
	}
	put(p, sqe);
	execute(p);
	EXPECT_EQ(completion(p, 0).status, DOCA_STATUS_BAD_OPCODE);
}

TEST(a_queue_executes_what_its_creation_has_named)
{
	struct program p;

	slow_open(&p, 1);
	expect_only(&p, SLOW, DOCA_OP_NOP);
	expect_only(&p, SLOW, DOCA_OP_MEMCPY);
	expect_only(&p, 0, DOCA_OP_SLOW);
	EXPECT(!p.queue->pool);
	EXPECT_EQ(mem[1][0], 0);
	slow_close(&p);
}

static int refused(struct program *p, struct doca_queue_create create)
{
	return ioctl(p->fd, DOCA_QUEUE_CREATE, &create) ? errno : 0;
}

TEST(queues_that_are_refused)
{
	struct doca_queue_create create;
	unsigned long limit = 1 << 20;
	struct program p;

	slow_open(&p, DOCA_MAX_OPS);
	create = slow_queue(&p, DOCA_MAX_OPS + 1);
	EXPECT_EQ(refused(&p, create), EINVAL);
	create = slow_queue(&p, 1);
	create.opcodes |= BIT_ULL(DOCA_OP_LAST);
	EXPECT_EQ(refused(&p, create), EOPNOTSUPP);
	create = slow_queue(&p, 1);
	create.nr_sessions = 1;
	EXPECT_EQ(refused(&p, create), EOPNOTSUPP);
	/* Places count as rings do. */
	EXPECT(inproc_set_param("max_ring_bytes", limit));
	EXPECT_EQ(refused(&p, slow_queue(&p, DOCA_MAX_OPS)), EDQUOT);
	EXPECT(inproc_set_param("max_ring_bytes", 256 << 20));
	open_queue(&p, slow_queue(&p, DOCA_MAX_OPS));
	slow_close(&p);
}
