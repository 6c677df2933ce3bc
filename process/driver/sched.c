// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Threads and wait queues. */
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "shim/kernel.h"

#define THREAD_STACK (256 << 10)

static struct mm_struct process_mm;
static __typeof__(*((struct task_struct *)0)->nsproxy) namespaces;
static __thread struct task_struct *task_of_thread;

static void task_init(struct task_struct *task)
{
	*task = (struct task_struct){
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.nsproxy = (void *)&namespaces,
		.group_leader = task,
	};
	kref_init(&task->ref);
	pthread_cond_init(&task->woken, NULL);
}

/* Adopt a thread of the program, in its first call. */
static struct task_struct *task_adopt(void)
{
	static __thread struct task_struct task;

	task_init(&task);
	task.mm = &process_mm;
	pthread_getname_np(pthread_self(), task.comm, sizeof(task.comm));
	return &task;
}

struct task_struct *inproc_current(void)
{
	if (!task_of_thread)
		task_of_thread = task_adopt();
	return task_of_thread;
}

static void *task_main(void *arg)
{
	struct task_struct *task = arg;

	task_of_thread = task;
	schedule(); /* until the first wake-up */
	if (READ_ONCE(task->should_stop))
		return NULL;
	task->run(task->data);
	/* No thread joins it. */
	pthread_detach(pthread_self());
	put_task_struct(task);
	return NULL;
}

/*
 * The program must not notice threads that it has not made: they take none of its
 * signals, and little of its memory.
 */
int inproc_make_thread(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	pthread_attr_t attr;
	int err;

	err = pthread_attr_init(&attr);
	if (err)
		return err;
	pthread_attr_setstacksize(&attr, THREAD_STACK + PTHREAD_STACK_MIN);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return err;
}

struct task_struct *kthread_create(int (*run)(void *data), void *data,
				   const char *name, ...)
{
	struct task_struct *task;
	va_list args;
	int err;

	task = malloc(sizeof(*task));
	if (!task)
		return ERR_PTR(-ENOMEM);
	task_init(task);
	task->state = TASK_IDLE;
	task->run = run;
	task->data = data;
	err = inproc_make_thread(&task->thread, task_main, task);
	if (err) {
		free(task);
		return ERR_PTR(-err);
	}
	va_start(args, name);
	vsnprintf(task->comm, sizeof(task->comm), name, args);
	va_end(args);
	pthread_setname_np(task->thread, task->comm);
	return task;
}

/* For a thread that was never woken. */
int kthread_stop(struct task_struct *task)
{
	WRITE_ONCE(task->should_stop, true);
	wake_up_process(task);
	pthread_join(task->thread, NULL);
	put_task_struct(task);
	return 0;
}

static void task_release(struct kref *ref)
{
	struct task_struct *task = container_of(ref, struct task_struct, ref);

	pthread_cond_destroy(&task->woken);
	free(task);
}

void put_task_struct(struct task_struct *task)
{
	kref_put(&task->ref, task_release);
}

/* As in the kernel, there is a full barrier before the state is read. */
int wake_up_process(struct task_struct *task)
{
	bool slept;

	smp_mb();
	pthread_mutex_lock(&task->lock);
	slept = task->state != TASK_RUNNING;
	task->state = TASK_RUNNING;
	pthread_cond_signal(&task->woken);
	pthread_mutex_unlock(&task->lock);
	return slept;
}

void set_current_state(int state)
{
	pthread_mutex_lock(&current->lock);
	current->state = state;
	pthread_mutex_unlock(&current->lock);
	smp_mb();
}

void schedule(void)
{
	struct task_struct *task = current;
	int cancel = inproc_hold_cancel();

	pthread_mutex_lock(&task->lock);
	while (task->state != TASK_RUNNING)
		pthread_cond_wait(&task->woken, &task->lock);
	pthread_mutex_unlock(&task->lock);
	inproc_let_cancel(cancel);
}

u64 local_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static struct timespec at(u64 ns)
{
	return (struct timespec){ ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };
}

void schedule_hrtimeout_range(ktime_t *timeout, u64 delta, int mode)
{
	struct timespec end = at(local_clock() + *timeout);
	struct task_struct *task = current;
	int cancel = inproc_hold_cancel();
	int err = 0;

	pthread_mutex_lock(&task->lock);
	while (task->state != TASK_RUNNING && !err)
		err = pthread_cond_clockwait(&task->woken, &task->lock,
					     CLOCK_MONOTONIC, &end);
	task->state = TASK_RUNNING;
	pthread_mutex_unlock(&task->lock);
	inproc_let_cancel(cancel);
}

void init_waitqueue_head(wait_queue_head_t *head)
{
	pthread_mutex_init(&head->lock, NULL);
	INIT_LIST_HEAD(&head->head);
}

void init_waitqueue_func_entry(struct wait_queue_entry *entry,
			       wait_queue_func_t func)
{
	entry->func = func;
}

static int wake_task(struct wait_queue_entry *entry, unsigned int mode,
		     int flags, void *key)
{
	return wake_up_process(entry->task);
}

void inproc_wait_begin(struct wait_queue_entry *entry)
{
	init_waitqueue_func_entry(entry, wake_task);
	entry->task = current;
}

void add_wait_queue(wait_queue_head_t *head, struct wait_queue_entry *entry)
{
	pthread_mutex_lock(&head->lock);
	list_add(&entry->entry, &head->head);
	pthread_mutex_unlock(&head->lock);
}

void remove_wait_queue(wait_queue_head_t *head, struct wait_queue_entry *entry)
{
	pthread_mutex_lock(&head->lock);
	list_del(&entry->entry);
	pthread_mutex_unlock(&head->lock);
}

void __wake_up(wait_queue_head_t *head, unsigned int mode, int nr, void *key)
{
	struct wait_queue_entry *entry, *next;

	pthread_mutex_lock(&head->lock);
	list_for_each_entry_safe(entry, next, &head->head, entry)
		entry->func(entry, mode, 0, key);
	pthread_mutex_unlock(&head->lock);
}

/* The waiter may be gone with the completion when the lock is released. */
void complete(struct completion *completion)
{
	pthread_mutex_lock(&completion->wait.lock);
	completion->done = true;
	if (!list_empty(&completion->wait.head)) {
		struct wait_queue_entry *entry, *next;

		list_for_each_entry_safe(entry, next, &completion->wait.head,
					 entry)
			entry->func(entry, TASK_NORMAL, 0, NULL);
	}
	pthread_mutex_unlock(&completion->wait.lock);
}

bool completion_done(struct completion *completion)
{
	bool done;

	pthread_mutex_lock(&completion->wait.lock);
	done = completion->done;
	pthread_mutex_unlock(&completion->wait.lock);
	return done;
}

void wait_for_completion(struct completion *completion)
{
	inproc_wait_event(completion->wait, completion_done(completion),
			  schedule());
}
