// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Sync events as contexts: effects of their tasks, refusals, accessors; capabilities, and
 * functions that nobody supports.
 */
#include "sync_task_bed.h"

WORKERS_TEST(tasks)
{
	uint64_t value = 7, old = 7;

	event_set_up(workers);
	event_submit(SET, 40, 0, NULL);
	settle();
	EXPECT_EQ(events.done[SET], 1);
	EXPECT_EQ(bed.user_data, 101);
	EXPECT_EQ(bed_value(), 40);
	event_submit(ADD, 2, 0, &old);
	settle();
	EXPECT_EQ(events.done[ADD], 1);
	EXPECT_EQ(old, 40);
	event_submit(GET, 0, 0, &value);
	settle();
	EXPECT_EQ(events.done[GET], 1);
	EXPECT_EQ(value, 42);
	/* Without a place for the old value. */
	event_submit(ADD, 1, 0, NULL);
	settle();
	EXPECT_EQ(events.done[ADD], 2);
	EXPECT_EQ(bed_value(), 43);
	event_tear_down();
}

/* A wait lets others pass, and ends when its value comes. */
WORKERS_TEST(waits)
{
	uint64_t value;

	event_set_up(workers);
	event_submit(GT, 4, 0xff, NULL);
	event_submit(EQ, 9, UINT64_MAX, NULL);
	event_submit(NEQ, 0, 0xff, NULL);
	settle();
	event_submit(GET, 0, 0, &value);
	settle();
	EXPECT_EQ(events.done[GET], 1);
	EXPECT_EQ(events.done[GT] + events.done[EQ] + events.done[NEQ], 0);
	store(0x100);
	settle();
	EXPECT_EQ(events.done[GT] + events.done[EQ] + events.done[NEQ], 0);
	store(3);
	settle();
	EXPECT_EQ(events.done[NEQ], 1);
	EXPECT_EQ(events.done[GT] + events.done[EQ], 0);
	event_submit(SET, 9, 0, NULL);
	settle();
	EXPECT_EQ(events.done[GT], 1);
	EXPECT_EQ(events.done[EQ], 1);
	EXPECT_EQ(events.failed[GT] + events.failed[EQ] + events.failed[NEQ], 0);
	/* Over at once, and again from its callback. */
	events.resubmit = true;
	event_submit(EQ, 9, UINT64_MAX, NULL);
	settle();
	EXPECT_EQ(events.done[EQ], 3);
	event_tear_down();
}

WORKERS_TEST(stop_with_waits_in_flight)
{
	size_t n = 0;
	int i;

	event_set_up(workers);
	for (i = GT; i <= EQ; i++)
		event_submit(i, 1, UINT64_MAX, NULL);
	settle();
	OK(doca_ctx_get_num_inflight_tasks(bed.ctx, &n));
	EXPECT_EQ(n, 2);
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	settle();
	EXPECT_EQ(events.failed[GT] + events.failed[EQ], 2);
	EXPECT_EQ(bed.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	/* It can be started again. */
	OK(doca_ctx_start(bed.ctx));
	event_submit(SET, 2, 0, NULL);
	event_submit(GT, 1, UINT64_MAX, NULL);
	settle();
	EXPECT_EQ(events.done[GT], 1);
	event_tear_down();
}

WORKERS_TEST(removal_with_a_wait_in_flight)
{
	event_set_up(workers);
	event_submit(GT, 1, UINT64_MAX, NULL);
	settle();
	fake_remove_device();
	settle();
	EXPECT_EQ(events.failed[GT], 1);
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	event_tear_down();
}

TEST(tasks_of_an_import)
{
	struct doca_sync_event *event;
	uint64_t value = 0;
	const uint8_t *desc;
	size_t size;

	set_up(true, 1);
	event = new_exported(&desc, &size);
	connect_event(import(desc, size));
	OK(doca_ctx_start(bed.ctx));
	event_submit(SET, 5, 0, NULL);
	settle();
	EXPECT_EQ(value_of(event), 5);
	event_submit(GT, 5, UINT64_MAX, NULL);
	settle();
	OK(doca_sync_event_update_add(event, 1, &value));
	settle();
	EXPECT_EQ(events.done[GT], 1);

	event_submit(GT, 6, UINT64_MAX, NULL);
	settle();
	OK(doca_sync_event_stop(event));
	logged();
	settle();
	EXPECT_LOGGED("was revoked");
	EXPECT_EQ(events.failed[GT], 1);
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	OK(doca_sync_event_destroy(event));
	event_tear_down();
}

/*
 * Exports of a context work like those of an event alone, but use the registration of its
 * waits, so that importers wake them.
 */
TEST(export_of_a_context)
{
	struct doca_sync_event *event, *imported;
	const uint8_t *desc;
	uint64_t value;
	uint32_t mem;
	size_t size;

	set_up(true, 1);
	event = new_event();
	OK(doca_sync_event_add_publisher_location_remote_pci(event));
	connect_event(event);
	logged();
	ERR(doca_sync_event_export_to_remote_pci(event, &fake_dev, &desc, &size), BAD_STATE);
	OK(doca_ctx_start(bed.ctx));
	mem = next_mem;
	OK(doca_sync_event_export_to_remote_pci(event, &fake_dev, &desc, &size));
	EXPECT_EQ(next_mem, mem);
	imported = import(desc, size);
	OK(doca_sync_event_start(imported));
	event_submit(GT, 0, UINT64_MAX, NULL);
	settle();
	OK(doca_sync_event_update_set(imported, 1));
	settle();
	EXPECT_EQ(events.done[GT], 1);
	OK(doca_ctx_stop(bed.ctx));
	ERR(doca_sync_event_get(imported, &value), IO_FAILED);
	stop_and_destroy(imported);
	event_tear_down();
}

/* Without a worker, each progress calls the driver to poll the wait. */
TEST(progress_looks)
{
	unsigned int enters;

	event_set_up(false);
	event_submit(GT, 0, UINT64_MAX, NULL);
	enters = fake.enters;
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(fake.enters, enters + 1);
	OK(doca_pe_request_notification(bed.pe));
	store(1);
	settle();
	EXPECT_EQ(events.done[GT], 1);
	enters = fake.enters;
	doca_pe_progress(bed.pe);
	EXPECT_EQ(fake.enters, enters);
	event_tear_down();
}

TEST(conf)
{
	const struct doca_query old = { 0 };
	struct doca_sync_event *event;
	int i;

	set_up(true, 1);
	event = new_event();
	for (i = 0; i < KINDS; i++) {
		uint32_t max = i < GT ? 1024 : FAKE_MAX_WAITS;

		ERR(kinds[i].set_conf(event, &bed, &bed, 0), INVALID_VALUE);
		fake.get_error = -ENOENT;
		ERR(kinds[i].set_conf(event, &bed, &bed, 1), DRIVER);
		fake.get_error = 0;
		fake.caps = &old;
		FAILS(kinds[i].set_conf(event, &bed, &bed, 1), NOT_SUPPORTED, "the kernel has no ");
		fake.caps = NULL;
		FAILS(kinds[i].set_conf(event, &bed, &bed, max + 1), INVALID_VALUE,
		      "more than one sync event may have");
		OK(kinds[i].set_conf(event, &bed, &bed, max));
	}
	/* Each is allowed, but all together are too many. */
	EXPECT(doca_sync_event_as_ctx(event));
	OK(doca_pe_connect_ctx(bed.pe, doca_sync_event_as_ctx(event)));
	FAILS(doca_ctx_start(doca_sync_event_as_ctx(event)), INVALID_VALUE,
	      "more than it may have, 1024 and 16");
	OK(doca_sync_event_destroy(event));
	tear_down();

	event_set_up(true);
	for (i = 0; i < KINDS; i++) {
		FAILS(kinds[i].set_conf(events.event, &bed, &bed, 1), NOT_PERMITTED,
		      "it is started");
	}
	event_tear_down();
}

TEST(alloc)
{
	struct doca_task *tasks[TASKS], *more;
	uint64_t value;
	int i, k;

	set_up(true, 1);
	connect_event(new_event());
	for (i = 0; i < KINDS; i++)
		ERR(kinds[i].alloc(events.event, 0, 0, &value, &more), BAD_STATE);
	OK(doca_ctx_start(bed.ctx));
	for (i = 0; i < KINDS; i++) {
		for (k = 0; k < TASKS; k++)
			tasks[k] = event_task(i, 0, 0, &value);
		ERR(kinds[i].alloc(events.event, 0, 0, &value, &more), NO_MEMORY);
		EXPECT(doca_task_get_ctx(tasks[0]) == bed.ctx);
		for (k = 0; k < TASKS; k++)
			doca_task_free(tasks[k]);
	}
	event_tear_down();
}

TEST(starts_that_fail)
{
	struct doca_sync_event *event;

	set_up(true, 1);
	OK(doca_sync_event_create(&event));
	connect_event(event);
	FAILS(doca_ctx_start(bed.ctx), INVALID_VALUE, "it has no publisher");
	OK(doca_sync_event_add_publisher_location_remote_pci(event));
	OK(doca_sync_event_add_subscriber_location_remote_pci(event));
	FAILS(doca_ctx_start(bed.ctx), INVALID_VALUE, "it has no device");
	OK(doca_sync_event_add_subscriber_location_cpu(event, &fake_dev));
	fake.mem_error = -ENOMEM;
	ERR(doca_ctx_start(bed.ctx), INITIALIZATION);
	EXPECT_EQ(fake.queues, 0);
	fake.mem_error = 0;
	OK(doca_ctx_start(bed.ctx));
	logged();
	ERR(doca_sync_event_destroy(event), IN_USE);
	ERR(doca_sync_event_start(event), BAD_STATE);
	ERR(doca_sync_event_stop(event), BAD_STATE);
	event_tear_down();

	/* Started alone or as a context, not both. */
	set_up(true, 1);
	event = new_event();
	OK(doca_sync_event_start(event));
	logged();
	EXPECT(!doca_sync_event_as_ctx(event));
	EXPECT_LOGGED("started alone");
	OK(doca_sync_event_stop(event));
	EXPECT(doca_sync_event_as_ctx(event));
	FAILS(doca_sync_event_start(event), BAD_STATE, "it is a context");

	OK(doca_pe_connect_ctx(bed.pe, doca_sync_event_as_ctx(event)));
	FAILS(doca_ctx_start(doca_sync_event_as_ctx(event)), INVALID_VALUE, "no tasks are enabled");
	OK(doca_sync_event_destroy(event));
	tear_down();
}

TEST(accessors)
{
	struct doca_sync_event_task_get *get;
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event_task_notify_add *add;
	struct doca_sync_event_task_wait_gt *gt;
	uint64_t a = 0, b = 0;

	event_set_up(true);
	get = (void *)event_task(GET, 0, 0, &a);
	EXPECT(doca_sync_event_task_get_get_ret_val_ptr(get) == &a);
	doca_sync_event_task_get_set_ret_val_ptr(get, &b);
	EXPECT(doca_sync_event_task_get_get_ret_val_ptr(get) == &b);
	set = (void *)event_task(SET, 3, 0, NULL);
	EXPECT_EQ(doca_sync_event_task_notify_set_get_set_val(set), 3);
	doca_sync_event_task_notify_set_set_set_val(set, 30);
	EXPECT_EQ(doca_sync_event_task_notify_set_get_set_val(set), 30);
	add = (void *)event_task(ADD, 4, 0, &a);
	EXPECT_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 4);
	EXPECT(doca_sync_event_task_notify_add_get_fetched_val_ptr(add) == &a);
	doca_sync_event_task_notify_add_set_inc_val(add, 5);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &b);
	EXPECT_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 5);
	EXPECT(doca_sync_event_task_notify_add_get_fetched_val_ptr(add) == &b);
	gt = (void *)event_task(GT, 6, 0xff, NULL);

	/* A task in flight does not change. */
	OK(doca_task_submit((struct doca_task *)gt));
	logged();
	doca_sync_event_task_wait_gt_set_wait_val(gt, 0);
	EXPECT_LOGGED("it is in flight");
	doca_sync_event_task_wait_gt_set_mask(gt, 0);
	EXPECT_EQ(doca_sync_event_task_wait_gt_get_wait_val(gt), 6);
	EXPECT_EQ(doca_sync_event_task_wait_gt_get_mask(gt), 0xff);

	/* Changed values are used. */
	OK(doca_task_submit((struct doca_task *)set));
	OK(doca_task_submit((struct doca_task *)add));
	settle();
	EXPECT_EQ(a, 0);
	EXPECT_EQ(b, 30);
	EXPECT_EQ(bed_value(), 35);
	doca_task_free((struct doca_task *)get);
	store(7);
	settle();
	EXPECT_EQ(events.done[GT], 1);
	event_tear_down();
}

#define WAIT_ACCESSORS(id)                                                                   \
	do {                                                                                 \
		struct doca_sync_event_task_##id *task = NULL;                               \
		union doca_data data = { 0 };                                                \
                                                                                             \
		OK(doca_sync_event_task_##id##_alloc_init(events.event, 1, 2, data, &task)); \
		EXPECT_EQ(doca_sync_event_task_##id##_get_wait_val(task), 1);                \
		EXPECT_EQ(doca_sync_event_task_##id##_get_mask(task), 2);                    \
		doca_sync_event_task_##id##_set_wait_val(task, 3);                           \
		doca_sync_event_task_##id##_set_mask(task, 4);                               \
		EXPECT_EQ(doca_sync_event_task_##id##_get_wait_val(task), 3);                \
		EXPECT_EQ(doca_sync_event_task_##id##_get_mask(task), 4);                    \
		doca_task_free(doca_sync_event_task_##id##_as_doca_task(task));              \
	} while (0)

TEST(accessors_of_waits)
{
	event_set_up(true);
	WAIT_ACCESSORS(wait_gt);
	WAIT_ACCESSORS(wait_eq);
	WAIT_ACCESSORS(wait_neq);
	event_tear_down();
}

TEST(try_submit)
{
	struct doca_task *task;
	uint64_t value = 1;

	event_set_up(true);
	task = event_task(GET, 0, 0, NULL);
	FAILS(doca_task_try_submit(task), INVALID_VALUE, "no place for the value");
	OK(doca_task_submit(task));
	settle();
	EXPECT_EQ(events.failed[GET], 1);
	EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	OK(doca_ctx_start(bed.ctx));
	task = event_task(GET, 0, 0, NULL);
	doca_sync_event_task_get_set_ret_val_ptr((void *)task, &value);
	OK(doca_task_try_submit(task));
	settle();
	EXPECT_EQ(events.done[GET], 1);
	EXPECT_EQ(value, 0);
	event_tear_down();
}

static const struct {
	int kind;
	uint64_t with, mask;
	const char *why; /* NULL: allowed */
} conditions[] = {
	{ GT, 254, 0xffff, NULL },
	{ GT, 255, 0xffff, "more than 254" },
	{ EQ, 254, 0xff, NULL },
	{ EQ, 255, UINT64_MAX, "more than 254" },
	{ NEQ, UINT64_MAX, UINT64_MAX, "more than 254" },
	{ NEQ, 0, UINT32_MAX, NULL },
	{ NEQ, 1, 0xff00, NULL },
	{ NEQ, 1, 0xffff0000, NULL },
	{ NEQ, 1, 0xffULL << 56, NULL },
	{ GT, 0, 0xf, "side by side" },
	{ GT, 0, 0xff00ff, "side by side" },
	{ GT, 0, 0xffffff, "side by side" },
	{ EQ, 0, 0xff0, "side by side" },
	{ EQ, 1, 1, "side by side" },
	{ NEQ, 1, UINT64_MAX - 1, "side by side" },
	{ EQ, 0, 0, NULL },
	{ EQ, 1, 0, "no value" },
	{ EQ, 1, 0xff00, "no value" },
	{ GT, 0, 0, "no value" },
	{ GT, 254, 0xff, NULL },
	{ NEQ, 0, 0, "no value" },
	{ NEQ, 1, 0, NULL },
};

/* A refused condition fails when it is submitted, instead of waiting for ever. */
TEST(waits_are_for_what_there_can_be)
{
	struct doca_task *task;
	size_t i;

	for (i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		event_set_up(i % 2);
		task = event_task(conditions[i].kind, conditions[i].with, conditions[i].mask, NULL);
		if (!conditions[i].why) {
			OK(doca_task_try_submit(task));
			doca_ctx_stop(bed.ctx);
			settle();
			EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
			event_tear_down();
			continue;
		}
		FAILS(doca_task_try_submit(task), INVALID_VALUE, conditions[i].why);
		OK(doca_task_submit(task));
		settle();
		EXPECT(strstr(logged(), conditions[i].why));
		EXPECT_EQ(events.failed[conditions[i].kind], 1);
		EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
		EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
		event_tear_down();
	}
}

/* The context does not know the calling threads. */
TEST(a_context_answers_no_calls)
{
	uint64_t value = 77;
	int i;

	event_set_up(true);
	for (i = 0; i < 2; i++) {
		FAILS(doca_sync_event_get(events.event, &value), BAD_STATE,
		      "is a context: use its tasks");
		EXPECT_EQ(value, 77);
		ERR(doca_sync_event_update_set(events.event, 1), BAD_STATE);
		ERR(doca_sync_event_update_add(events.event, 1, &value), BAD_STATE);
		ERR(doca_sync_event_wait_eq(events.event, 0, 0), BAD_STATE);
		EXPECT_EQ(bed_value(), 0);
		OK(doca_ctx_stop(bed.ctx));
	}
	event_tear_down();
}

#define CAP(name) doca_sync_event_cap_##name##_supported

TEST(capabilities)
{
	static doca_error_t (*const yes[])(const struct doca_devinfo *) = {
		CAP(is_create_from_export), CAP(is_export_to_remote_pci), CAP(is_export_to_dpu),
		CAP(task_get_is),	    CAP(task_notify_set_is),	  CAP(task_notify_add_is),
		CAP(task_wait_gt_is),	    CAP(task_wait_eq_is),	  CAP(task_wait_neq_is),
	};
	static doca_error_t (*const no[])(const struct doca_devinfo *) = {
		CAP(is_export_to_dpa),
		CAP(is_export_to_gpu),
		CAP(is_export_to_remote_net),
		CAP(remote_net_is_create_from_export),
		CAP(remote_net_is_export_to_dpa),
		CAP(remote_net_is_export_to_gpu),
	};
	struct doca_query old = caps;

	fake_reset(true);
	old.out_opcodes = 1 << DOCA_OP_MEMCPY;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		OK(yes[i](&fake_dev.info));
		fake.caps = &old;
		ERR(yes[i](&fake_dev.info), NOT_SUPPORTED);
		fake.get_error = -ENOENT;
		FAILS(yes[i](&fake_dev.info), DRIVER, "the module is not loaded");
		fake_reset(true);
	}
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		logged();
		ERR(no[i](&fake_dev.info), NOT_SUPPORTED);
	}
	EXPECT_SILENT();
}

/* Not supported, and a line in the log says why. */
#define UNSUPPORTED(f, ...)                                           \
	do {                                                          \
		logged();                                             \
		ERR(doca_sync_event_##f(__VA_ARGS__), NOT_SUPPORTED); \
		EXPECT_LOGGED("cannot be at a");                      \
	} while (0)

TEST(there_is_no_dpa_or_gpu)
{
	struct doca_sync_event *event = new_event();
	void *const x = &fake_dev;

	fake_reset(true);
	UNSUPPORTED(add_publisher_location_dpa, event, x);
	UNSUPPORTED(add_publisher_location_gpu, event, x);
	UNSUPPORTED(add_subscriber_location_dpa, event, x);
	UNSUPPORTED(add_subscriber_location_gpu, event, x);
	UNSUPPORTED(get_dpa_handle, event, x, x);
	UNSUPPORTED(export_to_dpa, event, x, x);
	UNSUPPORTED(get_gpu_handle, event, x, x);
	UNSUPPORTED(export_to_gpu, event, x, x);
	OK(doca_sync_event_destroy(event));
}
