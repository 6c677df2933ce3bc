/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The base of every context: its states, its tasks, and the lane that they run on. A
 * library's object begins with a struct doca_ctx; a struct ctx_type describes it.
 *
 * A callback may destroy its object, so calling the program is always the last thing
 * that is done with a context.
 */
#ifndef DOCA_CORE_CTX_H
#define DOCA_CORE_CTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_ctx.h>

#include "core/driver/driver.h"
#include "lane.h"
#include "core/base/list.h"
#include "task.h"
#include "core/base/symver.h"

#define CTX_WATCHES 3

struct ctx_type {
	const char *name; /* for the log */

	/*
	 * The library's object: its type for debug mode, its size, and the offset of
	 * its tasks' pools. CTX_OBJECT() fills these in.
	 */
	const struct object_type *object;
	size_t size;
	size_t align;
	size_t pools;
	unsigned int nr_pools;
	const struct task_type *const *tasks; /* one for each pool */

	const struct lane_ops *lane; /* NULL: lane_ring */
	bool late_user_data; /* the user data can be set in any state */

	/*
	 * Change what the context's queue gets beyond what its tasks need, such as
	 * sessions: @attr is complete. Logs why it fails. For lane_ring and lanes made
	 * from it; optional.
	 */
	doca_error_t (*queue)(const struct doca_ctx *ctx,
			      struct driver_queue_attr *attr);

	/*
	 * All functions below are optional.
	 *
	 * Parts of the object that do not start as 0 are set up when it is created, and
	 * released when it is destroyed. fini() may refuse with IN_USE and a line in the
	 * log.
	 */
	doca_error_t (*init)(struct doca_ctx *ctx);
	doca_error_t (*fini)(struct doca_ctx *ctx);

	/*
	 * Return SUCCESS if the tasks may be configured; log why not. Default: if
	 * the context is idle.
	 */
	doca_error_t (*may_configure)(const struct doca_ctx *ctx);

	/* Return SUCCESS if all settings beside tasks are there; log which are missing. */
	doca_error_t (*check)(const struct doca_ctx *ctx);

	/*
	 * Start the library's part; lane and tasks exist. IN_PROGRESS: the
	 * context is starting, and @poll_start is called repeatedly until it
	 * returns SUCCESS, and the context is running, or an error, and it is
	 * stopping. doca_priv_ctx_watch() or doca_priv_ctx_kick() wakes a
	 * program that does not poll.
	 */
	doca_error_t (*start)(struct doca_ctx *ctx);
	doca_error_t (*poll_start)(struct doca_ctx *ctx);

	/* Undo start(), as the context becomes idle. */
	void (*stop)(struct doca_ctx *ctx);
};

struct doca_ctx {
	enum doca_ctx_states state;
	uint32_t inflight; /* number of tasks submitted and not called back */
	uint32_t allocated; /* tasks not in their pool, with those in flight */
	bool accepts; /* tasks may be submitted; else the ring refuses */
	bool failing; /* the next progress makes it stopping */
	bool lost; /* the lane ends no more tasks: ctx_fail_one() does */
	bool orphaned; /* in the child: it was started before a fork */
	bool delivers; /* the next turn belongs to the lane's events */
	bool polled; /* the engine's epoll includes the queue */
	bool busy; /* in the engine's list of contexts to visit */
	bool notified; /* the engine's epoll has reported it */
	bool traced; /* the log shows each task, so none is plain */
	bool general; /* no task is plain, for this or another reason */
	bool told; /* the log has said why a task failed */
	bool told_soft; /* likewise: a task failed, and the context goes on */
	bool told_empty; /* likewise: no task is left */
	bool told_refused; /* likewise: no task may be submitted any more */
	/* The lane's, as long as the short path is open; see ctx_open(). */
	doca_error_t (*put)(struct doca_task *task, bool flush);
	enum lane_turn (*reap)(struct doca_ctx *ctx);
	struct doca_pe *pe;
	struct driver_queue queue; /* on some lanes none, and ring_none() */

	char *tasks; /* the block of all tasks */
	size_t task_size;
	uint32_t nr_tasks;
	uint32_t nr_waits; /* number of tasks that may wait in the kernel */
	uint32_t run_len; /* segments that each task owns */
	uint32_t next_lost; /* next task to fail, when all must */

	const struct lane_ops *lane;
	void *lane_data; /* the lane's own data, between start and stop */
	struct ctx_watch {
		int fd; /* -1: none */
		bool armed; /* the engine's epoll includes it */
	} watches[CTX_WATCHES];
	uint64_t deadline; /* nanoseconds of CLOCK_MONOTONIC; 0: none */

	struct list link; /* in the engine's list of contexts */
	struct list busy_link;
	union doca_data user_data;
	doca_ctx_state_changed_callback_t state_cb;
	const struct ctx_type *type;
	struct task_pool *pools;
	unsigned int nr_pools;
	struct doca_dev *dev; /* with a reference */
};

/*
 * Initialize the context at the beginning of an object of that type, and its pools.
 * @dev may be NULL if check() ensures that the context has a device when it starts.
 */
DOCA_STABLE void doca_priv_ctx_init(struct doca_ctx *ctx,
				    const struct ctx_type *type,
				    struct doca_dev *dev);

/* Disconnect from the engine. Returns IN_USE unless idle, or if the type's fini() refuses. */
DOCA_STABLE doca_error_t doca_priv_ctx_fini(struct doca_ctx *ctx);

/* Like doca_priv_ctx_fini(), without asking whether the context may be destroyed. */
void ctx_drop(struct doca_ctx *ctx);

static inline struct doca_task *task_at(const struct doca_ctx *ctx,
					uint32_t index)
{
	return (struct doca_task *)(ctx->tasks + index * ctx->task_size);
}

/* Return the object whose thread owns the context, for EXCLUSIVE(). */
static inline const void *ctx_domain(const struct doca_ctx *ctx)
{
	return ctx->pe ? (const void *)ctx->pe : ctx;
}

/* Return true if the settings may be changed. */
static inline bool doca_priv_ctx_idle(const struct doca_ctx *ctx)
{
	return ctx->state == DOCA_CTX_STATE_IDLE;
}

/* End a wait for the context's progress engine. Call it in the engine's thread. */
DOCA_STABLE void doca_priv_ctx_kick(struct doca_ctx *ctx);

/*
 * Let a readable @fd end such a wait, too, from the start of a context until it is
 * idle, or until doca_priv_ctx_unwatch(), which must come before @fd is closed. Each
 * of the CTX_WATCHES slots has one descriptor. If this fails, nothing is lost: waits
 * then end at once.
 */
DOCA_STABLE void doca_priv_ctx_watch(struct doca_ctx *ctx, unsigned int slot,
				     int fd);
DOCA_STABLE void doca_priv_ctx_unwatch(struct doca_ctx *ctx, unsigned int slot);

/*
 * Let a wait for the context end at a time of CLOCK_MONOTONIC in ns; 0: never. A
 * context has one deadline, is visited while it has one, and clears it when the time
 * has come.
 */
DOCA_STABLE void ctx_set_deadline(struct doca_ctx *ctx, uint64_t ns)
	DOCA_PRIVATE(ctx_set_deadline);

/* Clear all watches and the deadline. */
void ctx_unwatch_all(struct doca_ctx *ctx);

/* Return true if it was started, and not stopped since. */
static inline bool ctx_is_up(const struct doca_ctx *ctx)
{
	return ctx->state == DOCA_CTX_STATE_RUNNING ||
	       ctx->state == DOCA_CTX_STATE_STARTING;
}

/*
 * Let the context stop at the next turn, because its lane cannot go on. The lane still
 * ends the tasks. @why is logged once; NULL if that was done.
 */
DOCA_STABLE void ctx_failed(struct doca_ctx *ctx, const char *why)
	DOCA_PRIVATE(ctx_failed);

/* Like ctx_failed(), for a lane that ends no more tasks: they fail one by one. */
DOCA_STABLE void ctx_lose(struct doca_ctx *ctx, const char *why)
	DOCA_PRIVATE(ctx_lose);

/* Poll a context once. Return true if the program was called; the context may be gone then. */
bool ctx_progress(struct doca_ctx *ctx);

/* Like ctx_progress(), for an idle context: look whether it has something to do after all. */
bool ctx_look(struct doca_ctx *ctx);

/*
 * Open the short path of the lane, if it has one, for a context that is visited, accepts tasks,
 * and has nothing else to do. A lane of the driver opens its ring.
 */
static inline void ctx_open(struct doca_ctx *ctx)
{
	if (ctx->put || ctx->reap || ctx->general || ctx->failing)
		return;
	ctx->put = ctx->lane->put;
	ctx->reap = ctx->lane->reap;
}

/* Close the short path: the next task or turn has more to do. */
static inline void ctx_close(struct doca_ctx *ctx)
{
	ctx->put = NULL;
	ctx->reap = NULL;
	ring_refuse(&ctx->queue.ring);
}

/* Accept no more tasks. */
static inline void ctx_refuse(struct doca_ctx *ctx)
{
	ctx->accepts = false;
	ctx_close(ctx);
}

static inline bool ctx_lane_is_busy(const struct doca_ctx *ctx)
{
	return ctx->lane->busy && !ctx->lost && ctx->lane->busy(ctx);
}

/* Return true if the context accepts tasks; tasks_refused() logs why not. */
static inline bool tasks_accepted(const struct doca_ctx *ctx)
{
	return ctx->accepts && driver_current(ctx->queue.generation);
}

/* Return true if the context must be polled even if nothing is submitted meanwhile. */
static inline bool ctx_wants_visits(const struct doca_ctx *ctx)
{
	return ctx->inflight || ctx->failing ||
	       ctx->state != DOCA_CTX_STATE_RUNNING || ctx->deadline ||
	       ctx_lane_is_busy(ctx);
}

/* Return true if a stopping context can become idle. */
static inline bool ctx_is_over(const struct doca_ctx *ctx)
{
	return !ctx->allocated && !ctx_lane_is_busy(ctx);
}

/* Change the state. Return true if the program was called. */
bool ctx_to_starting(struct doca_ctx *ctx);
bool ctx_to_running(struct doca_ctx *ctx);
bool ctx_to_stopping(struct doca_ctx *ctx);
bool ctx_to_idle(struct doca_ctx *ctx);

/* Release what a start has made, apart from the library's own part. */
void ctx_release(struct doca_ctx *ctx);

/* Ask for a wake-up. Return true if there is already something to progress. */
bool ctx_arm(struct doca_ctx *ctx);

/* Return true if a wait that was asked for may have ended for this context. */
bool ctx_woken(struct doca_ctx *ctx);

/* Fail all that is in flight: this process is the child of a fork. */
void ctx_orphan(struct doca_ctx *ctx);

#endif /* DOCA_CORE_CTX_H */
