/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Batches: tasks of one type that are allocated, submitted and called back
 * together. A library that offers them gives one of its task pools a batch pool,
 * and sets the arguments of a batch's tasks through pointers and arrays of its
 * own.
 *
 * When the context starts, the tasks of such a pool are dealt out to its batches;
 * each gets as many as the largest batch may have. The batch holds them for good:
 * the program never sees the tasks, it only learns of their completions.
 */
#ifndef DOCA_CORE_BATCH_H
#define DOCA_CORE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#include "ctx.h"
#include "task.h"

struct batch_type {
	/* All tasks are complete: call the program, as the last thing. */
	void (*call)(struct doca_task_batch *batch);
};

/* A library sets it up while the context is idle. */
struct batch_pool {
	const struct batch_type *type;
	uint16_t num; /* number of batches; 0: none */
	uint16_t max_tasks; /* maximum of one batch */
	struct doca_task_batch *block;
	struct doca_task_batch *free;
};

struct doca_task_batch {
	struct task_sink sink; /* sink of all its tasks */
	struct doca_ctx *ctx;
	struct task_pool *pool;
	struct doca_task_batch *next_free;
	union doca_data user_data;
	doca_error_t *task_status; /* array, one for each task */
	union doca_data *task_user_data;
	uint32_t first; /* index of the first task in the context */
	uint16_t nr_tasks;
	uint16_t pending; /* number of tasks in flight */
	enum doca_error status; /* status of the first task that failed */
	uint8_t state; /* enum task_state */
	bool doomed; /* freed in flight */
};

static inline struct doca_task *batch_task(const struct doca_task_batch *batch,
					   uint16_t i)
{
	return task_at(batch->ctx, batch->first + i);
}

/* Return the number that an enumerated maximum stands for, 0 for an unknown one. */
static inline uint16_t
batch_max_tasks(enum doca_task_batch_max_tasks_number number)
{
	if ((unsigned int)number > DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128)
		return 0;
	return 16 << number;
}

/* Return the number of tasks in a pool. */
static inline uint32_t pool_tasks(const struct task_pool *pool)
{
	const struct batch_pool *batches = pool->batches;

	return batches ? (uint32_t)batches->num * batches->max_tasks :
			 pool->num;
}

/* Make the batches of a pool whose tasks begin at @first. Returns 0 or -ENOMEM. */
int batches_create(struct doca_ctx *ctx, struct task_pool *pool,
		   uint32_t first);
void batches_destroy(struct task_pool *pool);

/*
 * Allocate a batch. Returns BAD_STATE if the context is not running, INVALID_VALUE
 * if a batch cannot have so many tasks, NO_MEMORY if the pool is empty.
 */
DOCA_STABLE doca_error_t doca_priv_batch_alloc(struct doca_ctx *ctx,
					       struct task_pool *pool,
					       uint16_t nr_tasks,
					       union doca_data user_data,
					       struct doca_task_batch **batch);

#endif /* DOCA_CORE_BATCH_H */
