/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The interface of lanes. A lane takes tasks over and completes them. States, pools,
 * the order of callbacks, the loss of a device and forks are the context's business,
 * the same on every lane. A struct ctx_type names its lane; the default is lane_ring.
 *
 * A lane may rely on this:
 *
 * - One thread at a time calls it, and none of its functions from within another.
 * - It calls the program only in progress(), reap() and deliver(), once in a call and as
 *   the last thing, because the program may destroy the context.
 * - Between two calls of the program progress() and deliver() both get their turns, unless
 *   reap() finds that there is nothing but a completed task, or an event. deliver() is called
 *   while the context is running or stopping, progress() from the start on.
 * - In the child of a fork only stop() is called, and put() and reap() may be.
 * - All of this but these two is slow: the short path of plain tasks (plain.h) uses the ring of
 *   the context's queue, and bypasses the lane. Other lanes leave that ring as it is: it
 *   refuses all entries and never has one.
 */
#ifndef DOCA_CORE_LANE_H
#define DOCA_CORE_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

struct doca_ctx;
struct doca_task;

enum lane_turn {
	LANE_IDLE, /* there was nothing */
	LANE_AGAIN, /* there was something, but nothing to call for: look again */
	LANE_CALLED, /* the program was called: the context may be gone */
};

struct lane_ops {
	const char *name; /* for the log */

	/*
	 * Start. The context's tasks exist, and are numbered: ctx->nr_tasks. Logs
	 * why it fails, and has then left nothing.
	 */
	doca_error_t (*start)(struct doca_ctx *ctx);

	/*
	 * Release everything at once; nothing is in flight. @forked: the lane
	 * belongs to the parent, so touch only this process's file descriptors and
	 * memory.
	 */
	void (*stop)(struct doca_ctx *ctx, bool forked);

	/*
	 * Take over a task. It ends by task_complete(), once, in a later call of
	 * progress() or deliver(). There is always room for it; errors show in how it
	 * ends. It may be held back until flush(), unless @flush, which submits all that
	 * were. Its ->next is the lane's meanwhile.
	 */
	void (*submit)(struct doca_task *task, bool flush);

	/*
	 * Submit held-back tasks. Return true after a call of the driver, so
	 * that a second look pays.
	 */
	bool (*flush)(struct doca_ctx *ctx);

	/* Look for completed tasks, and continue work that belongs to no task. */
	enum lane_turn (*progress)(struct doca_ctx *ctx);

	/*
	 * Submit quickly, in place of doca_task_submit_ex(), while the short path is open
	 * (ctx_open()): the context accepts tasks, and is visited. Whatever else there may be
	 * is left to task_submit_any(), as in the child of a fork. Optional.
	 */
	doca_error_t (*put)(struct doca_task *task, bool flush);

	/*
	 * Look quickly for a completed task, or for an event of a context that has no task in
	 * flight, while that is open: called in most turns, in place of progress() and
	 * deliver(). Return LANE_IDLE only if these have nothing to do but what may wait for
	 * some more turns, and LANE_AGAIN to have them called, as in the child of a fork.
	 * Optional.
	 */
	enum lane_turn (*reap)(struct doca_ctx *ctx);

	/* Tell the program of one event. Optional. */
	enum lane_turn (*deliver)(struct doca_ctx *ctx);

	/*
	 * The context stops: let all tasks in flight end in bounded time, whatever a
	 * peer does, with SHUTDOWN or their own result; let the events end as well.
	 */
	void (*cancel)(struct doca_ctx *ctx);

	/*
	 * Return true if progress() must be called although no task is in flight; a
	 * stopping context is not idle before. Must become false after cancel().
	 * Optional.
	 */
	bool (*busy)(const struct doca_ctx *ctx);

	/*
	 * The program is about to wait. Return true if something is there already;
	 * otherwise later events make a watched descriptor readable.
	 */
	bool (*arm)(struct doca_ctx *ctx);

	/*
	 * Return true if progress() would complete a task. For debug mode: called in
	 * any thread, while none is in a call for the context, and only looks.
	 * Optional.
	 */
	bool (*done)(const struct doca_ctx *ctx);

	/*
	 * Return true if a wait may have ended for this context. One that
	 * watches descriptors is visited in any case. Optional.
	 */
	bool (*woken)(struct doca_ctx *ctx);
};

/* The driver's queue, for operations that the driver executes. See lane_ring.h. */
extern const struct lane_ops lane_ring;

#endif /* DOCA_CORE_LANE_H */
