// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A library whose start takes longer: contexts that are starting. */
#include <fcntl.h>
#include <sys/eventfd.h>

#include "bed.h"
#include "core/exec/library.h"

static struct slow {
	struct doca_ctx ctx;
	struct task_pool pools[1];
	doca_error_t start; /* what start() says */
	doca_error_t poll; /* what poll_start() says */
	int starts, stops;
	int fd; /* to watch from start on, 0: none */
	doca_error_t of_stop; /* a callback's doca_ctx_stop() */
} slow;

static doca_error_t slow_check(const struct doca_ctx *ctx)
{
	(void)ctx;
	return DOCA_SUCCESS;
}

static doca_error_t slow_start(struct doca_ctx *ctx)
{
	if (slow.fd)
		doca_priv_ctx_watch(ctx, 0, slow.fd);
	slow.starts += slow.start == DOCA_SUCCESS ||
		       slow.start == DOCA_ERROR_IN_PROGRESS;
	return slow.start;
}

static doca_error_t slow_poll(struct doca_ctx *ctx)
{
	(void)ctx;
	return slow.poll;
}

static void slow_stop(struct doca_ctx *ctx)
{
	(void)ctx;
	slow.stops++;
}

static const struct task_type slow_task = {
	.size = sizeof(struct doca_task),
};

static const struct task_type *const slow_tasks[] = { &slow_task };

static const struct ctx_type slow_type = {
	CTX_OBJECT(slow, slow_tasks), .name = "slow",
	.check = slow_check,	      .start = slow_start,
	.poll_start = slow_poll,      .stop = slow_stop,
};

static void slow_set_up(bool workers)
{
	set_up(workers, 1);
	memset(&slow, 0, sizeof(slow));
	slow.start = slow.poll = DOCA_ERROR_IN_PROGRESS;
	doca_priv_ctx_init(&slow.ctx, &slow_type, &fake_dev);
	slow.pools[0].num = 1;
	OK(doca_ctx_set_state_changed_cb(&slow.ctx, on_state));
	OK(doca_pe_connect_ctx(bed.pe, &slow.ctx));
}

static enum doca_ctx_states slow_state(void)
{
	enum doca_ctx_states now = -1;

	OK(doca_ctx_get_state(&slow.ctx, &now));
	return now;
}

static size_t slow_inflight(void)
{
	size_t n = -1;

	OK(doca_ctx_get_num_inflight_tasks(&slow.ctx, &n));
	return n;
}

/* What was started was stopped, once. */
static void slow_tear_down(void)
{
	EXPECT_EQ(slow_state(), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(slow.starts, slow.stops);
	OK(doca_priv_ctx_fini(&slow.ctx));
	tear_down();
}

TEST(running_is_reached_through_progress)
{
	struct doca_task *task;

	slow_set_up(true);
	ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
	EXPECT_STR(took(), ".");
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(slow_state(), DOCA_CTX_STATE_STARTING);
	EXPECT_EQ(slow_inflight(), 0);
	ERR(doca_priv_task_alloc(&slow.ctx, slow.pools, (union doca_data){ 0 },
				 &task, __func__),
	    BAD_STATE);
	ERR(doca_ctx_start(&slow.ctx), BAD_STATE);
	ERR(doca_ctx_set_user_data(&slow.ctx, (union doca_data){ 0 }),
	    BAD_STATE);
	ERR(doca_priv_ctx_fini(&slow.ctx), IN_USE);
	doca_ctx_flush_tasks(&slow.ctx);

	slow.poll = DOCA_SUCCESS;
	EXPECT_EQ(slow_state(), DOCA_CTX_STATE_STARTING);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "r");
	OK(doca_priv_task_alloc(&slow.ctx, slow.pools, (union doca_data){ 0 },
				&task, __func__));
	doca_task_free(task);
	OK(doca_ctx_stop(&slow.ctx));
	EXPECT_STR(took(), "si");
	slow_tear_down();
}

TEST(a_start_may_also_be_done_at_once)
{
	slow_set_up(true);
	slow.start = DOCA_SUCCESS;
	OK(doca_ctx_start(&slow.ctx));
	EXPECT_STR(took(), "r");
	OK(doca_ctx_stop(&slow.ctx));
	slow_tear_down();
}

TEST(a_start_that_fails_at_once_leaves_nothing)
{
	slow_set_up(true);
	slow.start = DOCA_ERROR_NOT_SUPPORTED;
	ERR(doca_ctx_start(&slow.ctx), NOT_SUPPORTED);
	EXPECT_STR(took(), "");
	EXPECT_EQ(fake.queues, 0);
	EXPECT_EQ(drain(bed.pe), 0);
	slow_tear_down();
}

TEST(a_start_that_fails_later_ends_in_idle)
{
	for (int i = 0; i < 2; i++) {
		slow_set_up(i);
		ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
		slow.poll = DOCA_ERROR_CONNECTION_ABORTED;
		EXPECT_EQ(drain(bed.pe), 2);
		EXPECT_STR(took(), ".si");
		EXPECT(strstr(logged(), "could not start"));
		/* It can be repeated. */
		slow.poll = DOCA_SUCCESS;
		ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
		EXPECT_EQ(drain(bed.pe), 1);
		OK(doca_ctx_stop(&slow.ctx));
		EXPECT_STR(took(), ".rsi");
		slow_tear_down();
	}
}

TEST(a_context_may_be_stopped_while_it_starts)
{
	slow_set_up(true);
	ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
	OK(doca_ctx_stop(&slow.ctx));
	EXPECT_STR(took(), ".si");
	EXPECT_EQ(drain(bed.pe), 0);
	slow_tear_down();
}

static void stop_at_once(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	if (next == DOCA_CTX_STATE_STARTING)
		slow.of_stop = doca_ctx_stop(ctx);
}

TEST(the_starting_callback_may_stop_the_context)
{
	slow_set_up(true);
	bed.on_state = stop_at_once;
	ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
	EXPECT_EQ(slow.of_stop, DOCA_ERROR_IN_PROGRESS);
	EXPECT_STR(took(), ".s");
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	slow_tear_down();
}

TEST(removal_stops_a_context_that_is_starting)
{
	slow_set_up(true);
	ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
	fake_remove_device();
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), ".si");
	slow_tear_down();
}

TEST(a_start_that_is_done_ends_a_wait)
{
	slow_set_up(true);
	ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(handle()));
	slow.poll = DOCA_SUCCESS;
	doca_priv_ctx_kick(&slow.ctx);
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	/* Also one that was done when the wait was asked for */
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	OK(doca_ctx_stop(&slow.ctx));
	doca_priv_ctx_kick(&slow.ctx);
	EXPECT_STR(took(), ".rsi");
	slow_tear_down();
}

static void arm(void)
{
	OK(doca_pe_request_notification(bed.pe));
}

static void clear(void)
{
	OK(doca_pe_clear_notification(bed.pe, 0));
}

/* In both modes of the engine: what a start waits for is a descriptor. */
TEST(what_a_start_waits_for_ends_a_wait)
{
	uint64_t count;

	for (int mode = 0; mode < 2; mode++) {
		slow_set_up(true);
		slow.fd = eventfd(0, EFD_NONBLOCK);
		OK(doca_pe_set_event_mode(bed.pe, mode));
		ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
		arm();
		EXPECT(!fake_readable(handle()));
		eventfd_write(slow.fd, 1);
		EXPECT(fake_readable(handle()));
		/* One request is one wake-up. */
		clear();
		EXPECT(!fake_readable(handle()));
		EXPECT_EQ(drain(bed.pe), 0);
		/* It was not read: so it wakes again, if that is asked for. */
		arm();
		arm();
		EXPECT(fake_readable(handle()));
		clear();
		EXPECT_EQ(read(slow.fd, &count, sizeof(count)), 8);
		arm();
		EXPECT(!fake_readable(handle()));
		eventfd_write(slow.fd, 1);
		slow.poll = DOCA_SUCCESS;
		EXPECT(fake_readable(handle()));
		clear();
		EXPECT_EQ(drain(bed.pe), 1);
		OK(doca_ctx_stop(&slow.ctx));
		EXPECT_STR(took(), ".rsi");
		/* An idle context watches nothing. */
		arm();
		EXPECT(!fake_readable(handle()));
		clear();
		close(slow.fd);
		slow_tear_down();
	}
}

TEST(a_descriptor_is_watched_from_within_a_wait_until_it_is_not_any_more)
{
	int fds[2];

	slow_set_up(true);
	ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
	EXPECT(!pipe(fds));
	arm();
	doca_priv_ctx_watch(&slow.ctx, 0, fds[0]);
	EXPECT(!fake_readable(handle()));
	close(fds[1]); /* that it is broken is told as well */
	EXPECT(fake_readable(handle()));
	clear();
	EXPECT(!fake_readable(handle()));
	arm();
	EXPECT(fake_readable(handle()));
	doca_priv_ctx_unwatch(&slow.ctx, 0);
	doca_priv_ctx_unwatch(&slow.ctx, 0);
	EXPECT(!fake_readable(handle()));
	close(fds[0]);
	clear();
	/* What cannot be watched is polled for. */
	doca_priv_ctx_watch(&slow.ctx, 0, fds[0]);
	arm();
	EXPECT(fake_readable(handle()));
	clear();
	doca_priv_ctx_unwatch(&slow.ctx, 0);
	arm();
	doca_priv_ctx_watch(&slow.ctx, 0, fds[0]);
	EXPECT(fake_readable(handle()));
	OK(doca_ctx_stop(&slow.ctx));
	slow_tear_down();
}

TEST(a_start_that_fails_at_once_watches_nothing)
{
	slow_set_up(true);
	slow.start = DOCA_ERROR_NOT_SUPPORTED;
	slow.fd = eventfd(1, EFD_NONBLOCK);
	ERR(doca_ctx_start(&slow.ctx), NOT_SUPPORTED);
	arm();
	EXPECT(!fake_readable(handle()));
	clear();
	close(slow.fd);
	slow_tear_down();
}

/* One that cannot be watched has the engine visit the context. */
TEST(a_start_that_fails_at_once_is_not_visited)
{
	slow_set_up(true);
	slow.start = DOCA_ERROR_NOT_SUPPORTED;
	slow.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	arm();
	ERR(doca_ctx_start(&slow.ctx), NOT_SUPPORTED);
	EXPECT(!slow.ctx.busy);
	clear();
	EXPECT_EQ(drain(bed.pe), 0);
	close(slow.fd);
	slow_tear_down();
}

TEST(the_child_of_a_fork_sees_a_starting_context_die)
{
	slow_set_up(true);
	ERR(doca_ctx_start(&slow.ctx), IN_PROGRESS);
	fake_fork();
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), ".si");
	fake.workers_gone++;
	fake.refs = 0;
	slow_tear_down();
}
