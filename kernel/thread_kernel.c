// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Kernel threads. They inherit from their creator what can be inherited, but do not
 * follow when it is moved, stopped or frozen later.
 */
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include <uapi/linux/sched/types.h>

#include "thread.h"

int doca_threads_init(void)
{
	return 0;
}

void doca_threads_exit(void)
{
}

static int doca_thread_main(void *data)
{
	struct doca_thread *thread = data;

	while (!READ_ONCE(thread->stop))
		thread->ops->run(thread);
	thread->ops->leaves(thread);
	thread->end(thread);
	module_put_and_kthread_exit(0);
}

/* Like fork(). */
static int doca_thread_inherit_policy(struct task_struct *task)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = current->policy,
		.sched_nice = task_nice(current),
		.sched_priority = current->rt_priority,
	};

	if (current->sched_reset_on_fork || current->policy == SCHED_DEADLINE) {
		attr.sched_policy = SCHED_NORMAL;
		attr.sched_nice = max(attr.sched_nice, 0);
		attr.sched_priority = 0;
	}
	/* sched_setattr_nocheck() sets it for normal policies only. */
	set_user_nice(task, attr.sched_nice);
	return sched_setattr_nocheck(task, &attr);
}

/*
 * With the driver's credentials, like fork(): where there is a cpuset, an unprivileged
 * process may not move a kernel thread.
 */
static int doca_thread_inherit_cgroups(struct task_struct *task)
{
	struct cred *cred = prepare_kernel_cred(&init_task);
	const struct cred *callers;
	int rc;

	if (!cred)
		return -ENOMEM;
	callers = override_creds(cred);
	rc = cgroup_attach_task_all(current, task);
	revert_creds(callers);
	put_cred(cred);
	return rc;
}

static int doca_thread_inherit(struct task_struct *task)
{
	cpumask_var_t cpus;
	int rc;

	rc = doca_thread_inherit_cgroups(task);
	if (rc)
		return rc;
	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	/* After the cgroups, because their cpuset sets a mask as well. */
	cpumask_copy(cpus, current->cpus_ptr);
	rc = set_cpus_allowed_ptr(task, cpus);
	free_cpumask_var(cpus);
	return rc ?: doca_thread_inherit_policy(task);
}

int doca_thread_make(struct doca_thread *thread)
{
	struct task_struct *task;
	int rc;

	task = kthread_create(doca_thread_main, thread, "doca-%d",
			      task_tgid_nr(current));
	if (IS_ERR(task))
		return PTR_ERR(task);
	rc = doca_thread_inherit(task);
	if (rc) {
		kthread_stop(task);
		return rc;
	}
	get_task_struct(task);
	thread->task = task;
	wake_up_process(task);
	return 0;
}

bool doca_thread_ends_soon(const struct doca_thread *thread)
{
	return true;
}
