/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What a context runs on. A lane takes tasks over and ends them; states, pools, the
 * order of callbacks, the loss of a device and forks are the context's, and the same on
 * every lane. A struct ctx_type names its lane; without a name it is lane_ring.
 *
 * What a lane may rely on:
 *
 *  - One thread at a time calls it, and none of its functions from within another.
 *  - It calls the program only in progress() and deliver(), once in a call and as the
 *    last thing, for the program may destroy the context.
 *  - Between two calls of the program each of these two gets its turn. deliver() is
 *    called while the context is running or stopping, progress() from the start on.
 *  - In the child of a fork it hears of nothing but stop().
 *  - All of this is slow: the short path of plain tasks (plain.h) uses the ring of the
 *    context's queue, and knows no lane. Other lanes leave it as it is, a ring that
 *    refuses all entries and never has one.
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
	LANE_AGAIN, /* there was something that is not the program's: look again */
	LANE_CALLED, /* the program was called: the context may be gone */
};

struct lane_ops {
	const char *name; /* for the log */

	/*
	 * The context's tasks exist, and are numbered: ctx->nr_tasks. Logs why it
	 * fails, and has then left nothing.
	 */
	doca_error_t (*start)(struct doca_ctx *ctx);

	/*
	 * Nothing is in flight: give all back, at once. @forked: it is the parent's,
	 * so nothing but this process's file descriptors and memory may be touched.
	 */
	void (*stop)(struct doca_ctx *ctx, bool forked);

	/*
	 * Take a task over, which ends by task_complete(), once, in a later call of
	 * progress() or deliver(). There always is room for it, and what is wrong with
	 * it is told by how it ends. It may be held back until flush(); its ->next is
	 * the lane's meanwhile.
	 */
	void (*submit)(struct doca_task *task);

	/* True if that called out, so that a second look is worth it. */
	bool (*flush)(struct doca_ctx *ctx);

	/* Look for tasks that are done, or go on with what has no task. */
	enum lane_turn (*progress)(struct doca_ctx *ctx);

	/* Tell the program of one event. Not needed. */
	enum lane_turn (*deliver)(struct doca_ctx *ctx);

	/*
	 * The context stops: all in flight ends in bounded time, with SHUTDOWN or as it
	 * would have, whatever a peer does; and so do the events.
	 */
	void (*cancel)(struct doca_ctx *ctx);

	/*
	 * Does it need calls of progress() though no task is in flight? Then a context
	 * that stops is not idle yet; after cancel() that must come to an end. Not
	 * needed.
	 */
	bool (*busy)(const struct doca_ctx *ctx);

	/*
	 * The program is about to wait. True if there is something already; if not,
	 * what there will be makes a watched descriptor readable.
	 */
	bool (*arm)(struct doca_ctx *ctx);

	/*
	 * For debug mode, in any thread, while none is in a call for the context: is a
	 * task done that progress() would end? Looks only. Not needed.
	 */
	bool (*done)(const struct doca_ctx *ctx);

	/*
	 * The wait is over: may it have ended for this context? One that watches
	 * descriptors is visited in any case. Not needed.
	 */
	bool (*woken)(struct doca_ctx *ctx);
};

/* The driver's queue: for operations that it executes. Its functions: lane_ring.h. */
extern const struct lane_ops lane_ring;

#endif /* DOCA_CORE_LANE_H */
