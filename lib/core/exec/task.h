/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Tasks: the description of a library's types of task, and the pools that tasks come
 * from. Some parts of a type concern all tasks, others those that run on the driver's
 * ring.
 *
 * A pool belongs to a library's object, which configures it. All tasks of a context
 * are allocated when it starts, in one block, and numbered through; a lane carries
 * the number only. So a completion cannot lead outside of the block, and nothing is
 * allocated on the data path; only the pages of a list's segments come when it is first written.
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
	TASK_OWNED, /* the program has it */
	TASK_HELD, /* its sink holds it */
	TASK_PLAIN, /* in flight on the short path (plain.h) */
	TASK_INFLIGHT, /* in flight, with more to do on completion */
};

struct doca_task;
struct object_type;

/*
 * Gets a task's completion instead of the program: a batch, or a node of a graph.
 * @take returns true if it called the program.
 */
struct task_sink {
	bool (*take)(struct task_sink *sink, struct doca_task *task);
};

/*
 * First member of the tasks of all libraries. The fields that submission and
 * completion need come first. task_set_src() and task_set_dst() set the buffers;
 * doca_priv_no_buf stands for none.
 */
struct doca_task {
	struct doca_ctx *ctx;
	struct doca_buf *src;
	struct doca_buf *dst;
	const struct task_type *type;
	union doca_data user_data;
	uint32_t index; /* number in the context */
	uint16_t opcode; /* opcode of its type */
	uint8_t state; /* enum task_state */
	bool doomed; /* freed while held or in flight */
	uint16_t status; /* enum doca_error */

	struct task_sink *sink; /* NULL: the completion goes to the program */
	struct task_pool *pool;
	struct doca_task *next; /* next free task; in flight it is the lane's */
};

/* Requirements of a type of task on one of its sides, a buffer or a list of buffers. */
struct task_side {
	const char *name; /* for the log; NULL: there is no such side */
	bool list; /* may have more than one buffer */
	bool data; /* the side needs data, and some; otherwise it needs room */
	bool writes; /* the memory must be writable */
	bool empty; /* a side that has data may have none */
	bool optional; /* it may be missing, as far as is checked here */
};

/* Limits of tasks of one type. */
struct task_limits {
	uint32_t tasks; /* number in one context */
	uint32_t list_len; /* number of buffers of a side that may be a list */
	uint64_t length; /* data in bytes */
	uint32_t unit; /* bytes of which each block is a multiple */
	uint32_t block; /* bytes of a block, at most */
	uint32_t ops; /* useful number in flight, on the driver's queue */
	uint64_t variants; /* &doca_device_query.out_variants */
};

/* Translation of a task to an entry of the driver's ring, for types that need it. */
struct task_ring {
	uint16_t opcode;

	/* The entry has only source and destination, and finish() does what plain.h does. */
	bool plain;

	/*
	 * Fill in the entry: its phase and user_data are set, the rest is 0. @run
	 * is the task's run of segments, which begins at number @first of the
	 * segment table.
	 */
	void (*prepare)(struct doca_task *task, struct doca_sqe *sqe,
			struct doca_seg *run, uint32_t first);

	/*
	 * Return true if prepare() left out a key because of an error that is not
	 * in the sides. Called when the kernel has refused a key. NULL: never.
	 */
	bool (*unkeyed)(const struct doca_task *task);
};

struct task_type {
	const char *name; /* for the log */

	/*
	 * The library's struct: its type for debug mode, its size, and the
	 * functions that call the program back, for success or failure; not needed
	 * for a task with a sink. TASK_OBJECT() fills these in.
	 */
	const struct object_type *object;
	size_t size;
	void (*done)(struct doca_task *task);
	void (*failed)(struct doca_task *task);

	struct task_side src, dst;
	bool waits; /* may wait in the kernel, aside from the ring */

	/* Lower the driver's limits; optional. */
	void (*limit)(struct task_limits *limits);

	/*
	 * Get the limits on lanes that do not use the driver, for a device or, NULL,
	 * for all of them. Returns NOT_SUPPORTED, without a line in the log, if there
	 * are no such tasks.
	 */
	doca_error_t (*ask)(const struct doca_devinfo *devinfo,
			    struct task_limits *limits);

	/*
	 * Check a task for doca_task_try_submit(). Returns SUCCESS, or
	 * INVALID_VALUE with a line in the log. A task that is refused here must
	 * also fail if it is submitted; task_bufs.h has the common checks.
	 */
	doca_error_t (*validate)(const struct doca_task *task);

	/*
	 * End the task; task->status is its result. Release the buffers, and
	 * take over @length bytes of output and the operation's @result, two
	 * words.
	 */
	void (*finish)(struct doca_task *task, uint32_t length,
		       const uint64_t *result);

	struct task_ring ring;
};

/* A callback of the program. The caller knows its type, and casts it back. */
typedef void (*task_cb_t)(void);

struct task_pool {
	const struct task_type *type;
	struct batch_pool *batches; /* NULL: tasks are allocated one by one */
	uint32_t num; /* 0: this type of task is not enabled */
	uint32_t list_segs; /* segments that all lists of a task may take */
	struct task_limits limits; /* all 0 before the driver was asked */
	task_cb_t done;
	task_cb_t failed;
	struct doca_task *free;
	struct doca_task *last_free; /* in debug mode, unless empty */
};

/* Initialize the task with this number, which belongs to this pool. */
struct doca_task *task_init(struct doca_ctx *ctx, struct task_pool *pool,
			    uint32_t index);

/*
 * Get the limits of a type of task, on a device or, NULL, on all. Returns
 * NOT_SUPPORTED, without a line in the log, if there are no such tasks, DRIVER if the
 * driver cannot be asked.
 */
doca_error_t task_limits_get(const struct task_type *type,
			     const struct doca_devinfo *devinfo,
			     struct task_limits *limits);

/* Return the number of segments that the lists of one task may take. */
static inline uint32_t task_list_segs(const struct task_type *type,
				      const struct task_limits *limits)
{
	return (type->src.list + type->dst.list) * limits->list_len;
}

/* Check that there are tasks, and not too many. Otherwise log it, and return INVALID_VALUE. */
doca_error_t tasks_check_enabled(const struct doca_ctx *ctx);
doca_error_t tasks_check_limits(const struct doca_ctx *ctx);

/* Make the tasks of all pools of a context. Returns 0 or -ENOMEM. */
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

/* Set a buffer of a task that is not in flight; NULL for none. */
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

/* Return the task with this number if it is in flight, else NULL. */
DOCA_STABLE struct doca_task *task_inflight(struct doca_ctx *ctx,
					    uint64_t index)
	DOCA_PRIVATE(task_inflight);

/*
 * Hand a task in flight back to the program, its batch or its graph. Return true if the
 * program was called. @result: two words, or NULL if both are 0.
 */
DOCA_STABLE bool task_complete(struct doca_task *task, doca_error_t status,
			       uint32_t length, const uint64_t *result)
	DOCA_PRIVATE(task_complete);

/* Log why a context accepts no tasks, and return BAD_STATE. */
doca_error_t tasks_refused(struct doca_ctx *ctx);

/* Log what cannot be done, and why; return BAD_STATE. */
doca_error_t ctx_not_running(struct doca_ctx *ctx, const char *what);

/* A task is no longer the program's: a stopping context may have waited for it. */
void tasks_given_back(struct doca_ctx *ctx);

/* Submit a task in any state to a context in any state. */
DOCA_STABLE doca_error_t task_submit_any(struct doca_task *task, bool flush)
	DOCA_PRIVATE(task_submit_any);

/* Hand a task to its lane, which may keep it until tasks_publish() unless @flush. */
void task_queue(struct doca_task *task, bool flush);
void tasks_publish(struct doca_ctx *ctx);

/* Hand a task from the program to a sink, and back. A task freed meanwhile is released. */
static inline void task_hold(struct doca_task *task, struct task_sink *sink)
{
	task->state = TASK_HELD;
	task->sink = sink;
}

void task_unhold(struct doca_task *task);

/*
 * Allocate a task. Returns BAD_STATE if the context is not running, NO_MEMORY if the
 * pool is empty. @func is the function that the program has called.
 */
DOCA_STABLE doca_error_t doca_priv_task_alloc(struct doca_ctx *ctx,
					      struct task_pool *pool,
					      union doca_data user_data,
					      struct doca_task **task,
					      const char *func);

#endif /* DOCA_CORE_TASK_H */
