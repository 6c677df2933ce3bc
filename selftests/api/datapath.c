// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The data path: from doca_task_submit() to the callback there is no syscall, no lock and
 * no allocation while the worker is awake; with an event there is none but the wait. It
 * holds for level 1.3 as well, from doca_workq_submit() to the event of the job; and for
 * messages of the communication channel, and data into posted buffers; and for RDMA, but for
 * what its device takes, and a look for news now and then.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#include "allocations.h"
#include "bed.h"
#include "datapath_1_3.h"
#include "datapath_comch.h"
#include "datapath_rdma.h"

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

/* Tasks that submit themselves again until enough were submitted. */
static struct {
	struct bed bed;
	struct doca_mmap *mmap;
	char *mem;
	struct doca_dma_task_memcpy *tasks[BED_TASKS];
	unsigned long wanted, submitted, done;
	bool wrong;
} path;

static void path_submit(struct doca_dma_task_memcpy *task)
{
	if (path.submitted == path.wanted)
		return;
	path.submitted++;
	doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task));
	if (doca_task_submit(doca_dma_task_memcpy_as_task(task)))
		path.wrong = true;
}

static void path_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	path.done++;
	path_submit(task);
}

static void path_error(struct doca_dma_task_memcpy *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
	path.done++;
	path.wrong = true;
}

static bool path_create(void)
{
	union doca_data data = {};
	int i;

	path.mem = aligned_alloc(4096, MEM_SIZE);
	bed_fill(path.mem, MEM_SIZE, 1);
	if (bed_create(&path.bed, bed_open_dev(NULL), NULL) ||
	    doca_dma_task_memcpy_set_conf(path.bed.dma, path_done, path_error, BED_TASKS) ||
	    doca_ctx_start(path.bed.ctx) ||
	    bed_mmap(path.mem, MEM_SIZE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, path.bed.dev, NULL,
		     &path.mmap))
		return false;
	for (i = 0; i < BED_TASKS; i++) {
		char *src = path.mem + i * LEN;
		char *dst = src + MEM_SIZE / 2;
		struct doca_buf *from, *to;

		if (doca_buf_inventory_buf_get_by_data(path.bed.inv, path.mmap, src, LEN, &from) ||
		    doca_buf_inventory_buf_get_by_addr(path.bed.inv, path.mmap, dst, LEN, &to) ||
		    doca_dma_task_memcpy_alloc_init(path.bed.dma, from, to, data, &path.tasks[i]))
			return false;
	}
	return true;
}

static bool path_run(unsigned long nr)
{
	int i;

	path.wanted += nr;
	for (i = 0; i < BED_TASKS; i++)
		path_submit(path.tasks[i]);
	while (path.done < path.wanted && !path.wrong)
		doca_pe_progress(path.bed.pe);
	return !path.wrong &&
	       !memcmp(path.mem, path.mem + MEM_SIZE / 2, BED_TASKS * LEN);
}

/* Run one task, and wait for its last byte by polling: to sleep would be a syscall. */
static bool path_run_event(void)
{
	volatile char *last = path.mem + MEM_SIZE / 2 + LEN - 1;

	path.mem[LEN - 1] = 1;
	*last = 0;
	path.wanted++;
	if (doca_pe_request_notification(path.bed.pe))
		return false;
	path_submit(path.tasks[0]);
	while (!*last && !path.wrong)
		;
	if (doca_pe_clear_notification(path.bed.pe, 0))
		return false;
	while (path.done < path.wanted && !path.wrong)
		doca_pe_progress(path.bed.pe);
	return !path.wrong;
}

/* The engine may write and read an event of its own. */
static bool path_run_events(unsigned long nr)
{
	while (nr && path_run_event())
		nr--;
	return !nr;
}

/*
 * A way to run tasks, and their number; run() returns true if all were right. A way may lack
 * something: there() returns false.
 */
struct way {
	bool (*create)(void);
	bool (*run)(unsigned long nr);
	unsigned long nr;
	bool (*there)(void);
	bool looks; /* for news, by epoll_wait() */
};

/* Run everything once before, so that nothing is bound lazily later. */
static bool way_begin(const struct way *way)
{
	return way->create() && way->run(BED_TASKS);
}

#define ALLOW(call)                                      \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* As SECCOMP_MODE_STRICT, with one call more. */
static int confine_but_for_looks(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_read),
		ALLOW(SYS_write),
		ALLOW(SYS_exit),
		ALLOW(SYS_epoll_pwait),
#ifdef SYS_epoll_wait
		ALLOW(SYS_epoll_wait),
#endif
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Any syscall but read, write and exit means death by SIGKILL. */
static int run_strict(void *arg)
{
	const struct way *way = arg;

	if (!way_begin(way))
		return 2;
	if (way->looks ? confine_but_for_looks() : prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 3;
	syscall(SYS_exit, way->run(way->nr) ? 0 : 4);
	return 5;
}

static int run_counting(void *arg)
{
	const struct way *way = arg;
	unsigned long had_allocated, had_locked;

	if (!way_begin(way))
		return 2;
	had_allocated = allocations;
	had_locked = locks;
	if (!allocations || !locks)
		return 3; /* nothing is being counted */
	if (!way->run(way->nr))
		return 4;
	if (allocations != had_allocated)
		return 5;
	return locks != had_locked ? 6 : 0;
}

FIXTURE(datapath)
{
};

FIXTURE_VARIANT(datapath)
{
	struct way way;
};

FIXTURE_VARIANT_ADD(datapath, tasks)
{
	.way = { path_create, path_run, 100000 },
};

FIXTURE_VARIANT_ADD(datapath, events)
{
	.way = { path_create, path_run_events, 1000 },
};

FIXTURE_VARIANT_ADD(datapath, jobs_of_level_1_3)
{
	.way = { jobs_create, jobs_run, 100000 },
};

FIXTURE_VARIANT_ADD(datapath, messages)
{
	.way = { messages_create, messages_run, 100000, channel_has_pair },
};

FIXTURE_VARIANT_ADD(datapath, buffers)
{
	.way = { data_create, data_run, 100000, channel_has_pair },
};

FIXTURE_VARIANT_ADD(datapath, rdma)
{
	.way = { rdma_create, rdma_run, 20000, rdma_is_there, true },
};

FIXTURE_SETUP(datapath)
{
	struct doca_dev *dev = bed_open_dev(NULL);

	if (!dev)
		SKIP_SETUP("no device");
	EXPECT_OK(doca_dev_close(dev));
	if (variant->way.there && !variant->way.there())
		SKIP_SETUP("no pair of devices, or no rxe0");
}

FIXTURE_TEARDOWN(datapath)
{
}

TEST_F_TIMEOUT(datapath, no_syscall, TIMEOUT)
{
	struct way way = variant->way;

	if (!bed_workers())
		SKIP(return, "workers are switched off");
	if (bed_in_process())
		SKIP(return, "in process the worker outlives the thread that may only exit");
	if (getenv("DOCA_DEBUG"))
		SKIP(return, "debug mode asks which thread it is in");
	setenv("DOCA_IDLE_US", "never", 1);
	EXPECT_EQ(0, bed_in_child(run_strict, &way));
}

TEST_F_TIMEOUT(datapath, no_allocation_and_no_lock, TIMEOUT)
{
	struct way way = variant->way;

	if (bed_in_process())
		SKIP(return, "in process the locks of the driver are counted, too");
	EXPECT_EQ(0, bed_in_child(run_counting, &way));
}

/* Prove that no_syscall can fail: make one syscall, and the kernel kills. */
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

TEST_HARNESS_MAIN
