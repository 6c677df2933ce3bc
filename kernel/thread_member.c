// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Threads of the process that makes them. A signal interrupts their work: to stop, to
 * freeze, or to end with the process.
 *
 * Another thread must wait for the end of such a thread: its reaper, once the thread
 * leaves. The thread may be stopped or frozen then. So each has its own reaper: with
 * shared ones, the threads of a few users could hold up all others.
 */
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/task.h>
#include <linux/sched/vhost_task.h>
#include <linux/timer.h>

#include "thread.h"

/* Reaps threads for which no reaper could be made. */
static struct workqueue_struct *doca_thread_wq;

int doca_threads_init(void)
{
	doca_thread_wq = alloc_workqueue("doca-threads", WQ_UNBOUND, 0);
	return doca_thread_wq ? 0 : -ENOMEM;
}

void doca_threads_exit(void)
{
	destroy_workqueue(doca_thread_wq);
}

static void doca_thread_reap(struct doca_thread *thread)
{
	vhost_task_stop(thread->member);
	thread->end(thread);
}

struct doca_reaper {
	struct task_struct *task;
	struct timer_list timer;
};

static void doca_reaper_wake(struct timer_list *timer)
{
	struct doca_reaper *reaper =
		container_of(timer, struct doca_reaper, timer);

	wake_up_process(reaper->task);
	mod_timer(timer, jiffies + HZ);
}

/*
 * The reaper waits uninterruptibly. A task that does so for minutes counts as hung, which
 * may panic the machine, unless it wakes up now and then.
 */
static int doca_thread_reaper(void *data)
{
	struct doca_reaper reaper = { .task = current };

	timer_setup_on_stack(&reaper.timer, doca_reaper_wake, 0);
	mod_timer(&reaper.timer, jiffies + HZ);
	doca_thread_reap(data);
	timer_delete_sync(&reaper.timer);
	destroy_timer_on_stack(&reaper.timer);
	module_put_and_kthread_exit(0);
}

static void doca_thread_reap_work(struct work_struct *work)
{
	doca_thread_reap(container_of(work, struct doca_thread, reaper));
	/* Unloading waits for this function. */
	module_put(THIS_MODULE);
}

static void doca_thread_begin(struct doca_thread *thread)
{
	if (thread->task)
		return;
	get_task_struct(current);
	WRITE_ONCE(thread->task, current);
	/* B: a waker that does not see the task need not wake it: it checks for work next. */
	smp_mb();
	complete_all(&thread->begun);
}

static void doca_thread_leave(struct doca_thread *thread)
{
	if (thread->leaving)
		return;
	thread->leaving = true;
	thread->ops->leaves(thread);
	if (IS_ERR(kthread_run(doca_thread_reaper, thread, "doca-reaper")))
		queue_work(doca_thread_wq, &thread->reaper);
}

/* Called in a loop. If it returns false, the caller sleeps, in the state set by this function. */
static bool doca_thread_step(void *data)
{
	struct doca_thread *thread = data;

	if (thread->leaving)
		return false;
	__set_current_state(TASK_RUNNING);
	doca_thread_begin(thread);
	if (READ_ONCE(thread->stop))
		doca_thread_leave(thread);
	else
		thread->ops->run(thread);
	return true;
}

static void doca_thread_killed(void *data)
{
	struct doca_thread *thread = data;

	doca_thread_begin(thread);
	doca_thread_leave(thread);
}

int doca_thread_make(struct doca_thread *thread)
{
	struct vhost_task *member;
	char name[TASK_COMM_LEN];

	/* The id in the process's own namespace, because the process sees its threads. */
	snprintf(name, sizeof(name), "doca-%d", task_tgid_vnr(current));
	INIT_WORK(&thread->reaper, doca_thread_reap_work);
	member = vhost_task_create(doca_thread_step, doca_thread_killed, thread,
				   name);
	if (IS_ERR_OR_NULL(member))
		return member ? PTR_ERR(member) : -ENOMEM;
	thread->member = member;
	vhost_task_start(member);
	/* The thread's id may be read next. It may be stopped before that, like the caller. */
	wait_for_completion_interruptible(&thread->begun);
	return 0;
}

/* A process never waits for another one, which may be stopped or frozen. */
bool doca_thread_ends_soon(const struct doca_thread *thread)
{
	struct task_struct *task = READ_ONCE(thread->task);

	return task && same_thread_group(task, current);
}
