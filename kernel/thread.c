// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Common code of both kinds of threads. */
#include <linux/module.h>
#include <linux/pid_namespace.h>
#include <linux/sched/task.h>

#include "file.h"
#include "thread.h"
#include "user.h"

/* Includes its stack, and its worker, which has two ids. */
#define DOCA_THREAD_BYTES                                                      \
	(doca_user_bytes(sizeof(struct task_struct)) + THREAD_SIZE +           \
	 2 * PAGE_SIZE)

static void doca_thread_end(struct doca_thread *thread)
{
	struct doca_file *file = thread->file;

	doca_user_uncharge(file->user, DOCA_QUOTA_WORKERS, 1,
			   DOCA_THREAD_BYTES);
	complete_all(&thread->ended);
	thread->ops->release(thread);
	doca_file_put(file);
}

int doca_thread_start(struct doca_thread *thread, struct doca_file *file,
		      const struct doca_thread_ops *ops)
{
	int rc;

	rc = doca_user_charge(file->user, DOCA_QUOTA_WORKERS, 1,
			      DOCA_THREAD_BYTES);
	if (rc)
		return rc;
	thread->ops = ops;
	thread->end = doca_thread_end;
	thread->file = doca_file_get(file);
	init_completion(&thread->begun);
	init_completion(&thread->ended);
	__module_get(THIS_MODULE);
	rc = doca_thread_make(thread);
	if (rc) {
		module_put(THIS_MODULE);
		doca_user_uncharge(file->user, DOCA_QUOTA_WORKERS, 1,
				   DOCA_THREAD_BYTES);
		doca_file_put(file);
	}
	return rc;
}

void doca_thread_wake(struct doca_thread *thread)
{
	struct task_struct *task;

	/* B: between setting work due and reading whether the thread sleeps, or has begun. */
	smp_mb();
	task = READ_ONCE(thread->task);
	if (task)
		wake_up_process(task);
}

void doca_thread_stop(struct doca_thread *thread)
{
	WRITE_ONCE(thread->stop, true);
	doca_thread_wake(thread);
}

void doca_thread_wait(struct doca_thread *thread)
{
	if (!(current->flags & PF_EXITING) && doca_thread_ends_soon(thread))
		wait_for_completion_interruptible(&thread->ended);
}

void doca_thread_forget(struct doca_thread *thread)
{
	if (thread->task)
		put_task_struct(thread->task);
}

pid_t doca_thread_pid(const struct doca_thread *thread,
		      struct pid_namespace *ns)
{
	struct task_struct *task = READ_ONCE(thread->task);

	return task ? task_pid_nr_ns(task, ns) : 0;
}
