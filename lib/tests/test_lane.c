// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What holds for contexts on every lane, on one that does what a test says. */
#include <poll.h>

#include "fake_lane.h"

TEST(a_context_on_another_lane_needs_no_driver)
{
	uint32_t max = 0;

	play_set_up();
	fake_dev.from_pd = true;
	fake.get_error = -ENOENT;
	OK(play_cap_is_supported(&fake_dev.info));
	OK(play_cap_max_tasks(play, &max));
	EXPECT_EQ(max, LANE_TASKS);
	ERR(doca_ctx_start(bed.ctx), NOT_SUPPORTED);
	EXPECT_LOGGED("protection domain");
	OK(doca_ctx_start(play_ctx));
	EXPECT_EQ(fake.queues, 0);
	EXPECT_EQ(fake.workers_made, 0);
	OK(doca_ctx_stop(play_ctx));
	EXPECT_STR(took(), "rsi");
	fake_dev.from_pd = false;
	play_tear_down();
}

TEST(a_context_without_tasks_may_start)
{
	play_set_up();
	play->pools[0].num = 0;
	OK(doca_ctx_start(play_ctx));
	EXPECT_EQ(drain(bed.pe), 0);
	lane.events = 1;
	doca_priv_ctx_kick(play_ctx);
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_ctx_stop(play_ctx));
	EXPECT_STR(took(), "rVsi");
	play_tear_down();
}

TEST(a_start_that_fails_leaves_nothing)
{
	play_set_up();
	lane.watches = true;
	lane.fd = eventfd(1, EFD_NONBLOCK);
	lane.start = DOCA_ERROR_INITIALIZATION;
	ERR(doca_ctx_start(play_ctx), INITIALIZATION);
	EXPECT_LOGGED("cannot start");
	EXPECT_EQ(play_ctx->watches[1].fd, -1);
	lane.start = DOCA_SUCCESS;
	lane.poll = DOCA_ERROR_INITIALIZATION; /* the library's own start */
	ERR(doca_ctx_start(play_ctx), INITIALIZATION);
	EXPECT_EQ(lane.stops, 1);
	EXPECT_EQ(play_ctx->watches[1].fd, -1);
	EXPECT_STR(took(), "");
	close(lane.fd);
	play_tear_down();
}

TEST(tasks_are_held_back_until_they_are_flushed)
{
	play_set_up_started();
	OK(doca_task_submit_ex(play_new_task(), 0));
	OK(doca_task_submit_ex(play_new_task(), 0));
	EXPECT_EQ(lane.held, 2);
	doca_ctx_flush_tasks(play_ctx);
	EXPECT_EQ(lane.held, 0);
	OK(doca_task_submit_ex(play_new_task(), 0));
	OK(doca_task_submit(play_new_task()));
	EXPECT_EQ(lane.held, 0);
	EXPECT_EQ(lane.flushes, 2);
	EXPECT_EQ(lane.taken, 4);
	lane.due = 4;
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "SSSS");
	OK(doca_ctx_stop(play_ctx));
	play_tear_down();
}

TEST(tasks_and_events_take_turns_one_a_call)
{
	play_set_up_started();
	play_submit(3);
	lane.due = 3;
	lane.events = 5;
	for (unsigned int i = 1; i <= 8; i++) {
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
		EXPECT_EQ(bed.n, i);
	}
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_STR(took(), "SVSVSVVV");
	OK(doca_ctx_stop(play_ctx));
	play_tear_down();
}

TEST(contexts_with_a_ring_do_not_keep_others_from_their_turns)
{
	play_set_up_started();
	OK(doca_ctx_start(bed.ctx));
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_dma_task_memcpy_set_conf(bed.dma, on_done, on_failed, 16));
	OK(doca_ctx_start(bed.ctx));
	took();
	bed.on_task = free_in_callback;
	play_submit(4);
	submit_many(16);
	fake_work(16);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	lane.events = 4;
	for (int i = 0; i < 8; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(lane.delivered, 4);
	EXPECT_EQ(drain(bed.pe), 11);
	lane.due = 4;
	EXPECT_EQ(drain(bed.pe), 4);
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_ctx_stop(play_ctx));
	play_tear_down();
}

TEST(stop_cancels_what_is_in_flight)
{
	play_set_up_started();
	play_submit(3);
	ERR(doca_ctx_stop(play_ctx), IN_PROGRESS);
	ERR(doca_ctx_stop(play_ctx), IN_PROGRESS);
	EXPECT_EQ(lane.cancels, 1);
	EXPECT_EQ(play_state(), DOCA_CTX_STATE_STOPPING);
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "sEEEi");
	EXPECT_EQ(bed.status, DOCA_ERROR_SHUTDOWN);
	play_tear_down();
}

static doca_error_t stopped; /* by a callback */

static void stop_in_state(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	if (next != DOCA_CTX_STATE_IDLE)
		stopped = doca_ctx_stop(ctx);
}

static void stop_in_event(struct doca_ctx *ctx)
{
	stopped = doca_ctx_stop(ctx);
}

static void stop_in_task(struct doca_task *task)
{
	doca_task_free(task);
	stopped = doca_ctx_stop(play_ctx);
}

TEST(every_callback_may_stop_its_context)
{
	play_set_up();
	bed.on_state = stop_in_state;
	OK(doca_ctx_start(play_ctx));
	EXPECT_EQ(stopped, DOCA_ERROR_IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "rsi");
	bed.on_state = NULL;

	OK(doca_ctx_start(play_ctx));
	lane.events = 1;
	lane.on_event = stop_in_event;
	play_submit(2);
	on_play = doca_task_free;
	stopped = DOCA_SUCCESS;
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_EQ(stopped, DOCA_ERROR_IN_PROGRESS);
	EXPECT_STR(took(), "rVsEEi");
	lane.on_event = NULL;

	OK(doca_ctx_start(play_ctx));
	play_submit(3);
	on_play = stop_in_task;
	lane.due = 1;
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "rSsEEi");
	play_tear_down();
}

static void destroy_when_idle(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	(void)ctx;
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	OK(play_destroy(play));
	play = NULL;
}

TEST(a_context_may_be_destroyed_when_it_is_idle)
{
	play_set_up_started();
	bed.on_state = destroy_when_idle;
	play_submit(1);
	on_play = stop_in_task;
	lane.due = 1;
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT(!play);
	play_tear_down();
}

TEST(a_task_that_fails_stops_its_context)
{
	play_set_up_started();
	play_submit(4);
	lane.error = DOCA_ERROR_IO_FAILED;
	lane.due = 1;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_LOGGED("a task has failed");
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	EXPECT_EQ(drain(bed.pe), 5);
	EXPECT_STR(took(), "EsEEEi");
	EXPECT_EQ(bed.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(lane.cancels, 1);
	EXPECT_SILENT();

	lane.error = DOCA_SUCCESS;
	OK(doca_ctx_start(play_ctx));
	OK(doca_ctx_stop(play_ctx));
	EXPECT_STR(took(), "rsi");
	play_tear_down();
}

static void submit_again(struct doca_task *task)
{
	on_play = doca_task_free;
	lane.submit_fails = true;
	OK(doca_task_submit(task));
	EXPECT_EQ(play_state(), DOCA_CTX_STATE_RUNNING);
}

TEST(a_submission_that_fails_in_a_callback_is_told_later)
{
	play_set_up_started();
	play_submit(2);
	on_play = submit_again;
	lane.due = 1;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "S");
	EXPECT_LOGGED("broken down");
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "sEEi");
	play_tear_down();
}

TEST(a_submission_that_fails_ends_a_wait)
{
	doca_notification_handle_t fd = -1;

	play_set_up_started();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	OK(doca_pe_request_notification(bed.pe));
	lane.submit_fails = true;
	play_submit(1);
	EXPECT_LOGGED("broken down");
	EXPECT(fake_readable(fd));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 3);
	EXPECT_STR(took(), "sEi");
	play_tear_down();
}

TEST(what_is_lost_fails_and_its_events_are_told)
{
	play_set_up_started();
	play_submit(3);
	lane.events = 2;
	lane.breaks = true;
	EXPECT_EQ(drain(bed.pe), 7);
	EXPECT_STR(took(), "VEsVEEi");
	EXPECT_LOGGED("its 3 tasks in flight fail");
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	EXPECT_EQ(lane.cancels, 0);
	EXPECT_EQ(lane.progressed, 1);
	play_tear_down();
}

TEST(removal_of_the_device_stops_a_context)
{
	for (unsigned int n = 0; n < 3; n++) {
		play_set_up_started();
		play_submit(n);
		dev_set_gone(&fake_dev);
		EXPECT_EQ(drain(bed.pe), 2 + n);
		EXPECT_LOGGED("removed");
		EXPECT_STR(took() + 1, &"EEi"[2 - n]);
		EXPECT_EQ(lane.cancels, 1);
		ERR(doca_ctx_start(play_ctx), INITIALIZATION);
		EXPECT_LOGGED("removed");
		play_tear_down();
	}
}

TEST(removal_is_told_in_the_middle_of_a_stream_of_events)
{
	unsigned int n = 0;

	play_set_up_started();
	lane.events = 100000;
	OK(doca_task_submit(play_new_task()));
	for (int i = 0; i < 10; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	dev_set_gone(&fake_dev);
	while (play_state() == DOCA_CTX_STATE_RUNNING && n++ < 300)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT(n < 300);
	lane.events = 0;
	EXPECT_EQ(drain(bed.pe), 2);
	play_tear_down();
}

TEST(a_queue_that_dies_tells_contexts_on_other_lanes)
{
	play_set_up_started();
	OK(doca_ctx_start(bed.ctx));
	fake_remove_device();
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(play_state(), DOCA_CTX_STATE_IDLE);
	play_tear_down();
}

TEST(the_child_of_a_fork_ends_its_tasks_alone)
{
	struct doca_task *task;

	play_set_up_started();
	task = play_new_task();
	play_submit(2);
	lane.events = 1;
	lane.busy = true;
	fake_fork();
	lane.progressed = lane.arms = lane.flushes = 0;
	ERR(doca_task_submit(task), BAD_STATE);
	doca_task_free(task);
	ERR(doca_pe_request_notification(bed.pe), BAD_STATE);
	doca_ctx_flush_tasks(play_ctx);
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "EsEi");
	EXPECT_EQ(lane.forks, 1);
	EXPECT_EQ(lane.progressed + lane.delivered + lane.cancels + lane.arms +
			  lane.flushes,
		  0);
	play_tear_down();
	fake_reset(true);
}

static void arm(void)
{
	OK(doca_pe_request_notification(bed.pe));
}

static void clear(void)
{
	OK(doca_pe_clear_notification(bed.pe, 0));
}

TEST(a_descriptor_of_the_lane_ends_waits)
{
	for (int mode = 0; mode < 2; mode++) {
		play_set_up();
		lane.watches = true;
		lane.fd = eventfd(0, EFD_NONBLOCK);
		OK(doca_pe_set_event_mode(bed.pe, mode));
		OK(doca_ctx_start(play_ctx));
		arm();
		EXPECT_EQ(lane.arms, 1);
		EXPECT(!fake_readable(handle()));
		eventfd_write(lane.fd, 1);
		EXPECT(fake_readable(handle()));
		clear();
		EXPECT_EQ(lane.wokens, 1);
		EXPECT(!fake_readable(handle()));
		lane.events = 1;
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
		EXPECT_STR(took(), "rV");
		OK(doca_ctx_stop(play_ctx));
		arm();
		EXPECT(!fake_readable(handle()));
		clear();
		EXPECT_EQ(lane.arms, 1);
		close(lane.fd);
		play_tear_down();
	}
}

TEST(what_is_there_already_ends_a_wait_at_once)
{
	play_set_up_started();
	play_submit(1);
	lane.due = 1;
	arm();
	EXPECT_EQ(lane.flushes, 2);
	EXPECT(fake_readable(handle()));
	clear();
	EXPECT_EQ(drain(bed.pe), 1);
	/* A context may also start while somebody waits. */
	OK(doca_ctx_stop(play_ctx));
	arm();
	EXPECT(!fake_readable(handle()));
	lane.events = 1;
	OK(doca_ctx_start(play_ctx));
	EXPECT(fake_readable(handle()));
	clear();
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_ctx_stop(play_ctx));
	EXPECT_STR(took(), "SsirVsi");
	play_tear_down();
}

TEST(a_wait_that_was_for_another_context_does_not_visit_this_one)
{
	play_set_up_started();
	OK(doca_ctx_start(bed.ctx));
	bed.on_task = free_in_callback;
	play_submit(1);
	submit_many(1);
	EXPECT_EQ(drain(bed.pe), 0);
	arm();
	fake_work(1);
	EXPECT(fake_readable(handle()));
	clear();
	EXPECT_EQ(lane.wokens, 1);
	lane.progressed = 0;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(lane.progressed, 0);
	lane.due = 1;
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_ctx_stop(play_ctx));
	play_tear_down();
}

TEST(a_start_that_takes_longer_goes_through_progress)
{
	play_set_up();
	lane.poll = DOCA_ERROR_IN_PROGRESS;
	ERR(doca_ctx_start(play_ctx), IN_PROGRESS);
	lane.events = 1;
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT(lane.progressed);
	EXPECT_EQ(lane.delivered, 0);
	lane.poll = DOCA_SUCCESS;
	EXPECT_EQ(drain(bed.pe), 2);
	OK(doca_ctx_stop(play_ctx));
	EXPECT_STR(took(), ".rVsi");

	lane.poll = DOCA_ERROR_IN_PROGRESS;
	ERR(doca_ctx_start(play_ctx), IN_PROGRESS);
	lane.poll = DOCA_ERROR_CONNECTION_ABORTED;
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_LOGGED("could not start");
	EXPECT_STR(took(), ".si");
	EXPECT_EQ(lane.cancels, 2);
	play_tear_down();
}

static bool wait_ends(int ms)
{
	struct pollfd p = { .fd = handle(), .events = POLLIN };

	return poll(&p, 1, ms) > 0;
}

TEST(a_deadline_ends_a_wait)
{
	for (int mode = 0; mode < 2; mode++) {
		play_set_up_started();
		OK(doca_pe_set_event_mode(bed.pe, mode));
		EXPECT_EQ(drain(bed.pe), 0);
		ctx_set_deadline(play_ctx, patience_clock() + 300000000);
		arm();
		EXPECT(!wait_ends(0));
		EXPECT(wait_ends(20000));
		clear();
		EXPECT(!wait_ends(0));
		lane.progressed = 0;
		EXPECT_EQ(doca_pe_progress(bed.pe), 0);
		EXPECT_EQ(lane.progressed, 1);
		/* It is the lane's to take away, and then no wait ends. */
		arm();
		EXPECT(wait_ends(0));
		ctx_set_deadline(play_ctx, 0);
		clear();
		arm();
		EXPECT(!wait_ends(0));
		/* One that is set while somebody waits. */
		ctx_set_deadline(play_ctx, 1);
		EXPECT(wait_ends(0));
		clear();
		OK(doca_ctx_stop(play_ctx));
		arm();
		EXPECT(!wait_ends(0));
		clear();
		play_tear_down();
	}
}

TEST(a_lane_that_is_busy_is_visited_and_puts_idle_off)
{
	play_set_up();
	lane.busy = lane.keeps_busy = true;
	OK(doca_ctx_start(play_ctx));
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(lane.progressed, 5);
	ERR(doca_ctx_stop(play_ctx), IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 0);
	lane.busy = false;
	lane.events = 1;
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "rsVi");

	/* Usually a cancel ends it. */
	lane.busy = true;
	lane.keeps_busy = false;
	OK(doca_ctx_start(play_ctx));
	OK(doca_ctx_stop(play_ctx));
	EXPECT_STR(took(), "rsi");
	play_tear_down();
}
