// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The progress engine: many contexts, waits, workers and forks. */
#include "bed.h"
#include "core/exec/ctx.h"

TEST(a_context_is_connected_to_one_engine)
{
	struct doca_pe *other = NULL;

	set_up(true, 1);
	OK(doca_pe_create(&other));
	ERR(doca_pe_connect_ctx(bed.pe, bed.ctx), ALREADY_EXIST);
	ERR(doca_pe_connect_ctx(other, bed.ctx), ALREADY_EXIST);
	ERR(doca_pe_destroy(bed.pe), IN_USE);
	OK(doca_pe_destroy(other));
	ERR(doca_pe_set_event_mode(bed.pe, 2), INVALID_VALUE);
	tear_down();
}

static uint32_t idle_with(const char *value)
{
	uint32_t idle;

	setenv("DOCA_IDLE_US", value, 1);
	set_up_started(true, 1);
	unsetenv("DOCA_IDLE_US");
	idle = fake.idle_us;
	OK(doca_ctx_stop(bed.ctx));
	return idle;
}

TEST(the_environment_says_how_long_a_worker_spins)
{
	static const char *const bad[] = { "x", "5x", "-1", "99999999999", " " };

	EXPECT_EQ(idle_with("0"), 0);
	tear_down();
	EXPECT_EQ(idle_with("300"), 300);
	tear_down();
	EXPECT_EQ(idle_with("never"), DOCA_IDLE_NEVER);
	tear_down();
	EXPECT_EQ(idle_with(""), 20);
	EXPECT_SILENT();
	tear_down();
	for (int i = 0; i < 5; i++) {
		EXPECT_EQ(idle_with(bad[i]), 20);
		EXPECT_LOGGED("DOCA_IDLE_US");
		tear_down();
	}
}

TEST(without_a_worker_tasks_run_in_the_caller)
{
	set_up(false, 1);
	OK(doca_ctx_start(bed.ctx));
	EXPECT_LOGGED("switched off");
	EXPECT_EQ(queues[0].queue->worker_id, 0);
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_ctx_start(bed.ctx));
	EXPECT_SILENT();
	stop_and_tear_down();

	set_up(true, 1);
	fake.worker_error = -EPERM;
	OK(doca_ctx_start(bed.ctx));
	EXPECT_LOGGED("no worker");
	stop_and_tear_down();
}

static struct doca_pe *other_pe;
static unsigned int other_runs;

static void progress_both(struct doca_dma_task_memcpy *task)
{
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	bed.on_task = free_in_callback;
	other_runs = drain(other_pe);
	free_task_and_bufs(task);
}

TEST(a_callback_may_progress_another_engine)
{
	struct doca_dma *dma, *first;

	set_up_started(false, 2);
	OK(doca_pe_create(&other_pe));
	first = bed.dma;
	dma = new_dma(1);
	OK(doca_pe_connect_ctx(other_pe, doca_dma_as_ctx(dma)));
	OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	OK(doca_task_submit(new_copy(0, 8)));
	OK(doca_task_submit(new_copy(0, 8)));
	bed.dma = dma;
	OK(doca_task_submit(new_copy(0, 8)));
	bed.on_task = progress_both;
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_EQ(other_runs, 1);
	OK(doca_ctx_stop(doca_dma_as_ctx(dma)));
	OK(doca_dma_destroy(dma));
	OK(doca_pe_destroy(other_pe));
	bed.dma = first;
	stop_and_tear_down();
}

/* The engine is armed, not only its current contexts. */
TEST(contexts_that_are_started_later_end_a_wait)
{
	set_up(true, 1);
	bed.on_task = free_in_callback;
	arm();
	EXPECT(!wakes());
	clear();
	for (int i = 0; i < 2; i++) {
		arm();
		OK(doca_ctx_start(bed.ctx));
		EXPECT(!wakes());
		OK(doca_task_submit(new_copy(0, 8)));
		fake_work(1);
		woken();
		EXPECT_EQ(drain(bed.pe), 1);
		OK(doca_ctx_stop(bed.ctx));
	}
	tear_down();
}

TEST(arming_with_completions_pending_fires_at_once)
{
	set_up_started(true, 2);
	bed.on_task = free_in_callback;
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	EXPECT(!wakes());
	arm();
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!wakes());
	stop_and_tear_down();
}

TEST(arming_is_one_shot)
{
	set_up_started(true, 2);
	bed.on_task = free_in_callback;
	arm();
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!wakes());
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	EXPECT(!wakes());
	EXPECT_EQ(drain(bed.pe), 1);
	stop_and_tear_down();
}

TEST(arming_flushes_what_was_deferred)
{
	for (int workers = 0; workers < 2; workers++) {
		set_up_started(workers, 2);
		bed.on_task = free_in_callback;
		OK(doca_task_submit_ex(new_copy(0, 8), 0));
		arm();
		fake_work(1);
		woken();
		EXPECT_EQ(drain(bed.pe), 1);
		stop_and_tear_down();
	}
}

TEST(state_changes_end_a_wait)
{
	set_up_started(true, 2);
	bed.on_task = NULL;
	/* The bad task's completion, then the change of state. */
	OK(doca_task_submit(bad_copy()));
	new_copy(0, 8);
	arm();
	fake_work(1);
	woken();
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	arm();
	woken();
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "Es");
	/* It becomes idle when the last task is freed, before the wait or during it. */
	free_task_and_bufs(bed.all[0]);
	arm();
	EXPECT(!wakes());
	free_task_and_bufs(bed.all[1]);
	woken();
	EXPECT(!wakes());
	arm();
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	tear_down();
}

TEST(removal_ends_a_wait_once)
{
	set_up_started(true, 2);
	new_copy(0, 8);
	arm();
	EXPECT(!wakes());
	fake_remove_device();
	woken();
	/* It is not delivered yet, so a new wait ends as well. */
	arm();
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "s");
	arm();
	EXPECT(!wakes());
	free_task_and_bufs(bed.all[0]);
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!wakes());
	tear_down();
}

TEST(a_broken_queue_ends_a_wait_once)
{
	set_up_started(true, 2);
	bed.on_task = free_in_callback;
	new_copy(0, 8);
	OK(doca_task_submit(new_copy(0, 8)));
	fake_break_queues();
	arm();
	woken();
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	arm();
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "Es");
	arm();
	EXPECT(!wakes());
	free_task_and_bufs(bed.all[0]);
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	tear_down();
}

TEST(the_flush_of_a_removed_device_is_not_missed)
{
	set_up_started(true, 4);
	bed.on_task = free_in_callback;
	for (int i = 0; i < 3; i++)
		OK(doca_task_submit(new_copy(0, 8)));
	fake_remove_device();
	for (int i = 0; i < 20 && state() != DOCA_CTX_STATE_IDLE; i++) {
		arm();
		fake_work(1);
		woken();
		drain(bed.pe);
	}
	EXPECT_STR(took(), "EsEEi");
	tear_down();
}

TEST(the_child_of_a_fork_sees_its_contexts_die)
{
	size_t n = 0;

	set_up_started(true, 4);
	bed.on_task = free_in_callback;
	OK(doca_task_submit(new_copy(0, 8)));
	OK(doca_task_submit_ex(new_copy(0, 8), 0));
	new_copy(0, 8);
	arm();
	fake_fork();
	ERR(doca_task_submit(as_task(bed.all[2])), BAD_STATE);
	doca_ctx_flush_tasks(bed.ctx);
	logged();
	ERR(doca_pe_request_notification(bed.pe), BAD_STATE);
	EXPECT(strstr(logged(), "its contexts are dead here"));
	FAILS(doca_pe_clear_notification(bed.pe, 0), BAD_STATE,
	      "belongs to the parent process: create one here");
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 2);
	EXPECT_EQ(drain(bed.pe), 3);
	EXPECT_STR(took(), "EsE");
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	free_task_and_bufs(bed.all[2]);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	ERR(doca_ctx_start(bed.ctx), INITIALIZATION);
	forget_parent();
	tear_down();
}

TEST(the_child_of_a_fork_may_stop_at_once)
{
	set_up_started(true, 4);
	bed.on_task = free_in_callback;
	OK(doca_task_submit(new_copy(0, 8)));
	fake_fork();
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	EXPECT_EQ(fake.stops, 0);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "sEi");
	forget_parent();
	tear_down();
}

#define NR_DMA 3

static struct doca_dma *dmas[NR_DMA]; /* the first one is the bed's */

static struct doca_ctx *ctx_of(int i)
{
	return doca_dma_as_ctx(dmas[i]);
}

static void set_up_many(uint32_t tasks)
{
	set_up_started(true, tasks);
	dmas[0] = bed.dma;
	for (int i = 1; i < NR_DMA; i++) {
		dmas[i] = new_dma(tasks);
		OK(doca_pe_connect_ctx(bed.pe, ctx_of(i)));
		OK(doca_ctx_start(ctx_of(i)));
	}
	took();
	bed.on_task = free_in_callback;
}

static void tear_down_many(void)
{
	for (int i = 0; i < NR_DMA; i++)
		OK(doca_ctx_stop(ctx_of(i)));
	for (int i = 1; i < NR_DMA; i++)
		OK(doca_dma_destroy(dmas[i]));
	bed.dma = dmas[0];
	tear_down();
}

static void submit_to(int i)
{
	bed.dma = dmas[i];
	OK(doca_task_submit(as_task(new_task(source(0, 8), room(0, 8), 'a' + i))));
}

/* Let the worker execute everything that one context has submitted. */
static void work_for(int i)
{
	struct fake_queue *q;

	for_each_queue(q) if (q->queue == &ctx_of(i)->queue) run(q, -1);
}

TEST(one_worker_for_all_contexts_of_an_engine)
{
	set_up_many(1);
	EXPECT_EQ(fake.workers_made, 1);
	for (int i = 0; i < NR_DMA; i++)
		OK(doca_ctx_stop(ctx_of(i)));
	OK(doca_ctx_start(bed.ctx));
	EXPECT_EQ(fake.workers_made, 1);
	EXPECT_EQ(fake.workers_gone, 0);
	tear_down_many();
	EXPECT_EQ(fake.workers_gone, 1);
}

TEST(contexts_are_visited_in_turn)
{
	char order[2 * NR_DMA];
	size_t n = 0;

	set_up_many(2);
	for (int i = 0; i < 2 * NR_DMA; i++)
		submit_to(i / 2);
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 2 * NR_DMA);
	fake_work(2);
	for (int i = 0; i < 2 * NR_DMA; i++) {
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
		order[i] = bed.user_data;
	}
	EXPECT(!memcmp(order, "abcabc", sizeof(order)));
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 0);
	tear_down_many();
}

/* After a notification of the second of three contexts, the third has a completion as well. */
static void second_then_third(enum doca_pe_event_mode mode)
{
	OK(doca_pe_set_event_mode(bed.pe, mode));
	for (int i = 0; i < NR_DMA; i++)
		submit_to(i);
	arm();
	work_for(1);
	woken();
	work_for(2);
}

TEST(selective_mode_progresses_who_has_notified)
{
	set_up_many(1);
	second_then_third(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(bed.user_data, 'b');
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	/* The rest is not lost: the next request finds it. */
	arm();
	woken();
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(bed.user_data, 'c');
	work_for(0);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	tear_down_many();
}

TEST(all_mode_progresses_every_context)
{
	for (int late = 0; late < 2; late++) {
		set_up_many(1);
		second_then_third(late ? DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE :
					 DOCA_PE_EVENT_MODE_PROGRESS_ALL);
		OK(doca_pe_set_event_mode(bed.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
		EXPECT_EQ(drain(bed.pe), 2);
		EXPECT_EQ(bed.user_data, 'c');
		work_for(0);
		EXPECT_EQ(drain(bed.pe), 1);
		tear_down_many();
	}
}

TEST(selective_is_the_mode_at_first)
{
	set_up_many(1);
	submit_to(0);
	submit_to(1);
	arm();
	work_for(0);
	woken();
	work_for(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(drain(bed.pe), 1);
	tear_down_many();
}

/* No context has notified, so none is preferred. */
TEST(a_clear_without_a_notification_selects_nothing)
{
	set_up_many(1);
	submit_to(0);
	arm();
	clear();
	work_for(0);
	EXPECT_EQ(drain(bed.pe), 1);
	tear_down_many();
}

/* An idle context notifies of its device's removal. */
TEST(selective_mode_sees_the_removal_of_an_idle_context)
{
	set_up_many(1);
	arm();
	fake_remove_device();
	woken();
	EXPECT_EQ(drain(bed.pe), 2 * NR_DMA);
	EXPECT_STR(took(), "sssiii");
	tear_down_many();
}

/* Only the queue of the last context is dead. */
TEST(removal_of_an_idle_context_is_seen_by_a_busy_engine)
{
	struct fake_queue *q;
	int i;

	set_up_many(1);
	bed.on_task = run_again;
	submit_to(0);
	for_each_queue(q) if (q->queue == &ctx_of(2)->queue)
	{
		q->kernel->dead = 1;
		q->kernel->state = DOCA_QUEUE_FLUSH;
	}
	for (i = 0; i < 1000 && !strchr(bed.log, 's'); i++) {
		work_for(0);
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	}
	EXPECT(i < 1000);
	bed.on_task = free_in_callback;
	fake_work(-1);
	drain(bed.pe);
	tear_down_many();
}

static struct doca_dma *child;

/* The life of one context within callbacks of another. */
static void child_state(const union doca_data user_data, struct doca_ctx *ctx,
			enum doca_ctx_states prev, enum doca_ctx_states next)
{
	(void)user_data, (void)prev;
	record("i.rs"[next]);
	EXPECT(ctx == doca_dma_as_ctx(child));
	if (next == DOCA_CTX_STATE_IDLE) {
		OK(doca_dma_destroy(child));
		child = NULL;
	}
}

static void child_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	record('C');
	free_task_and_bufs(task);
	ERR(doca_ctx_stop(doca_dma_as_ctx(child)), IN_PROGRESS);
}

static void beget(struct doca_dma_task_memcpy *task)
{
	struct doca_ctx *ctx;

	free_task_and_bufs(task);
	if (child)
		return;
	OK(doca_dma_create(&fake_dev, &child));
	ctx = doca_dma_as_ctx(child);
	OK(doca_dma_task_memcpy_set_conf(child, child_done, child_done, 1));
	OK(doca_ctx_set_state_changed_cb(ctx, child_state));
	OK(doca_pe_connect_ctx(bed.pe, ctx));
	OK(doca_ctx_start(ctx));
	bed.dma = child;
	OK(doca_task_submit(new_copy(0, 8)));
}

TEST(contexts_live_and_die_in_callbacks)
{
	set_up_many(2);
	bed.on_task = beget;
	submit_to(0);
	for (int i = 0; i < 10; i++) {
		fake_work(-1);
		doca_pe_progress(bed.pe);
	}
	EXPECT_STR(took(), "SrCsi");
	EXPECT(!child);
	tear_down_many();
}

/* In any state, the engine's count is the sum of its contexts' counts. */
TEST(tasks_in_flight_are_counted_in_every_state)
{
	size_t n = -1;

	set_up_many(4);
	submit_to(1);
	submit_to(2);
	submit_to(2);
	OK(doca_ctx_get_num_inflight_tasks(ctx_of(0), &n));
	EXPECT_EQ(n, 0);
	ERR(doca_ctx_stop(ctx_of(2)), IN_PROGRESS);
	OK(doca_ctx_get_num_inflight_tasks(ctx_of(2), &n));
	EXPECT_EQ(n, 2);
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 3);
	fake_work(-1);
	drain(bed.pe);
	EXPECT_EQ(ctx_of(2)->state, DOCA_CTX_STATE_IDLE);
	OK(doca_ctx_get_num_inflight_tasks(ctx_of(2), &n));
	EXPECT_EQ(n, 0);
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 0);
	tear_down_many();
}
