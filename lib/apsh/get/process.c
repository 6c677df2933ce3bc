// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include "../call.h"
#include "../private.h"
#include "group.h"
#include "task.h"

LOG_SOURCE("APSH");

#define PS_PER_NS 1000

static u32 inum_through(struct view *v, u64 proxy, enum field to,
			enum field inum)
{
	u64 ns = proxy ? view_field(v, proxy, to) : 0;

	return ns ? (u32)view_field(v, ns, inum) : 0;
}

/* Return its pid in the innermost namespace; 0 if it has none. */
static u64 upid_of(struct view *v, const struct task *t)
{
	u64 level;

	if (!t->thread_pid)
		return 0;
	level = view_field(v, t->thread_pid, F_PID_LEVEL);
	if (level > 32) /* MAX_PID_NS_LEVEL */
		return 0;
	return t->thread_pid + offset_of_field(v, F_PID_NUMBERS) +
	       level * size_of_field(v, F_UPID_SIZE);
}

/* Return its PID namespace. */
static u32 pid_ns(struct view *v, const struct task *t)
{
	u64 upid = upid_of(v, t);
	u64 ns = upid ? view_field(v, upid, F_UPID_NS) : 0;

	return ns ? (u32)view_field(v, ns, F_PIDNS_INUM) : 0;
}

static u32 parent_of(struct view *v, const struct tasks *t, u64 parent)
{
	int64_t i = nodes_find(&t->nodes, parent);

	return i >= 0 ? t->list[i].tgid :
			(u32)view_field(v, parent, F_TASK_TGID);
}

/* First round: want the objects that a task points to. */
static void want_named(struct view *v, const struct task *t)
{
	view_want_field(v, t->cred, F_CRED_UID);
	view_want_field(v, t->cred, F_CRED_GID);
	view_want_field(v, t->signal, F_SIGNAL_RUNTIME);
	view_want_field(v, t->nsproxy, F_NSPROXY_NET);
	view_want_field(v, t->nsproxy, F_NSPROXY_MNT);
	view_want_field(v, t->thread_pid, F_PID_LEVEL);
}

/* Second round: want the objects that these point to. */
static void want_namespaces(struct view *v, const struct task *t)
{
	view_want_field(v, upid_of(v, t), F_UPID_NS);
	if (!t->nsproxy)
		return;
	view_want_field(v, view_field(v, t->nsproxy, F_NSPROXY_NET),
			F_NET_INUM);
	view_want_field(v, view_field(v, t->nsproxy, F_NSPROXY_MNT),
			F_MNTNS_INUM);
}

/* Third round: want the namespace of the pid. */
static void want_pid_namespace(struct view *v, const struct task *t)
{
	u64 upid = upid_of(v, t);

	if (upid)
		view_want_field(v, view_field(v, upid, F_UPID_NS),
				F_PIDNS_INUM);
}

static void want_of_tasks(struct view *v, const struct tasks *t)
{
	static void (*const want[])(struct view * v, const struct task *t) = {
		want_named,
		want_namespaces,
		want_pid_namespace,
	};

	for (size_t k = 0; k < ARRAY_SIZE(want); k++) {
		for (u32 i = 0; i < t->nr; i++)
			if (t->list[i].pid == t->list[i].tgid)
				want[k](v, &t->list[i]);
		view_flush(v);
	}
}

static void must_stay(struct view *v, const struct task *t, struct object *o)
{
	view_identity_was(v, t->va + offset_of_field(v, F_TASK_TGID), &t->tgid,
			  4, o);
	view_identity_was(v, t->va + offset_of_field(v, F_TASK_START),
			  &t->start, 8, o);
	view_identity_was(v, t->va + offset_of_field(v, F_TASK_THREAD_PID),
			  &t->thread_pid, 8, o);
}

static bool has_ids(const struct task *t)
{
	return t->pid && t->pid == t->tgid;
}

/* The list of tasks has only leaders, whatever their ids say. */
static bool is_process(const struct task *t)
{
	return has_ids(t) || (t->in_list && t->readable);
}

static void fill_process(struct call *c, const struct tasks *tasks,
			 const struct task *t, struct doca_apsh_process *p)
{
	struct view *v = &c->view;

	p->pid = t->tgid;
	p->ppid = parent_of(v, tasks, t->parent);
	p->comm = snapshot_string(c->snap, t->comm);
	p->uid = (u32)view_field(v, t->cred, F_CRED_UID);
	p->gid = (u32)view_field(v, t->cred, F_CRED_GID);
	p->state = t->state;
	p->ns_pid = pid_ns(v, t);
	p->ns_mnt = inum_through(v, t->nsproxy, F_NSPROXY_MNT, F_MNTNS_INUM);
	p->ns_net = inum_through(v, t->nsproxy, F_NSPROXY_NET, F_NET_INUM);
	p->task = t->va;
	p->start = t->start;
	p->hidden = (!t->in_tree && tasks->whole_tree) ||
		    (!t->in_list && tasks->whole_list) ||
		    (t->readable && !has_ids(t));
	p->cpu_time = view_field(v, t->signal, F_SIGNAL_RUNTIME);
	must_stay(v, t, &p->object);
}

/* Sort leaders by PID, so that threads' times find their process. */
static int by_pid(const void *a, const void *b)
{
	const struct doca_apsh_process *const *x = a, *const *y = b;

	return (*x)->pid < (*y)->pid ? -1 : (*x)->pid > (*y)->pid;
}

static void add_runtime(struct call *c, const struct tasks *t)
{
	struct snapshot *s = c->snap;

	for (u32 i = 0; i < t->nr; i++) {
		struct doca_apsh_process key = { .pid = t->list[i].tgid };
		struct doca_apsh_process *of = &key, **p;

		p = bsearch(&of, s->list, s->nr, sizeof(*s->list), by_pid);
		if (p)
			(*p)->cpu_time += t->list[i].runtime;
	}
	for (u32 i = 0; i < s->nr; i++)
		((struct doca_apsh_process *)s->list[i])->cpu_time *= PS_PER_NS;
}

static void fill_processes(struct call *c)
{
	u32 limit = limit_of(c, DOCA_APSH_PROCESS_LIMIT);
	struct snapshot *s = c->snap;
	struct tasks t;

	if (!tasks_get(c, &t))
		return;
	want_of_tasks(&c->view, &t);
	for (u32 i = 0; i < t.nr && !c->view.error && !s->no_memory; i++) {
		struct doca_apsh_process *p;

		if (!is_process(&t.list[i]))
			continue;
		if (c->container && !in_container(c, t.list[i].va))
			continue;
		if (s->nr == limit) {
			c->cut = true;
			break;
		}
		p = snapshot_add(s, sizeof(*p));
		if (!p)
			break;
		fill_process(c, &t, &t.list[i], p);
		c->view.stats.hidden += p->hidden;
	}
	if (s->nr) {
		qsort(s->list, s->nr, sizeof(*s->list), by_pid);
		add_runtime(c, &t);
	}
	tasks_free(&t);
}

const struct getter processes_getter = {
	.what = "processes",
	.limit = DOCA_APSH_PROCESS_LIMIT,
	.object = &apsh_process_object,
	.fill = fill_processes,
};

DEFINE_SYSTEM_GET(doca_apsh_processes_get, doca_apsh_process, processes,
		  processes_size, &processes_getter)
DEFINE_FREE(doca_apsh_processes_free, doca_apsh_process, processes)

bool doca_priv_apsh_hidden(const struct doca_apsh_process *process)
{
	return process->hidden;
}

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_PROCESS_PID, doca_apsh_process, pid),
	ATTR(DOCA_APSH_PROCESS_PPID, doca_apsh_process, ppid),
	ATTR(DOCA_APSH_PROCESS_COMM, doca_apsh_process, comm),
	ATTR(DOCA_APSH_PROCESS_CPU_TIME, doca_apsh_process, cpu_time),
	ATTR_WINDOWS(DOCA_APSH_PROCESS_WINDOWS_OFFSET),
	ATTR_WINDOWS(DOCA_APSH_PROCESS_WINDOWS_THREADS),
	ATTR_WINDOWS(DOCA_APSH_PROCESS_WINDOWS_EXIT_TIME),
	ATTR(DOCA_APSH_PROCESS_LINUX_GID, doca_apsh_process, gid),
	ATTR(DOCA_APSH_PROCESS_LINUX_UID, doca_apsh_process, uid),
	ATTR(DOCA_APSH_PROCESS_LINUX_STATE, doca_apsh_process, state),
	ATTR(DOCA_APSH_PROCESS_LINUX_NS_PID, doca_apsh_process, ns_pid),
	ATTR(DOCA_APSH_PROCESS_LINUX_NS_MNT, doca_apsh_process, ns_mnt),
	ATTR(DOCA_APSH_PROCESS_LINUX_NS_NET, doca_apsh_process, ns_net),
};

DEFINE_INFO_GET(__doca_apsh_process_info_get, doca_apsh_process,
		doca_apsh_process_attr, attrs, process)
