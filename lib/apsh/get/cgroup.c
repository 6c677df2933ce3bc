// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The container of a task: a control group with a container's name. */
#include <ctype.h>
#include <string.h>

#include "group.h"

enum { ID_LEN = CONTAINER_ID - 1, MAX_LEVELS = 64 };

/* Parse "docker-ID.scope", or the bare ID. */
static bool id_of_name(const char *name, char id[CONTAINER_ID])
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

bool container_of_task(struct view *v, u64 task, char id[CONTAINER_ID])
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
	char id[CONTAINER_ID];

	return container_of_task(&c->view, task, id) &&
	       !strcmp(id, c->container);
}
