// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events as contexts: what they and their tasks refuse, and what accessors say. */
#include "sync_task_bed.h"

TEST(conf)
{
	const struct doca_query old = { 0 };
	struct doca_sync_event *event;
	int i;

	fake_reset(true);
	event = new_event();
	for (i = 0; i < KINDS; i++) {
		uint32_t max = i < GT ? 1024 : FAKE_MAX_WAITS;

		ERR(kinds[i].set_conf(NULL, &bed, &bed, 1), INVALID_VALUE);
		ERR(kinds[i].set_conf(event, NULL, &bed, 1), INVALID_VALUE);
		ERR(kinds[i].set_conf(event, &bed, NULL, 1), INVALID_VALUE);
		ERR(kinds[i].set_conf(event, &bed, &bed, 0), INVALID_VALUE);
		fake.get_error = -ENOENT;
		ERR(kinds[i].set_conf(event, &bed, &bed, 1), DRIVER);
		fake.get_error = 0;
		fake.caps = &old;
		logged();
		ERR(kinds[i].set_conf(event, &bed, &bed, 1), NOT_SUPPORTED);
		EXPECT_LOGGED("the kernel has no ");
		fake.caps = NULL;
		ERR(kinds[i].set_conf(event, &bed, &bed, max + 1),
		    INVALID_VALUE);
		EXPECT_LOGGED("more than one sync event may have");
		OK(kinds[i].set_conf(event, &bed, &bed, max));
	}
	/* Each is right, but all together are too many */
	EXPECT(doca_sync_event_as_ctx(event));
	OK(doca_pe_create(&bed.pe));
	OK(doca_pe_connect_ctx(bed.pe, doca_sync_event_as_ctx(event)));
	logged();
	ERR(doca_ctx_start(doca_sync_event_as_ctx(event)), INVALID_VALUE);
	EXPECT_LOGGED("more than it may have, 1024 and 16");
	OK(doca_sync_event_destroy(event));
	OK(doca_pe_destroy(bed.pe));

	set_up(true);
	for (i = 0; i < KINDS; i++) {
		ERR(kinds[i].set_conf(bed.event, &bed, &bed, 1), NOT_PERMITTED);
		EXPECT_LOGGED("it is started");
	}
	tear_down();
}

TEST(alloc)
{
	struct doca_task *tasks[TASKS], *more;
	uint64_t value;
	int i, k;

	fake_reset(true);
	connect_event(new_event());
	for (i = 0; i < KINDS; i++)
		ERR(kinds[i].alloc(bed.event, 0, 0, &value, &more), BAD_STATE);
	OK(doca_ctx_start(bed.ctx));
	for (i = 0; i < KINDS; i++) {
		ERR(kinds[i].alloc(NULL, 0, 0, &value, &more), INVALID_VALUE);
		ERR(kinds[i].alloc(bed.event, 0, 0, &value, NULL),
		    INVALID_VALUE);
		for (k = 0; k < TASKS; k++)
			tasks[k] = new_task(i, 0, 0, &value);
		ERR(kinds[i].alloc(bed.event, 0, 0, &value, &more), NO_MEMORY);
		EXPECT(doca_task_get_ctx(tasks[0]) == bed.ctx);
		for (k = 0; k < TASKS; k++)
			doca_task_free(tasks[k]);
	}
	tear_down();
}

TEST(starts_that_fail)
{
	struct doca_sync_event *event;

	fake_reset(true);
	EXPECT(!doca_sync_event_as_ctx(NULL));
	OK(doca_sync_event_create(&event));
	connect_event(event);
	logged();
	ERR(doca_ctx_start(bed.ctx), INVALID_VALUE);
	EXPECT_LOGGED("it has no publisher");
	OK(doca_sync_event_add_publisher_location_remote_pci(event));
	OK(doca_sync_event_add_subscriber_location_remote_pci(event));
	ERR(doca_ctx_start(bed.ctx), INVALID_VALUE);
	EXPECT_LOGGED("it has no device");
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
	tear_down();

	/* Alone or as a context, not both */
	event = new_event();
	OK(doca_sync_event_start(event));
	logged();
	EXPECT(!doca_sync_event_as_ctx(event));
	EXPECT_LOGGED("started alone");
	OK(doca_sync_event_stop(event));
	EXPECT(doca_sync_event_as_ctx(event));
	logged();
	ERR(doca_sync_event_start(event), BAD_STATE);
	EXPECT_LOGGED("it is a context");

	OK(doca_pe_create(&bed.pe));
	OK(doca_pe_connect_ctx(bed.pe, doca_sync_event_as_ctx(event)));
	ERR(doca_ctx_start(doca_sync_event_as_ctx(event)), INVALID_VALUE);
	EXPECT_LOGGED("no tasks are enabled");
	OK(doca_sync_event_destroy(event));
	OK(doca_pe_destroy(bed.pe));
}

TEST(accessors)
{
	struct doca_sync_event_task_get *get;
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event_task_notify_add *add;
	struct doca_sync_event_task_wait_gt *gt;
	uint64_t a = 0, b = 0;

	set_up(true);
	get = (void *)new_task(GET, 0, 0, &a);
	EXPECT(doca_sync_event_task_get_get_ret_val_ptr(get) == &a);
	doca_sync_event_task_get_set_ret_val_ptr(get, &b);
	EXPECT(doca_sync_event_task_get_get_ret_val_ptr(get) == &b);
	set = (void *)new_task(SET, 3, 0, NULL);
	EXPECT_EQ(doca_sync_event_task_notify_set_get_set_val(set), 3);
	doca_sync_event_task_notify_set_set_set_val(set, 30);
	EXPECT_EQ(doca_sync_event_task_notify_set_get_set_val(set), 30);
	add = (void *)new_task(ADD, 4, 0, &a);
	EXPECT_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 4);
	EXPECT(doca_sync_event_task_notify_add_get_fetched_val_ptr(add) == &a);
	doca_sync_event_task_notify_add_set_inc_val(add, 5);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &b);
	EXPECT_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 5);
	EXPECT(doca_sync_event_task_notify_add_get_fetched_val_ptr(add) == &b);
	gt = (void *)new_task(GT, 6, 0xff, NULL);

	/* What is in flight stays as it is */
	OK(doca_task_submit((struct doca_task *)gt));
	logged();
	doca_sync_event_task_wait_gt_set_wait_val(gt, 0);
	EXPECT_LOGGED("it is in flight");
	doca_sync_event_task_wait_gt_set_mask(gt, 0);
	EXPECT_EQ(doca_sync_event_task_wait_gt_get_wait_val(gt), 6);
	EXPECT_EQ(doca_sync_event_task_wait_gt_get_mask(gt), 0xff);

	/* What was changed is what is done */
	OK(doca_task_submit((struct doca_task *)set));
	OK(doca_task_submit((struct doca_task *)add));
	drain();
	EXPECT_EQ(a, 0);
	EXPECT_EQ(b, 30);
	EXPECT_EQ(bed_value(), 35);
	doca_task_free((struct doca_task *)get);
	store(7);
	drain();
	EXPECT_EQ(bed.done[GT], 1);
	tear_down();
}

#define WAIT_ACCESSORS(id)                                                    \
	do {                                                                  \
		struct doca_sync_event_task_##id *task = NULL;                \
		union doca_data data = { 0 };                                 \
                                                                              \
		OK(doca_sync_event_task_##id##_alloc_init(bed.event, 1, 2,    \
							  data, &task));      \
		EXPECT_EQ(doca_sync_event_task_##id##_get_wait_val(task), 1); \
		EXPECT_EQ(doca_sync_event_task_##id##_get_mask(task), 2);     \
		doca_sync_event_task_##id##_set_wait_val(task, 3);            \
		doca_sync_event_task_##id##_set_mask(task, 4);                \
		EXPECT_EQ(doca_sync_event_task_##id##_get_wait_val(task), 3); \
		EXPECT_EQ(doca_sync_event_task_##id##_get_mask(task), 4);     \
		doca_task_free(                                               \
			doca_sync_event_task_##id##_as_doca_task(task));      \
		doca_sync_event_task_##id##_set_wait_val(NULL, 3);            \
		doca_sync_event_task_##id##_set_mask(NULL, 4);                \
		EXPECT_EQ(doca_sync_event_task_##id##_get_wait_val(NULL), 0); \
		EXPECT_EQ(doca_sync_event_task_##id##_get_mask(NULL), 0);     \
		EXPECT(!doca_sync_event_task_##id##_as_doca_task(NULL));      \
	} while (0)

TEST(accessors_of_waits)
{
	set_up(true);
	WAIT_ACCESSORS(wait_gt);
	WAIT_ACCESSORS(wait_eq);
	WAIT_ACCESSORS(wait_neq);
	tear_down();
}

TEST(accessors_of_nothing)
{
	EXPECT(!doca_sync_event_task_get_as_doca_task(NULL));
	EXPECT(!doca_sync_event_task_get_get_ret_val_ptr(NULL));
	doca_sync_event_task_get_set_ret_val_ptr(NULL, NULL);
	EXPECT(!doca_sync_event_task_notify_set_as_doca_task(NULL));
	EXPECT_EQ(doca_sync_event_task_notify_set_get_set_val(NULL), 0);
	doca_sync_event_task_notify_set_set_set_val(NULL, 1);
	EXPECT(!doca_sync_event_task_notify_add_as_doca_task(NULL));
	EXPECT_EQ(doca_sync_event_task_notify_add_get_inc_val(NULL), 0);
	EXPECT(!doca_sync_event_task_notify_add_get_fetched_val_ptr(NULL));
	doca_sync_event_task_notify_add_set_inc_val(NULL, 1);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(NULL, NULL);
}

TEST(try_submit)
{
	struct doca_task *task;
	uint64_t value = 1;

	set_up(true);
	task = new_task(GET, 0, 0, NULL);
	ERR(doca_task_try_submit(task), INVALID_VALUE);
	EXPECT_LOGGED("no place for the value");
	OK(doca_task_submit(task));
	drain();
	EXPECT_EQ(bed.failed[GET], 1);
	EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(bed.to_idle, 1);
	OK(doca_ctx_start(bed.ctx));
	task = new_task(GET, 0, 0, NULL);
	doca_sync_event_task_get_set_ret_val_ptr((void *)task, &value);
	OK(doca_task_try_submit(task));
	drain();
	EXPECT_EQ(bed.done[GET], 1);
	EXPECT_EQ(value, 0);
	tear_down();
}

static const struct {
	int kind;
	uint64_t with, mask;
	const char *why; /* NULL: it is allowed */
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

/* What is refused also fails if it is submitted, in place of waiting for ever. */
TEST(waits_are_for_what_there_can_be)
{
	struct doca_task *task;
	size_t i;

	for (i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		set_up(i % 2);
		task = new_task(conditions[i].kind, conditions[i].with,
				conditions[i].mask, NULL);
		if (!conditions[i].why) {
			OK(doca_task_try_submit(task));
			doca_ctx_stop(bed.ctx);
			drain();
			EXPECT_EQ(bed.to_idle, 1);
			tear_down();
			continue;
		}
		ERR(doca_task_try_submit(task), INVALID_VALUE);
		EXPECT_LOGGED(conditions[i].why);
		OK(doca_task_submit(task));
		drain();
		EXPECT(strstr(logged(), conditions[i].why));
		EXPECT_EQ(bed.failed[conditions[i].kind], 1);
		EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
		EXPECT_EQ(bed.to_idle, 1);
		tear_down();
	}
}

/* Nor those of threads that the context does not know. */
TEST(a_context_answers_no_calls)
{
	uint64_t value = 77;
	int i;

	set_up(true);
	for (i = 0; i < 2; i++) {
		logged();
		ERR(doca_sync_event_get(bed.event, &value), BAD_STATE);
		EXPECT_LOGGED("is a context: use its tasks");
		EXPECT_EQ(value, 77);
		ERR(doca_sync_event_update_set(bed.event, 1), BAD_STATE);
		ERR(doca_sync_event_update_add(bed.event, 1, &value),
		    BAD_STATE);
		ERR(doca_sync_event_wait_eq(bed.event, 0, 0), BAD_STATE);
		EXPECT_EQ(bed_value(), 0);
		OK(doca_ctx_stop(bed.ctx));
	}
	tear_down();
}
