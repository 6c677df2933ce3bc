// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Processes, each below its parent. The target may say that two are parents of each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apsh/private.h"

#include "commands.h"
#include "out.h"

enum { INDENT = 2, MAX_INDENT = 64 };

static const struct column columns[] = {
	{ "pid", "PID", 7 },	    { "ppid", NULL, 0 },
	{ "depth", NULL, 0 },	    { "linux_uid", "UID", 6 },
	{ "hidden", "HIDDEN", -6 }, { "comm", NULL, 0 },
	{ "tree", "COMMAND", 0 },
};

struct process {
	struct doca_apsh_process *self;
	uint32_t pid, ppid;
	uint32_t depth;
	bool shown; /* or waiting to be shown */
	bool leads; /* the first child of a PID, of which all children are shown */
};

struct tree {
	struct process *list; /* by parent, and by PID */
	uint32_t *pids; /* sorted */
	uint32_t *waiting; /* indices; the last one comes first */
	uint32_t nr, nr_waiting;
};

static int by_parent(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	if (x->ppid != y->ppid)
		return x->ppid < y->ppid ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Return the index of the first child of a process, or of where it would be. */
static uint32_t first_child(const struct tree *t, uint32_t pid)
{
	uint32_t low = 0, high = t->nr;

	while (low < high) {
		uint32_t mid = (low + high) / 2;

		if (t->list[mid].ppid < pid)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void wait_for(struct tree *t, uint32_t i, uint32_t depth)
{
	if (t->list[i].shown)
		return;
	t->list[i].shown = true;
	t->list[i].depth = depth;
	t->waiting[t->nr_waiting++] = i;
}

/*
 * The last child waits first, so that the first one is shown first. Many processes of a
 * target may have one PID, and as many its parent: look at the children of a PID once.
 */
static void wait_for_children(struct tree *t, const struct process *p)
{
	uint32_t first = first_child(t, p->pid), end = first;

	if (first == t->nr || t->list[first].ppid != p->pid ||
	    t->list[first].leads)
		return;
	t->list[first].leads = true;
	while (end < t->nr && t->list[end].ppid == p->pid)
		end++;
	while (end > first)
		wait_for(t, --end, p->depth + 1);
}

static void show(const struct process *p)
{
	const char *comm =
		doca_apsh_process_info_get(p->self, DOCA_APSH_PROCESS_COMM);
	uint32_t indent = p->depth * INDENT;
	char tree[MAX_INDENT + 32];

	if (indent > MAX_INDENT)
		indent = MAX_INDENT;
	snprintf(tree, sizeof(tree), "%*s%s", (int)indent, "", comm);

	const struct value values[] = {
		number(p->pid),
		number(p->ppid),
		number(p->depth),
		number(doca_apsh_process_info_get(p->self,
						  DOCA_APSH_PROCESS_LINUX_UID)),
		truth(doca_priv_apsh_hidden(p->self)),
		text(comm),
		text(tree),
	};

	out_row(columns, values, sizeof(values) / sizeof(values[0]));
}

static void show_below(struct tree *t, uint32_t i)
{
	wait_for(t, i, 0);
	while (t->nr_waiting) {
		const struct process *p = &t->list[t->waiting[--t->nr_waiting]];

		show(p);
		wait_for_children(t, p);
	}
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static bool is_there(const struct tree *t, uint32_t pid)
{
	return bsearch(&pid, t->pids, t->nr, sizeof(*t->pids), by_number);
}

/* Begin with those whose parent is not there; what is left then is a circle. */
static void show_all(struct tree *t)
{
	out_head(columns, sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < t->nr; i++)
		if (!is_there(t, t->list[i].ppid))
			show_below(t, i);
	for (uint32_t i = 0; i < t->nr; i++)
		if (!t->list[i].shown)
			show_below(t, i);
}

static bool fill(struct tree *t, struct doca_apsh_process **list, uint32_t nr)
{
	t->list = calloc(nr + 1, sizeof(*t->list));
	t->waiting = calloc(nr + 1, sizeof(*t->waiting));
	t->pids = calloc(nr + 1, sizeof(*t->pids));
	if (!t->list || !t->waiting || !t->pids)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		t->list[i] = (struct process){
			.self = list[i],
			.pid = doca_apsh_process_info_get(
				list[i], DOCA_APSH_PROCESS_PID),
			.ppid = doca_apsh_process_info_get(
				list[i], DOCA_APSH_PROCESS_PPID),
		};
		t->pids[i] = t->list[i].pid;
	}
	t->nr = nr;
	qsort(t->pids, nr, sizeof(*t->pids), by_number);
	qsort(t->list, nr, sizeof(*t->list), by_parent);
	return true;
}

doca_error_t process_tree(struct doca_apsh_system *system, const char *word)
{
	struct doca_apsh_process **list = NULL;
	struct tree t = { 0 };
	doca_error_t ret;
	int nr = 0;

	(void)word;
	ret = doca_apsh_processes_get(system, &list, &nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (fill(&t, list, (uint32_t)nr))
		show_all(&t);
	else
		ret = DOCA_ERROR_NO_MEMORY;
	free(t.list);
	free(t.waiting);
	free(t.pids);
	doca_apsh_processes_free(list);
	return ret;
}
