// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events as contexts: what their tasks do. */
#include "sync_task_bed.h"

static void tasks_work(bool workers)
{
	uint64_t value = 7, old = 7;

	set_up(workers);
	submit(SET, 40, 0, NULL);
	drain();
	EXPECT_EQ(bed.done[SET], 1);
	EXPECT_EQ(bed.user_data, 101);
	EXPECT_EQ(bed_value(), 40);
	submit(ADD, 2, 0, &old);
	drain();
	EXPECT_EQ(bed.done[ADD], 1);
	EXPECT_EQ(old, 40);
	submit(GET, 0, 0, &value);
	drain();
	EXPECT_EQ(bed.done[GET], 1);
	EXPECT_EQ(value, 42);
	/* Nobody wants to know */
	submit(ADD, 1, 0, NULL);
	drain();
	EXPECT_EQ(bed.done[ADD], 2);
	EXPECT_EQ(bed_value(), 43);
	tear_down();
}

TEST(tasks)
{
	tasks_work(true);
	tasks_work(false);
}

/* A wait lets others pass, and ends when its value comes */
static void waits_work(bool workers)
{
	uint64_t value;

	set_up(workers);
	submit(GT, 4, 0xff, NULL);
	submit(EQ, 9, UINT64_MAX, NULL);
	submit(NEQ, 0, 0xff, NULL);
	drain();
	submit(GET, 0, 0, &value);
	drain();
	EXPECT_EQ(bed.done[GET], 1);
	EXPECT_EQ(bed.done[GT] + bed.done[EQ] + bed.done[NEQ], 0);
	store(0x100);
	drain();
	EXPECT_EQ(bed.done[GT] + bed.done[EQ] + bed.done[NEQ], 0);
	store(3);
	drain();
	EXPECT_EQ(bed.done[NEQ], 1);
	EXPECT_EQ(bed.done[GT] + bed.done[EQ], 0);
	submit(SET, 9, 0, NULL);
	drain();
	EXPECT_EQ(bed.done[GT], 1);
	EXPECT_EQ(bed.done[EQ], 1);
	EXPECT_EQ(bed.failed[GT] + bed.failed[EQ] + bed.failed[NEQ], 0);
	/* Over at once, and again from its callback */
	bed.resubmit = true;
	submit(EQ, 9, UINT64_MAX, NULL);
	drain();
	EXPECT_EQ(bed.done[EQ], 3);
	tear_down();
}

TEST(waits)
{
	waits_work(true);
	waits_work(false);
}

static void stop_flushes(bool workers)
{
	size_t n = 0;
	int i;

	set_up(workers);
	for (i = GT; i <= EQ; i++)
		submit(i, 1, UINT64_MAX, NULL);
	drain();
	OK(doca_ctx_get_num_inflight_tasks(bed.ctx, &n));
	EXPECT_EQ(n, 2);
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	drain();
	EXPECT_EQ(bed.failed[GT] + bed.failed[EQ], 2);
	EXPECT_EQ(bed.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(bed.to_idle, 1);
	/* It can be started again */
	OK(doca_ctx_start(bed.ctx));
	submit(SET, 2, 0, NULL);
	submit(GT, 1, UINT64_MAX, NULL);
	drain();
	EXPECT_EQ(bed.done[GT], 1);
	tear_down();
}

TEST(stop_with_waits_in_flight)
{
	stop_flushes(true);
	stop_flushes(false);
}

static void removal_flushes(bool workers)
{
	set_up(workers);
	submit(GT, 1, UINT64_MAX, NULL);
	drain();
	fake_remove_device();
	drain();
	EXPECT_EQ(bed.failed[GT], 1);
	EXPECT_EQ(bed.to_idle, 1);
	tear_down();
}

TEST(removal_with_a_wait_in_flight)
{
	removal_flushes(true);
	removal_flushes(false);
}

TEST(tasks_of_an_import)
{
	struct doca_sync_event *event;
	uint64_t value = 0;
	const uint8_t *desc;
	size_t size;

	fake_reset(true);
	event = new_exported(&desc, &size);
	connect_event(import(desc, size));
	OK(doca_ctx_start(bed.ctx));
	submit(SET, 5, 0, NULL);
	drain();
	EXPECT_EQ(value_of(event), 5);
	submit(GT, 5, UINT64_MAX, NULL);
	drain();
	OK(doca_sync_event_update_add(event, 1, &value));
	drain();
	EXPECT_EQ(bed.done[GT], 1);

	submit(GT, 6, UINT64_MAX, NULL);
	drain();
	OK(doca_sync_event_stop(event));
	logged();
	drain();
	EXPECT_LOGGED("was revoked");
	EXPECT_EQ(bed.failed[GT], 1);
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	EXPECT_EQ(bed.to_idle, 1);
	OK(doca_sync_event_destroy(event));
	tear_down();
}

/*
 * Exports of a context work as those of an event alone, but by the registration with
 * which its tasks wait: so importers wake them
 */
TEST(export_of_a_context)
{
	struct doca_sync_event *event, *imported;
	const uint8_t *desc;
	uint64_t value;
	uint32_t mem;
	size_t size;

	fake_reset(true);
	event = new_event();
	OK(doca_sync_event_add_publisher_location_remote_pci(event));
	connect_event(event);
	logged();
	ERR(doca_sync_event_export_to_remote_pci(event, &fake_dev, &desc,
						 &size),
	    BAD_STATE);
	OK(doca_ctx_start(bed.ctx));
	mem = next_mem;
	OK(doca_sync_event_export_to_remote_pci(event, &fake_dev, &desc,
						&size));
	EXPECT_EQ(next_mem, mem);
	imported = import(desc, size);
	OK(doca_sync_event_start(imported));
	submit(GT, 0, UINT64_MAX, NULL);
	drain();
	OK(doca_sync_event_update_set(imported, 1));
	drain();
	EXPECT_EQ(bed.done[GT], 1);
	OK(doca_ctx_stop(bed.ctx));
	ERR(doca_sync_event_get(imported, &value), IO_FAILED);
	stop_and_destroy(imported);
	tear_down();
}

/* Without a worker, each look of progress is a call that looks at the wait */
TEST(progress_looks)
{
	unsigned int enters;

	set_up(false);
	submit(GT, 0, UINT64_MAX, NULL);
	enters = fake.enters;
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(fake.enters, enters + 1);
	OK(doca_pe_request_notification(bed.pe));
	store(1);
	drain();
	EXPECT_EQ(bed.done[GT], 1);
	enters = fake.enters;
	doca_pe_progress(bed.pe);
	EXPECT_EQ(fake.enters, enters);
	tear_down();
}
