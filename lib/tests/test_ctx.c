// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Contexts and tasks: settings, starting, submitting, completing. */
#include "bed.h"

TEST(the_state_callback_fires_on_synchronous_transitions)
{
	set_up(true, 1);
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	doca_ctx_flush_tasks(bed.ctx);
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
	EXPECT_EQ(state(), DOCA_CTX_STATE_RUNNING);
	OK(doca_ctx_stop(bed.ctx));
	EXPECT_STR(took(), "si");
	OK(doca_ctx_stop(bed.ctx));
	EXPECT_STR(took(), "");
	OK(doca_ctx_start(bed.ctx));
	OK(doca_ctx_stop(bed.ctx));
	EXPECT_STR(took(), "rsi");
	tear_down();
}

static void stop_on_running(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	if (next == DOCA_CTX_STATE_RUNNING)
		ERR(doca_ctx_stop(ctx), IN_PROGRESS);
}

TEST(a_callback_on_start_may_stop_the_context)
{
	set_up(true, 1);
	bed.on_state = stop_on_running;
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "rs");
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	tear_down();
}

TEST(start_says_what_is_missing)
{
	struct doca_dma *dma = NULL;
	struct doca_ctx *ctx;

	set_up(true, 1);
	OK(doca_dma_create(&fake_dev, &dma));
	ctx = doca_dma_as_ctx(dma);
	FAILS(doca_ctx_start(ctx), NOT_CONNECTED, "not connected");
	FAILS(doca_ctx_stop(ctx), NOT_CONNECTED, "not connected");
	OK(doca_pe_connect_ctx(bed.pe, ctx));
	FAILS(doca_ctx_start(ctx), INVALID_VALUE, "no tasks");
	OK(doca_dma_destroy(dma));
	OK(doca_ctx_start(bed.ctx));
	FAILS(doca_ctx_start(bed.ctx), BAD_STATE, "it is started");
	stop_and_tear_down();
}

TEST(a_failed_start_leaves_nothing_and_can_be_repeated)
{
	static const struct refusal cases[] = {
		{ -ENODEV, DOCA_ERROR_INITIALIZATION, "fake0 was removed" },
		{ -EDQUOT, DOCA_ERROR_INITIALIZATION, "raise max_queues" },
		{ -ENOMEM, DOCA_ERROR_INITIALIZATION, "out of memory" },
		{ -EPERM, DOCA_ERROR_INITIALIZATION, "before a fork" },
		{ -EMFILE, DOCA_ERROR_INITIALIZATION, "files open (EMFILE); close" },
	};

	set_up(true, 1);
	EXPECT_REFUSALS(cases, fake.queue_error, doca_ctx_start(bed.ctx));
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(fake.queues, 0);
	EXPECT_STR(took(), "");
	OK(doca_ctx_start(bed.ctx));
	stop_and_tear_down();
}

TEST(settings_are_made_before_start)
{
	union doca_data data = { .u64 = 5 };
	uint32_t n = 0;

	set_up(true, 1);
	OK(doca_ctx_set_user_data(bed.ctx, data));
	data.u64 = 0;
	OK(doca_ctx_get_user_data(bed.ctx, &data));
	EXPECT_EQ(data.u64, 5);
	OK(doca_ctx_set_completion_vector(bed.ctx, 0));
	ERR(doca_ctx_set_completion_vector(bed.ctx, 1), INVALID_VALUE);
	OK(doca_ctx_cap_get_num_completion_vectors(&fake_dev.info, &n));
	EXPECT_EQ(n, 1);
	OK(doca_ctx_start(bed.ctx));
	ERR(doca_ctx_set_user_data(bed.ctx, data), BAD_STATE);
	ERR(doca_ctx_set_state_changed_cb(bed.ctx, on_state), BAD_STATE);
	ERR(doca_ctx_set_completion_vector(bed.ctx, 0), BAD_STATE);
	stop_and_tear_down();
}

TEST(other_data_paths_are_not_supported)
{
	void *some = &bed;

	set_up(true, 1);
	FAILS(doca_ctx_set_datapath_on_dpa(bed.ctx, some), NOT_SUPPORTED, "DPA");
	FAILS(doca_ctx_set_datapath_on_gpu(bed.ctx, some), NOT_SUPPORTED, "GPU");
	OK(doca_ctx_start(bed.ctx));
	ERR(doca_ctx_set_datapath_on_dpa(bed.ctx, some), BAD_STATE);
	ERR(doca_ctx_set_datapath_on_gpu(bed.ctx, some), BAD_STATE);
	stop_and_tear_down();
}

TEST(a_pool_holds_exactly_the_configured_number)
{
	struct doca_task *task[3];
	struct doca_dma_task_memcpy *more;

	set_up(true, 3);
	ERR(doca_dma_task_memcpy_alloc_init(bed.dma, NULL, NULL, (union doca_data){ 0 }, &more),
	    BAD_STATE);
	OK(doca_ctx_start(bed.ctx));
	for (int i = 0; i < 3; i++)
		task[i] = as_task(new_task(NULL, NULL, i));
	ERR(doca_dma_task_memcpy_alloc_init(bed.dma, NULL, NULL, (union doca_data){ 0 }, &more),
	    NO_MEMORY);
	EXPECT(doca_task_get_ctx(task[1]) == bed.ctx);
	EXPECT_EQ(doca_task_get_user_data(task[2]).u64, 2);
	doca_task_set_user_data(task[2], (union doca_data){ .u64 = 9 });
	EXPECT_EQ(doca_task_get_user_data(task[2]).u64, 9);
	doca_task_free(task[1]);
	EXPECT(as_task(new_task(NULL, NULL, 7)) == task[1]);
	for (int i = 0; i < 3; i++)
		doca_task_free(task[i]);
	stop_and_tear_down();
}

TEST(all_tasks_of_a_pool_can_be_in_flight)
{
	set_up_started(true, MAX_TASKS);
	bed.on_task = free_in_callback;
	for (int round = 0; round < 3; round++) {
		submit_many(MAX_TASKS);
		EXPECT_EQ(inflight(), MAX_TASKS);
		fake_work(-1);
		EXPECT_EQ(drain(bed.pe), MAX_TASKS);
		EXPECT_EQ(inflight(), 0);
		EXPECT_STR(took(), repeat('S', MAX_TASKS, ""));
	}
	EXPECT_EQ(fake.enters, 0);
	stop_and_tear_down();
}

TEST(a_task_is_submitted_once)
{
	struct doca_task *task;

	set_up_started(true, 1);
	task = new_copy(0, 32);
	OK(doca_task_submit(task));
	ERR(doca_task_submit(task), BAD_STATE);
	ERR(doca_task_try_submit(task), BAD_STATE);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	free_task_and_bufs(bed.task);
	ERR(doca_task_submit(task), BAD_STATE);
	stop_and_tear_down();
}

TEST(a_task_freed_twice_is_told_of)
{
	struct doca_task *task;

	set_up_started(true, 2);
	task = as_task(new_task(NULL, NULL, 0));
	doca_task_free(task);
	doca_task_free(task);
	EXPECT_LOGGED("freed twice");
	EXPECT(new_task(NULL, NULL, 0) != new_task(NULL, NULL, 0));
	doca_task_free(as_task(bed.all[1]));
	doca_task_free(as_task(bed.all[2]));
	stop_and_tear_down();
}

TEST(deferred_submissions_wait_for_a_flush)
{
	set_up_started(true, 8);
	bed.on_task = free_in_callback;
	ERR(doca_task_submit_ex(new_copy(0, 8), 1 << 7), INVALID_VALUE);
	free_task_and_bufs(bed.all[0]);

	for (int i = 0; i < 3; i++)
		OK(doca_task_submit_ex(new_copy(0, 8), DOCA_TASK_SUBMIT_FLAG_NONE));
	EXPECT_EQ(inflight(), 3);
	fake_work(8);
	EXPECT_EQ(queues[0].sq_head, 0);
	OK(doca_task_submit_ex(new_copy(0, 8), DOCA_TASK_SUBMIT_FLAG_FLUSH));
	fake_work(8);
	EXPECT_EQ(drain(bed.pe), 4);

	OK(doca_task_submit_ex(new_copy(0, 8), DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
	fake_work(8);
	EXPECT_EQ(queues[0].sq_head, 4);
	doca_ctx_flush_tasks(bed.ctx);
	fake_work(8);
	EXPECT_EQ(drain(bed.pe), 1);

	/* Progress makes up for a forgotten flush. */
	OK(doca_task_submit_ex(new_copy(0, 8), 0));
	EXPECT_EQ(drain(bed.pe), 0);
	fake_work(8);
	EXPECT_EQ(drain(bed.pe), 1);
	stop_and_tear_down();
}

/* Three at a time, so that an entry of the previous phase announces some. */
TEST(deferred_submissions_go_round_the_ring)
{
	set_up_started(true, 8);
	bed.on_task = free_in_callback;
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 2; i++)
			OK(doca_task_submit_ex(new_copy(0, 8), DOCA_TASK_SUBMIT_FLAG_NONE));
		OK(doca_task_submit_ex(new_copy(0, 8), round % 2 ? DOCA_TASK_SUBMIT_FLAG_FLUSH :
								   DOCA_TASK_SUBMIT_FLAG_NONE));
		doca_ctx_flush_tasks(bed.ctx);
		fake_work(8);
		EXPECT_EQ(drain(bed.pe), 3);
	}
	stop_and_tear_down();
}

TEST(without_a_worker_submit_executes)
{
	set_up_started(false, 8);
	bed.on_task = free_in_callback;
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(fake.enters, 1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(fake.enters, 1);
	for (int i = 0; i < 4; i++)
		OK(doca_task_submit_ex(new_copy(0, 8), 0));
	EXPECT_EQ(fake.enters, 1);
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_EQ(fake.enters, 2);
	/* A call may end early. */
	fake.enter_budget = 1;
	for (int i = 0; i < 4; i++)
		OK(doca_task_submit_ex(new_copy(0, 8), 0));
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_EQ(fake.enters, 6);
	stop_and_tear_down();
}

/* At any place in the ring. */
TEST(without_a_worker_nothing_is_called_for_twice)
{
	set_up_started(false, 8);
	bed.on_task = free_in_callback;
	for (unsigned int i = 1; i <= 200; i++) {
		OK(doca_task_submit(new_copy(0, 8)));
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_EQ(fake.enters, i);
	}
	stop_and_tear_down();
}

TEST(a_worker_is_called_only_if_it_sleeps)
{
	set_up(true, 8);
	fake.asleep = true;
	OK(doca_ctx_start(bed.ctx));
	bed.on_task = free_in_callback;
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(fake.enters, 1);
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(fake.enters, 1);
	fake_work(2);
	EXPECT_EQ(drain(bed.pe), 2);
	stop_and_tear_down();
}

TEST(a_worker_that_is_late_is_replaced_by_calls)
{
	set_up_started(true, 8);
	bed.on_task = free_in_callback;
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(fake.enters, 0);
	fake.late = true;
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(fake.enters, 1);
	/* No call without a reason. */
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(fake.enters, 1);
	stop_and_tear_down();
}

static unsigned int resubmits;

static void resubmit(struct doca_dma_task_memcpy *task)
{
	if (!resubmits) {
		free_task_and_bufs(task);
		return;
	}
	resubmits--;
	run_again(task);
}

TEST(a_callback_may_resubmit_its_task)
{
	set_up_started(false, 1);
	bed.on_task = resubmit;
	resubmits = 100;
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(drain(bed.pe), 101);
	EXPECT_EQ(inflight(), 0);
	stop_and_tear_down();
}

static void free_and_read(struct doca_dma_task_memcpy *task)
{
	struct doca_task *base = as_task(task);
	doca_error_t status = doca_task_get_status(base);

	free_task_and_bufs(task);
	EXPECT_EQ(doca_task_get_status(base), status);
	EXPECT(doca_task_get_ctx(base) == bed.ctx);
}

TEST(a_freed_task_can_still_be_read)
{
	set_up_started(false, 2);
	bed.on_task = free_and_read;
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_task_submit(as_task(new_task(NULL, room(0, 1), 0))));
	bed.on_task = NULL;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	put(doca_dma_task_memcpy_get_dst(bed.task));
	doca_task_free(as_task(bed.task));
	ERR(doca_task_get_status(as_task(bed.task)), INVALID_VALUE);
	EXPECT_EQ(drain(bed.pe), 2);
	tear_down();
}

TEST(freeing_a_task_in_flight_defers_to_its_completion)
{
	struct doca_dma_task_memcpy *more;
	struct doca_task *task;

	set_up_started(true, 1);
	bed.on_task = free_in_callback;
	task = new_copy(0, 8);
	OK(doca_task_submit(task));
	doca_task_free(task);
	doca_task_free(task);
	ERR(doca_dma_task_memcpy_alloc_init(bed.dma, NULL, NULL, (union doca_data){ 0 }, &more),
	    NO_MEMORY);
	EXPECT_EQ(inflight(), 1);
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "sEi");
	EXPECT(!strstr(logged(), "twice"));
	tear_down();
}

TEST(a_task_freed_in_flight_goes_back_to_its_pool)
{
	struct doca_dma_task_memcpy *copy;
	struct doca_task *task;

	set_up_started(true, 1);
	task = new_copy(0, 8);
	copy = bed.all[0];
	OK(doca_task_submit(task));
	put(doca_dma_task_memcpy_get_src(copy));
	put(doca_dma_task_memcpy_get_dst(copy));
	doca_task_free(task);
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS - 2);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(copied(0, 0, 8));
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	EXPECT(new_task(NULL, NULL, 0) == copy);
	doca_task_free(task);
	stop_and_tear_down();
}
