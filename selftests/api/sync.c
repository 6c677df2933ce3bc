// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events between processes, and waits of nobody who polls. */
#include <poll.h>
#include <pthread.h>

#include <doca_sync_event.h>

#include "bed.h"

#define ROUNDS 120

struct desc {
	size_t len;
	uint8_t bytes[1024];
};

static doca_error_t event_create(struct doca_dev *dev, bool remote,
					struct doca_sync_event **event)
{
	doca_error_t rc;

	if ((rc = doca_sync_event_create(event)) ||
	    (rc = doca_sync_event_add_publisher_location_cpu(*event, dev)))
		return rc;
	if (remote)
		rc = doca_sync_event_add_publisher_location_remote_pci(*event);
	return rc ?: doca_sync_event_add_subscriber_location_cpu(*event, dev);
}

static doca_error_t event_export(struct doca_sync_event *event, struct doca_dev *dev,
					struct desc *desc)
{
	const uint8_t *bytes;
	doca_error_t rc;

	rc = doca_sync_event_export_to_remote_pci(event, dev, &bytes, &desc->len);
	if (!rc && desc->len <= sizeof(desc->bytes))
		memcpy(desc->bytes, bytes, desc->len);
	return rc;
}

/*
 * A process that makes an event, exports it and then answers. It stays as long as @stay is
 * open: in process the exporter answers, and it may have seen a new value before its
 * service thread has reported that the value was set.
 */
struct peer {
	pid_t pid;
	int stay;
	struct desc desc;
};

/* Answer each odd value with the next even one. */
static int echo(struct doca_sync_event *event)
{
	uint64_t value, old;

	for (value = 0; value < 2 * ROUNDS; value += 2)
		if (doca_sync_event_wait_gt_yield(event, value, UINT64_MAX) ||
		    doca_sync_event_update_add(event, 1, &old) || old != value + 1)
			return 10;
	return 0;
}

static int peer_main(int fd, int stay)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	struct desc desc = {};
	int rc;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!dev || event_create(dev, true, &event) || doca_sync_event_start(event) ||
	    event_export(event, dev, &desc))
		return 1;
	if (write(fd, &desc, sizeof(desc)) != sizeof(desc))
		return 2;
	rc = echo(event);
	return read(stay, &desc, 1) ? 3 : rc;
}

static bool peer_start(struct peer *peer)
{
	int fds[2], stay[2];
	bool ok;

	if (pipe(fds) || pipe(stay))
		return false;
	peer->stay = stay[1];
	peer->pid = quiet_fork();
	if (!peer->pid) {
		close(stay[1]);
		_exit(peer_main(fds[1], stay[0]));
	}
	close(stay[0]);
	close(fds[1]);
	ok = read(fds[0], &peer->desc, sizeof(peer->desc)) == sizeof(peer->desc);
	close(fds[0]);
	return ok;
}

static int peer_end(struct peer *peer)
{
	int status;

	close(peer->stay);
	if (waitpid(peer->pid, &status, 0) != peer->pid)
		return -1;
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* An event as a context, for its wait and add tasks */
struct tasks {
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	unsigned int done, failed, to_idle;
	doca_error_t status;
	uint64_t fetched;
};

static void wait_done(struct doca_sync_event_task_wait_gt *task, union doca_data data,
		      union doca_data ctx_data)
{
	struct tasks *tasks = ctx_data.ptr;

	(void)data;
	tasks->done++;
	doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
}

static void wait_failed(struct doca_sync_event_task_wait_gt *task, union doca_data data,
			union doca_data ctx_data)
{
	struct doca_task *base = doca_sync_event_task_wait_gt_as_doca_task(task);
	struct tasks *tasks = ctx_data.ptr;

	(void)data;
	tasks->failed++;
	tasks->status = doca_task_get_status(base);
	doca_task_free(base);
}

static void add_done(struct doca_sync_event_task_notify_add *task, union doca_data data,
		     union doca_data ctx_data)
{
	struct tasks *tasks = ctx_data.ptr;

	(void)data;
	tasks->done++;
	doca_task_free(doca_sync_event_task_notify_add_as_doca_task(task));
}

static void add_failed(struct doca_sync_event_task_notify_add *task, union doca_data data,
		       union doca_data ctx_data)
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

static doca_error_t tasks_start(struct tasks *tasks, struct doca_sync_event *event)
{
	union doca_data data = { .ptr = tasks };
	doca_error_t rc;

	memset(tasks, 0, sizeof(*tasks));
	tasks->ctx = doca_sync_event_as_ctx(event);
	if ((rc = doca_pe_create(&tasks->pe)) ||
	    (rc = doca_pe_connect_ctx(tasks->pe, tasks->ctx)) ||
	    (rc = doca_ctx_set_user_data(tasks->ctx, data)) ||
	    (rc = doca_ctx_set_state_changed_cb(tasks->ctx, tasks_state)) ||
	    (rc = doca_sync_event_task_wait_gt_set_conf(event, wait_done, wait_failed, 8)) ||
	    (rc = doca_sync_event_task_notify_add_set_conf(event, add_done, add_failed, 8)))
		return rc;
	return doca_ctx_start(tasks->ctx);
}

static doca_error_t submit_wait(struct doca_sync_event *event, uint64_t value)
{
	struct doca_sync_event_task_wait_gt *task;
	union doca_data data = {};
	doca_error_t rc;

	rc = doca_sync_event_task_wait_gt_alloc_init(event, value, UINT64_MAX, data, &task);
	return rc ?: doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(task));
}

static doca_error_t submit_add(struct doca_sync_event *event, struct tasks *tasks)
{
	struct doca_sync_event_task_notify_add *task;
	union doca_data data = {};
	doca_error_t rc;

	rc = doca_sync_event_task_notify_add_alloc_init(event, 1, &tasks->fetched, data, &task);
	return rc ?: doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(task));
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

#define IMPORT(self, peer)                                                                       \
	do {                                                                                     \
		ASSERT_OK(doca_sync_event_destroy((self)->event));                               \
		ASSERT_OK(doca_sync_event_create_from_export((self)->dev, (peer)->desc.bytes,    \
							     (peer)->desc.len, &(self)->event)); \
	} while (0)

#define UNTIL(self, condition) BED_UNTIL(&(self)->tasks, condition)

/* The side of echo() that writes first */
static doca_error_t ping(struct doca_sync_event *event)
{
	uint64_t value, old;
	doca_error_t rc;

	for (value = 0; value < 2 * ROUNDS; value += 2)
		if ((rc = doca_sync_event_update_add(event, 1, &old)) ||
		    (rc = doca_sync_event_wait_gt_yield(event, value + 1, UINT64_MAX)))
			return rc;
	return DOCA_SUCCESS;
}

TEST_F(sync, between_processes)
{
	struct peer peer;

	ASSERT_TRUE(peer_start(&peer));
	IMPORT(self, &peer);
	ASSERT_OK(doca_sync_event_start(self->event));
	EXPECT_OK(ping(self->event));
	EXPECT_EQ(0, peer_end(&peer));
	EXPECT_OK(doca_sync_event_stop(self->event));
}

/* Echo with tasks on this side, which wait for less than 255 */
TEST_F(sync, between_processes_by_tasks)
{
	struct tasks *tasks = &self->tasks;
	struct peer peer;
	uint64_t value;

	ASSERT_TRUE(peer_start(&peer));
	IMPORT(self, &peer);
	ASSERT_OK(tasks_start(tasks, self->event));
	for (value = 0; value < 2 * ROUNDS; value += 2) {
		ASSERT_OK(submit_wait(self->event, value + 1));
		ASSERT_OK(submit_add(self->event, tasks));
		ASSERT_TRUE(UNTIL(self, tasks->done == value + 2));
		ASSERT_EQ(value, tasks->fetched);
	}
	EXPECT_EQ(0, peer_end(&peer));
	EXPECT_EQ(0, tasks->failed);
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
			ASSERT_OK(doca_pe_clear_notification(tasks->pe, handle));
			while (doca_pe_progress(tasks->pe))
				;
		}
		pthread_join(thread, NULL);
	}
}

TEST_HARNESS_MAIN
