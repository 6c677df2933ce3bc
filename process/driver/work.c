// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Work queues: a thread of the driver's own does one work after the other. */
#include "shim/kernel.h"

#define PATIENCE (100 * NSEC_PER_MSEC)

struct workqueue_struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	struct list_head works;
	struct list_head node;
	const char *name;
	bool has_thread; /* false before there is work */
	bool busy; /* a thread runs works: its own, or one that waits */
	bool ending;
};

/* They are made before the first call, and stay until the last one has returned. */
static LIST_HEAD(queues);

static void run_first_work(struct workqueue_struct *wq,
			   struct work_struct *work)
{
	list_del(&work->node);
	work->pending = false;
	pthread_mutex_unlock(&wq->lock);
	work->func(work); /* the function may free it */
	pthread_mutex_lock(&wq->lock);
}

/*
 * Run all works, unless a thread does; it goes on until there is none. Call it
 * with the lock held.
 */
static void run_works_there(struct workqueue_struct *wq)
{
	struct work_struct *work;

	if (wq->busy)
		return;
	wq->busy = true;
	while ((work = list_first_entry_or_null(&wq->works, struct work_struct,
						node)))
		run_first_work(wq, work);
	wq->busy = false;
}

static void *run_works(void *arg)
{
	struct workqueue_struct *wq = arg;

	pthread_mutex_lock(&wq->lock);
	for (;;) {
		run_works_there(wq);
		if (wq->ending)
			break;
		pthread_cond_wait(&wq->changed, &wq->lock);
	}
	pthread_mutex_unlock(&wq->lock);
	return NULL;
}

struct workqueue_struct *alloc_workqueue(const char *name, int flags, int max)
{
	struct workqueue_struct *wq = malloc(sizeof(*wq));

	if (!wq)
		return NULL;
	*wq = (struct workqueue_struct){
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.works = LIST_HEAD_INIT(wq->works),
		.name = name,
	};
	list_add_tail(&wq->node, &queues);
	return wq;
}

void destroy_workqueue(struct workqueue_struct *wq)
{
	list_del(&wq->node);
	pthread_mutex_lock(&wq->lock);
	wq->ending = true;
	pthread_cond_broadcast(&wq->changed);
	pthread_mutex_unlock(&wq->lock);
	if (wq->has_thread)
		pthread_join(wq->thread, NULL);
	else
		run_works(wq);
	BUG_ON(!list_empty(&wq->works));
	free(wq);
}

/*
 * Call it with the lock held. Without a thread, works wait until there is one, or until
 * a thread that waits for works does them.
 */
static void start_thread(struct workqueue_struct *wq)
{
	if (wq->has_thread || inproc_make_thread(&wq->thread, run_works, wq))
		return;
	wq->has_thread = true;
	pthread_setname_np(wq->thread, wq->name);
}

bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
{
	bool was;

	pthread_mutex_lock(&wq->lock);
	was = work->pending;
	if (!was) {
		work->pending = true;
		__atomic_store_n(&work->wq, wq, __ATOMIC_RELAXED);
		list_add_tail(&work->node, &wq->works);
		start_thread(wq);
		pthread_cond_broadcast(&wq->changed);
	}
	pthread_mutex_unlock(&wq->lock);
	return !was;
}

static void run_works_without_thread(struct workqueue_struct *wq)
{
	pthread_mutex_lock(&wq->lock);
	if (!wq->has_thread)
		run_works_there(wq);
	pthread_mutex_unlock(&wq->lock);
}

/* Runs after all works that were queued before. */
struct work_barrier {
	struct work_struct work;
	struct completion done;
};

static void pass_barrier(struct work_struct *work)
{
	complete(&container_of(work, struct work_barrier, work)->done);
}

bool flush_work(struct work_struct *work)
{
	struct workqueue_struct *wq =
		__atomic_load_n(&work->wq, __ATOMIC_RELAXED);
	struct work_barrier barrier;

	INIT_WORK(&barrier.work, pass_barrier);
	init_completion(&barrier.done);
	queue_work(wq, &barrier.work);
	run_works_without_thread(wq);
	wait_for_completion(&barrier.done);
	return true;
}

void inproc_run_works(void)
{
	struct workqueue_struct *wq;

	list_for_each_entry(wq, &queues, node)
		run_works_without_thread(wq);
}

/* Works queued meanwhile may be for a queue without a thread, too. */
void inproc_sleep_for_works(void)
{
	ktime_t patience = PATIENCE;

	inproc_run_works();
	schedule_hrtimeout_range(&patience, 0, HRTIMER_MODE_REL);
}

void inproc_wait_for_works(struct completion *completion)
{
	inproc_wait_event(completion->wait, completion_done(completion),
			  inproc_sleep_for_works());
}
