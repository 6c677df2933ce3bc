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

TEST(what_is_no_buffer_is_refused_in_a_job)
{
	struct doca_dma_job_memcpy job = { .base = { .type = DOCA_DMA_JOB_MEMCPY } };
	struct doca_buf *buf;

	set_up(1, true);
	buf = take(0, 64);
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
