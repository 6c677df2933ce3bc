/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The base of every context: its states, its tasks, and the lane that they run on. A
 * library's object begins with a struct doca_ctx, and a struct ctx_type says what it is.
 *
 * A callback may destroy what it is called for, so calling the program back is
 * always the last thing that is done with a context.
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
	 * The library's object, as debug mode knows it, its size, and where in it the
	 * pools of its tasks are. CTX_OBJECT() fills that in.
	 */
	const struct object_type *object;
	size_t size;
	size_t align;
	size_t pools;
	unsigned int nr_pools;
	const struct task_type *const *tasks; /* of each pool */

	const struct lane_ops *lane; /* NULL: lane_ring */

	/*
	 * On lane_ring and lanes made from it, what the context's queue has beside what
	 * follows from its tasks, such as sessions: @attr is complete, and may be changed.
	 * Logs why it fails. Not needed.
	 */
	doca_error_t (*queue)(const struct doca_ctx *ctx,
			      struct driver_queue_attr *attr);

	/*
	 * What is special in it. None of this is needed.
	 *
	 * What is not 0 is made ready when the object is created, and given back when it
	 * is destroyed: but IN_USE, with a line in the log, if it cannot be.
	 */
	doca_error_t (*init)(struct doca_ctx *ctx);
	doca_error_t (*fini)(struct doca_ctx *ctx);

	/* May the tasks be configured? Logs why not. Without it: if it is idle. */
	doca_error_t (*may_configure)(const struct doca_ctx *ctx);

	/* Is all set that must be, beside tasks? Logs what is not. */
	doca_error_t (*check)(const struct doca_ctx *ctx);

	/*
	 * What the library itself must do, with a lane and tasks at hand.
	 * IN_PROGRESS: the context is starting, and will be running or
	 * stopping when @poll_start, which is asked again and again, says
	 * SUCCESS or why it failed. A program that does not poll is woken for
	 * that by doca_priv_ctx_watch() or doca_priv_ctx_kick().
	 */
	doca_error_t (*start)(struct doca_ctx *ctx);
	doca_error_t (*poll_start)(struct doca_ctx *ctx);

	/* Undo what start did, of a context that becomes idle. */
	void (*stop)(struct doca_ctx *ctx);
};

struct doca_ctx {
	enum doca_ctx_states state;
	uint32_t inflight; /* tasks submitted and not called back */
	uint32_t allocated; /* tasks not in their pool, those in flight too */
	bool accepts; /* tasks may be submitted; if not, the ring refuses */
	bool failing; /* it will be stopping at the next progress */
	bool lost; /* only the library will end its tasks */
	bool orphaned; /* it was started before a fork, in the child */
	bool delivers; /* the next turn is that of the lane's events */
	bool polled; /* the engine's epoll has the queue */
	bool busy; /* in the engine's list of those to visit */
	bool notified; /* it has something to do, says the engine's epoll */
	bool traced; /* the log has each task, so that none is plain */
	bool general; /* nor is one for that or for another reason */
	bool told; /* the log has why a task failed */
	bool told_soft; /* and that one did, and the context goes on */
	bool told_empty; /* and that there is no task left */
	bool told_refused; /* and that none may be submitted any more */
	struct doca_pe *pe;
	struct driver_queue queue; /* of other lanes the ring is ring_none() */

	char *tasks; /* the block */
	size_t task_size;
	uint32_t nr_tasks;
	uint32_t nr_waits; /* of these, tasks that may wait */
	uint32_t run_len; /* segments that each task owns */
	uint32_t next_lost; /* where to look for a task when all must fail */

	const struct lane_ops *lane;
	void *lane_data; /* the lane's own, between start and stop */
	struct ctx_watch {
		int fd; /* -1: none */
		bool armed; /* the engine's epoll has it */
	} watches[CTX_WATCHES];
	uint64_t deadline; /* of CLOCK_MONOTONIC in ns; 0: none */

	struct list link; /* in the engine's contexts */
	struct list busy_link;
	union doca_data user_data;
	doca_ctx_state_changed_callback_t state_cb;
	const struct ctx_type *type;
	struct task_pool *pools;
	unsigned int nr_pools;
	struct doca_dev *dev; /* with a reference */
};

/*
 * The context at the beginning of an object of that type, whose pools get their types.
 * @dev may be NULL if check() sees to it that the context has one when it starts.
 */
DOCA_STABLE void doca_priv_ctx_init(struct doca_ctx *ctx,
				    const struct ctx_type *type,
				    struct doca_dev *dev);

/* Disconnect from the engine. IN_USE unless idle, or if the type says so. */
DOCA_STABLE doca_error_t doca_priv_ctx_fini(struct doca_ctx *ctx);

/* The same without asking whether it may be destroyed. */
void ctx_drop(struct doca_ctx *ctx);

static inline struct doca_task *task_at(const struct doca_ctx *ctx,
					uint32_t index)
{
	return (struct doca_task *)(ctx->tasks + index * ctx->task_size);
}

/* To what belongs the thread that may use a context, for EXCLUSIVE(). */
static inline const void *ctx_domain(const struct doca_ctx *ctx)
{
	return ctx->pe ? (const void *)ctx->pe : ctx;
}

/* May the settings be changed? */
static inline bool doca_priv_ctx_idle(const struct doca_ctx *ctx)
{
	return ctx->state == DOCA_CTX_STATE_IDLE;
}

/* End a wait for the context's progress engine, in the thread that has it. */
DOCA_STABLE void doca_priv_ctx_kick(struct doca_ctx *ctx);

/*
 * Have such a wait end when @fd is readable, too: from the start of a context, until
 * it is idle or until doca_priv_ctx_unwatch(), which comes before @fd is closed. One
 * descriptor for each of the CTX_WATCHES slots. Nothing is lost if that fails: then
 * waits end at once.
 */
DOCA_STABLE void doca_priv_ctx_watch(struct doca_ctx *ctx, unsigned int slot,
				     int fd);
DOCA_STABLE void doca_priv_ctx_unwatch(struct doca_ctx *ctx, unsigned int slot);

/*
 * Have it end at that time of CLOCK_MONOTONIC, in ns, likewise; 0: never. One a context,
 * which is visited as long as it has one, and takes it away when the time has come.
 */
DOCA_STABLE void ctx_set_deadline(struct doca_ctx *ctx, uint64_t ns)
	DOCA_PRIVATE(ctx_set_deadline);

/* Neither any more. */
void ctx_unwatch_all(struct doca_ctx *ctx);

/* Started, and not stopped since? */
static inline bool ctx_is_up(const struct doca_ctx *ctx)
{
	return ctx->state == DOCA_CTX_STATE_RUNNING ||
	       ctx->state == DOCA_CTX_STATE_STARTING;
}

/*
 * A lane's word: the context cannot go on, and stops at the next turn. Its tasks end as
 * the lane ends them. @why is for the log, and told once; NULL if that was done.
 */
DOCA_STABLE void ctx_failed(struct doca_ctx *ctx, const char *why)
	DOCA_PRIVATE(ctx_failed);

/* The same, and the lane will end no task any more: they fail one by one. */
void ctx_lose(struct doca_ctx *ctx, const char *why);

/*
 * Poll a context once. True if that called the program back, in which case the
 * context may be gone.
 */
bool ctx_progress(struct doca_ctx *ctx);

/* The same of one that may have nothing to do, in the turns that look for that. */
bool ctx_look(struct doca_ctx *ctx);

/* No tasks from now on. */
static inline void ctx_refuse(struct doca_ctx *ctx)
{
	ctx->accepts = false;
	ring_refuse(&ctx->queue.ring);
}

static inline bool ctx_lane_is_busy(const struct doca_ctx *ctx)
{
	return ctx->lane->busy && !ctx->lost && ctx->lane->busy(ctx);
}

/* Is another look due although nothing is submitted meanwhile? */
static inline bool ctx_wants_visits(const struct doca_ctx *ctx)
{
	return ctx->inflight || ctx->failing ||
	       ctx->state != DOCA_CTX_STATE_RUNNING || ctx->deadline ||
	       ctx_lane_is_busy(ctx);
}

/* Of one that is stopping: can it be idle? */
static inline bool ctx_is_over(const struct doca_ctx *ctx)
{
	return !ctx->allocated && !ctx_lane_is_busy(ctx);
}

/* Changes of the state; true if they called the program back. */
bool ctx_to_starting(struct doca_ctx *ctx);
bool ctx_to_running(struct doca_ctx *ctx);
bool ctx_to_stopping(struct doca_ctx *ctx);
bool ctx_to_idle(struct doca_ctx *ctx);

/* What a start has made, but for what the library itself did. */
void ctx_release(struct doca_ctx *ctx);

/* Ask for a wake-up. True if there is already something to progress. */
bool ctx_arm(struct doca_ctx *ctx);

/* After a wait that was asked for: may it have ended for this one? */
bool ctx_woken(struct doca_ctx *ctx);

/* The process has forked: fail all that is in flight, here. */
void ctx_orphan(struct doca_ctx *ctx);

#endif /* DOCA_CORE_CTX_H */
