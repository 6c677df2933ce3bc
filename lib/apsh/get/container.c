// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "group.h"
#include "task.h"

LOG_SOURCE("APSH");

struct doca_apsh_container {
	struct object object;
	const char *id;
};

static bool is_known(const struct snapshot *s, const char *id)
{
	for (u32 i = 0; i < s->nr; i++)
		if (!strcmp(((struct doca_apsh_container *)s->list[i])->id, id))
			return true;
	return false;
}

static bool can_tell(struct call *c)
{
	static const struct need need = { .first = F_TASK_CGROUPS,
					  .last = F_KN_PARENT };

	return !call_needs(c, &need, 1, "the kernel has no control groups");
}

static void fill(struct call *c)
{
	struct doca_apsh_container *o;
	char id[CONTAINER_ID];
	struct tasks t;

	if (!can_tell(c) || !tasks_get(c, &t))
		return;
	for (u32 i = 0; i < t.nr && view_on_time(&c->view); i++) {
		if (!container_of_task(&c->view, t.list[i].va, id) ||
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
