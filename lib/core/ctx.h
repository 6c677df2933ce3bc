/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The base of every context: its states, its queue and its tasks. A library's object
 * begins with a struct doca_ctx, and a struct ctx_type says what it is.
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

#include "driver.h"
#include "list.h"
#include "task.h"

struct ctx_type {
	const char *name; /* for the log */

	/*
	 * The library's object: its struct's name, by which types are told apart, its
	 * size, and where in it the pools of its tasks are. CTX_OBJECT() fills that in.
	 */
	const char *object;
	size_t size;
	size_t align;
	size_t pools;
	unsigned int nr_pools;
	const struct task_type *const *tasks; /* of each pool */

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
	 * What the library itself must do, with a queue and tasks at hand.
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
	bool lost; /* nobody executes the queue any more */
	bool polled; /* the engine's epoll has the queue */
	bool busy; /* in the engine's list of those to visit */
	bool notified; /* it has something to do, says the engine's epoll */
	bool traced; /* the log has each task, so that none is plain */
	bool general; /* nor is one for that or for another reason */
	bool told; /* the log has why a task failed */
	bool told_empty; /* and that there is no task left */
	bool told_refused; /* and that none may be submitted any more */
	bool watching; /* the engine's epoll has watched_fd */
	int watched_fd; /* -1: none */
	struct doca_pe *pe;
	struct driver_queue queue;

	char *tasks; /* the block */
	size_t task_size;
	uint32_t nr_tasks;
	uint32_t nr_waits; /* of these, tasks that may wait */
	uint32_t run_len; /* segments that each task owns */
	uint32_t next_lost; /* where to look for a task when all must fail */

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

/* The same without a question to anybody. */
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
 * descriptor a context. Nothing is lost if that fails: then waits end at once.
 */
DOCA_STABLE void doca_priv_ctx_watch(struct doca_ctx *ctx, int fd);
DOCA_STABLE void doca_priv_ctx_unwatch(struct doca_ctx *ctx);

/* Started, and not stopped since? */
static inline bool ctx_is_up(const struct doca_ctx *ctx)
{
	return ctx->state == DOCA_CTX_STATE_RUNNING ||
	       ctx->state == DOCA_CTX_STATE_STARTING;
}

/*
 * One look at a context. True if that called the program back, in which case the
 * context may be gone.
 */
bool ctx_progress(struct doca_ctx *ctx);

/* No tasks from now on. */
static inline void ctx_refuse(struct doca_ctx *ctx)
{
	ctx->accepts = false;
	ring_refuse(&ctx->queue.ring);
}

/* Is another look due although nothing is submitted meanwhile? */
static inline bool ctx_wants_visits(const struct doca_ctx *ctx)
{
	return ctx->inflight || ctx->failing ||
	       ctx->state != DOCA_CTX_STATE_RUNNING;
}

/* Has a started context without tasks in flight lost its device? */
bool ctx_is_failing(struct doca_ctx *ctx);

/* Changes of the state; true if they called the program back. */
bool ctx_to_running(struct doca_ctx *ctx);
bool ctx_to_stopping(struct doca_ctx *ctx);
bool ctx_to_idle(struct doca_ctx *ctx);

/* Let the executor have what was submitted. True if it had to be called. */
bool ctx_flush(struct doca_ctx *ctx);

/* Ask for a wake-up. True if there is already something to progress. */
bool ctx_arm(struct doca_ctx *ctx);

/* May its queue have ended a wait? */
bool ctx_has_news(const struct doca_ctx *ctx);

/* The process has forked: fail all that is in flight, here. */
void ctx_orphan(struct doca_ctx *ctx);

#endif /* DOCA_CORE_CTX_H */
