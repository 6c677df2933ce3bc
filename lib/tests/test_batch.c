// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Batches of tasks, of a library that copies eight bytes a task. */
#include "bed.h"
#include "fault.h"
#include "core/exec/batch.h"
#include "core/exec/library.h"
#include "core/memory/segs.h"

#define LEN 8
#define MAX 16 /* tasks of a batch */

struct copy {
	struct doca_task task;
	struct doca_buf *src, *dst;
};

/* Beside the batches it has tasks that are allocated singly. */
static struct lib {
	struct doca_ctx ctx;
	struct task_pool pools[2];
	struct batch_pool batches;
	struct doca_buf *whole, *room;
	struct doca_task_batch *last; /* that was called back */
	doca_error_t status;
	void (*on_batch)(struct doca_task_batch *batch);
} lib;

static doca_error_t copy_validate(const struct doca_task *task)
{
	return list_entry(task, struct copy, task)->src ?
		       DOCA_SUCCESS :
		       DOCA_ERROR_INVALID_VALUE;
}

static void copy_submit(struct doca_task *task, struct doca_sqe *sqe,
			struct doca_seg *run, uint32_t first)
{
	struct copy *copy = list_entry(task, struct copy, task);
	struct segs segs = { .dev = task->ctx->dev, .run = run, .max = 1 };

	(void)first;
	memset(sqe->op, 0, sizeof(sqe->op));
	sqe->opcode = DOCA_OP_MEMCPY;
	sqe->aux = 0;
	sqe->flags = segs_from_source(&segs, copy->src, &sqe->src) |
		     segs_from_destination(&segs, copy->dst, &sqe->dst);
}

static bool copy_unkeyed(const struct doca_task *task)
{
	const struct doca_dev *dev = task->ctx->dev;
	const struct copy *copy = list_entry(task, struct copy, task);

	return segs_source_unkeyed(copy->src, dev) ||
	       segs_unkeyed(copy->dst, dev);
}

static void copy_finish(struct doca_task *task, uint32_t length,
			uint64_t result)
{
	(void)task, (void)length, (void)result;
	record('.');
}

static void copy_call(struct doca_task *task)
{
	record('t');
	doca_task_free(task);
}

static const struct task_type copy_type = {
	.size = sizeof(struct copy),
	.validate = copy_validate,
	.finish = copy_finish,
	.done = copy_call,
	.failed = copy_call,
	.ring = { .prepare = copy_submit, .unkeyed = copy_unkeyed },
};

static const struct task_type *const lib_tasks[] = { &copy_type, &copy_type };

static const struct ctx_type lib_type = {
	CTX_OBJECT(lib, lib_tasks),
	.name = "lib",
};

static void batch_call(struct doca_task_batch *batch)
{
	lib.last = batch;
	lib.status = doca_task_batch_get_status(batch);
	record(lib.status == DOCA_SUCCESS ? 'S' : 'E');
	if (lib.on_batch)
		lib.on_batch(batch);
}

static const struct batch_type batch_type = { .call = batch_call };

static void lib_set_up(bool workers, uint16_t num)
{
	set_up(workers, 1);
	memset(&lib, 0, sizeof(lib));
	lib.batches.type = &batch_type;
	lib.batches.num = num;
	lib.batches.max_tasks =
		batch_max_tasks(DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16);
	lib.whole = source(0, LEN);
	lib.room = room(0, MEM_SIZE / 2);
	doca_priv_ctx_init(&lib.ctx, &lib_type, &fake_dev);
	lib.pools[0].num = 1;
	lib.pools[1].batches = &lib.batches;
	OK(doca_ctx_set_state_changed_cb(&lib.ctx, on_state));
	OK(doca_ctx_set_user_data(&lib.ctx, (union doca_data){ .u64 = 77 }));
	OK(doca_pe_connect_ctx(bed.pe, &lib.ctx));
	OK(doca_ctx_start(&lib.ctx));
	EXPECT_STR(took(), "r");
}

static void lib_tear_down(void)
{
	OK(doca_ctx_stop(&lib.ctx));
	OK(doca_priv_ctx_fini(&lib.ctx));
	put(lib.whole);
	put(lib.room);
	tear_down();
}

static struct doca_task_batch *new_batch(uint16_t n)
{
	struct doca_task_batch *batch = NULL;

	OK(doca_priv_batch_alloc(&lib.ctx, &lib.pools[1], n,
				 (union doca_data){ .u64 = n }, &batch));
	for (uint16_t i = 0; batch && i < n; i++) {
		struct copy *copy =
			list_entry(batch_task(batch, i), struct copy, task);

		copy->src = lib.whole;
		copy->dst = lib.room;
	}
	return batch;
}

static void spoil(struct doca_task_batch *batch, uint16_t i)
{
	list_entry(batch_task(batch, i), struct copy, task)->src = NULL;
}

static size_t lib_inflight(void)
{
	size_t n = -1;

	OK(doca_ctx_get_num_inflight_tasks(&lib.ctx, &n));
	return n;
}

TEST(a_context_without_memory_for_its_batches_does_not_start)
{
	lib_set_up(false, 2);
	OK(doca_ctx_stop(&lib.ctx));
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(&lib.ctx), INITIALIZATION,
		      OK(doca_ctx_stop(&lib.ctx)));
	took();
	lib_tear_down();
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

	lib_set_up(true, 1);
	batch = new_batch(5);
	EXPECT_EQ(doca_task_batch_get_tasks_num(batch), 5);
	EXPECT(doca_task_batch_get_ctx(batch) == &lib.ctx);
	EXPECT_EQ(doca_task_batch_get_ctx_user_data(batch).u64, 77);
	EXPECT_EQ(doca_task_batch_get_user_data(batch).u64, 5);
	doca_task_batch_set_user_data(batch, (union doca_data){ .u64 = 6 });
	EXPECT_EQ(doca_task_batch_get_user_data(batch).u64, 6);
	OK(doca_task_batch_get_status(batch));
	doca_task_batch_free(batch);
	lib_tear_down();
}

TEST(a_pool_holds_exactly_the_configured_number_of_batches)
{
	struct doca_task_batch *batch[3], *more;
	union doca_data data = { 0 };

	lib_set_up(true, 3);
	ERR(doca_priv_batch_alloc(&lib.ctx, &lib.pools[1], 0, data, &more),
	    INVALID_VALUE);
	ERR(doca_priv_batch_alloc(&lib.ctx, &lib.pools[1], MAX + 1, data,
				  &more),
	    INVALID_VALUE);
	for (int i = 0; i < 3; i++)
		batch[i] = new_batch(MAX);
	ERR(doca_priv_batch_alloc(&lib.ctx, &lib.pools[1], 1, data, &more),
	    NO_MEMORY);
	doca_task_batch_free(batch[1]);
	EXPECT(new_batch(1) == batch[1]);
	ERR(doca_ctx_stop(&lib.ctx), IN_PROGRESS);
	ERR(doca_priv_batch_alloc(&lib.ctx, &lib.pools[1], 1, data, &more),
	    BAD_STATE);
	for (int i = 0; i < 3; i++)
		doca_task_batch_free(batch[i]);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "si");
	lib_tear_down();
}

static void free_batch(struct doca_task_batch *batch)
{
	doca_task_batch_free(batch);
}

TEST(one_callback_for_all_tasks_of_a_batch)
{
	struct doca_task_batch *batch;

	lib_set_up(true, 2);
	batch = new_batch(5);
	OK(doca_task_batch_submit(batch));
	EXPECT_EQ(lib_inflight(), 5);
	ERR(doca_task_batch_submit(batch), BAD_STATE);
	ERR(doca_task_batch_try_submit(batch), BAD_STATE);
	fake_work(4);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_STR(took(), "....");
	EXPECT_EQ(lib_inflight(), 1);
	fake_work(1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), ".S");
	EXPECT_EQ(lib_inflight(), 0);
	EXPECT(lib.last == batch);
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(batch->task_status[i], DOCA_SUCCESS);
	EXPECT(copied(0, 0, LEN));
	doca_task_batch_free(batch);
	ERR(doca_task_batch_submit(batch), BAD_STATE);
	lib_tear_down();
}

TEST(without_a_worker_a_batch_is_one_call)
{
	struct doca_task *task = NULL;

	lib_set_up(false, 2);
	lib.on_batch = free_batch;
	OK(doca_task_batch_submit(new_batch(MAX)));
	EXPECT_EQ(fake.enters, 1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "................S");
	/* A call that executes less is made again, within one progress. */
	fake.enter_budget = 1;
	OK(doca_task_batch_submit(new_batch(4)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "....S");
	/* A single task beside them */
	OK(doca_priv_task_alloc(&lib.ctx, &lib.pools[0], (union doca_data){ 0 },
				&task, __func__));
	list_entry(task, struct copy, task)->src = lib.whole;
	list_entry(task, struct copy, task)->dst = lib.room;
	OK(doca_task_submit(task));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), ".t");
	lib_tear_down();
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
	lib_set_up(false, 1);
	lib.on_batch = resubmit;
	rounds = 50;
	OK(doca_task_batch_submit(new_batch(2)));
	EXPECT_EQ(drain(bed.pe), 50);
	lib_tear_down();
}

/* What came before it succeeds, what comes behind is canceled. */
TEST(a_bad_task_fails_its_batch_and_stops_the_context)
{
	struct doca_task_batch *batch, *behind;

	for (int workers = 0; workers < 2; workers++) {
		lib_set_up(workers, 2);
		batch = new_batch(4);
		behind = new_batch(2);
		spoil(batch, 1);
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
		lib_tear_down();
	}
}

TEST(try_submit_answers_at_once)
{
	struct doca_task_batch *batch;

	lib_set_up(true, 1);
	batch = new_batch(3);
	spoil(batch, 2);
	ERR(doca_task_batch_try_submit(batch), INVALID_VALUE);
	EXPECT_EQ(lib_inflight(), 0);
	list_entry(batch_task(batch, 2), struct copy, task)->src = lib.whole;
	OK(doca_task_batch_try_submit(batch));
	lib.on_batch = free_batch;
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "...S");
	lib_tear_down();
}

TEST(stop_flushes_a_batch_in_flight)
{
	lib_set_up(true, 2);
	lib.on_batch = free_batch;
	OK(doca_task_batch_submit(new_batch(3)));
	fake_work(1);
	ERR(doca_ctx_stop(&lib.ctx), IN_PROGRESS);
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "s...Ei");
	EXPECT_EQ(lib.status, DOCA_ERROR_SHUTDOWN);
	lib_tear_down();
}

TEST(freeing_a_batch_in_flight_defers_to_its_callback)
{
	struct doca_task_batch *batch;

	lib_set_up(true, 1);
	lib.on_batch = free_batch;
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
	lib_tear_down();
}

TEST(tasks_that_nobody_answers_fail_their_batch)
{
	lib_set_up(true, 1);
	lib.on_batch = free_batch;
	OK(doca_task_batch_submit(new_batch(3)));
	fake_break_queues();
	EXPECT_EQ(drain(bed.pe), 3);
	EXPECT_STR(took(), "...Esi");
	EXPECT_EQ(lib.status, DOCA_ERROR_IO_FAILED);
	lib_tear_down();
}
