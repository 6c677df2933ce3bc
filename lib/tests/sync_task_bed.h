/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A sync event that is a context, with all kinds of its tasks. */
#ifndef SYNC_TASK_BED_H
#define SYNC_TASK_BED_H

#include "sync_bed.h"

#define KINDS 6
#define TASKS 4

/* The kinds of tasks, with the same functions each. */
struct kind {
	const char *name;
	doca_error_t (*set_conf)(struct doca_sync_event *event, void *done, void *failed,
				 uint32_t num);
	doca_error_t (*alloc)(struct doca_sync_event *event, uint64_t operand, uint64_t mask,
			      uint64_t *result, struct doca_task **task);
};

static struct {
	struct doca_sync_event *event;
	unsigned int done[KINDS], failed[KINDS];
	bool resubmit;
} events;

static inline void on_end(unsigned int kind, bool ok, struct doca_task *task, union doca_data data)
{
	(ok ? events.done : events.failed)[kind]++;
	bed.status = doca_task_get_status(task);
	bed.user_data = data.u64;
	if (ok && events.resubmit) {
		events.resubmit = false;
		OK(doca_task_submit(task));
		return;
	}
	doca_task_free(task);
}

#define KIND_COMMON(id, nr)                                                                    \
	static void id##_done(struct doca_sync_event_task_##id *task, union doca_data data,    \
			      union doca_data ctx_data)                                        \
	{                                                                                      \
		EXPECT_EQ(ctx_data.u64, 99);                                                   \
		on_end(nr, true, doca_sync_event_task_##id##_as_doca_task(task), data);        \
	}                                                                                      \
	static void id##_failed(struct doca_sync_event_task_##id *task, union doca_data data,  \
				union doca_data ctx_data)                                      \
	{                                                                                      \
		EXPECT_EQ(ctx_data.u64, 99);                                                   \
		on_end(nr, false, doca_sync_event_task_##id##_as_doca_task(task), data);       \
	}                                                                                      \
	static doca_error_t id##_conf(struct doca_sync_event *event, void *done, void *failed, \
				      uint32_t num)                                            \
	{                                                                                      \
		return doca_sync_event_task_##id##_set_conf(event, done ? id##_done : NULL,    \
							    failed ? id##_failed : NULL, num); \
	}

#define KIND(id, nr, ...)                                                                        \
	KIND_COMMON(id, nr)                                                                      \
	static doca_error_t id##_alloc(struct doca_sync_event *event, uint64_t operand,          \
				       uint64_t mask, uint64_t *result, struct doca_task **task) \
	{                                                                                        \
		struct doca_sync_event_task_##id *new = NULL;                                    \
		union doca_data data = { .u64 = 100 + nr };                                      \
		doca_error_t ret;                                                                \
                                                                                                 \
		(void)operand, (void)mask, (void)result;                                         \
		ret = doca_sync_event_task_##id##_alloc_init(event, __VA_ARGS__, data,           \
							     task ? &new : NULL);                \
		if (task)                                                                        \
			*task = doca_sync_event_task_##id##_as_doca_task(new);                   \
		return ret;                                                                      \
	}

KIND(get, 0, result)
KIND(notify_set, 1, operand)
KIND(notify_add, 2, operand, result)
KIND(wait_gt, 3, operand, mask)
KIND(wait_eq, 4, operand, mask)
KIND(wait_neq, 5, operand, mask)

#define ROW(id)                            \
	{                                  \
#id, id##_conf, id##_alloc \
	}
static const struct kind kinds[KINDS] = {
	ROW(get), ROW(notify_set), ROW(notify_add), ROW(wait_gt), ROW(wait_eq), ROW(wait_neq),
};

enum { GET, SET, ADD, GT, EQ, NEQ };

/* The value of an event that is a context, whose synchronous functions fail. */
static uint64_t word;

static inline void store(uint64_t value)
{
	__atomic_store_n(&word, value, __ATOMIC_RELEASE);
}

static inline uint64_t bed_value(void)
{
	return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

/* After set_up(): the event's context replaces the DMA context. */
static inline void connect_event(struct doca_sync_event *event)
{
	struct doca_ctx *ctx = doca_sync_event_as_ctx(event);

	memset(&events, 0, sizeof(events));
	events.event = event;
	for (int i = 0; i < KINDS; i++)
		OK(kinds[i].set_conf(event, &bed, &bed, TASKS));
	OK(doca_ctx_set_user_data(ctx, (union doca_data){ .u64 = 99 }));
	use_ctx(ctx);
}

static inline void event_set_up(bool workers)
{
	struct doca_sync_event *event;

	set_up(workers, 1);
	event = new_event();
	store(0);
	OK(doca_sync_event_set_addr(event, &word));
	connect_event(event);
	OK(doca_ctx_start(bed.ctx));
	logged();
}

static inline void event_tear_down(void)
{
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_sync_event_destroy(events.event));
	tear_down();
	EXPECT_EQ(fake_dev.refs, 1);
}

static inline struct doca_task *event_task(int kind, uint64_t operand, uint64_t mask,
					   uint64_t *result)
{
	struct doca_task *task = NULL;

	OK(kinds[kind].alloc(events.event, operand, mask, result, &task));
	return task;
}

static inline void event_submit(int kind, uint64_t operand, uint64_t mask, uint64_t *result)
{
	OK(doca_task_submit(event_task(kind, operand, mask, result)));
}

/* Work and progress until nothing happens. */
static inline void settle(void)
{
	do
		fake_work(UINT32_MAX);
	while (doca_pe_progress(bed.pe));
}

#endif
