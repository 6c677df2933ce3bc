// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events between threads and between processes. */
#include <poll.h>
#include <pthread.h>

#include "sync_peer.h"

/* An event as a context, for its wait and add tasks */
struct tasks {
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	unsigned int done, failed, to_idle;
	doca_error_t status;
	uint64_t fetched;
};

static void wait_done(struct doca_sync_event_task_wait_gt *task,
		      union doca_data data, union doca_data ctx_data)
{
	struct tasks *tasks = ctx_data.ptr;

	(void)data;
	tasks->done++;
	doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
}

static void wait_failed(struct doca_sync_event_task_wait_gt *task,
			union doca_data data, union doca_data ctx_data)
{
	struct doca_task *base =
		doca_sync_event_task_wait_gt_as_doca_task(task);
	struct tasks *tasks = ctx_data.ptr;

	(void)data;
	tasks->failed++;
	tasks->status = doca_task_get_status(base);
	doca_task_free(base);
}

static void add_done(struct doca_sync_event_task_notify_add *task,
		     union doca_data data, union doca_data ctx_data)
{
	struct tasks *tasks = ctx_data.ptr;

	(void)data;
	tasks->done++;
	doca_task_free(doca_sync_event_task_notify_add_as_doca_task(task));
}

static void add_failed(struct doca_sync_event_task_notify_add *task,
		       union doca_data data, union doca_data ctx_data)
{
	struct tasks *tasks = ctx_data.ptr;

	(void)data;
	tasks->failed++;
	doca_task_free(doca_sync_event_task_notify_add_as_doca_task(task));
}

static void tasks_state(const union doca_data user_data, struct doca_ctx *ctx,
			enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct tasks *tasks = user_data.ptr;

	(void)ctx;
	(void)prev;
	tasks->to_idle += next == DOCA_CTX_STATE_IDLE;
}

static doca_error_t tasks_start(struct tasks *tasks,
				struct doca_sync_event *event)
{
	union doca_data data = { .ptr = tasks };
	doca_error_t rc;

	memset(tasks, 0, sizeof(*tasks));
	tasks->ctx = doca_sync_event_as_ctx(event);
	if ((rc = doca_pe_create(&tasks->pe)) ||
	    (rc = doca_pe_connect_ctx(tasks->pe, tasks->ctx)) ||
	    (rc = doca_ctx_set_user_data(tasks->ctx, data)) ||
	    (rc = doca_ctx_set_state_changed_cb(tasks->ctx, tasks_state)) ||
	    (rc = doca_sync_event_task_wait_gt_set_conf(event, wait_done,
							wait_failed, 8)) ||
	    (rc = doca_sync_event_task_notify_add_set_conf(event, add_done,
							   add_failed, 8)))
		return rc;
	return doca_ctx_start(tasks->ctx);
}

static doca_error_t submit_wait(struct doca_sync_event *event, uint64_t value)
{
	struct doca_sync_event_task_wait_gt *task;
	union doca_data data = {};
	doca_error_t rc;

	rc = doca_sync_event_task_wait_gt_alloc_init(event, value, UINT64_MAX,
						     data, &task);
	return rc    ?:
		       doca_task_submit(
			       doca_sync_event_task_wait_gt_as_doca_task(task));
}

static doca_error_t submit_add(struct doca_sync_event *event,
			       struct tasks *tasks)
{
	struct doca_sync_event_task_notify_add *task;
	union doca_data data = {};
	doca_error_t rc;

	rc = doca_sync_event_task_notify_add_alloc_init(
		event, 1, &tasks->fetched, data, &task);
	return rc    ?:
		       doca_task_submit(
			       doca_sync_event_task_notify_add_as_doca_task(
				       task));
}

FIXTURE(sync)
{
	struct doca_dev *dev;
	struct doca_sync_event *event;
	struct tasks tasks;
	long pins;
};

FIXTURE_SETUP(sync)
{
	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	ASSERT_OK(event_create(self->dev, false, &self->event));
}

FIXTURE_TEARDOWN(sync)
{
	if (self->tasks.ctx)
		EXPECT_OK(doca_ctx_stop(self->tasks.ctx));
	EXPECT_OK(doca_sync_event_destroy(self->event));
	if (self->tasks.pe)
		EXPECT_OK(doca_pe_destroy(self->tasks.pe));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

#define IMPORT(self, peer)                                                 \
	do {                                                               \
		ASSERT_OK(doca_sync_event_destroy((self)->event));         \
		ASSERT_OK(doca_sync_event_create_from_export(              \
			(self)->dev, (peer)->desc.bytes, (peer)->desc.len, \
			&(self)->event));                                  \
	} while (0)

#define UNTIL(self, condition) BED_UNTIL(&(self)->tasks, condition)

static void *echo_thread(void *event)
{
	return (void *)(long)echo(event);
}

/* The side of echo() that writes first */
static doca_error_t ping(struct doca_sync_event *event)
{
	uint64_t value, old;
	doca_error_t rc;

	for (value = 0; value < 2 * ROUNDS; value += 2)
		if ((rc = doca_sync_event_update_add(event, 1, &old)) ||
		    (rc = doca_sync_event_wait_gt_yield(event, value + 1,
							UINT64_MAX)))
			return rc;
	return DOCA_SUCCESS;
}

TEST_F(sync, between_threads)
{
	pthread_t thread;
	void *rc;

	ASSERT_OK(doca_sync_event_start(self->event));
	ASSERT_EQ(0, pthread_create(&thread, NULL, echo_thread, self->event));
	EXPECT_OK(ping(self->event));
	pthread_join(thread, &rc);
	EXPECT_EQ(NULL, rc);
	EXPECT_OK(doca_sync_event_stop(self->event));
}

TEST_F(sync, between_processes)
{
	struct peer peer;

	ASSERT_TRUE(peer_start(&peer, echo));
	IMPORT(self, &peer);
	ASSERT_OK(doca_sync_event_start(self->event));
	EXPECT_OK(ping(self->event));
	EXPECT_EQ(0, peer_end(&peer, false));
	EXPECT_OK(doca_sync_event_stop(self->event));
}

/* Echo with tasks on this side, which wait for less than 255 */
TEST_F(sync, between_processes_by_tasks)
{
	struct tasks *tasks = &self->tasks;
	struct peer peer;
	uint64_t value;

	ASSERT_TRUE(peer_start(&peer, echo));
	IMPORT(self, &peer);
	ASSERT_OK(tasks_start(tasks, self->event));
	for (value = 0; value < 2 * ROUNDS; value += 2) {
		ASSERT_OK(submit_wait(self->event, value + 1));
		ASSERT_OK(submit_add(self->event, tasks));
		ASSERT_TRUE(UNTIL(self, tasks->done == value + 2));
		ASSERT_EQ(value, tasks->fetched);
	}
	EXPECT_EQ(0, peer_end(&peer, false));
	EXPECT_EQ(0, tasks->failed);
}

/* Tasks of the process that has the value also see the stores of its CPU */
TEST_F(sync, tasks_and_stores)
{
	struct tasks *tasks = &self->tasks;
	static uint64_t word;
	uint64_t value;

	ASSERT_OK(doca_sync_event_set_addr(self->event, &word));
	ASSERT_OK(tasks_start(tasks, self->event));
	for (value = 1; value <= 20; value++) {
		ASSERT_OK(submit_wait(self->event, value - 1));
		doca_pe_progress(tasks->pe);
		EXPECT_EQ(value - 1, tasks->done);
		__atomic_add_fetch(&word, 1, __ATOMIC_RELEASE);
		ASSERT_TRUE(UNTIL(self, tasks->done == value));
	}
}

/* Store once the main thread sleeps. */
static void *set_later(void *word)
{
	char main_thread[16];

	snprintf(main_thread, sizeof(main_thread), "%d", getpid());
	AWAIT(thread_sleeps(main_thread));
	__atomic_add_fetch((uint64_t *)word, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Nothing polls: neither this thread nor, for long, a worker */
TEST_F(sync, event_driven)
{
	struct tasks *tasks = &self->tasks;
	doca_notification_handle_t handle;
	struct pollfd fd = { .events = POLLIN };
	unsigned int round;
	static uint64_t word;
	pthread_t thread;

	ASSERT_OK(doca_sync_event_set_addr(self->event, &word));
	ASSERT_OK(tasks_start(tasks, self->event));
	ASSERT_OK(doca_pe_get_notification_handle(tasks->pe, &handle));
	fd.fd = handle;
	for (round = 0; round < 3; round++) {
		ASSERT_OK(submit_wait(self->event, round));
		ASSERT_EQ(0, pthread_create(&thread, NULL, set_later, &word));
		while (tasks->done == round) {
			ASSERT_OK(doca_pe_request_notification(tasks->pe));
			ASSERT_EQ(1, poll(&fd, 1, patiently(25) * 1000));
			ASSERT_OK(
				doca_pe_clear_notification(tasks->pe, handle));
			while (doca_pe_progress(tasks->pe))
				;
		}
		pthread_join(thread, NULL);
	}
}

TEST_F(sync, stop_with_a_wait_in_flight)
{
	struct tasks *tasks = &self->tasks;
	uint64_t value;

	ASSERT_OK(tasks_start(tasks, self->event));
	ASSERT_OK(submit_wait(self->event, 5));
	ASSERT_OK(submit_wait(self->event, 6));
	for (int i = 0; i < 100; i++)
		doca_pe_progress(tasks->pe);
	EXPECT_ERR(IN_PROGRESS, doca_ctx_stop(tasks->ctx));
	EXPECT_TRUE(UNTIL(self, tasks->to_idle == 1));
	EXPECT_EQ(2, tasks->failed);
	EXPECT_ERR(SHUTDOWN, tasks->status);
	EXPECT_EQ(0, tasks->done);
	EXPECT_ERR(BAD_STATE, doca_sync_event_get(self->event, &value));

	/* It goes on with the same value */
	ASSERT_OK(doca_ctx_start(tasks->ctx));
	for (value = 0; value < 2; value++) {
		ASSERT_OK(submit_add(self->event, tasks));
		EXPECT_TRUE(UNTIL(self, tasks->done == value + 1));
		EXPECT_EQ(value, tasks->fetched);
	}
}

TEST_F(sync, a_context_answers_no_calls)
{
	uint64_t value = 7;

	ASSERT_OK(tasks_start(&self->tasks, self->event));
	EXPECT_ERR(BAD_STATE, doca_sync_event_get(self->event, &value));
	EXPECT_ERR(BAD_STATE, doca_sync_event_update_set(self->event, 1));
	EXPECT_ERR(BAD_STATE,
		   doca_sync_event_update_add(self->event, 1, &value));
	EXPECT_ERR(BAD_STATE,
		   doca_sync_event_wait_gt(self->event, 0, UINT64_MAX));
	EXPECT_EQ(7, value);
}

/* Such a wait would never end */
TEST_F(sync, a_wait_for_what_cannot_be_fails)
{
	struct doca_sync_event_task_wait_gt *task;
	struct tasks *tasks = &self->tasks;
	union doca_data data = {};
	uint64_t masks[] = { 0, 0xf, 0xff00ff, UINT64_MAX };
	unsigned int i;

	ASSERT_OK(tasks_start(tasks, self->event));
	for (i = 0; i < 4; i++) {
		ASSERT_OK(doca_sync_event_task_wait_gt_alloc_init(
			self->event, i == 3 ? 255 : 0, masks[i], data, &task));
		EXPECT_ERR(INVALID_VALUE,
			   doca_task_try_submit(
				   doca_sync_event_task_wait_gt_as_doca_task(
					   task)));
		ASSERT_OK(doca_task_submit(
			doca_sync_event_task_wait_gt_as_doca_task(task)));
		EXPECT_TRUE(UNTIL(self, tasks->to_idle == i + 1));
		EXPECT_EQ(i + 1, tasks->failed);
		EXPECT_ERR(INVALID_VALUE, tasks->status);
		ASSERT_OK(doca_ctx_start(tasks->ctx));
	}
}

static void ends_while_waiting(struct __test_metadata *_metadata,
			       FIXTURE_DATA(sync) * self,
			       int (*act)(struct doca_sync_event *event))
{
	struct tasks *tasks = &self->tasks;
	struct peer peer;

	ASSERT_TRUE(peer_start(&peer, act));
	IMPORT(self, &peer);
	ASSERT_OK(tasks_start(tasks, self->event));
	ASSERT_OK(submit_wait(self->event, 1));
	for (int i = 0; i < 100; i++)
		doca_pe_progress(tasks->pe);
	EXPECT_EQ(0, tasks->failed);
	if (act != wait_to_be_killed)
		EXPECT_OK(submit_add(self->event, tasks));
	if (act == wait_to_be_killed)
		EXPECT_EQ(-SIGKILL, peer_end(&peer, true));
	EXPECT_TRUE(UNTIL(self, tasks->to_idle == 1));
	/* An exporter that is told by an addition may be gone before it has answered. */
	EXPECT_LE(1, tasks->failed);
	EXPECT_GE(act == wait_to_be_killed ? 1 : 2, tasks->failed);
	EXPECT_ERR(IO_FAILED, tasks->status);
	if (act != wait_to_be_killed)
		EXPECT_EQ(-SIGKILL, peer_end(&peer, true));
}

TEST_F(sync, exporter_killed_during_a_wait)
{
	ends_while_waiting(_metadata, self, wait_to_be_killed);
}

TEST_F(sync, exporter_stops_during_a_wait)
{
	ends_while_waiting(_metadata, self, stop_when_told);
}

TEST_F(sync, exporter_stops_during_a_synchronous_wait)
{
	struct doca_sync_event *none;
	struct peer peer;

	ASSERT_TRUE(peer_start(&peer, stop_when_told));
	IMPORT(self, &peer);
	ASSERT_OK(doca_sync_event_start(self->event));
	EXPECT_OK(doca_sync_event_update_set(self->event, 1));
	EXPECT_ERR(IO_FAILED,
		   doca_sync_event_wait_gt_yield(self->event, 1, UINT64_MAX));
	EXPECT_EQ(-SIGKILL, peer_end(&peer, true));
	EXPECT_OK(doca_sync_event_stop(self->event));
	EXPECT_ERR(INVALID_VALUE,
		   doca_sync_event_create_from_export(
			   self->dev, peer.desc.bytes, peer.desc.len, &none));
}

/* Alter each byte of a descriptor in turn */
TEST_F(sync, altered_descriptors)
{
	struct doca_sync_event *event = NULL;
	struct peer peer;
	doca_error_t rc;
	size_t i;

	ASSERT_TRUE(peer_start(&peer, wait_to_be_killed));
	for (i = 0; i < peer.desc.len; i++) {
		peer.desc.bytes[i] ^= 0x40;
		rc = doca_sync_event_create_from_export(
			self->dev, peer.desc.bytes, peer.desc.len, &event);
		EXPECT_TRUE(rc == DOCA_ERROR_INVALID_VALUE ||
			    rc == DOCA_ERROR_NOT_SUPPORTED)
		{
			TH_LOG("byte %zu: %d", i, rc);
		}
		peer.desc.bytes[i] ^= 0x40;
	}
	IMPORT(self, &peer);
	EXPECT_EQ(-SIGKILL, peer_end(&peer, true));
}

TEST_F(sync, a_descriptor_can_be_moved_and_has_1024_bytes_at_most)
{
	struct doca_sync_event *event, *imported = NULL;
	const uint8_t *bytes = NULL;
	uint8_t moved[1025];
	size_t len = 0, i;

	ASSERT_OK(event_create(self->dev, true, &event));
	ASSERT_OK(doca_sync_event_start(event));
	ASSERT_OK(doca_sync_event_export_to_remote_pci(event, self->dev, &bytes,
						       &len));
	ASSERT_LT(0, len);
	ASSERT_GE(1024, len);
	for (i = 0; i < 2; i++) {
		memcpy(moved + i, bytes, len);
		EXPECT_OK(doca_sync_event_create_from_export(
			self->dev, moved + i, len, &imported));
		EXPECT_OK(doca_sync_event_destroy(imported));
	}
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
}

static int shell(const char *command)
{
	int rc = system(command);

	return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

TEST_F(sync, device_removed_during_a_wait)
{
	struct doca_dev *dev = bed_open_dev("rxe0");
	struct tasks *tasks = &self->tasks;

	if (!dev)
		SKIP(return, "needs the RDMA device rxe0");
	ASSERT_OK(doca_sync_event_destroy(self->event));
	ASSERT_OK(event_create(dev, false, &self->event));
	ASSERT_OK(tasks_start(tasks, self->event));
	ASSERT_OK(submit_wait(self->event, 0));
	for (int i = 0; i < 100; i++)
		doca_pe_progress(tasks->pe);
	EXPECT_EQ(0, shell("rdma link delete rxe0"));
	EXPECT_TRUE(UNTIL(self, tasks->to_idle == 1));
	EXPECT_EQ(1, tasks->failed);
	EXPECT_ERR(SHUTDOWN, tasks->status);
	EXPECT_OK(doca_dev_close(dev));
	EXPECT_EQ(
		0,
		shell("rdma link add rxe0 type rxe netdev "
		      "$(ls -d /sys/bus/pci/devices/0000:03:00.0/virtio*/net/* "
		      "| xargs -n1 basename)"));
}

TEST_HARNESS_MAIN
