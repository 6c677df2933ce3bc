// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Everything that a library of tasks may have, and today's do not: two types of task in a
 * context with their own limits, one of which cannot take the short path although it has a
 * source and a destination; init and fini functions; and batches, of tasks that copy eight
 * bytes each.
 */
#include "pair.h"

/* Its buffers are like those of a task that can take the short path. */
TEST(a_queue_has_what_its_tasks_and_its_type_ask_for)
{
	struct doca_query less = caps;
	struct doca_device_query op;

	begin(1, 1);
	own.sessions = 3;
	own.queue_fails = true;
	ERR(doca_ctx_start(ctx()), INITIALIZATION);
	own.queue_fails = false;
	/* It was supported when the context was made. */
	less.out_opcodes &= ~(1ULL << DOCA_OP_MEMCPY);
	fake.caps = &less;
	FAILS(doca_ctx_start(ctx()), NOT_SUPPORTED, "does not execute all");
	fake.caps = NULL;
	fake.query_error = -ENOTTY;
	FAILS(doca_priv_caps(NULL, DOCA_OP_MEMCPY, &less, &op), DRIVER,
	      "how it executes operation 1");
	fake.query_error = 0;
	EXPECT_EQ(fake.queues, 0);
	OK(doca_ctx_start(ctx()));
	EXPECT_EQ(fake.attr.sessions, 3);
	EXPECT_EQ(fake.attr.ops, 1);
	end();
}

TEST(a_task_with_more_to_say_is_prepared_each_time)
{
	union doca_data none = { 0 };
	struct pair_task_mark *marked;
	struct pair_task_copy *copied;

	begin(1, 1);
	OK(doca_ctx_start(ctx()));
	OK(mark_alloc(own.pair, source(0, 8), room(0, 100), none, &marked));
	OK(copy_alloc(own.pair, source(8, 8), room(100, 100), none, &copied));
	mark_set(marked, MARK);
	EXPECT_EQ(mark_get(marked), MARK);
	for (int i = 1; i <= 3; i++) {
		submit_both(&marked->task, &copied->task);
		submit_both(&copied->task, &marked->task);
		EXPECT_EQ(own.pair->marks, 2 * i);
	}
	EXPECT_STR(took(), "mccmmccmmccm");
	EXPECT_EQ(data_len(task_dst(&marked->task)), 6 * 8);
	EXPECT_EQ(data_len(task_dst(&copied->task)), 6 * 8);
	EXPECT(!memcmp(bed.mem, bed.mem + MEM_SIZE / 2 + 5 * 8, 8));
	put_both(&marked->task);
	put_both(&copied->task);
	end();
}

TEST(a_task_in_flight_keeps_its_values)
{
	union doca_data none = { 0 };
	struct pair_task_mark *marked;

	begin(1, 0);
	OK(doca_ctx_start(ctx()));
	OK(mark_alloc(own.pair, source(0, 8), room(0, 100), none, &marked));
	mark_set(marked, MARK);
	OK(doca_task_submit(&marked->task));
	logged();
	mark_set(marked, MARK + 1);
	EXPECT_LOGGED("cannot be changed: it is in flight");
	EXPECT_EQ(mark_get(marked), MARK);
	EXPECT_EQ(drain(bed.pe), 1);
	put_both(&marked->task);
	end();
}

TEST(each_type_has_limits_of_its_own)
{
	union doca_data none = { 0 };
	struct pair_task_mark *marked;
	uint64_t bytes = 0;

	begin(0, 0);
	OK(mark_max(&fake_dev.info, &bytes));
	EXPECT_EQ(bytes, MARK_MAX);
	OK(copy_max(&fake_dev.info, &bytes));
	EXPECT_EQ(bytes, FAKE_MAX_LENGTH);
	FAILS(mark_set_conf(own.pair, mark_done, mark_done, MARKS + 1), INVALID_VALUE,
	      "4 mark tasks are more than one pair may have, 3");
	FAILS(doca_ctx_start(ctx()), INVALID_VALUE, "call pair_task_..._set_conf()");
	OK(mark_set_conf(own.pair, mark_done, mark_done, MARKS));
	OK(doca_ctx_start(ctx()));
	OK(mark_alloc(own.pair, source(0, MARK_MAX + 1), room(0, 100), none, &marked));
	FAILS(doca_task_try_submit(&marked->task), INVALID_VALUE,
	      "17 bytes, more than one task may have, 16");
	put_both(&marked->task);
	end();
}

TEST(all_tasks_together_must_fit_the_queue)
{
	const uint32_t max = caps.out_max_queue_segments / (2 * FAKE_LIST_MAX);

	begin(1, max);
	FAILS(doca_ctx_start(ctx()), INVALID_VALUE,
	      "513 tasks with lists are more than it may have, 512");
	OK(copy_set_conf(own.pair, copy_done, copy_done, max - 1));
	OK(doca_ctx_start(ctx()));
	end();
}

TEST(what_cannot_be_made_ready_is_not_created)
{
	uint32_t refs;

	set_up(false, 1);
	refs = fake_dev.refs;
	memset(&own, 0, sizeof(own));
	own.init = DOCA_ERROR_IO_FAILED;
	ERR(pair_create(&fake_dev, &own.pair), IO_FAILED);
	EXPECT_EQ(own.finis, 0);
	EXPECT_EQ(fake_dev.refs, refs);
	tear_down();
}

TEST(what_cannot_be_given_back_stays)
{
	begin(1, 0);
	own.fini = DOCA_ERROR_IN_USE;
	ERR(pair_destroy(own.pair), IN_USE);
	OK(doca_ctx_start(ctx()));
	own.fini = DOCA_SUCCESS;
	end();
}

TEST(a_context_without_memory_for_its_batches_does_not_start)
{
	begin_batches(false, 2);
	OK(doca_ctx_stop(ctx()));
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(ctx()), INITIALIZATION, OK(doca_ctx_stop(ctx())));
	took();
	end_batches();
}

TEST(the_enumeration_names_powers_of_two)
{
	EXPECT_EQ(batch_max_tasks(DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16), 16);
	EXPECT_EQ(batch_max_tasks(DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32), 32);
	EXPECT_EQ(batch_max_tasks(DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64), 64);
	EXPECT_EQ(batch_max_tasks(DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128), 128);
	EXPECT_EQ(batch_max_tasks(4), 0);
}

TEST(what_a_batch_says_of_itself)
{
	struct doca_task_batch *batch;

	begin_batches(true, 1);
	batch = new_batch(5);
	EXPECT_EQ(doca_task_batch_get_tasks_num(batch), 5);
	EXPECT(doca_task_batch_get_ctx(batch) == ctx());
	EXPECT_EQ(doca_task_batch_get_ctx_user_data(batch).u64, 77);
	EXPECT_EQ(doca_task_batch_get_user_data(batch).u64, 5);
	doca_task_batch_set_user_data(batch, (union doca_data){ .u64 = 6 });
	EXPECT_EQ(doca_task_batch_get_user_data(batch).u64, 6);
	OK(doca_task_batch_get_status(batch));
	doca_task_batch_free(batch);
	end_batches();
}

TEST(a_pool_holds_exactly_the_configured_number_of_batches)
{
	struct doca_task_batch *batch[3], *more;

	begin_batches(true, 3);
	ERR(alloc_batch(0, &more), INVALID_VALUE);
	ERR(alloc_batch(MAX + 1, &more), INVALID_VALUE);
	for (int i = 0; i < 3; i++)
		batch[i] = new_batch(MAX);
	ERR(alloc_batch(1, &more), NO_MEMORY);
	doca_task_batch_free(batch[1]);
	EXPECT(new_batch(1) == batch[1]);
	ERR(doca_ctx_stop(ctx()), IN_PROGRESS);
	ERR(alloc_batch(1, &more), BAD_STATE);
	for (int i = 0; i < 3; i++)
		doca_task_batch_free(batch[i]);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "si");
	end_batches();
}

TEST(one_callback_for_all_tasks_of_a_batch)
{
	struct doca_task_batch *batch;

	begin_batches(true, 2);
	batch = new_batch(5);
	OK(doca_task_batch_submit(batch));
	EXPECT_EQ(inflight(), 5);
	ERR(doca_task_batch_submit(batch), BAD_STATE);
	ERR(doca_task_batch_try_submit(batch), BAD_STATE);
	fake_work(4);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_STR(took(), "....");
	EXPECT_EQ(inflight(), 1);
	fake_work(1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), ".S");
	EXPECT_EQ(inflight(), 0);
	EXPECT(own.last == batch);
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(batch->task_status[i], DOCA_SUCCESS);
	EXPECT(copied(0, 0, LEN));
	doca_task_batch_free(batch);
	ERR(doca_task_batch_submit(batch), BAD_STATE);
	end_batches();
}

TEST(without_a_worker_a_batch_is_one_call)
{
	struct pair_task_copy *task;

	begin_batches(false, 2);
	own.on_batch = doca_task_batch_free;
	OK(doca_task_batch_submit(new_batch(MAX)));
	EXPECT_EQ(fake.enters, 1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "................S");
	/* A call that executes less is repeated. */
	fake.enter_budget = 1;
	OK(doca_task_batch_submit(new_batch(4)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "....S");
	/* A single task beside them. */
	OK(copy_alloc(own.pair, own.whole, own.room, (union doca_data){ 0 }, &task));
	OK(doca_task_submit(&task->task));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), ".c");
	doca_task_free(&task->task);
	end_batches();
}

static unsigned int rounds;

static void resubmit(struct doca_task_batch *batch)
{
	if (rounds-- > 1)
		OK(doca_task_batch_submit(batch));
	else
		doca_task_batch_free(batch);
}

TEST(a_callback_may_resubmit_its_batch)
{
	begin_batches(false, 1);
	own.on_batch = resubmit;
	rounds = 50;
	OK(doca_task_batch_submit(new_batch(2)));
	EXPECT_EQ(drain(bed.pe), 50);
	end_batches();
}

/* Tasks before it succeed, those behind it are canceled. */
TEST(a_bad_task_fails_its_batch_and_stops_the_context)
{
	struct doca_task_batch *batch, *behind;

	for (int workers = 0; workers < 2; workers++) {
		begin_batches(workers, 2);
		batch = new_batch(4);
		behind = new_batch(2);
		task_set_src(batch_task(batch, 1), NULL);
		OK(doca_task_batch_submit(batch));
		OK(doca_task_batch_submit(behind));
		fake_work(-1);
		for (int i = 0; i < 4; i++)
			doca_pe_progress(bed.pe);
		/* The state changes as soon as no callback is in between. */
		EXPECT_STR(took(), "..s..E..E");
		EXPECT_EQ(batch->task_status[0], DOCA_SUCCESS);
		EXPECT_EQ(batch->task_status[1], DOCA_ERROR_INVALID_VALUE);
		EXPECT_EQ(batch->task_status[2], DOCA_ERROR_SHUTDOWN);
		EXPECT_EQ(batch->task_status[3], DOCA_ERROR_SHUTDOWN);
		ERR(doca_task_batch_get_status(batch), INVALID_VALUE);
		ERR(doca_task_batch_get_status(behind), SHUTDOWN);
		ERR(doca_task_batch_submit(batch), BAD_STATE);
		doca_task_batch_free(batch);
		doca_task_batch_free(behind);
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_STR(took(), "i");
		end_batches();
	}
}

TEST(try_submit_answers_at_once)
{
	struct doca_task_batch *batch;

	begin_batches(true, 1);
	batch = new_batch(3);
	task_set_src(batch_task(batch, 2), NULL);
	ERR(doca_task_batch_try_submit(batch), INVALID_VALUE);
	EXPECT_EQ(inflight(), 0);
	task_set_src(batch_task(batch, 2), own.whole);
	OK(doca_task_batch_try_submit(batch));
	own.on_batch = doca_task_batch_free;
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "...S");
	end_batches();
}

TEST(stop_flushes_a_batch_in_flight)
{
	begin_batches(true, 2);
	own.on_batch = doca_task_batch_free;
	OK(doca_task_batch_submit(new_batch(3)));
	fake_work(1);
	ERR(doca_ctx_stop(ctx()), IN_PROGRESS);
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "s...Ei");
	EXPECT_EQ(own.status, DOCA_ERROR_SHUTDOWN);
	end_batches();
}

TEST(freeing_a_batch_in_flight_defers_to_its_callback)
{
	struct doca_task_batch *batch;

	begin_batches(true, 1);
	own.on_batch = doca_task_batch_free;
	batch = new_batch(2);
	OK(doca_task_batch_submit(batch));
	doca_task_batch_free(batch);
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "..S");
	EXPECT_SILENT();
	EXPECT(new_batch(1) == batch);
	doca_task_batch_free(batch);
	doca_task_batch_free(batch);
	EXPECT_LOGGED("freed twice");
	end_batches();
}

TEST(tasks_that_nobody_answers_fail_their_batch)
{
	begin_batches(true, 1);
	own.on_batch = doca_task_batch_free;
	OK(doca_task_batch_submit(new_batch(3)));
	fake_break_queues();
	EXPECT_EQ(drain(bed.pe), 3);
	EXPECT_STR(took(), "...Esi");
	EXPECT_EQ(own.status, DOCA_ERROR_IO_FAILED);
	end_batches();
}
