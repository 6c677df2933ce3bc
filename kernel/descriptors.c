// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Descriptors of a process, in the tables of all its threads. Most have one table; but a thread
 * that was made without CLONE_FILES, or has unshared it, has a copy of its own.
 */
#include <linux/fdtable.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "descriptors.h"

static int doca_is_file(const void *filp, struct file *other, unsigned int fd)
{
	return other == filp;
}

/* A thread that exits has no table any more. Its lock keeps the table, and may be another's. */
static bool doca_thread_has(struct task_struct *thread, const struct file *filp)
{
	bool has = false;

	task_lock(thread);
	if (thread->files != current->files)
		has = iterate_fd(thread->files, 0, doca_is_file, filp);
	task_unlock(thread);
	return has;
}

bool doca_process_has(const struct file *filp)
{
	bool has = iterate_fd(current->files, 0, doca_is_file, filp);
	struct task_struct *thread;

	rcu_read_lock();
	/* Not for_each_thread(), which names a lock that modules have not got. */
	list_for_each_entry_rcu(thread, &current->signal->thread_head,
				thread_node)
		has = has || doca_thread_has(thread, filp);
	rcu_read_unlock();
	return has;
}
