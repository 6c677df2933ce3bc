// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include "group.h"
#include "task.h"

LOG_SOURCE("APSH");

struct doca_apsh_thread {
	struct object object;
	u32 pid, tid;
	u64 state;
	const char *process, *name;
};

static int by_tid(const void *a, const void *b)
{
	const struct doca_apsh_thread *const *x = a, *const *y = b;

	return (*x)->tid < (*y)->tid ? -1 : (*x)->tid > (*y)->tid;
}

static void fill(struct call *c)
{
	u32 limit = limit_of(c, DOCA_APSH_THREADS_LIMIT);
	struct tasks t;

	if (!tasks_of_process(c, &t))
		return;
	for (u32 i = 0; i < t.nr && !c->view.error; i++) {
		const struct task *task = &t.list[i];
		struct doca_apsh_thread *o;

		if (task->tgid != c->process->pid)
			continue;
		if (c->snap->nr == limit) {
			c->cut = true;
			break;
		}
		o = snapshot_add(c->snap, sizeof(*o));
		if (!o)
			break;
		o->pid = task->tgid;
		o->tid = task->pid;
		o->state = task->state;
		o->process = snapshot_string(c->snap, c->process->comm);
		o->name = snapshot_string(c->snap, task->comm);
		view_identity(&c->view,
			      task->va + offset_of_field(&c->view, F_TASK_PID),
			      4, &o->object);
		view_identity(&c->view,
			      task->va +
				      offset_of_field(&c->view, F_TASK_START),
			      8, &o->object);
	}
	tasks_free(&t);
	if (c->snap->nr)
		qsort(c->snap->list, c->snap->nr, sizeof(*c->snap->list),
		      by_tid);
}

static const struct getter threads_getter = {
	.what = "threads",
	.object = &apsh_thread_object,
	.limit = DOCA_APSH_THREADS_LIMIT,
	.gone = DOCA_ERROR_INITIALIZATION,
	.fill = fill,
};

DEFINE_PROCESS_GET(doca_apsh_threads_get, doca_apsh_thread, threads,
		   threads_size, &threads_getter)
DEFINE_FREE(doca_apsh_threads_free, doca_apsh_thread, threads)

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_THREAD_PID, doca_apsh_thread, pid),
	ATTR(DOCA_APSH_THREAD_TID, doca_apsh_thread, tid),
	ATTR(DOCA_APSH_THREAD_STATE, doca_apsh_thread, state),
	ATTR_WINDOWS(DOCA_APSH_THREAD_WINDOWS_WAIT_REASON),
	ATTR_WINDOWS(DOCA_APSH_THREAD_WINDOWS_OFFSET),
	ATTR_WINDOWS(DOCA_APSH_THREAD_WINDOWS_SUSPEND_COUNT),
	ATTR(DOCA_APSH_THREAD_LINUX_PROC_NAME, doca_apsh_thread, process),
	ATTR(DOCA_APSH_THREAD_LINUX_THREAD_NAME, doca_apsh_thread, name),
};

DEFINE_INFO_GET(__doca_apsh_thread_info_get, doca_apsh_thread,
		doca_apsh_thread_attr, attrs, thread)
