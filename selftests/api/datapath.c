// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The data path: from doca_task_submit() to the callback there is no syscall, no lock and
 * no allocation while the worker is awake; with an event there is none but the wait. The
 * same from doca_workq_submit() of level 1.3 to the event of the job.
 */
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#include "allocations.h"
#include "bed.h"
#include "datapath_1_3.h"

#define TASKS 100000
#define EVENTS 1000
#define TIMEOUT 120 /* seconds: an emulator on a busy machine is slow */
#define MEM_SIZE (1 << 20)
#define LEN 512

static unsigned long locks;

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	locks++;
	while (pthread_mutex_trylock(mutex))
		sched_yield();
	return 0;
}

struct path {
	struct bed bed;
	struct doca_mmap *mmap;
	char *mem;
	struct doca_dma_task_memcpy *tasks[BED_TASKS];
	unsigned long done;
	unsigned long submitted;
	bool wrong;
};

static void path_submit(struct path *path, struct doca_dma_task_memcpy *task)
{
	if (path->submitted == TASKS)
		return;
	path->submitted++;
	doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task));
	if (doca_task_submit(doca_dma_task_memcpy_as_task(task)))
		path->wrong = true;
}

static void path_done(struct doca_dma_task_memcpy *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	struct path *path = ctx_data.ptr;

	(void)task_data;
	path->done++;
	path_submit(path, task);
}

static void path_error(struct doca_dma_task_memcpy *task,
		       union doca_data task_data, union doca_data ctx_data)
{
	struct path *path = ctx_data.ptr;

	(void)task;
	(void)task_data;
	path->done++;
	path->wrong = true;
}

static doca_error_t path_create(struct path *path)
{
	union doca_data data = { .ptr = path };
	doca_error_t rc;
	int i;

	memset(path, 0, sizeof(*path));
	path->mem = aligned_alloc(4096, MEM_SIZE);
	bed_fill(path->mem, MEM_SIZE, 1);
	if ((rc = bed_create(&path->bed, bed_open_dev(NULL), NULL)) ||
	    (rc = doca_dma_task_memcpy_set_conf(path->bed.dma, path_done,
						path_error, BED_TASKS)) ||
	    (rc = doca_ctx_set_user_data(path->bed.ctx, data)) ||
	    (rc = doca_ctx_start(path->bed.ctx)) ||
	    (rc = bed_mmap(path->mem, MEM_SIZE,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, path->bed.dev,
			   NULL, &path->mmap)))
		return rc;
	for (i = 0; i < BED_TASKS; i++) {
		char *src = path->mem + i * LEN;
		char *dst = src + MEM_SIZE / 2;
		struct doca_buf *from, *to;

		data.u64 = i;
		if ((rc = doca_buf_inventory_buf_get_by_data(
			     path->bed.inv, path->mmap, src, LEN, &from)) ||
		    (rc = doca_buf_inventory_buf_get_by_addr(
			     path->bed.inv, path->mmap, dst, LEN, &to)) ||
		    (rc = doca_dma_task_memcpy_alloc_init(
			     path->bed.dma, from, to, data, &path->tasks[i])))
			return rc;
	}
	return DOCA_SUCCESS;
}

static void path_run(struct path *path)
{
	int i;

	for (i = 0; i < BED_TASKS; i++)
		path_submit(path, path->tasks[i]);
	while (path->done < TASKS && !path->wrong)
		doca_pe_progress(path->bed.pe);
}

static bool path_copied(const struct path *path)
{
	return !path->wrong && path->done == TASKS &&
	       !memcmp(path->mem, path->mem + MEM_SIZE / 2, BED_TASKS * LEN);
}

static bool path_run_tasks(struct path *path)
{
	path_run(path);
	return path_copied(path);
}

/* One at a time, waited for by its last byte, for to sleep would be a syscall. */
static bool path_run_event(struct path *path)
{
	volatile char *last = path->mem + MEM_SIZE / 2 + LEN - 1;
	unsigned long done = path->done;

	path->mem[LEN - 1] = 1;
	*last = 0;
	path->submitted = TASKS - 1;
	if (doca_pe_request_notification(path->bed.pe))
		return false;
	path_submit(path, path->tasks[0]);
	while (!*last && !path->wrong)
		;
	if (doca_pe_clear_notification(path->bed.pe, 0))
		return false;
	while (path->done == done && !path->wrong)
		doca_pe_progress(path->bed.pe);
	return !path->wrong;
}

/* An event of the engine's own would be written and read, which is allowed. */
static bool path_run_events(struct path *path)
{
	int i;

	for (i = 0; i < EVENTS && path_run_event(path); i++)
		;
	return i == EVENTS;
}

/* As an argument for another process. */
struct strict_run {
	bool (*run)(struct path *path);
};

/* Any syscall but read, write and exit is death by SIGKILL. */
static int run_strict(void *arg)
{
	struct strict_run *strict = arg;
	struct path path;

	if (path_create(&path))
		return 2;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 3;
	syscall(SYS_exit, strict->run(&path) ? 0 : 4);
	return 5;
}

static void test_strict(struct __test_metadata *_metadata,
			bool (*run)(struct path *path))
{
	struct strict_run strict = { .run = run };

	if (!bed_workers())
		SKIP(return, "workers are switched off");
	if (bed_in_process())
		SKIP(return, "in process the worker outlives the thread that may only exit");
	if (getenv("DOCA_DEBUG"))
		SKIP(return, "debug mode asks which thread it is in");
	setenv("DOCA_IDLE_US", "never", 1);
	EXPECT_EQ(0, bed_in_child(run_strict, &strict));
}

FIXTURE(datapath)
{
	struct doca_dev *dev;
};

FIXTURE_SETUP(datapath)
{
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	EXPECT_OK(doca_dev_close(self->dev));
}

FIXTURE_TEARDOWN(datapath)
{
}

TEST_F_TIMEOUT(datapath, no_syscall, TIMEOUT)
{
	test_strict(_metadata, path_run_tasks);
}

TEST_F_TIMEOUT(datapath, an_event_costs_its_wait, TIMEOUT)
{
	test_strict(_metadata, path_run_events);
}

/* That the tests above can fail: one syscall, and the kernel kills. */
static int run_strict_syscall(void *arg)
{
	(void)arg;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 3;
	syscall(SYS_getppid);
	return 5;
}

TEST(strict_mode_kills)
{
	EXPECT_EQ(128 + SIGKILL, bed_in_child(run_strict_syscall, NULL));
}

static int run_counting(void *arg)
{
	unsigned long had_allocated, had_locked;
	struct path path;

	(void)arg;
	if (path_create(&path))
		return 2;
	had_allocated = allocations;
	had_locked = locks;
	if (!allocations || !locks)
		return 3; /* nothing is counted */
	path_run(&path);
	if (allocations != had_allocated)
		return 4;
	if (locks != had_locked)
		return 5;
	return path_copied(&path) ? 0 : 6;
}

TEST_F_TIMEOUT(datapath, no_allocation_and_no_lock, TIMEOUT)
{
	if (bed_in_process())
		SKIP(return, "in process the locks of the driver are counted, too");
	EXPECT_EQ(0, bed_in_child(run_counting, NULL));
}

static int run_jobs_strict(void *arg)
{
	(void)arg;
	/* All of it once, so that nothing is bound lazily. */
	if (!jobs_create() || !jobs_run(100))
		return 2;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 3;
	syscall(SYS_exit, jobs_run(TASKS) ? 0 : 4);
	return 5;
}

TEST_F_TIMEOUT(datapath, no_syscall_at_level_1_3, TIMEOUT)
{
	if (!bed_workers())
		SKIP(return, "workers are switched off");
	if (bed_in_process())
		SKIP(return, "in process the worker outlives the thread that may only exit");
	if (getenv("DOCA_DEBUG"))
		SKIP(return, "debug mode asks which thread it is in");
	setenv("DOCA_IDLE_US", "never", 1);
	EXPECT_EQ(0, bed_in_child(run_jobs_strict, NULL));
}

static int run_jobs_counting(void *arg)
{
	unsigned long had_allocated, had_locked;

	(void)arg;
	if (!jobs_create())
		return 2;
	had_allocated = allocations;
	had_locked = locks;
	if (!allocations || !locks)
		return 3; /* nothing is counted */
	if (!jobs_run(TASKS))
		return 4;
	if (allocations != had_allocated)
		return 5;
	return locks != had_locked ? 6 : 0;
}

TEST_F_TIMEOUT(datapath, no_allocation_and_no_lock_at_level_1_3, TIMEOUT)
{
	if (bed_in_process())
		SKIP(return, "in process the locks of the driver are counted, too");
	EXPECT_EQ(0, bed_in_child(run_jobs_counting, NULL));
}

TEST_HARNESS_MAIN
