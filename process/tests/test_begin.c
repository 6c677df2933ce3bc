// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tasks whose worker's thread is still on its way, for as long as it takes. */
#include <pthread.h>
#include <semaphore.h>

#include "core/exec/ctx.h"

#include "bed.h"

struct start {
	void *(*run)(void *arg);
	void *arg;
};

static sem_t gate;
static bool held;
static pid_t on_its_way; /* the thread behind the gate; 0: none */
static _Thread_local struct ring *ring; /* NULL: the gate is not opened by a call */
static _Thread_local unsigned int batches;

static void *start_late(void *arg)
{
	struct start start = *(struct start *)arg;

	free(arg);
	while (sem_wait(&gate))
		;
	/* Debug mode has a thread of its own: let the next one go, too. */
	sem_post(&gate);
	__atomic_store_n(&on_its_way, gettid(), __ATOMIC_RELEASE);
	return start.run(start.arg);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg)
{
	struct start *start;

	if (!held)
		return __real_pthread_create(thread, attr, run, arg);
	start = malloc(sizeof(*start));
	*start = (struct start){ run, arg };
	return __real_pthread_create(thread, attr, start_late, start);
}

int __real_pthread_mutex_trylock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *lock);

/* A call tries to take the section for each batch. The worker begins before the second one. */
int __wrap_pthread_mutex_trylock(pthread_mutex_t *lock)
{
	if (ring && ++batches == 2) {
		sem_post(&gate);
		EXPECT(until(!ring_need_wakeup(ring)));
	}
	return __real_pthread_mutex_trylock(lock);
}

/* With a worker that sleeps only if it stands aside. */
static void start_held(struct bed *bed)
{
	sem_init(&gate, 0, 0);
	on_its_way = 0;
	setenv("DOCA_IDLE_US", "3600000000", 1);
	bed_create(bed, "software");
	held = true;
	OK(doca_ctx_start(bed->ctx));
	held = false;
	unsetenv("DOCA_IDLE_US");
}

static void end(struct bed *bed)
{
	bed_copy(bed, 8192, 64);
	bed_wait(bed, bed->done + 1);
	EXPECT(bed_copied(bed, 8192, 64));
	EXPECT_EQ(bed->failed, 0);
	bed_destroy(bed);
	sem_destroy(&gate);
}

/* Return true if the thread has come through the gate and sleeps. */
static bool sleeps(void)
{
	pid_t tid = __atomic_load_n(&on_its_way, __ATOMIC_ACQUIRE);

	return tid && is_asleep(tid);
}

TEST(the_first_tasks_are_executed_by_calls)
{
	struct bed bed;
	unsigned int i;

	start_held(&bed);
	for (i = 0; i < 4; i++) {
		bed_copy(&bed, i * 64, 64);
		/* A look at the ring is all that it takes. */
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
		EXPECT_EQ(bed.done, i + 1);
		EXPECT(bed_copied(&bed, i * 64, 64));
	}
	sem_post(&gate);
	end(&bed);
}

/* The worker may not come at all. */
TEST(a_large_task_is_not_left_half_done)
{
	struct bed bed;

	start_held(&bed);
	bed_copy(&bed, 0, BED_MEM / 2);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT(bed_copied(&bed, 0, BED_MEM / 2));
	sem_post(&gate);
	end(&bed);
}

/* Let the next call have it, with others. */
static void collect_copy(struct bed *bed)
{
	struct doca_dma_task_memcpy *task = NULL;

	OK(doca_dma_task_memcpy_alloc_init(bed->dma, bed_src(bed, bed->mmap, 0, BED_MEM / 2),
					   bed_dst(bed, bed->mmap, 0, BED_MEM / 2),
					   (union doca_data){ 0 }, &task));
	OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE));
}

/* A program that has a worker does not want to copy much in a call. */
TEST(a_call_leaves_the_rest_to_the_worker)
{
	struct bed bed;
	unsigned int i;

	start_held(&bed);
	for (i = 0; i < 8; i++)
		collect_copy(&bed);
	batches = 0;
	ring = &bed.ctx->queue.ring;
	doca_pe_progress(bed.pe);
	ring = NULL;
	EXPECT_EQ(batches, 2);
	if (batches < 2)
		sem_post(&gate);
	bed_wait(&bed, 8);
	EXPECT(bed_copied(&bed, 0, BED_MEM / 2));
	end(&bed);
}

/* A call that has executed lets the worker sleep, as at any other time. */
TEST(a_worker_stands_aside_from_the_beginning)
{
	struct bed bed;

	start_held(&bed);
	EXPECT(ring_need_wakeup(&bed.ctx->queue.ring));
	EXPECT_EQ(driver_queue_execute(&bed.ctx->queue), 0);
	sem_post(&gate);
	EXPECT(until(sleeps()));
	EXPECT(ring_need_wakeup(&bed.ctx->queue.ring));
	end(&bed);
}
