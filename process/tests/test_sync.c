// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events: tasks that change a value, and tasks that wait for a change. */
#include <doca_sync_event.h>

#include "bed.h"

/* The program accesses the value itself: an event that is a context has tasks only. */
static uint64_t sync_value;

static struct {
	struct doca_dev *dev;
	struct doca_sync_event *event;
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	unsigned int done;
	unsigned int failed;
} sync_bed;

static void ended(struct doca_task *task)
{
	sync_bed.done++;
	sync_bed.failed += doca_task_get_status(task) != DOCA_SUCCESS;
	doca_task_free(task);
}

#define ENDED(type)                                                                   \
	static void type##_ended(struct doca_sync_event_task_##type *task,            \
				 union doca_data task_data, union doca_data ctx_data) \
	{                                                                             \
		(void)task_data;                                                      \
		(void)ctx_data;                                                       \
		ended(doca_sync_event_task_##type##_as_doca_task(task));              \
	}

ENDED(notify_add)
ENDED(wait_gt)

static void sync_create(void)
{
	struct doca_sync_event *event;

	memset(&sync_bed, 0, sizeof(sync_bed));
	sync_value = 0;
	sync_bed.dev = bed_open_dev("software");
	OK(doca_pe_create(&sync_bed.pe));
	OK(doca_sync_event_create(&event));
	OK(doca_sync_event_add_publisher_location_cpu(event, sync_bed.dev));
	OK(doca_sync_event_add_subscriber_location_cpu(event, sync_bed.dev));
	OK(doca_sync_event_set_addr(event, &sync_value));
	OK(doca_sync_event_task_notify_add_set_conf(event, notify_add_ended, notify_add_ended, 16));
	OK(doca_sync_event_task_wait_gt_set_conf(event, wait_gt_ended, wait_gt_ended, 16));
	sync_bed.event = event;
	sync_bed.ctx = doca_sync_event_as_ctx(event);
	OK(doca_pe_connect_ctx(sync_bed.pe, sync_bed.ctx));
	OK(doca_ctx_start(sync_bed.ctx));
}

static void sync_destroy(void)
{
	enum doca_ctx_states state;

	doca_ctx_stop(sync_bed.ctx);
	do {
		doca_pe_progress(sync_bed.pe);
		OK(doca_ctx_get_state(sync_bed.ctx, &state));
	} while (state != DOCA_CTX_STATE_IDLE);
	OK(doca_sync_event_destroy(sync_bed.event));
	OK(doca_pe_destroy(sync_bed.pe));
	OK(doca_dev_close(sync_bed.dev));
	EXPECT(until(!inproc_pinned()));
}

static void submit_wait(uint64_t above)
{
	struct doca_sync_event_task_wait_gt *task;

	OK(doca_sync_event_task_wait_gt_alloc_init(sync_bed.event, above, UINT64_MAX,
						   (union doca_data){ 0 }, &task));
	OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(task)));
}

static void submit_add(uint64_t n)
{
	struct doca_sync_event_task_notify_add *task;
	static uint64_t before;

	OK(doca_sync_event_task_notify_add_alloc_init(sync_bed.event, n, &before,
						      (union doca_data){ 0 }, &task));
	OK(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(task)));
}

static void wait_done(unsigned int done)
{
	while (sync_bed.done < done)
		if (!doca_pe_progress(sync_bed.pe))
			sched_yield();
}

static void waits(void)
{
	sync_create();
	submit_wait(0);
	submit_wait(2);
	submit_add(1);
	wait_done(2);
	submit_add(2);
	wait_done(4);
	EXPECT_EQ(__atomic_load_n(&sync_value, __ATOMIC_ACQUIRE), 3);

	/* Changed by the CPU, without the driver's knowledge. */
	submit_wait(100);
	__atomic_store_n(&sync_value, 101, __ATOMIC_RELEASE);
	wait_done(5);
	EXPECT_EQ(sync_bed.failed, 0);

	submit_wait(200);
	ERR(doca_ctx_stop(sync_bed.ctx), IN_PROGRESS);
	wait_done(6);
	EXPECT_EQ(sync_bed.failed, 1);
	sync_destroy();
}

TEST(waits_of_a_worker)
{
	waits();
}

TEST(waits_of_a_worker_that_sleeps)
{
	setenv("DOCA_IDLE_US", "0", 1);
	waits();
	unsetenv("DOCA_IDLE_US");
}

TEST(waits_without_a_worker)
{
	EXPECT(inproc_set_param("workers", false));
	waits();
	EXPECT(inproc_set_param("workers", true));
}
