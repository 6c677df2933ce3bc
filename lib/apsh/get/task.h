/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* All tasks of a target; several groups begin with them. */
#ifndef DOCA_APSH_TASK_H
#define DOCA_APSH_TASK_H

#include "../walk/walk.h"

struct call;

/*
 * Fields of a task that are read at once: with many tasks, their pages do not stay in the
 * processor's cache.
 */
struct task {
	u64 va;
	u32 pid, tgid;
	u64 state; /* as in ps */
	u64 parent, cred, nsproxy, signal, thread_pid;
	u64 start, runtime;
	bool readable; /* its ids could be read */
	/* in_list: in the list of tasks, which has leaders alone */
	bool in_tree, in_list;
	char comm[17];
};

struct tasks {
	struct task *list;
	u32 nr;
	struct nodes nodes; /* addresses of the tasks, in the same order */
	/* nothing of the tree, or of the list, was missing */
	bool whole_tree, whole_list;
};

/*
 * Read the tree of PIDs, and leaders that are only in the list of tasks as well. The
 * fields that all groups need are read. Return false if no root is sound, logged, or if
 * the view fails.
 */
bool tasks_get(struct call *c, struct tasks *t);
/* Collect the threads of the call's process, from the kernel's list of them. */
bool tasks_of_process(struct call *c, struct tasks *t);
void tasks_free(struct tasks *t);

/* Find a task by its id in the initial namespace; 0 if there is none. */
u64 task_find(struct view *v, u32 pid);

/* Find the process of a call again, and set task, mm and space. False if it is gone. */
bool task_prove(struct call *c);

#endif /* DOCA_APSH_TASK_H */
