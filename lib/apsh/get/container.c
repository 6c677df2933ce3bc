// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Containers: control groups whose name is that of one. */
#include <ctype.h>
#include <string.h>

#include "group.h"
#include "task.h"

LOG_SOURCE("APSH");

enum { ID_LEN = 64, MAX_LEVELS = 64 };

struct doca_apsh_container {
	struct object object;
	const char *id;
};

/* "docker-ID.scope", or the bare ID. */
static bool id_of_name(const char *name, char id[ID_LEN + 1])
{
	static const char *const prefixes[] = {
		"cri-containerd-", "docker-", "crio-", "libpod-", "",
	};
	const char *at = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes) && !at; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			at = name + strlen(prefixes[i]);
	for (int i = 0; i < ID_LEN; i++)
		if (!isxdigit((unsigned char)at[i]))
			return false;
	if (at[ID_LEN] && strcmp(at + ID_LEN, ".scope") != 0)
		return false;
	memcpy(id, at, ID_LEN);
	id[ID_LEN] = '\0';
	return true;
}

/* The innermost group of a task that is one; false if none is. */
static bool id_of_task(struct view *v, u64 task, char id[ID_LEN + 1])
{
	u64 set = view_field(v, task, F_TASK_CGROUPS);
	u64 group = set ? view_field(v, set, F_CSS_SET_CGROUP) : 0;
	u64 kn = group ? view_field(v, group, F_CGROUP_KN) : 0;
	char name[256];

	for (int i = 0; kn && i < MAX_LEVELS && !v->error; i++) {
		if (!read_string(v, NULL, view_field(v, kn, F_KN_NAME), name,
				 sizeof(name) - 1))
			return false;
		if (id_of_name(name, id))
			return true;
		kn = view_field(v, kn, F_KN_PARENT);
	}
	return false;
}

bool in_container(struct call *c, u64 task)
{
	char id[ID_LEN + 1];

	return id_of_task(&c->view, task, id) && !strcmp(id, c->container);
}

static bool is_known(const struct snapshot *s, const char *id)
{
	for (u32 i = 0; i < s->nr; i++)
		if (!strcmp(((struct doca_apsh_container *)s->list[i])->id, id))
			return true;
	return false;
}

static bool can_tell(struct call *c)
{
	struct view *v = &c->view;

	if (has(v, F_TASK_CGROUPS) && has(v, F_CSS_SET_CGROUP) &&
	    has(v, F_CGROUP_KN) && has(v, F_KN_NAME) && has(v, F_KN_PARENT))
		return true;
	c->error =
		FAIL_AT(c->site, INITIALIZATION,
			"the map has no control groups: the kernel has none, "
			"or the map was cut down");
	return false;
}

static void fill(struct call *c)
{
	struct doca_apsh_container *o;
	char id[ID_LEN + 1];
	struct tasks t;

	if (!can_tell(c) || !tasks_get(c, &t))
		return;
	for (u32 i = 0; i < t.nr && view_on_time(&c->view); i++) {
		if (!id_of_task(&c->view, t.list[i].va, id) ||
		    is_known(c->snap, id))
			continue;
		o = snapshot_add(c->snap, sizeof(*o));
		if (!o)
			break;
		o->id = snapshot_string(c->snap, id);
	}
	tasks_free(&t);
}

static const struct getter containers_getter = {
	.what = "containers",
	.limit = -1,
	.object = &apsh_container_object,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_apsh_containers_get, doca_apsh_container, containers,
		  containers_size, &containers_getter)
DEFINE_FREE(doca_apsh_containers_free, doca_apsh_container, containers)

doca_error_t
doca_apsh_container_processes_get(struct doca_apsh_container *container,
				  struct doca_apsh_process ***processes,
				  int *processes_size)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(container) || !given(processes) || !given(processes_size))
		return DOCA_ERROR_INVALID_VALUE;
	return call_container(&processes_getter, container->object.snap,
			      container->id, processes, processes_size, &site);
}

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_CONTAINER_ID, doca_apsh_container, id),
};

DEFINE_INFO_GET(__doca_apsh_container_info_get, doca_apsh_container,
		doca_apsh_container_attr, attrs, container)
