// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Properties of contexts on every lane, tested on one that does what a test says. */
#include <fcntl.h>
#include <poll.h>

#include "core/base/clock.h"
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
	FAILS(doca_ctx_start(bed.ctx), NOT_SUPPORTED, "protection domain");
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
	/* It cannot be watched, so the context would be visited. */
	lane.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	for (int i = 0; i < 2; i++) { /* the lane or the library fails */
		lane.start = i ? DOCA_SUCCESS : DOCA_ERROR_INITIALIZATION;
		lane.poll = DOCA_ERROR_INITIALIZATION;
		arm();
		FAILS(doca_ctx_start(play_ctx), INITIALIZATION, "cannot start");
		EXPECT_EQ(lane.stops, i);
		EXPECT_EQ(play_ctx->watches[1].fd, -1);
		EXPECT(!play_ctx->busy);
		clear();
		EXPECT_EQ(drain(bed.pe), 0);
	}
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

static doca_error_t stopped; /* set by a callback */

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

static void destroy_when_idle(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	(void)ctx;
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	OK(play_destroy(play));
	play = NULL;
}

TEST(every_callback_may_stop_its_context)
{
	play_set_up();
	bed.on_state = stop_in_state;
	OK(doca_ctx_start(play_ctx));
	EXPECT_EQ(stopped, DOCA_ERROR_IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "rsi");
	lane.poll = stopped = DOCA_ERROR_IN_PROGRESS;
	ERR(doca_ctx_start(play_ctx), IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), ".si");
	lane.poll = DOCA_SUCCESS;
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

	/* The last callback may destroy the context. */
	OK(doca_ctx_start(play_ctx));
	play_submit(1);
	lane.due = 1;
	bed.on_state = destroy_when_idle;
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
	play_set_up_started();
	arm();
	lane.submit_fails = true;
	play_submit(1);
	EXPECT_LOGGED("broken down");
	woken();
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
	EXPECT_EQ(lane.progressed + lane.delivered + lane.cancels + lane.arms + lane.flushes, 0);
	play_tear_down();
}

TEST(a_descriptor_of_the_lane_ends_waits)
{
	eventfd_t count;

	for (int mode = 0; mode < 2; mode++) {
		play_set_up();
		lane.watches = true;
		lane.fd = eventfd(0, EFD_NONBLOCK);
		OK(doca_pe_set_event_mode(bed.pe, mode));
		OK(doca_ctx_start(play_ctx));
		arm();
		EXPECT_EQ(lane.arms, 1);
		EXPECT(!wakes());
		eventfd_write(lane.fd, 1);
		woken();
		EXPECT_EQ(lane.wokens, 1);
		/*
		 * One request gives one wake-up. It was not read, so the next request has
		 * one as well.
		 */
		EXPECT(!wakes());
		arm();
		woken();
		EXPECT_EQ(eventfd_read(lane.fd, &count), 0);
		lane.events = 1;
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
		EXPECT_STR(took(), "rV");
		OK(doca_ctx_stop(play_ctx));
		arm();
		EXPECT(!wakes());
		clear();
		EXPECT_EQ(lane.arms, 2);
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
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	/* A context may start while a program waits. */
	OK(doca_ctx_stop(play_ctx));
	arm();
	EXPECT(!wakes());
	lane.events = 1;
	OK(doca_ctx_start(play_ctx));
	woken();
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
	woken();
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

static void begin_start(void)
{
	lane.poll = DOCA_ERROR_IN_PROGRESS;
	ERR(doca_ctx_start(play_ctx), IN_PROGRESS);
}

TEST(running_is_reached_through_progress)
{
	static const struct log_site site = LOG_SITE;
	union doca_data none = { 0 };
	struct play_task *task;

	play_set_up();
	begin_start();
	EXPECT_STR(took(), ".");
	lane.events = 1;
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT(lane.progressed);
	EXPECT_EQ(lane.delivered, 0);
	EXPECT_EQ(play_state(), DOCA_CTX_STATE_STARTING);
	ERR(play_task_alloc_(play, none, &task, &site), BAD_STATE);
	ERR(doca_ctx_start(play_ctx), BAD_STATE);
	ERR(doca_ctx_set_user_data(play_ctx, none), BAD_STATE);
	ERR(play_destroy(play), IN_USE);
	doca_ctx_flush_tasks(play_ctx);
	lane.poll = DOCA_SUCCESS;
	EXPECT_EQ(play_state(), DOCA_CTX_STATE_STARTING);
	EXPECT_EQ(drain(bed.pe), 2);
	OK(doca_ctx_stop(play_ctx));
	EXPECT_STR(took(), "rVsi");
	play_tear_down();
}

/* By an error, the program, the device, or a fork. */
TEST(a_start_may_end_before_it_is_done)
{
	play_set_up();
	begin_start();
	lane.poll = DOCA_ERROR_CONNECTION_ABORTED;
	logged();
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_LOGGED("could not start");
	EXPECT_STR(took(), ".si");
	begin_start();
	OK(doca_ctx_stop(play_ctx));
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_STR(took(), ".si");
	EXPECT_EQ(lane.cancels, 2);
	begin_start();
	fake_fork();
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), ".si");
	play_tear_down();

	play_set_up();
	begin_start();
	dev_set_gone(&fake_dev);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), ".si");
	play_tear_down();
}

TEST(a_start_that_is_done_ends_a_wait)
{
	play_set_up();
	begin_start();
	arm();
	EXPECT(!wakes());
	lane.poll = DOCA_SUCCESS;
	doca_priv_ctx_kick(play_ctx);
	woken();
	/* Also if it was done when the wait was requested. */
	arm();
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_ctx_stop(play_ctx));
	play_tear_down();
}

TEST(a_descriptor_is_watched_from_within_a_wait_until_it_is_not_any_more)
{
	int fds[2];

	play_set_up_started();
	EXPECT(!pipe(fds));
	arm();
	doca_priv_ctx_watch(play_ctx, 0, fds[0]);
	EXPECT(!wakes());
	close(fds[1]); /* a broken descriptor is reported as well */
	woken();
	EXPECT(!wakes());
	arm();
	EXPECT(wakes());
	doca_priv_ctx_unwatch(play_ctx, 0);
	doca_priv_ctx_unwatch(play_ctx, 0);
	EXPECT(!wakes());
	close(fds[0]);
	clear();
	/* A descriptor that cannot be watched is polled. */
	doca_priv_ctx_watch(play_ctx, 0, fds[0]);
	arm();
	woken();
	doca_priv_ctx_unwatch(play_ctx, 0);
	arm();
	doca_priv_ctx_watch(play_ctx, 0, fds[0]);
	woken();
	OK(doca_ctx_stop(play_ctx));
	play_tear_down();
}

TEST(a_deadline_ends_a_wait)
{
	struct pollfd p = { .events = POLLIN };

	for (int mode = 0; mode < 2; mode++) {
		play_set_up_started();
		OK(doca_pe_set_event_mode(bed.pe, mode));
		EXPECT_EQ(drain(bed.pe), 0);
		ctx_set_deadline(play_ctx, INT64_MAX);
		arm();
		EXPECT(!wakes());
		/* A deadline that is set during a wait. */
		ctx_set_deadline(play_ctx, clock_ns() + 1000000);
		p.fd = handle();
		EXPECT_EQ(poll(&p, 1, -1), 1);
		clear();
		EXPECT(!wakes());
		lane.progressed = 0;
		EXPECT_EQ(doca_pe_progress(bed.pe), 0);
		EXPECT_EQ(lane.progressed, 1);
		/* The lane must clear it; then no wait ends. */
		arm();
		EXPECT(wakes());
		ctx_set_deadline(play_ctx, 0);
		clear();
		arm();
		EXPECT(!wakes());
		ctx_set_deadline(play_ctx, 1);
		woken();
		OK(doca_ctx_stop(play_ctx));
		arm();
		EXPECT(!wakes());
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
