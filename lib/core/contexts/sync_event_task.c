// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The tasks of sync events. All have one operand and at most one further value;
 * only their types and names differ.
 */
#include <doca_error.h>

#include "core/base/log.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

#define SYNC_MAX_WAIT_VALUE 254 /* limit of tasks by the documents of DOCA */

struct sync_task {
	struct doca_task task;
	uint64_t operand; /* to set, to add, or to compare with */
	union {
		uint64_t mask; /* mask of a wait */
		uint64_t *result; /* not for waits; NULL: not wanted */
	};
};

static inline struct sync_task *to_sync(const struct doca_task *task)
{
	return list_entry(task, struct sync_task, task);
}

static inline enum sync_kind kind_of(const struct doca_task *task)
{
	return task->pool - task->ctx->pools;
}

/* The documents of DOCA allow 0, 1, 2, 4 or 8 adjacent bytes of ones. */
static bool mask_is_allowed(uint64_t mask)
{
	unsigned int low;

	if (!mask)
		return true;
	low = __builtin_ctzll(mask);
	mask >>= low;
	return low % 8 == 0 && (mask == UINT8_MAX || mask == UINT16_MAX ||
				mask == UINT32_MAX || mask == UINT64_MAX);
}

static const char *wait_fault(enum sync_kind kind, const struct sync_task *sync)
{
	if (sync->operand > SYNC_MAX_WAIT_VALUE)
		return "waits for a value of more than 254";
	if (!mask_is_allowed(sync->mask))
		return "has a mask that is not 0, 1, 2, 4 or 8 bytes of ff "
		       "side by side";
	if (!sync_can_end(kind, sync->operand, sync->mask))
		return "waits for what no value is under its mask";
	return NULL;
}

/* The kernel finds out by itself whether a value cannot be reached. */
static const char *sync_fault(const struct doca_task *task)
{
	const struct sync_task *sync = to_sync(task);
	enum sync_kind kind = kind_of(task);

	if (task->type->waits)
		return wait_fault(kind, sync);
	if (kind == SYNC_GET && !sync->result)
		return "has no place for the value";
	return NULL;
}

static doca_error_t sync_validate(const struct doca_task *task)
{
	const struct sync_task *sync = to_sync(task);
	const char *why = sync_fault(task);

	if (!why)
		return DOCA_SUCCESS;
	if (task->type->waits)
		LOG_ERR("%s task %p of sync event %p %s: value %llu, mask "
			"0x%llx",
			task->type->name, (const void *)task, (void *)task->ctx,
			why, (unsigned long long)sync->operand,
			(unsigned long long)sync->mask);
	else
		LOG_ERR("%s task %p of sync event %p %s", task->type->name,
			(const void *)task, (void *)task->ctx, why);
	return DOCA_ERROR_INVALID_VALUE;
}

static bool sync_unkeyed(const struct doca_task *task)
{
	return sync_fault(task);
}

static void sync_prepare(struct doca_task *task, struct doca_sqe *sqe,
			 struct doca_seg *run, uint32_t first)
{
	const struct sync_task *sync = to_sync(task);
	enum sync_kind kind = kind_of(task);
	bool writes = kind == SYNC_SET || kind == SYNC_ADD;
	struct doca_seg *value = writes ? &sqe->dst : &sqe->src;

	(void)run;
	(void)first;
	sqe->opcode = task->opcode;
	*value = to_event(task->ctx)->seg;
	if (doca_unlikely(sync_fault(task)))
		value->key = 0;
	sqe->op[0] = sync->operand;
	sqe->op[1] = task->pool->type->waits ? sync->mask : 0;
}

static void sync_finish(struct doca_task *task, uint32_t length,
			const uint64_t *result)
{
	struct sync_task *sync = to_sync(task);

	(void)length;
	if (task->status == DOCA_SUCCESS && !task->pool->type->waits &&
	    sync->result)
		*sync->result = result[0];
}

static void fill_in(struct sync_task *sync, uint64_t operand, uint64_t *result)
{
	sync->operand = operand;
	sync->result = result;
}

/* The task, and its type of that name. */
#define SYNC_TASK(tsk, type, label, op, may_wait) \
	struct tsk {                              \
		union {                           \
			struct doca_task task;    \
			struct sync_task sync;    \
		};                                \
	};                                        \
                                                  \
	DEFINE_TASK(tsk)                          \
                                                  \
	static const struct task_type type = {       \
		TASK_OBJECT(tsk),                    \
		.name = label,                       \
		.waits = may_wait,                   \
		.validate = sync_validate,           \
		.finish = sync_finish,               \
		.ring = {                            \
			.opcode = op,                \
			.prepare = sync_prepare,     \
			.unkeyed = sync_unkeyed,     \
		},                                   \
	};

/* NAME(event, wait_val, mask, user_data, &task) */
#define DEFINE_ALLOC_WAIT(func, pool, tsk)                                  \
	DEFINE_ALLOC(doca_sync_event, pool, tsk)                            \
	doca_error_t func(struct doca_sync_event *event, uint64_t wait_val, \
			  uint64_t mask, union doca_data user_data,         \
			  struct tsk **task)                                \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
		doca_error_t ret;                                           \
                                                                            \
		ret = tsk##_alloc_(event, user_data, task, &site);          \
		if (ret != DOCA_SUCCESS)                                    \
			return ret;                                         \
		(*task)->sync.operand = wait_val;                           \
		(*task)->sync.mask = mask;                                  \
		return DOCA_SUCCESS;                                        \
	}

SYNC_TASK(doca_sync_event_task_get, get_type, "get", DOCA_OP_SYNC_GET, false)
DEFINE_CAP_SUPPORTED(doca_sync_event_cap_task_get_is_supported, get_type)
DEFINE_SET_CONF(doca_sync_event_task_get_set_conf, doca_sync_event, SYNC_GET,
		doca_sync_event_task_get)
DEFINE_ALLOC(doca_sync_event, SYNC_GET, doca_sync_event_task_get)
DEFINE_AS_TASK(doca_sync_event_task_get_as_doca_task, doca_sync_event_task_get)
DEFINE_TASK_SET(doca_sync_event_task_get_set_ret_val_ptr,
		doca_sync_event_task_get, uint64_t *, sync.result)
DEFINE_TASK_GET(doca_sync_event_task_get_get_ret_val_ptr,
		doca_sync_event_task_get, uint64_t *, sync.result)

SYNC_TASK(doca_sync_event_task_notify_set, notify_set_type, "notify_set",
	  DOCA_OP_SYNC_SET, false)
DEFINE_CAP_SUPPORTED(doca_sync_event_cap_task_notify_set_is_supported,
		     notify_set_type)
DEFINE_SET_CONF(doca_sync_event_task_notify_set_set_conf, doca_sync_event,
		SYNC_SET, doca_sync_event_task_notify_set)
DEFINE_ALLOC(doca_sync_event, SYNC_SET, doca_sync_event_task_notify_set)
DEFINE_AS_TASK(doca_sync_event_task_notify_set_as_doca_task,
	       doca_sync_event_task_notify_set)
DEFINE_TASK_SET(doca_sync_event_task_notify_set_set_set_val,
		doca_sync_event_task_notify_set, uint64_t, sync.operand)
DEFINE_TASK_GET(doca_sync_event_task_notify_set_get_set_val,
		doca_sync_event_task_notify_set, uint64_t, sync.operand)

SYNC_TASK(doca_sync_event_task_notify_add, notify_add_type, "notify_add",
	  DOCA_OP_SYNC_ADD, false)
DEFINE_CAP_SUPPORTED(doca_sync_event_cap_task_notify_add_is_supported,
		     notify_add_type)
DEFINE_SET_CONF(doca_sync_event_task_notify_add_set_conf, doca_sync_event,
		SYNC_ADD, doca_sync_event_task_notify_add)
DEFINE_ALLOC(doca_sync_event, SYNC_ADD, doca_sync_event_task_notify_add)
DEFINE_AS_TASK(doca_sync_event_task_notify_add_as_doca_task,
	       doca_sync_event_task_notify_add)
DEFINE_TASK_SET(doca_sync_event_task_notify_add_set_inc_val,
		doca_sync_event_task_notify_add, uint64_t, sync.operand)
DEFINE_TASK_GET(doca_sync_event_task_notify_add_get_inc_val,
		doca_sync_event_task_notify_add, uint64_t, sync.operand)
DEFINE_TASK_SET(doca_sync_event_task_notify_add_set_fetched_val_ptr,
		doca_sync_event_task_notify_add, uint64_t *, sync.result)
DEFINE_TASK_GET(doca_sync_event_task_notify_add_get_fetched_val_ptr,
		doca_sync_event_task_notify_add, uint64_t *, sync.result)

SYNC_TASK(doca_sync_event_task_wait_gt, wait_gt_type, "wait_gt",
	  DOCA_OP_SYNC_WAIT_GT, true)
DEFINE_CAP_SUPPORTED(doca_sync_event_cap_task_wait_gt_is_supported,
		     wait_gt_type)
DEFINE_SET_CONF(doca_sync_event_task_wait_gt_set_conf, doca_sync_event,
		SYNC_WAIT_GT, doca_sync_event_task_wait_gt)
DEFINE_ALLOC_WAIT(doca_sync_event_task_wait_gt_alloc_init, SYNC_WAIT_GT,
		  doca_sync_event_task_wait_gt)
DEFINE_AS_TASK(doca_sync_event_task_wait_gt_as_doca_task,
	       doca_sync_event_task_wait_gt)
DEFINE_TASK_SET(doca_sync_event_task_wait_gt_set_wait_val,
		doca_sync_event_task_wait_gt, uint64_t, sync.operand)
DEFINE_TASK_GET(doca_sync_event_task_wait_gt_get_wait_val,
		doca_sync_event_task_wait_gt, uint64_t, sync.operand)
DEFINE_TASK_SET(doca_sync_event_task_wait_gt_set_mask,
		doca_sync_event_task_wait_gt, uint64_t, sync.mask)
DEFINE_TASK_GET(doca_sync_event_task_wait_gt_get_mask,
		doca_sync_event_task_wait_gt, uint64_t, sync.mask)

SYNC_TASK(doca_sync_event_task_wait_eq, wait_eq_type, "wait_eq",
	  DOCA_OP_SYNC_WAIT_EQ, true)
DEFINE_CAP_SUPPORTED(doca_sync_event_cap_task_wait_eq_is_supported,
		     wait_eq_type)
DEFINE_SET_CONF(doca_sync_event_task_wait_eq_set_conf, doca_sync_event,
		SYNC_WAIT_EQ, doca_sync_event_task_wait_eq)
DEFINE_ALLOC_WAIT(doca_sync_event_task_wait_eq_alloc_init, SYNC_WAIT_EQ,
		  doca_sync_event_task_wait_eq)
DEFINE_AS_TASK(doca_sync_event_task_wait_eq_as_doca_task,
	       doca_sync_event_task_wait_eq)
DEFINE_TASK_SET(doca_sync_event_task_wait_eq_set_wait_val,
		doca_sync_event_task_wait_eq, uint64_t, sync.operand)
DEFINE_TASK_GET(doca_sync_event_task_wait_eq_get_wait_val,
		doca_sync_event_task_wait_eq, uint64_t, sync.operand)
DEFINE_TASK_SET(doca_sync_event_task_wait_eq_set_mask,
		doca_sync_event_task_wait_eq, uint64_t, sync.mask)
DEFINE_TASK_GET(doca_sync_event_task_wait_eq_get_mask,
		doca_sync_event_task_wait_eq, uint64_t, sync.mask)

SYNC_TASK(doca_sync_event_task_wait_neq, wait_neq_type, "wait_neq",
	  DOCA_OP_SYNC_WAIT_NE, true)
DEFINE_CAP_SUPPORTED(doca_sync_event_cap_task_wait_neq_is_supported,
		     wait_neq_type)
DEFINE_SET_CONF(doca_sync_event_task_wait_neq_set_conf, doca_sync_event,
		SYNC_WAIT_NEQ, doca_sync_event_task_wait_neq)
DEFINE_ALLOC_WAIT(doca_sync_event_task_wait_neq_alloc_init, SYNC_WAIT_NEQ,
		  doca_sync_event_task_wait_neq)
DEFINE_AS_TASK(doca_sync_event_task_wait_neq_as_doca_task,
	       doca_sync_event_task_wait_neq)
DEFINE_TASK_SET(doca_sync_event_task_wait_neq_set_wait_val,
		doca_sync_event_task_wait_neq, uint64_t, sync.operand)
DEFINE_TASK_GET(doca_sync_event_task_wait_neq_get_wait_val,
		doca_sync_event_task_wait_neq, uint64_t, sync.operand)
DEFINE_TASK_SET(doca_sync_event_task_wait_neq_set_mask,
		doca_sync_event_task_wait_neq, uint64_t, sync.mask)
DEFINE_TASK_GET(doca_sync_event_task_wait_neq_get_mask,
		doca_sync_event_task_wait_neq, uint64_t, sync.mask)

const struct task_type *const sync_task_types[SYNC_KINDS] = {
	[SYNC_GET] = &get_type,		[SYNC_SET] = &notify_set_type,
	[SYNC_ADD] = &notify_add_type,	[SYNC_WAIT_GT] = &wait_gt_type,
	[SYNC_WAIT_EQ] = &wait_eq_type, [SYNC_WAIT_NEQ] = &wait_neq_type,
};

doca_error_t doca_sync_event_task_get_alloc_init(
	struct doca_sync_event *event, uint64_t *ret_val_ptr,
	union doca_data user_data, struct doca_sync_event_task_get **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = doca_sync_event_task_get_alloc_(event, user_data, task, &site);
	if (ret == DOCA_SUCCESS)
		fill_in(&(*task)->sync, 0, ret_val_ptr);
	return ret;
}

doca_error_t doca_sync_event_task_notify_set_alloc_init(
	struct doca_sync_event *event, uint64_t set_val,
	union doca_data user_data,
	struct doca_sync_event_task_notify_set **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = doca_sync_event_task_notify_set_alloc_(event, user_data, task,
						     &site);
	if (ret == DOCA_SUCCESS)
		fill_in(&(*task)->sync, set_val, NULL);
	return ret;
}

doca_error_t doca_sync_event_task_notify_add_alloc_init(
	struct doca_sync_event *event, uint64_t inc_val,
	uint64_t *fetched_val_ptr, union doca_data user_data,
	struct doca_sync_event_task_notify_add **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = doca_sync_event_task_notify_add_alloc_(event, user_data, task,
						     &site);
	if (ret == DOCA_SUCCESS)
		fill_in(&(*task)->sync, inc_val, fetched_val_ptr);
	return ret;
}
