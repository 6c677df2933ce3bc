// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../call.h"
#include "task.h"

enum { MAX_TASKS = 4 << 20 };

static u64 task_of_pid(struct view *v, u64 pid)
{
	u64 first = 0;

	if (!view_read_field(v, pid, F_PID_TASKS, &first, sizeof(first)) ||
	    !first)
		return 0;
	return first - offset_of_field(v, F_TASK_PID_LINKS);
}

static u64 pid_tree(struct view *v)
{
	return kernel_symbol(v->kernel, S_init_pid_ns) +
	       offset_of_field(v, F_PIDNS_IDR);
}

u64 task_find(struct view *v, u32 pid)
{
	u64 entry = xarray_load(v, pid_tree(v), pid);

	return entry & 3 ? 0 : task_of_pid(v, entry);
}

static void read_space(struct call *c)
{
	u64 pgd = view_field(&c->view, c->mm, F_MM_PGD), left;

	if (!view_translate(&c->view, NULL, pgd, &c->space.root, &left))
		c->space.root = 0;
}

/* A leader that has ended has no memory, but its other threads may go on. */
static void use_thread(struct call *c)
{
	struct view *v = &c->view;
	struct tasks t;

	if (!tasks_of_process(c, &t))
		return;
	for (u32 i = 0; i < t.nr && !c->mm && !v->error; i++) {
		if (t.list[i].tgid != c->process->pid)
			continue;
		c->mm = view_field(v, t.list[i].va, F_TASK_MM);
		if (c->mm)
			c->task = t.list[i].va;
	}
	tasks_free(&t);
}

bool task_prove(struct call *c)
{
	struct view *v = &c->view;
	u64 task = task_find(v, c->process->pid);

	if (!task && (c->process->hidden || v->misses))
		task = c->process->task;
	if (!task || view_field(v, task, F_TASK_TGID) != c->process->pid ||
	    view_field(v, task, F_TASK_START) != c->process->start)
		return false;
	view_identity(v, task + offset_of_field(v, F_TASK_TGID), 4, NULL);
	view_identity(v, task + offset_of_field(v, F_TASK_START), 8, NULL);
	c->task = task;
	c->mm = view_field(v, task, F_TASK_MM);
	if (!c->mm)
		use_thread(c);
	view_identity(v, c->task + offset_of_field(v, F_TASK_TGID), 4, NULL);
	view_identity(v, c->task + offset_of_field(v, F_TASK_MM), 8, NULL);
	c->space.root = 0;
	if (c->mm)
		read_space(c);
	return !v->error;
}

static void want_tasks(struct view *v, const struct nodes *n, u32 first)
{
	static const enum field fields[] = {
		F_TASK_PID,	F_TASK_TGID,	   F_TASK_COMM,
		F_TASK_STATE,	F_TASK_EXIT_STATE, F_TASK_TASKS,
		F_TASK_PARENT,	F_TASK_CRED,	   F_TASK_NSPROXY,
		F_TASK_SIGNAL,	F_TASK_START,	   F_TASK_RUNTIME,
		F_TASK_MM,	F_TASK_THREAD_PID, F_TASK_FILES,
		F_TASK_CGROUPS,
	};

	for (u32 i = first; i < n->nr; i++)
		for (size_t k = 0; k < ARRAY_SIZE(fields); k++)
			view_want_field(v, n->list[i], fields[k]);
	view_flush(v);
}

/* Read all struct pid at once, and then all tasks. */
static bool from_tree(struct call *c, struct nodes *tasks)
{
	struct view *v = &c->view;
	struct nodes pids = { 0 };
	bool ok = walk_xarray(v, pid_tree(v), MAX_TASKS, &pids);

	for (u32 i = 0; ok && i < pids.nr; i++)
		view_want_field(v, pids.list[i], F_PID_TASKS);
	if (ok)
		view_flush(v);
	for (u32 i = 0; ok && i < pids.nr && !v->error; i++) {
		u64 task = task_of_pid(v, pids.list[i]);

		if (task)
			nodes_add(v, tasks, task, 0);
	}
	nodes_free(&pids);
	return ok && !v->error;
}

static bool from_list(struct call *c, struct nodes *leaders)
{
	struct view *v = &c->view;
	u64 head = kernel_symbol(v->kernel, S_init_task) +
		   offset_of_field(v, F_TASK_TASKS);

	return walk_list(v, head, offset_of_field(v, F_TASK_TASKS), MAX_TASKS,
			 leaders);
}

static void read_task(struct view *v, struct task *t, u64 va)
{
	t->va = va;
	t->readable = view_read_field(v, va, F_TASK_PID, &t->pid, 4);
	if (!view_read_field(v, va, F_TASK_TGID, &t->tgid, 4))
		t->readable = false;
	t->state = view_field(v, va, F_TASK_STATE) |
		   view_field(v, va, F_TASK_EXIT_STATE);
	t->parent = view_field(v, va, F_TASK_PARENT);
	t->cred = view_field(v, va, F_TASK_CRED);
	t->nsproxy = view_field(v, va, F_TASK_NSPROXY);
	t->signal = view_field(v, va, F_TASK_SIGNAL);
	t->thread_pid = view_field(v, va, F_TASK_THREAD_PID);
	t->start = view_field(v, va, F_TASK_START);
	t->runtime = view_field(v, va, F_TASK_RUNTIME);
	view_read_field(v, va, F_TASK_COMM, t->comm, 16);
	t->comm[15] = '\0';
}

static bool read_tasks(struct call *c, struct tasks *t,
		       const struct nodes *leaders, u32 nr_tree)
{
	struct view *v = &c->view;

	t->list = calloc(t->nodes.nr + 1, sizeof(*t->list));
	if (!t->list) {
		v->error = VIEW_NO_MEMORY;
		return false;
	}
	want_tasks(v, &t->nodes, nr_tree);
	for (u32 i = 0; i < t->nodes.nr && !v->error; i++) {
		read_task(v, &t->list[i], t->nodes.list[i]);
		t->list[i].in_tree = i < nr_tree;
		t->list[i].in_list = leaders &&
				     nodes_find(leaders, t->nodes.list[i]) >= 0;
	}
	t->nr = t->nodes.nr;
	return !v->error;
}

bool tasks_get(struct call *c, struct tasks *t)
{
	struct nodes leaders = { 0 };
	bool tree, list, ok = false;
	u64 misses = c->view.misses;
	u32 nr_tree;

	memset(t, 0, sizeof(*t));
	tree = from_tree(c, &t->nodes);
	t->whole_tree = c->view.misses == misses;
	nr_tree = t->nodes.nr;
	/* before the list, whose tasks are then mostly in the view */
	want_tasks(&c->view, &t->nodes, 0);
	misses = c->view.misses;
	list = !c->view.error && from_list(c, &leaders);
	t->whole_list = c->view.misses == misses;
	for (u32 i = 0; i < leaders.nr && !c->view.error; i++)
		nodes_add(&c->view, &t->nodes, leaders.list[i], 0);
	if (c->view.error || (!tree && !list) || !t->nodes.nr)
		call_without_root(c, "neither the tree of PIDs nor the list of "
				     "tasks is");
	else
		ok = read_tasks(c, t, &leaders, nr_tree);
	nodes_free(&leaders);
	if (!ok)
		tasks_free(t);
	return ok;
}

/* Where the kernel lists the threads of a process, do not read all tasks for it. */
bool tasks_of_process(struct call *c, struct tasks *t)
{
	struct view *v = &c->view;
	u64 signal = view_field(v, c->task, F_TASK_SIGNAL);
	bool ok;

	if (!has(v, F_SIGNAL_THREADS) || !has(v, F_TASK_THREAD_NODE))
		return tasks_get(c, t);
	memset(t, 0, sizeof(*t));
	walk_list(v, signal + offset_of_field(v, F_SIGNAL_THREADS),
		  offset_of_field(v, F_TASK_THREAD_NODE), MAX_TASKS, &t->nodes);
	/* add it whether or not the list has it */
	nodes_add(v, &t->nodes, c->task, 0);
	ok = !v->error && read_tasks(c, t, NULL, 0);
	if (!ok)
		tasks_free(t);
	return ok;
}

void tasks_free(struct tasks *t)
{
	if (t->list)
		explicit_bzero(t->list, t->nr * sizeof(*t->list));
	free(t->list);
	nodes_free(&t->nodes);
	memset(t, 0, sizeof(*t));
}
