// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Messages of debug mode about objects of level 1.3. The program switches the mode on. */
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api13/debug.h"
#include "level.h"

/* Runs before main(), and before the libraries read the environment. */
static bool debug_mode(int argc, char **argv)
{
	extern char **environ;

	(void)argc;
	if (getenv("DOCA_DEBUG") && !strcmp(getenv("DOCA_DEBUG"), "1"))
		return true;
	setenv("DOCA_DEBUG", "1", 1);
	execve(argv[0], argv, environ); /* not /proc/self/exe, which may be valgrind */
	return false;
}

__attribute__((constructor)) static void again(int argc, char **argv)
{
	if (!debug_mode(argc, argv))
		abort();
}

TEST(objects_of_another_level_are_refused)
{
	struct doca_mmap *three;
	struct doca_buf *buf;

	set_up(1, true);
	three = level_3_mmap(lv.dev);
	INVALID(doca_mmap_start(three));
	EXPECT_LOGGED("doca_mmap_start(): ");
	INVALID(doca_buf_inventory_buf_by_addr(lv.inv, three, mem, 1, &buf));
	EXPECT_LOGGED("is none: it is of type mmap");
	INVALID(level_3_mmap_start(lv.mmap));
	level_3_mmap_destroy(three);
	tear_down();
}

TEST(objects_that_were_destroyed_are_refused)
{
	struct doca_devinfo_remote **remotes = NULL;
	struct doca_dma_job_memcpy job = { 0 };
	struct doca_devinfo **list = NULL;
	struct doca_buf_inventory *inv;
	struct doca_workq *workq;
	struct doca_mmap *mmap;
	struct doca_event ev;
	struct doca_dma *dma;

	set_up(1, true);
	OK(doca_mmap_create("x", &mmap));
	OK(doca_mmap_destroy(mmap));
	INVALID(doca_mmap_start(mmap));
	EXPECT_LOGGED("was destroyed");
	OK(doca_devinfo_list_create(&list));
	OK(doca_devinfo_list_destroy(list));
	INVALID(doca_devinfo_list_destroy(list));
	EXPECT_LOGGED("doca_devinfo_list_destroy(): list of devices");
	OK(doca_devinfo_remote_list_create(lv.dev, &remotes));
	OK(doca_devinfo_remote_list_destroy(remotes));
	INVALID(doca_devinfo_remote_list_destroy(remotes));
	EXPECT_LOGGED("doca_devinfo_remote_list_destroy(): list of remote");
	OK(doca_buf_inventory_create("x", 1, 0, &inv));
	OK(doca_buf_inventory_destroy(inv));
	INVALID(doca_buf_inventory_start(inv));
	EXPECT_LOGGED("was destroyed");
	OK(doca_dma_create(&dma));
	OK(doca_dma_destroy(dma));
	INVALID(doca_ctx_dev_add((struct doca_ctx *)dma, lv.dev));
	EXPECT_LOGGED("was destroyed");
	OK(doca_workq_create(1, &workq));
	OK(doca_workq_destroy(workq));
	INVALID(doca_workq_submit(workq, &job.base));
	EXPECT_LOGGED("doca_workq_submit(): work queue");
	INVALID(doca_workq_progress_retrieve(workq, &ev, 0));
	EXPECT_LOGGED("was destroyed");
	tear_down();
}

TEST(objects_of_another_kind_are_refused)
{
	struct doca_dma_job_memcpy job = { .base = { .type = DOCA_DMA_JOB_MEMCPY } };
	struct doca_buf *buf;
	size_t len;

	set_up(1, true);
	buf = take(0, 64);
	INVALID(doca_mmap_start((struct doca_mmap *)lv.inv));
	EXPECT_LOGGED("is none: it is of type buffer inventory of level 1.3");
	INVALID(doca_buf_len_get((struct doca_buf *)((char *)buf + 1), &len));
	job.base.ctx = lv.ctx;
	job.src_buff = (struct doca_buf *)mem;
	job.dst_buff = buf;
	INVALID(doca_workq_submit(lv.workq, &job.base));
	EXPECT_LOGGED("doca_workq_submit(): buffer of level 1.3");
	put(buf);
	tear_down();
}

static bool stop;

static void *poll_workq(void *arg)
{
	unsigned int *refused = arg;
	struct doca_event ev;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		doca_error_t ret;

		ret = doca_workq_progress_retrieve(lv.workq, &ev, 0);
		if (ret == DOCA_ERROR_IN_USE) {
			(*refused)++;
			__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
		}
	}
	return NULL;
}

TEST(a_work_queue_of_two_threads_is_reported)
{
	unsigned int refused[2] = { 0 };
	pthread_t thread;

	set_up(1, true);
	pthread_create(&thread, NULL, poll_workq, &refused[0]);
	poll_workq(&refused[1]);
	pthread_join(thread, NULL);
	EXPECT(refused[0] || refused[1]);
	EXPECT_LOGGED("is in use by thread");
	tear_down();
}

static sem_t entered, go_on;

/* Stay in a call for the work queue. */
static void *use_workq(void *arg)
{
	EXPECT(doca_priv_debug_enter(lv.workq, __func__));
	sem_post(&entered);
	sem_wait(&go_on);
	doca_priv_debug_leave(lv.workq);
	return arg;
}

TEST(a_child_has_the_work_queues_for_itself)
{
	struct doca_event ev;
	int status = -1;
	pthread_t thread;
	pid_t pid;

	sem_init(&entered, 0, 0);
	sem_init(&go_on, 0, 0);
	set_up(1, true);
	pthread_create(&thread, NULL, use_workq, NULL);
	sem_wait(&entered);
	pid = fork();
	if (!pid)
		_exit(doca_workq_progress_retrieve(lv.workq, &ev, 0));
	EXPECT(waitpid(pid, &status, 0) == pid);
	EXPECT_EQ(WEXITSTATUS(status), DOCA_ERROR_AGAIN);
	sem_post(&go_on);
	pthread_join(thread, NULL);
	tear_down();
}
