// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The container of a task: the innermost of its control groups whose name, or place, is one
 * that a runtime gives to a container.
 */
#include <ctype.h>
#include <string.h>

#include "group.h"

enum { HEX_ID = 64, MAX_NAME = 255, MAX_LEVELS = 64, ABOVE = 2 };

/* Names from the task's group up to the root, whose name is "", and a few more of these. */
struct way {
	char names[MAX_LEVELS + ABOVE][MAX_NAME + 1];
	int nr;
};

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool ends(const char *name, const char *with)
{
	size_t len = strlen(name), tail = strlen(with);

	return len > tail && !strcmp(name + len - tail, with);
}

static bool as_it_is(const char *name, char id[CONTAINER_ID])
{
	memcpy(id, name, strlen(name) + 1);
	return true;
}

/* Take the bare ID, or the rest of the name of a scope. */
static bool as_hex(const char *text, char id[CONTAINER_ID])
{
	size_t len = strspn(text, "0123456789abcdefABCDEF");

	if (len != HEX_ID || (text[len] && strcmp(text + len, ".scope") != 0))
		return false;
	memcpy(id, text, len);
	id[len] = '\0';
	return true;
}

/* Monitors of containers are in groups that are named alike, beside them or in their pods. */
static bool is_monitor(const char *name)
{
	return begins(name, "conmon-") || begins(name, "crio-conmon-") ||
	       begins(name, "libpod-conmon-");
}

/* Take "docker-ID.scope", or the ID alone. A scope with another ID is taken as it is. */
static bool of_id(const char *name, char id[CONTAINER_ID])
{
	static const char *const prefixes[] = {
		"cri-containerd-", "nerdctl-", "docker-", "crio-", "libpod-",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (begins(name, prefixes[i]))
			return as_hex(name + strlen(prefixes[i]), id) ||
			       (ends(name, ".scope") && !is_monitor(name) &&
				as_it_is(name, id));
	return as_hex(name, id);
}

static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' :
					   tolower((unsigned char)c) - 'a' + 10;
}

/* Undo systemd's escapes: \x2d is a -. */
static void unescape(const char *from, size_t len, char *to)
{
	while (len) {
		size_t n = 1;

		*to = *from;
		if (len >= 4 && begins(from, "\\x") &&
		    isxdigit((unsigned char)from[2]) &&
		    isxdigit((unsigned char)from[3])) {
			*to = (char)(digit(from[2]) << 4 | digit(from[3]));
			n = 4;
		}
		from += n;
		len -= n;
		to += !!*to; /* a name has no NUL */
	}
	*to = '\0';
}

/* Take a machine of systemd, or a container of LXC since 4.0. */
static bool of_name(const char *name, char id[CONTAINER_ID])
{
	static const char *const forms[][2] = {
		{ "machine-", ".scope" },
		{ "systemd-nspawn@", ".service" },
		{ "lxc.payload.", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		size_t head = strlen(forms[i][0]), tail = strlen(forms[i][1]);
		size_t len = strlen(name);

		if (!begins(name, forms[i][0]) ||
		    (tail && !ends(name, forms[i][1])))
			continue;
		if (len <= head + tail)
			return as_it_is(name, id);
		unescape(name + head, len - head - tail, id);
		return *id || as_it_is(name, id);
	}
	return false;
}

static bool is_one_of(const char *name, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

/* Return true for a group of kubelet's for a pod, with either driver. */
static bool is_pod(const char *name, const char *above)
{
	static const char *const kinds[] = { "kubepods", "besteffort",
					     "burstable" };

	if (ends(name, ".slice"))
		return begins(name, "kubepods") && strstr(name, "-pod");
	return begins(name, "pod") && name[3] &&
	       is_one_of(above, kinds, ARRAY_SIZE(kinds));
}

/* Groups whose groups are containers, whatever these are named. */
static bool is_home(const char *name, const char *above)
{
	static const char *const anywhere[] = { "lxc", "lxc.payload",
						"garden" };
	static const char *const of_containerd[] = { "default", "k8s.io",
						     "buildkit" };
	static const char *const of_garden[] = { "good", "bad" };

	return is_one_of(name, anywhere, ARRAY_SIZE(anywhere)) ||
	       (!*above &&
		is_one_of(name, of_containerd, ARRAY_SIZE(of_containerd))) ||
	       (!strcmp(above, "garden") &&
		is_one_of(name, of_garden, ARRAY_SIZE(of_garden))) ||
	       !strcmp(above, "ecs") || is_pod(name, above);
}

/* In a pod and in machine.slice names are the runtime's; elsewhere they are the owner's. */
static bool of_place(const struct way *w, int i, char id[CONTAINER_ID])
{
	const char *name = w->names[i], *above = w->names[i + 1];
	bool machine = !strcmp(above, "machine.slice");

	if (is_home(name, above) ||
	    (is_monitor(name) && (machine || is_pod(above, w->names[i + 2]))))
		return false;
	if (machine && ends(name, ".scope"))
		return as_it_is(name, id);
	return is_home(above, w->names[i + 2]) && as_it_is(name, id);
}

static void find_way(struct view *v, u64 group, struct way *w)
{
	u64 kn = view_field(v, group, F_CGROUP_KN), misses = v->misses;
	bool root;

	for (w->nr = 0; kn && w->nr < MAX_LEVELS && !v->error; w->nr++) {
		if (!read_string(v, NULL, view_field(v, kn, F_KN_NAME),
				 w->names[w->nr], MAX_NAME))
			break;
		kn = view_field(v, kn, F_KN_PARENT);
	}
	if (kn && w->nr == MAX_LEVELS)
		view_broken(v, misses, "the path of a control group", group);
	/* above the root there is nothing; a group whose parent is not known is no root */
	root = !kn && w->nr && !*w->names[w->nr - 1];
	for (int i = 0; i < ABOVE; i++)
		strcpy(w->names[w->nr + i], root ? "" : "?");
}

static bool container_of_group(struct view *v, u64 group, char id[CONTAINER_ID])
{
	struct way w;

	find_way(v, group, &w);
	for (int i = 0; i < w.nr; i++)
		if (*w.names[i] &&
		    (of_id(w.names[i], id) || of_name(w.names[i], id) ||
		     of_place(&w, i, id)))
			return true;
	return false;
}

/* Return the group of a controller, which may have a tree of its own (version 1). */
static u64 group_of(struct view *v, u64 set, enum symbol controller)
{
	u64 subsys = kernel_symbol(v->kernel, controller), id, state = 0;

	if (!subsys || !has(v, F_SUBSYS_ID) || !has(v, F_CSS_SET_SUBSYS) ||
	    !has(v, F_CSS_CGROUP))
		return 0;
	id = view_field(v, subsys, F_SUBSYS_ID);
	if (id >= size_of_field(v, F_CSS_SET_SUBSYS) / sizeof(state))
		return 0;
	view_read(v, NULL,
		  set + offset_of_field(v, F_CSS_SET_SUBSYS) +
			  id * sizeof(state),
		  &state, sizeof(state));
	return state ? view_field(v, state, F_CSS_CGROUP) : 0;
}

bool container_of_task(struct view *v, u64 task, char id[CONTAINER_ID])
{
	u64 set = view_field(v, task, F_TASK_CGROUPS);
	u64 groups[3];

	if (!set)
		return false;
	groups[0] = view_field(v, set, F_CSS_SET_CGROUP);
	groups[1] = group_of(v, set, S_pids_cgrp_subsys);
	groups[2] = group_of(v, set, S_memory_cgrp_subsys);
	for (int i = 0; i < 3 && !v->error; i++)
		if (groups[i] && (!i || groups[i] != groups[0]) &&
		    container_of_group(v, groups[i], id))
			return true;
	return false;
}

bool in_container(struct call *c, u64 task)
{
	char id[CONTAINER_ID];

	return container_of_task(&c->view, task, id) &&
	       !strcmp(id, c->container);
}
