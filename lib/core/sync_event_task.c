// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The tasks of sync events. They are all alike, one operand and at most one
 * further value; what the kinds have of their own is their types and names.
 */
#include <doca_error.h>

#include "caps.h"
#include "log.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

struct sync_task {
	struct doca_task task;
	uint64_t operand; /* to set, to add, or to compare with */
	union {
		uint64_t mask; /* of a wait */
		uint64_t *result; /* of the others; NULL: not wanted */
	};
};

static inline struct sync_task *to_sync(const struct doca_task *task)
{
	return list_entry(task, struct sync_task, task);
}

static inline struct doca_sync_event *to_event(const struct doca_task *task)
{
	return list_entry(task->ctx, struct doca_sync_event, ctx);
}

static inline enum sync_kind kind_of(const struct doca_task *task)
{
	return task->pool - to_event(task)->pools;
}

/* A value that cannot be reached is found out by the kernel. */
static doca_error_t sync_validate(const struct doca_task *task)
{
	if (kind_of(task) != SYNC_GET || to_sync(task)->result)
		return DOCA_SUCCESS;
	LOG_ERR("get task %p of sync event %p: no place for the value",
		(const void *)task, (void *)to_event(task));
	return DOCA_ERROR_INVALID_VALUE;
}

static void sync_submit(struct doca_task *task, struct doca_sqe *sqe,
			struct doca_seg *run, uint32_t first)
{
	static const uint16_t opcodes[SYNC_KINDS] = {
		[SYNC_GET] = DOCA_OP_SYNC_GET,
		[SYNC_SET] = DOCA_OP_SYNC_SET,
		[SYNC_ADD] = DOCA_OP_SYNC_ADD,
		[SYNC_WAIT_GT] = DOCA_OP_SYNC_WAIT_GT,
		[SYNC_WAIT_EQ] = DOCA_OP_SYNC_WAIT_EQ,
		[SYNC_WAIT_NEQ] = DOCA_OP_SYNC_WAIT_NE,
	};
	const struct sync_task *sync = to_sync(task);
	enum sync_kind kind = kind_of(task);
	const struct doca_seg *value = &to_event(task)->seg;
	bool writes = kind == SYNC_SET || kind == SYNC_ADD;

	(void)run;
	(void)first;
	sqe->opcode = opcodes[kind];
	*(writes ? &sqe->dst : &sqe->src) = *value;
	sqe->op[0] = sync->operand;
	sqe->op[1] = task->pool->type->waits ? sync->mask : 0;
}

static void sync_finish(struct doca_task *task, uint32_t length,
			uint64_t result)
{
	struct sync_task *sync = to_sync(task);

	(void)length;
	if (task->status == DOCA_SUCCESS && !task->pool->type->waits &&
	    sync->result)
		*sync->result = result;
}

static doca_error_t set_conf(struct doca_sync_event *event, enum sync_kind kind,
			     uint32_t num, union sync_cb done,
			     union sync_cb failed)
{
	struct sync_limits limits;
	doca_error_t ret;

	if (!num)
		return DOCA_ERROR_INVALID_VALUE;
	if (event->started || !doca_priv_ctx_idle(&event->ctx)) {
		LOG_ERR("cannot configure the tasks of sync event %p: it is "
			"started",
			(void *)event);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	ret = sync_limits_get(&limits);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (event->pools[kind].type->waits && limits.tasks > limits.waits)
		limits.tasks = limits.waits;
	if (num > limits.tasks) {
		LOG_ERR("%u tasks are more than a sync event may have of that "
			"kind, %u",
			num, limits.tasks);
		return DOCA_ERROR_INVALID_VALUE;
	}
	event->cbs[kind].done = done;
	event->cbs[kind].failed = failed;
	event->pools[kind].num = num;
	return DOCA_SUCCESS;
}

static doca_error_t alloc(struct doca_sync_event *event, enum sync_kind kind,
			  uint64_t operand, union doca_data user_data,
			  struct sync_task **sync)
{
	struct doca_task *task;
	doca_error_t ret;

	ret = doca_priv_task_alloc(&event->ctx, &event->pools[kind], user_data,
				   &task);
	if (ret != DOCA_SUCCESS)
		return ret;
	*sync = to_sync(task);
	(*sync)->operand = operand;
	return DOCA_SUCCESS;
}

static bool may_set(const struct sync_task *sync)
{
	if (!sync)
		return false;
	if (!task_is_inflight(&sync->task))
		return true;
	LOG_ERR("task %p of sync event %p cannot be changed, it is in flight",
		(const void *)sync, (void *)to_event(&sync->task));
	return false;
}

/* What is there of each kind: its type, and its configuration. */
#define SYNC_TASK(name, kind, may_wait)                                      \
	struct doca_sync_event_task_##name {                                 \
		struct sync_task sync;                                       \
	};                                                                   \
                                                                             \
	static void name##_done(struct doca_task *task)                      \
	{                                                                    \
		struct doca_sync_event *event = to_event(task);              \
                                                                             \
		event->cbs[kind].done.name(                                  \
			(struct doca_sync_event_task_##name *)task,          \
			task->user_data, event->ctx.user_data);              \
	}                                                                    \
                                                                             \
	static void name##_failed(struct doca_task *task)                    \
	{                                                                    \
		struct doca_sync_event *event = to_event(task);              \
                                                                             \
		event->cbs[kind].failed.name(                                \
			(struct doca_sync_event_task_##name *)task,          \
			task->user_data, event->ctx.user_data);              \
	}                                                                    \
                                                                             \
	static const struct task_type name##_type = {                        \
		.size = sizeof(struct doca_sync_event_task_##name),          \
		.waits = may_wait,                                           \
		.validate = sync_validate,                                   \
		.submit = sync_submit,                                       \
		.finish = sync_finish,                                       \
		.done = name##_done,                                         \
		.failed = name##_failed,                                     \
	};                                                                   \
                                                                             \
	doca_error_t doca_sync_event_task_##name##_set_conf(                 \
		struct doca_sync_event *event,                               \
		doca_sync_event_task_##name##_completion_cb_t completion_cb, \
		doca_sync_event_task_##name##_completion_cb_t error_cb,      \
		uint32_t num_tasks)                                          \
	{                                                                    \
		if (!sync_valid(event) || !completion_cb || !error_cb)       \
			return DOCA_ERROR_INVALID_VALUE;                     \
		return set_conf(event, kind, num_tasks,                      \
				(union sync_cb){ .name = completion_cb },    \
				(union sync_cb){ .name = error_cb });        \
	}                                                                    \
                                                                             \
	struct doca_task *doca_sync_event_task_##name##_as_doca_task(        \
		struct doca_sync_event_task_##name *task)                    \
	{                                                                    \
		return task ? &task->sync.task : NULL;                       \
	}

#define SYNC_ACCESSORS(kind, name, type, field, none)                \
	void doca_sync_event_task_##kind##_set_##name(               \
		struct doca_sync_event_task_##kind *task, type name) \
	{                                                            \
		if (may_set(task ? &task->sync : NULL))              \
			task->sync.field = name;                     \
	}                                                            \
                                                                     \
	type doca_sync_event_task_##kind##_get_##name(               \
		const struct doca_sync_event_task_##kind *task)      \
	{                                                            \
		return task ? task->sync.field : none;               \
	}

#define SYNC_WAIT_TASK(name, kind)                                    \
	SYNC_TASK(name, kind, true)                                   \
	SYNC_ACCESSORS(name, wait_val, uint64_t, operand, 0)          \
	SYNC_ACCESSORS(name, mask, uint64_t, mask, 0)                 \
                                                                      \
	doca_error_t doca_sync_event_task_##name##_alloc_init(        \
		struct doca_sync_event *event, uint64_t wait_val,     \
		uint64_t mask, union doca_data user_data,             \
		struct doca_sync_event_task_##name **task)            \
	{                                                             \
		struct sync_task *sync;                               \
		doca_error_t ret;                                     \
                                                                      \
		if (!sync_valid(event) || !task)                      \
			return DOCA_ERROR_INVALID_VALUE;              \
		ret = alloc(event, kind, wait_val, user_data, &sync); \
		if (ret != DOCA_SUCCESS)                              \
			return ret;                                   \
		sync->mask = mask;                                    \
		*task = (struct doca_sync_event_task_##name *)sync;   \
		return DOCA_SUCCESS;                                  \
	}

SYNC_TASK(get, SYNC_GET, false)
SYNC_ACCESSORS(get, ret_val_ptr, uint64_t *, result, NULL)

SYNC_TASK(notify_set, SYNC_SET, false)
SYNC_ACCESSORS(notify_set, set_val, uint64_t, operand, 0)

SYNC_TASK(notify_add, SYNC_ADD, false)
SYNC_ACCESSORS(notify_add, inc_val, uint64_t, operand, 0)
SYNC_ACCESSORS(notify_add, fetched_val_ptr, uint64_t *, result, NULL)

SYNC_WAIT_TASK(wait_gt, SYNC_WAIT_GT)
SYNC_WAIT_TASK(wait_eq, SYNC_WAIT_EQ)
SYNC_WAIT_TASK(wait_neq, SYNC_WAIT_NEQ)

const struct task_type *const sync_task_types[SYNC_KINDS] = {
	[SYNC_GET] = &get_type,		[SYNC_SET] = &notify_set_type,
	[SYNC_ADD] = &notify_add_type,	[SYNC_WAIT_GT] = &wait_gt_type,
	[SYNC_WAIT_EQ] = &wait_eq_type, [SYNC_WAIT_NEQ] = &wait_neq_type,
};

doca_error_t doca_sync_event_task_get_alloc_init(
	struct doca_sync_event *event, uint64_t *ret_val_ptr,
	union doca_data user_data, struct doca_sync_event_task_get **task)
{
	struct sync_task *sync;
	doca_error_t ret;

	if (!sync_valid(event) || !task)
		return DOCA_ERROR_INVALID_VALUE;
	ret = alloc(event, SYNC_GET, 0, user_data, &sync);
	if (ret != DOCA_SUCCESS)
		return ret;
	sync->result = ret_val_ptr;
	*task = (struct doca_sync_event_task_get *)sync;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_task_notify_set_alloc_init(
	struct doca_sync_event *event, uint64_t set_val,
	union doca_data user_data,
	struct doca_sync_event_task_notify_set **task)
{
	struct sync_task *sync;
	doca_error_t ret;

	if (!sync_valid(event) || !task)
		return DOCA_ERROR_INVALID_VALUE;
	ret = alloc(event, SYNC_SET, set_val, user_data, &sync);
	if (ret != DOCA_SUCCESS)
		return ret;
	sync->result = NULL;
	*task = (struct doca_sync_event_task_notify_set *)sync;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_task_notify_add_alloc_init(
	struct doca_sync_event *event, uint64_t inc_val,
	uint64_t *fetched_val_ptr, union doca_data user_data,
	struct doca_sync_event_task_notify_add **task)
{
	struct sync_task *sync;
	doca_error_t ret;

	if (!sync_valid(event) || !task)
		return DOCA_ERROR_INVALID_VALUE;
	ret = alloc(event, SYNC_ADD, inc_val, user_data, &sync);
	if (ret != DOCA_SUCCESS)
		return ret;
	sync->result = fetched_val_ptr;
	*task = (struct doca_sync_event_task_notify_add *)sync;
	return DOCA_SUCCESS;
}
