// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Descriptors of a process, in the tables of all its threads. Most have one table; but a thread
 * that was made without CLONE_FILES, or has unshared it, has a copy of its own.
 */
#include <linux/fdtable.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
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

/* Let others have the CPU. False if the thread has ended meanwhile: the next one is not known. */
static bool doca_rest_at(struct task_struct *thread)
{
	bool alive;

	get_task_struct(thread);
	rcu_read_unlock();
	cond_resched();
	rcu_read_lock();
	alive = pid_alive(thread);
	put_task_struct(thread);
	return alive;
}

/* There may be many threads, each with a large table. */
static bool doca_threads_have(const struct file *filp)
{
	struct task_struct *thread;

again:
	/* Not for_each_thread(), which names a lock that modules have not got. */
	list_for_each_entry_rcu(thread, &current->signal->thread_head,
				thread_node) {
		if (doca_thread_has(thread, filp))
			return true;
		if (need_resched() && !doca_rest_at(thread))
			goto again;
	}
	return false;
}

bool doca_process_has(const struct file *filp)
{
	bool has = iterate_fd(current->files, 0, doca_is_file, filp);

	if (has)
		return true;
	rcu_read_lock();
	has = doca_threads_have(filp);
	rcu_read_unlock();
	return has;
}
