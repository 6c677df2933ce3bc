// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The progress engine: many contexts, waiting, workers and forks. */
#include "bed.h"

TEST(null_engines_are_refused)
{
	doca_notification_handle_t fd;
	size_t n;

	set_up(true, 1);
	ERR(doca_pe_create(NULL), INVALID_VALUE);
	ERR(doca_pe_destroy(NULL), INVALID_VALUE);
	ERR(doca_pe_connect_ctx(NULL, bed.ctx), INVALID_VALUE);
	ERR(doca_pe_connect_ctx(bed.pe, NULL), INVALID_VALUE);
	ERR(doca_pe_get_num_inflight_tasks(NULL, &n), INVALID_VALUE);
	ERR(doca_pe_get_num_inflight_tasks(bed.pe, NULL), INVALID_VALUE);
	ERR(doca_pe_get_notification_handle(NULL, &fd), INVALID_VALUE);
	ERR(doca_pe_get_notification_handle(bed.pe, NULL), INVALID_VALUE);
	ERR(doca_pe_request_notification(NULL), INVALID_VALUE);
	ERR(doca_pe_clear_notification(NULL, 0), INVALID_VALUE);
	ERR(doca_pe_set_event_mode(NULL, 0), INVALID_VALUE);
	ERR(doca_pe_set_event_mode(bed.pe, 2), INVALID_VALUE);
	OK(doca_pe_set_event_mode(bed.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
	OK(doca_pe_set_event_mode(bed.pe,
				  DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE));
	EXPECT_EQ(doca_pe_progress(NULL), 0);
	tear_down();
}

TEST(a_context_is_connected_to_one_engine)
{
	struct doca_pe *other = NULL;

	set_up(true, 1);
	OK(doca_pe_create(&other));
	ERR(doca_pe_connect_ctx(bed.pe, bed.ctx), ALREADY_EXIST);
	ERR(doca_pe_connect_ctx(other, bed.ctx), ALREADY_EXIST);
	ERR(doca_pe_destroy(bed.pe), IN_USE);
	OK(doca_pe_destroy(other));
	tear_down();
}

TEST(one_worker_for_all_contexts_of_an_engine)
{
	struct doca_dma *dma;

	set_up_started(true, 1);
	dma = new_dma(1);
	OK(doca_pe_connect_ctx(bed.pe, doca_dma_as_ctx(dma)));
	OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	EXPECT_EQ(fake.workers_made, 1);
	OK(doca_ctx_stop(doca_dma_as_ctx(dma)));
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_ctx_start(bed.ctx));
	EXPECT_EQ(fake.workers_made, 1);
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_dma_destroy(dma));
	EXPECT_EQ(fake.workers_gone, 0);
	tear_down();
	EXPECT_EQ(fake.workers_gone, 1);
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
	static const char *const bad[] = { "x", "5x", "-1", "99999999999",
					   " " };

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
	OK(doca_ctx_stop(bed.ctx));
	tear_down();

	set_up(true, 1);
	fake.worker_error = -EPERM;
	OK(doca_ctx_start(bed.ctx));
	EXPECT_LOGGED("no worker");
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

#define NR_DMA 4

TEST(contexts_are_visited_in_turn)
{
	struct doca_dma *dma[NR_DMA];
	struct doca_dma *first;
	char order[2 * NR_DMA];
	size_t n = 0;

	set_up_started(true, 2);
	first = bed.dma;
	dma[0] = first;
	for (int i = 1; i < NR_DMA; i++) {
		dma[i] = new_dma(2);
		OK(doca_pe_connect_ctx(bed.pe, doca_dma_as_ctx(dma[i])));
		OK(doca_ctx_start(doca_dma_as_ctx(dma[i])));
	}
	for (int i = 0; i < NR_DMA; i++) {
		bed.dma = dma[i];
		for (int j = 0; j < 2; j++)
			OK(doca_task_submit(doca_dma_task_memcpy_as_task(
				new_task(source(0, 8), room(0, 8), 'a' + i))));
	}
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 2 * NR_DMA);
	fake_work(2);
	for (int i = 0; i < 2 * NR_DMA; i++) {
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
		order[i] = bed.user_data;
		free_task_and_bufs(bed.task);
	}
	EXPECT(!memcmp(order, "abcdabcd", sizeof(order)));
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 0);
	for (int i = 1; i < NR_DMA; i++) {
		OK(doca_ctx_stop(doca_dma_as_ctx(dma[i])));
		OK(doca_dma_destroy(dma[i]));
	}
	bed.dma = first;
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

TEST(removal_is_seen_by_every_idle_context)
{
	struct doca_dma *dma[NR_DMA];

	set_up_started(true, 1);
	for (int i = 0; i < NR_DMA; i++) {
		dma[i] = new_dma(1);
		OK(doca_pe_connect_ctx(bed.pe, doca_dma_as_ctx(dma[i])));
	}
	OK(doca_ctx_start(doca_dma_as_ctx(dma[1])));
	OK(doca_ctx_start(doca_dma_as_ctx(dma[3])));
	took();
	fake_remove_device();
	for (int i = 0; i < 20; i++)
		doca_pe_progress(bed.pe);
	EXPECT_STR(took(), "sisisi");
	for (int i = 0; i < NR_DMA; i++)
		OK(doca_dma_destroy(dma[i]));
	tear_down();
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
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

TEST(the_handle_is_valid_before_contexts_start)
{
	int fd;

	set_up(true, 1);
	fd = handle();
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(fd));
	OK(doca_pe_clear_notification(bed.pe, 0));
	OK(doca_ctx_start(bed.ctx));
	bed.on_task = free_in_callback;
	OK(doca_pe_request_notification(bed.pe));
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT(!fake_readable(fd));
	fake_work(1);
	EXPECT(fake_readable(fd));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!fake_readable(fd));
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

/* The engine is armed, not the contexts that it had then. */
TEST(contexts_that_are_started_later_end_a_wait)
{
	set_up(true, 1);
	bed.on_task = free_in_callback;
	for (int i = 0; i < 2; i++) {
		OK(doca_pe_request_notification(bed.pe));
		OK(doca_ctx_start(bed.ctx));
		EXPECT(!fake_readable(handle()));
		OK(doca_task_submit(new_copy(0, 8)));
		fake_work(1);
		EXPECT(fake_readable(handle()));
		OK(doca_pe_clear_notification(bed.pe, 0));
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
	EXPECT(!fake_readable(handle()));
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, handle()));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!fake_readable(handle()));
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

TEST(arming_is_one_shot)
{
	set_up_started(true, 2);
	bed.on_task = free_in_callback;
	OK(doca_pe_request_notification(bed.pe));
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!fake_readable(handle()));
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	EXPECT(!fake_readable(handle()));
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

TEST(arming_flushes_what_was_deferred)
{
	for (int workers = 0; workers < 2; workers++) {
		set_up_started(workers, 2);
		bed.on_task = free_in_callback;
		OK(doca_task_submit_ex(new_copy(0, 8), 0));
		OK(doca_pe_request_notification(bed.pe));
		fake_work(1);
		EXPECT(fake_readable(handle()));
		OK(doca_pe_clear_notification(bed.pe, 0));
		EXPECT_EQ(drain(bed.pe), 1);
		OK(doca_ctx_stop(bed.ctx));
		tear_down();
	}
}

TEST(state_changes_end_a_wait)
{
	set_up_started(true, 2);
	bed.on_task = NULL;
	/* The bad task's completion, then the change that comes with it */
	OK(doca_task_submit(doca_dma_task_memcpy_as_task(
		new_task(source(0, 8), room(0, 4), 0))));
	new_copy(0, 8);
	OK(doca_pe_request_notification(bed.pe));
	fake_work(1);
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "Es");
	/* Idle when the last task is freed, before the wait or in it */
	free_task_and_bufs(bed.all[0]);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(handle()));
	free_task_and_bufs(bed.all[1]);
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT(!fake_readable(handle()));
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	tear_down();
}

TEST(removal_ends_a_wait_once)
{
	set_up_started(true, 2);
	new_copy(0, 8);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(handle()));
	fake_remove_device();
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	/* Not delivered yet, so a new wait ends, too */
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "s");
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(handle()));
	free_task_and_bufs(bed.all[0]);
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!fake_readable(handle()));
	tear_down();
}

TEST(a_broken_queue_ends_a_wait_once)
{
	set_up_started(true, 2);
	bed.on_task = free_in_callback;
	new_copy(0, 8);
	OK(doca_task_submit(new_copy(0, 8)));
	fake_break_queues();
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "Es");
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(handle()));
	free_task_and_bufs(bed.all[0]);
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
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
		OK(doca_pe_request_notification(bed.pe));
		fake_work(1);
		EXPECT(fake_readable(handle()));
		OK(doca_pe_clear_notification(bed.pe, 0));
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
	OK(doca_pe_request_notification(bed.pe));
	fake_fork();
	ERR(doca_task_submit(doca_dma_task_memcpy_as_task(bed.all[2])),
	    BAD_STATE);
	doca_ctx_flush_tasks(bed.ctx);
	logged();
	ERR(doca_pe_request_notification(bed.pe), BAD_STATE);
	EXPECT(strstr(logged(), "its contexts are dead here"));
	ERR(doca_pe_clear_notification(bed.pe, 0), BAD_STATE);
	EXPECT_LOGGED("belongs to the parent process: create one here");
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 2);
	EXPECT_EQ(drain(bed.pe), 3);
	EXPECT_STR(took(), "EsE");
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	free_task_and_bufs(bed.all[2]);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	ERR(doca_ctx_start(bed.ctx), INITIALIZATION);
	fake.workers_gone++; /* the parent's */
	fake.refs = 0;
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
	fake.workers_gone++;
	fake.refs = 0;
	tear_down();
}
