/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Tasks: what a library has to say about its types of task, and the pools that
 * they come from. Of a type some is about all tasks, and some about those that run on
 * the driver's ring.
 *
 * A pool belongs to a library's object, which configures it. All tasks of a
 * context are allocated when it starts, in one block, and numbered through; the
 * number is what travels through a lane. So a completion cannot lead outside
 * of the block, and nothing is allocated on the data path.
 */
#ifndef DOCA_CORE_TASK_H
#define DOCA_CORE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#include <linux/doca.h>

#include "core/base/symver.h"
#include "core/memory/buf.h"

enum task_state {
	TASK_FREE,
	TASK_OWNED, /* by the program */
	TASK_HELD, /* by what its sink is part of */
	TASK_PLAIN, /* in flight, see plain.h */
	TASK_INFLIGHT, /* with more to do when it is back */
};

struct doca_task;
struct object_type;

/*
 * What hears of a task's completion in place of the program: a batch, or a node of
 * a graph. @take is true if it called the program back.
 */
struct task_sink {
	bool (*take)(struct task_sink *sink, struct doca_task *task);
};

/*
 * First member of the tasks of all libraries. What is needed between submission and
 * callback comes first. Buffers are set by task_set_src() and task_set_dst(), and are
 * doca_priv_no_buf where there are none.
 */
struct doca_task {
	struct doca_ctx *ctx;
	struct doca_buf *src;
	struct doca_buf *dst;
	const struct task_type *type;
	union doca_data user_data;
	uint32_t index; /* in the context */
	uint16_t opcode; /* the type's */
	uint8_t state; /* enum task_state */
	bool doomed; /* freed while held or in flight */
	uint16_t status; /* enum doca_error */

	struct task_sink *sink; /* NULL: its completion is the program's */
	struct task_pool *pool;
	struct doca_task *next; /* of the free ones; in flight the lane's */
};

/* What a type of task asks of one of its two sides, a buffer or a list of buffers. */
struct task_side {
	const char *name; /* for the log; NULL: there is no such side */
	bool list; /* it may have more than one buffer */
	bool data; /* it is about data, of which there must be some; else room */
	bool writes; /* the memory must be writable */
};

/* What there may be of tasks of one type. */
struct task_limits {
	uint32_t tasks; /* of one context */
	uint32_t list_len; /* buffers of a side that may be a list */
	uint64_t length; /* bytes of data */
	uint32_t ops; /* in flight that are of use, on the driver's queue */
};

/* How a task becomes an entry of the driver's ring, for types that do. */
struct task_ring {
	uint16_t opcode;

	/*
	 * An entry says nothing but where source and destination are, and what
	 * finish() does is what plain.h does.
	 */
	bool plain;

	/*
	 * Fill in the entry, whose phase and user_data are set and the rest is 0.
	 * @run is the task's own run of segments, whose first is number @first of
	 * the segment table.
	 */
	void (*prepare)(struct doca_task *task, struct doca_sqe *sqe,
			struct doca_seg *run, uint32_t first);

	/*
	 * Did prepare() leave out a key for what is wrong with the task, other than
	 * its sides? Asked when the kernel has refused one. NULL: never.
	 */
	bool (*unkeyed)(const struct doca_task *task);
};

struct task_type {
	const char *name; /* for the log */

	/*
	 * The library's struct, as debug mode knows it, its size, and the functions
	 * that call the program back, for success or for failure; not for a task
	 * that has a sink. TASK_OBJECT() fills that in.
	 */
	const struct object_type *object;
	size_t size;
	void (*done)(struct doca_task *task);
	void (*failed)(struct doca_task *task);

	struct task_side src, dst;
	bool waits; /* an operation may wait in the kernel, aside of the ring */

	/* Less than what the driver allows; not needed. */
	void (*limit)(struct task_limits *limits);

	/*
	 * On a lane other than lane_ring, in place of the driver: what there may be on
	 * a device, which may be NULL for what is so on all. NOT_SUPPORTED, without a
	 * line in the log, if there are none.
	 */
	doca_error_t (*ask)(const struct doca_devinfo *devinfo,
			    struct task_limits *limits);

	/*
	 * For doca_task_try_submit(): SUCCESS, or INVALID_VALUE with a line in the
	 * log. What it refuses must also fail if it is submitted: task_bufs.h has
	 * what all types share.
	 */
	doca_error_t (*validate)(const struct doca_task *task);

	/*
	 * task->status says how it went. Let go of the buffers, and take over
	 * @length bytes of output and the operation's @result, of two words.
	 */
	void (*finish)(struct doca_task *task, uint32_t length,
		       const uint64_t *result);

	struct task_ring ring;
};

/* A callback of the program. Its caller knows its type, and casts it back. */
typedef void (*task_cb_t)(void);

struct task_pool {
	const struct task_type *type;
	struct batch_pool *batches; /* NULL: tasks are allocated singly */
	uint32_t num; /* 0: this type of task is not enabled */
	uint32_t list_segs; /* segments that a task's lists may take in all */
	struct task_limits limits; /* all 0 until the driver was asked */
	task_cb_t done;
	task_cb_t failed;
	struct doca_task *free;
	struct doca_task *last_free; /* in debug mode, if there are any */
};

/* The task with this number, which is one of this pool. */
struct doca_task *task_init(struct doca_ctx *ctx, struct task_pool *pool,
			    uint32_t index);

/*
 * What there may be of tasks of a type, on a device or, NULL, on all. NOT_SUPPORTED,
 * without a line in the log, if there are none, DRIVER if the driver cannot be asked.
 */
doca_error_t task_limits_get(const struct task_type *type,
			     const struct doca_devinfo *devinfo,
			     struct task_limits *limits);

/* Segments that the lists of one task may take. */
static inline uint32_t task_list_segs(const struct task_type *type,
				      const struct task_limits *limits)
{
	return (type->src.list + type->dst.list) * limits->list_len;
}

/* Are there tasks, and not too many? INVALID_VALUE if not, with a line in the log. */
doca_error_t tasks_check_enabled(const struct doca_ctx *ctx);
doca_error_t tasks_check_limits(const struct doca_ctx *ctx);

/* Make the tasks of all pools of a context; 0 or -ENOMEM. */
int tasks_create(struct doca_ctx *ctx);
void tasks_destroy(struct doca_ctx *ctx);

static inline bool task_is_inflight(const struct doca_task *task)
{
	return task->state >= TASK_PLAIN;
}

static inline struct doca_buf *task_buf(const struct doca_buf *buf)
{
	return (struct doca_buf *)(buf ? buf : &doca_priv_no_buf);
}

/* The buffers of a task that is not in flight; NULL for none. */
static inline void task_set_src(struct doca_task *task,
				const struct doca_buf *src)
{
	task->src = task_buf(src);
}

static inline void task_set_dst(struct doca_task *task, struct doca_buf *dst)
{
	task->dst = task_buf(dst);
}

static inline struct doca_buf *task_src(const struct doca_task *task)
{
	return task->src == &doca_priv_no_buf ? NULL : task->src;
}

static inline struct doca_buf *task_dst(const struct doca_task *task)
{
	return task->dst == &doca_priv_no_buf ? NULL : task->dst;
}

/* The task with this number if it is in flight, else NULL. */
struct doca_task *task_inflight(struct doca_ctx *ctx, uint64_t index);

/*
 * Hand a task in flight back to the program, its batch or its graph. True if that called
 * the program back. @result: two words; NULL: both are 0.
 */
DOCA_STABLE bool task_complete(struct doca_task *task, doca_error_t status,
			       uint32_t length, const uint64_t *result)
	DOCA_PRIVATE(task_complete);

/* May tasks of a context be submitted? If not, BAD_STATE, and why is logged. */
bool tasks_accepted(const struct doca_ctx *ctx);
doca_error_t tasks_refused(struct doca_ctx *ctx);

/* BAD_STATE, and why is logged with what cannot be done. */
doca_error_t ctx_not_running(struct doca_ctx *ctx, const char *what);

/* One that the program had is back: a context that is stopping waits for it. */
void tasks_given_back(struct doca_ctx *ctx);

/* Hand a task to its lane, for tasks_publish() to let go. */
void task_queue(struct doca_task *task);
void tasks_publish(struct doca_ctx *ctx);

/* From the program to a sink, and back; a task freed meanwhile is released. */
static inline void task_hold(struct doca_task *task, struct task_sink *sink)
{
	task->state = TASK_HELD;
	task->sink = sink;
}

void task_unhold(struct doca_task *task);

/*
 * BAD_STATE if the context is not running, NO_MEMORY if the pool is empty. @func is what
 * the program has called.
 */
DOCA_STABLE doca_error_t doca_priv_task_alloc(struct doca_ctx *ctx,
					      struct task_pool *pool,
					      union doca_data user_data,
					      struct doca_task **task,
					      const char *func);

#endif /* DOCA_CORE_TASK_H */
