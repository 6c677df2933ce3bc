/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* All tasks of a target, which several groups begin with. */
#ifndef DOCA_APSH_TASK_H
#define DOCA_APSH_TASK_H

#include "../walk/walk.h"

struct call;

/* What is read of each, at once: of many tasks no cache of the processor has all pages. */
struct task {
	u64 va;
	u32 pid, tgid;
	u64 state; /* as ps has it */
	u64 parent, cred, nsproxy, signal, thread_pid;
	u64 start, runtime;
	bool readable; /* its ids are */
	bool in_tree, in_list; /* of PIDs; of tasks, which has leaders alone */
	char comm[17];
};

struct tasks {
	struct task *list;
	u32 nr;
	struct nodes nodes; /* their addresses, in the same order */
	bool whole_tree, whole_list; /* nothing of it was missing */
};

/*
 * From the tree of PIDs, and leaders that are only in the list of tasks as well. What all
 * groups read of a task is read. False if there is no sound root, logged, or on error of
 * the view.
 */
bool tasks_get(struct call *c, struct tasks *t);
/* The threads of the process of the call, by its list of them. */
bool tasks_of_process(struct call *c, struct tasks *t);
void tasks_free(struct tasks *t);

/* The task of an id in the initial namespace, 0 if there is none. */
u64 task_find(struct view *v, u32 pid);

/* Finds the process of a call again: sets task, mm and space. False if it is gone. */
bool task_prove(struct call *c);

#endif /* DOCA_APSH_TASK_H */
