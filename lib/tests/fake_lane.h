/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A lane for tests, and a library whose contexts use it: tasks end and events come when a
 * test says so. It has everything that a lane may have, for one context at a time.
 */
#ifndef DOCA_TESTS_FAKE_LANE_H
#define DOCA_TESTS_FAKE_LANE_H

#include <sys/eventfd.h>

#include "bed.h"
#include "core/exec/library.h"

#define LANE_TASKS 16

static struct fake_lane {
	/* Set by tests: */
	unsigned int due; /* number of tasks that are done */
	doca_error_t error; /* their result */
	unsigned int events; /* number of events to deliver */
	doca_error_t start; /* result of start() */
	doca_error_t poll; /* result of the library's poll_start() */
	bool submit_fails; /* the next one fails, and its context with it */
	bool breaks; /* nobody answers any more */
	bool busy;
	bool keeps_busy; /* busy even after cancel() */
	bool calm; /* reap() finds all that there is, but for events */
	bool watches; /* watch fd from the start on */
	int fd;

	/* Read by tests: */
	unsigned int taken; /* tasks taken, in this order */
	struct doca_task *first, *last;
	unsigned int held; /* number of these that are not flushed */
	unsigned int starts, stops, forks; /* forks: stops in a child */
	unsigned int flushes, cancels, progressed, delivered, arms, wokens;
	unsigned int puts, reaps; /* calls on the short path */
	bool canceled;
	bool inside; /* a function of the lane is running */
	void (*on_event)(struct doca_ctx *ctx);
} lane;

#define LANE_ENTER()                  \
	do {                          \
		EXPECT(!lane.inside); \
		lane.inside = true;   \
	} while (0)
#define LANE_LEAVE() (lane.inside = false)

static doca_error_t lane_start(struct doca_ctx *ctx)
{
	if (lane.watches)
		doca_priv_ctx_watch(ctx, 1, lane.fd);
	if (lane.start != DOCA_SUCCESS)
		return FAIL_AT((&(struct log_site){ "T", "t", "t", 1 }), INITIALIZATION,
			       "the fake lane cannot start");
	lane.starts++;
	lane.canceled = false;
	ctx->lane_data = &lane;
	return DOCA_SUCCESS;
}

static void lane_stop(struct doca_ctx *ctx, bool forked)
{
	EXPECT(ctx->lane_data == &lane);
	EXPECT(!ctx->inflight);
	lane.stops++;
	lane.forks += forked;
	lane.taken = lane.due = lane.held = 0;
	lane.first = NULL;
}

static bool lane_flush(struct doca_ctx *ctx)
{
	(void)ctx;
	lane.flushes++;
	lane.held = 0;
	return false;
}

static void lane_submit(struct doca_task *task, bool flush)
{
	LANE_ENTER();
	task->next = NULL;
	if (lane.first)
		lane.last->next = task;
	else
		lane.first = task;
	lane.last = task;
	lane.taken++;
	lane.held++;
	if (lane.submit_fails) {
		lane.submit_fails = false;
		lane.error = DOCA_ERROR_IO_FAILED;
		lane.due = lane.taken;
		ctx_failed(task->ctx, "the fake lane has broken down");
	}
	if (flush)
		lane_flush(task->ctx);
	LANE_LEAVE();
}

static enum lane_turn lane_end_one(struct doca_ctx *ctx)
{
	struct doca_task *task = lane.first;

	if (!lane.due || !task)
		return LANE_IDLE;
	lane.first = task->next;
	lane.taken--;
	lane.due--;
	if (lane.error != DOCA_SUCCESS && !lane.canceled)
		ctx_failed(ctx, "a task has failed");
	LANE_LEAVE();
	return task_complete(task, lane.canceled ? DOCA_ERROR_SHUTDOWN : lane.error, 0, NULL) ?
		       LANE_CALLED :
		       LANE_AGAIN;
}

static enum lane_turn lane_progress(struct doca_ctx *ctx)
{
	enum lane_turn turn;

	LANE_ENTER();
	lane.progressed++;
	if (lane.breaks) {
		lane.breaks = false;
		ctx_lose(ctx, "the fake lane is lost");
		LANE_LEAVE();
		return LANE_AGAIN;
	}
	turn = lane_end_one(ctx);
	LANE_LEAVE();
	return turn;
}

static doca_error_t lane_put(struct doca_task *task, bool flush)
{
	lane.puts++;
	EXPECT(task->ctx->busy);
	return task_submit_any(task, flush);
}

static enum lane_turn lane_reap(struct doca_ctx *ctx)
{
	enum lane_turn turn;

	lane.reaps++;
	if (!lane.calm || !driver_current(ctx->queue.generation))
		return LANE_AGAIN;
	LANE_ENTER();
	turn = lane_end_one(ctx);
	LANE_LEAVE();
	return turn;
}

static enum lane_turn lane_deliver(struct doca_ctx *ctx)
{
	if (!lane.events)
		return LANE_IDLE;
	lane.events--;
	lane.delivered++;
	record('V');
	if (lane.on_event)
		lane.on_event(ctx);
	return LANE_CALLED;
}

static void lane_cancel(struct doca_ctx *ctx)
{
	(void)ctx;
	EXPECT(!lane.canceled);
	lane.cancels++;
	lane.canceled = true;
	lane.due = lane.taken;
	lane.busy &= lane.keeps_busy;
}

static bool lane_busy(const struct doca_ctx *ctx)
{
	(void)ctx;
	return lane.busy;
}

static bool lane_arm(struct doca_ctx *ctx)
{
	(void)ctx;
	lane.arms++;
	return lane.due || lane.events;
}

static bool lane_woken(struct doca_ctx *ctx)
{
	(void)ctx;
	lane.wokens++;
	return false;
}

static const struct lane_ops fake_lane_ops = {
	.name = "fake",
	.start = lane_start,
	.stop = lane_stop,
	.submit = lane_submit,
	.put = lane_put,
	.flush = lane_flush,
	.progress = lane_progress,
	.reap = lane_reap,
	.deliver = lane_deliver,
	.cancel = lane_cancel,
	.busy = lane_busy,
	.arm = lane_arm,
	.woken = lane_woken,
};

LOG_SOURCE("PLAY");

struct play {
	struct doca_ctx ctx;
	struct task_pool pools[1];
};

struct play_task {
	struct doca_task task;
};

typedef void (*play_task_completion_cb_t)(struct play_task *task, union doca_data task_data,
					  union doca_data ctx_data);

static void play_finish(struct doca_task *task, uint32_t length, const uint64_t *result)
{
	(void)task, (void)length, (void)result;
}

static doca_error_t play_ask(const struct doca_devinfo *devinfo, struct task_limits *limits)
{
	EXPECT(devinfo == &fake_dev.info);
	limits->tasks = LANE_TASKS;
	return DOCA_SUCCESS;
}

static doca_error_t play_start(struct doca_ctx *ctx)
{
	(void)ctx;
	if (lane.poll == DOCA_ERROR_INITIALIZATION)
		return FAIL_AT((&(struct log_site){ "T", "t", "t", 1 }), INITIALIZATION,
			       "the library cannot start");
	return lane.poll;
}

static doca_error_t play_poll_start(struct doca_ctx *ctx)
{
	(void)ctx;
	return lane.poll;
}

static CTX_OBJECT_TYPE(play);

DEFINE_TASK(play_task)

static const struct task_type play_task_type = {
	TASK_OBJECT(play_task),
	.name = "play",
	.ask = play_ask,
	.finish = play_finish,
};

static const struct task_type *const play_tasks[] = { &play_task_type };

static const struct ctx_type play_type = {
	CTX_OBJECT(play, play_tasks),  .name = "play", .lane = &fake_lane_ops, .start = play_start,
	.poll_start = play_poll_start,
};

DEFINE_CREATE(play_create, play)
DEFINE_DESTROY(play_destroy, play)
DEFINE_AS_CTX(play_as_ctx, play)
DEFINE_SET_CONF(play_set_conf, play, 0, play_task)
DEFINE_CAP_SUPPORTED(play_cap_is_supported, play_task_type)
DEFINE_CAP_MAX_TASKS(play_cap_max_tasks, play, 0)
DEFINE_ALLOC(play, 0, play_task)

static struct play *play;
static struct doca_ctx *play_ctx;
static void (*on_play)(struct doca_task *task);

static inline void play_end(struct play_task *task, char c)
{
	record(c);
	bed.status = doca_task_get_status(&task->task);
	if (on_play)
		on_play(&task->task);
}

static inline void play_done(struct play_task *task, union doca_data task_data,
			     union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	play_end(task, 'S');
}

static inline void play_failed(struct play_task *task, union doca_data task_data,
			       union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	play_end(task, 'E');
}

static inline struct doca_task *play_new_task(void)
{
	static const struct log_site site = LOG_SITE;
	struct play_task *task = NULL;

	OK(play_task_alloc_(play, (union doca_data){ 0 }, &task, &site));
	return task ? &task->task : NULL;
}

static inline void play_submit(unsigned int n)
{
	while (n--)
		OK(doca_task_submit(play_new_task()));
}

/* Create everything without starting it. The context of bed.h stays idle. */
static inline void play_set_up(void)
{
	set_up(true, 1);
	memset(&lane, 0, sizeof(lane));
	on_play = NULL;
	OK(play_create(&fake_dev, &play));
	OK(play_set_conf(play, play_done, play_failed, LANE_TASKS));
	play_ctx = play_as_ctx(play);
	OK(doca_ctx_set_state_changed_cb(play_ctx, on_state));
	OK(doca_pe_connect_ctx(bed.pe, play_ctx));
}

static inline void play_set_up_started(void)
{
	play_set_up();
	on_play = doca_task_free;
	OK(doca_ctx_start(play_ctx));
	EXPECT_STR(took(), "r");
}

static inline enum doca_ctx_states play_state(void)
{
	enum doca_ctx_states now = -1;

	OK(doca_ctx_get_state(play_ctx, &now));
	return now;
}

/* The context must be idle or destroyed. */
static inline void play_tear_down(void)
{
	if (play) {
		EXPECT_EQ(play_state(), DOCA_CTX_STATE_IDLE);
		OK(play_destroy(play));
	}
	EXPECT_EQ(lane.starts, lane.stops);
	tear_down();
}

#endif /* DOCA_TESTS_FAKE_LANE_H */
