// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A sync event of one process, counted up by several others. */
#include <doca_sync_event.h>

#include "bed.h"

#define ADDERS 4
/* A million in all, but where each takes long. */
#define ADDITIONS                                                              \
	(getenv("DOCA_TEST_ADDITIONS") ? atoi(getenv("DOCA_TEST_ADDITIONS")) : \
					 25000)

/*
 * Children are forked before the program has threads, of which a sanitizer's may hold its
 * locks, and go on when it is their turn.
 */
struct event {
	size_t len;
	uint8_t bytes[1024];
	int turn;
};

static void await_turn(const struct event *desc, int turn)
{
	while (__atomic_load_n(&desc->turn, __ATOMIC_ACQUIRE) < turn)
		usleep(100);
}

static void next_turn(struct event *desc)
{
	__atomic_add_fetch(&desc->turn, 1, __ATOMIC_RELEASE);
}

static doca_error_t create(struct doca_dev *dev, struct doca_sync_event **event)
{
	doca_error_t rc;

	if ((rc = doca_sync_event_create(event)) ||
	    (rc = doca_sync_event_add_publisher_location_remote_pci(*event)) ||
	    (rc = doca_sync_event_add_subscriber_location_cpu(*event, dev)))
		return rc;
	return doca_sync_event_start(*event);
}

/* Nobody sees a value twice, and each sees its own grow. */
static int add(const struct event *desc)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	uint64_t before, last = 0;
	int i;

	if (!dev || doca_sync_event_create_from_export(dev, desc->bytes,
						       desc->len, &event) ||
	    doca_sync_event_start(event))
		return 1;
	for (i = 0; i < ADDITIONS; i++) {
		if (doca_sync_event_update_add(event, 1, &before))
			return 2;
		if (i && before <= last)
			return 3;
		last = before;
	}
	return doca_sync_event_stop(event) || doca_sync_event_destroy(event) ?
		       4 :
		       0;
}

TEST(additions_of_several_processes_sum_up)
{
	struct event *desc = mmap(NULL, sizeof(*desc), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct doca_sync_event *event;
	struct doca_dev *dev;
	const uint8_t *bytes;
	pid_t pids[ADDERS];
	uint64_t value;
	int i;

	for (i = 0; i < ADDERS; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			await_turn(desc, 1);
			_exit(add(desc));
		}
	}
	dev = bed_open_dev(NULL);
	ASSERT_NE(NULL, dev);
	ASSERT_OK(create(dev, &event));
	ASSERT_OK(doca_sync_event_export_to_remote_pci(event, dev, &bytes,
						       &desc->len));
	memcpy(desc->bytes, bytes, desc->len);
	next_turn(desc);
	for (i = 0; i < ADDERS; i++)
		EXPECT_EQ(0, bed_wait(pids[i]));
	EXPECT_OK(doca_sync_event_get(event, &value));
	EXPECT_EQ(ADDERS * ADDITIONS, value);
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
	EXPECT_OK(doca_dev_close(dev));
}

struct waits {
	int ended, failed;
	doca_error_t status;
};

static void wait_ended(struct doca_sync_event_task_wait_gt *task,
		       union doca_data data, union doca_data ctx_data)
{
	struct waits *waits = ctx_data.ptr;

	(void)data;
	waits->ended++;
	doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
}

static void wait_failed(struct doca_sync_event_task_wait_gt *task,
			union doca_data data, union doca_data ctx_data)
{
	struct waits *waits = ctx_data.ptr;

	waits->failed++;
	waits->status = doca_task_get_status(
		doca_sync_event_task_wait_gt_as_doca_task(task));
	wait_ended(task, data, ctx_data);
}

/* As many as an exporter has room for end; one more is told that there are too many. */
static int wait_for_all(const struct event *desc, int nr, int fail)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event_task_wait_gt *task;
	struct doca_sync_event *event;
	struct waits waits = {};
	union doca_data data = { .ptr = &waits };
	struct bed bed = {};
	struct doca_ctx *ctx;
	int i;

	if (!dev ||
	    doca_sync_event_create_from_export(dev, desc->bytes, desc->len,
					       &event) ||
	    doca_pe_create(&bed.pe))
		return 1;
	ctx = doca_sync_event_as_ctx(event);
	if (doca_sync_event_task_wait_gt_set_conf(event, wait_ended,
						  wait_failed, nr) ||
	    doca_ctx_set_user_data(ctx, data) ||
	    doca_pe_connect_ctx(bed.pe, ctx) || doca_ctx_start(ctx))
		return 2;
	for (i = 0; i < nr; i++) {
		if (doca_sync_event_task_wait_gt_alloc_init(
			    event, i % 2, ~0ULL, (union doca_data){}, &task))
			return 3;
		/* Of one that fails at once the rest is told. */
		if (doca_task_submit(
			    doca_sync_event_task_wait_gt_as_doca_task(task)) &&
		    !fail)
			return 4;
	}
	for (i = 0; i < 1000; i++)
		doca_pe_progress(bed.pe);
	if (waits.ended && !fail)
		return 5;
	/* A worker may not have begun yet, and of those that end at once none is too many. */
	if (fail && !BED_UNTIL(&bed, waits.failed))
		return 6;
	kill(getppid(), SIGUSR1);
	if (!BED_UNTIL(&bed, waits.ended == nr))
		return 7;
	return waits.failed && !fail ? 8 : 0;
}

static volatile sig_atomic_t told;

static void tell(int sig)
{
	told = sig;
}

TEST(as_many_wait_as_there_is_room_for)
{
	struct event *desc = mmap(NULL, sizeof(*desc), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct doca_sync_event *event;
	struct doca_dev *dev;
	const uint8_t *bytes;
	pid_t pids[2];
	int i;

	for (i = 0; i < 2; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			await_turn(desc, i + 1);
			_exit(wait_for_all(desc, 192 + i, i));
		}
	}
	dev = bed_open_dev(NULL);
	ASSERT_NE(NULL, dev);
	ASSERT_OK(create(dev, &event));
	ASSERT_OK(doca_sync_event_export_to_remote_pci(event, dev, &bytes,
						       &desc->len));
	memcpy(desc->bytes, bytes, desc->len);
	signal(SIGUSR1, tell);
	for (i = 0; i < 2; i++) {
		double end = bed_now() + patiently(25);

		told = 0;
		ASSERT_OK(doca_sync_event_update_set(event, 0));
		next_turn(desc);
		while (!told && bed_now() < end)
			usleep(1000);
		ASSERT_OK(doca_sync_event_update_set(event, 2));
		EXPECT_EQ(0, bed_wait(pids[i]));
	}
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
	EXPECT_OK(doca_dev_close(dev));
}

TEST_HARNESS_MAIN
